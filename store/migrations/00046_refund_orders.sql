-- Refunds of a fee, as staff order them. decision is empty while a second person has to approve one. cause is printed on the credit note.

-- +goose Up
ALTER TABLE refunds ADD COLUMN cause TEXT NOT NULL DEFAULT '';
CREATE TABLE refund_orders (
    id TEXT PRIMARY KEY,
    txn_id TEXT NOT NULL REFERENCES transactions (id),
    registration_id TEXT NOT NULL REFERENCES registrations (id),
    minor BIGINT NOT NULL,
    currency TEXT NOT NULL,
    left_minor BIGINT NOT NULL,
    cause TEXT NOT NULL,
    words TEXT NOT NULL,
    second TEXT NOT NULL,
    account_id TEXT NOT NULL,
    who TEXT NOT NULL,
    at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    decision TEXT NOT NULL DEFAULT '',
    decider_id TEXT NOT NULL DEFAULT '',
    decider TEXT NOT NULL DEFAULT '',
    decided_at BIGINT NOT NULL DEFAULT 0,
    answer TEXT NOT NULL DEFAULT ''
);
CREATE INDEX refund_orders_registration ON refund_orders (registration_id, at);
CREATE INDEX refund_orders_at ON refund_orders (at, id);
CREATE UNIQUE INDEX refund_orders_open ON refund_orders (txn_id) WHERE decision = '';
