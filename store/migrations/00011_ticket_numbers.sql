-- A paid registration owns a ticket: a number for people, and the key that opens its page. The defaults let a program of
-- the version before go on adding and paying registrations; those get their ticket from a job, which finds them by an index.
-- A series counts what a prefix has issued.

-- +goose Up
ALTER TABLE registrations ADD COLUMN ticket TEXT NOT NULL DEFAULT '';
ALTER TABLE registrations ADD COLUMN ticket_key TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX registrations_ticket ON registrations (ticket) WHERE ticket <> '';
CREATE UNIQUE INDEX registrations_ticket_key ON registrations (ticket_key) WHERE ticket_key <> '';
CREATE INDEX registrations_without_ticket ON registrations (id) WHERE ticket = '' AND paid_txn_id <> '';
CREATE TABLE ticket_series (prefix TEXT PRIMARY KEY, issued BIGINT NOT NULL);
