-- A person who signs in. An address counts, and is nobody else's, once a code has proven it. A session of an account says
-- since when, and from what; a registration belongs to the account that has proven its phone. The defaults let a program of
-- the version before go on: what it adds belongs to nobody until its phone signs in. An API client's session has a refresh
-- token in place of a cookie's; whoever signs up with a code has given the rest of the account with the demand for it.

-- +goose Up
CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    full_name TEXT NOT NULL,
    email TEXT NOT NULL,
    email_proven_at BIGINT NOT NULL,
    phone TEXT NOT NULL,
    phone_proven_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    modified_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX accounts_email ON accounts (lower(email)) WHERE email_proven_at > 0;
CREATE UNIQUE INDEX accounts_phone ON accounts (phone) WHERE phone_proven_at > 0;

ALTER TABLE sessions ADD COLUMN account_id TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN signed_in_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN user_agent TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN api BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX sessions_account ON sessions (account_id, signed_in_at) WHERE account_id <> '';

ALTER TABLE code_requests ADD COLUMN full_name TEXT NOT NULL DEFAULT '';
ALTER TABLE code_requests ADD COLUMN other TEXT NOT NULL DEFAULT '';

ALTER TABLE registrations ADD COLUMN account_id TEXT NOT NULL DEFAULT '';
CREATE INDEX registrations_account ON registrations (account_id, modified_at, id) WHERE account_id <> '';
