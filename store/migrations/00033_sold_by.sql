-- Who sold in its own name, as merchant of record: such a payment has no invoice of ours.

-- +goose Up
ALTER TABLE transactions ADD COLUMN sold_by TEXT NOT NULL DEFAULT '';
