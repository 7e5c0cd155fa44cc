-- Filters of the list of registrations that staff have saved. They have no text that was searched, which may name a person.

-- +goose Up
CREATE TABLE saved_views (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    name TEXT NOT NULL,
    filter TEXT NOT NULL,
    shared BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX saved_views_account ON saved_views (account_id);
