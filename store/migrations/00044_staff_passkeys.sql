-- Passkeys of people who work here, and the challenge that a session waits for. A credential is sealed: nobody can add one by hand.

-- +goose Up
CREATE TABLE staff_passkeys (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    name TEXT NOT NULL,
    credential TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    used_at BIGINT NOT NULL
);
CREATE INDEX staff_passkeys_account ON staff_passkeys (account_id, created_at);
ALTER TABLE staff_accounts ADD COLUMN passkeys BIGINT NOT NULL DEFAULT 0;
ALTER TABLE staff_sessions ADD COLUMN challenge TEXT NOT NULL DEFAULT '';
