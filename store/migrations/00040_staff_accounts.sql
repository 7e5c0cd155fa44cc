-- People who work here: accounts, sessions, and links to set an account up. Secrets are sealed, tokens hashed.

-- +goose Up
CREATE TABLE staff_accounts (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    roles TEXT NOT NULL,
    password TEXT NOT NULL,
    secret TEXT NOT NULL,
    last_step BIGINT NOT NULL,
    codes TEXT, -- JSON; NULL for none
    invited_at BIGINT NOT NULL,
    invited_by TEXT NOT NULL,
    seen_at BIGINT NOT NULL,
    ended_at BIGINT NOT NULL,
    version BIGINT NOT NULL
);
CREATE TABLE staff_sessions (
    id TEXT PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL,
    stage TEXT NOT NULL,
    how TEXT NOT NULL,
    new_secret TEXT NOT NULL,
    ip TEXT NOT NULL,
    user_agent TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    confirmed_at BIGINT NOT NULL,
    wrong_codes BIGINT NOT NULL
);
CREATE INDEX staff_sessions_account ON staff_sessions (account_id);
CREATE INDEX staff_sessions_seen ON staff_sessions (seen_at);
CREATE TABLE staff_links (
    token_hash TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT NOT NULL
);
CREATE INDEX staff_links_account ON staff_links (account_id);
CREATE INDEX staff_links_expires ON staff_links (expires_at);
ALTER TABLE staff_log ADD COLUMN account_id TEXT NOT NULL DEFAULT '';
ALTER TABLE staff_log ADD COLUMN session_id TEXT NOT NULL DEFAULT '';
ALTER TABLE staff_log ADD COLUMN request_id TEXT NOT NULL DEFAULT '';
ALTER TABLE staff_log ADD COLUMN reason TEXT NOT NULL DEFAULT '';
ALTER TABLE staff_log ADD COLUMN denied BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX staff_log_account ON staff_log (account_id, n);
