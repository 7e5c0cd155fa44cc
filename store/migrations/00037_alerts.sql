-- Open alerts, and an index of what is measured at each scrape: payments that are not settled.

-- +goose Up
CREATE TABLE alerts (
    what TEXT PRIMARY KEY,
    times BIGINT NOT NULL,
    raised_at BIGINT NOT NULL
);
CREATE INDEX transactions_unsettled ON transactions (gateway, state) WHERE state IN ('created', 'pending', 'review', 'refund_due', 'refund_pending', 'disputed');
