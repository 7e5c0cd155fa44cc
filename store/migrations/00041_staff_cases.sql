-- Who takes care of what waits for a person, by payment or failed job; and indexes for the numbers of a day.

-- +goose Up
CREATE TABLE staff_cases (
    kind TEXT NOT NULL,
    ref TEXT NOT NULL,
    account_id TEXT NOT NULL,
    taken_at BIGINT NOT NULL,
    PRIMARY KEY (kind, ref)
);
CREATE INDEX staff_cases_taken ON staff_cases (taken_at);
CREATE INDEX registrations_created ON registrations (created_at, id);
CREATE INDEX refunds_created ON refunds (created_at);
