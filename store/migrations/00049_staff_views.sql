-- What staff looked at as an applicant, and why. The applicant reads it in My data.

-- +goose Up
CREATE TABLE staff_views (
    id TEXT PRIMARY KEY,
    registration_id TEXT NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
    account_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    role TEXT NOT NULL,
    purpose TEXT NOT NULL,
    reason TEXT NOT NULL,
    at BIGINT NOT NULL,
    until BIGINT NOT NULL,
    ended_at BIGINT NOT NULL
);
CREATE INDEX staff_views_registration ON staff_views (registration_id, at);
