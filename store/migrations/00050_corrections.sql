-- What staff correct and its owner has not confirmed yet. One correction of a field waits at a time.

-- +goose Up
CREATE TABLE corrections (
    id TEXT PRIMARY KEY,
    registration_id TEXT NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
    field TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    was TEXT NOT NULL,
    value TEXT NOT NULL,
    receipt BOOLEAN NOT NULL DEFAULT FALSE,
    how TEXT NOT NULL,
    who TEXT NOT NULL,
    account_id TEXT NOT NULL,
    code_mac TEXT NOT NULL DEFAULT '',
    code_ends_at BIGINT NOT NULL DEFAULT 0,
    tries BIGINT NOT NULL DEFAULT 0,
    sends BIGINT NOT NULL DEFAULT 0,
    sent_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    ended_at BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX corrections_one_waits ON corrections (registration_id, field) WHERE state = 'waits';
CREATE INDEX corrections_registration ON corrections (registration_id, created_at);
CREATE INDEX corrections_expires ON corrections (expires_at);
