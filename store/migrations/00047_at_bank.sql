-- Whether the provider said last that a payment waits for the payer's bank: otherwise nobody has tried to pay it yet.

-- +goose Up
ALTER TABLE transactions ADD COLUMN at_bank BOOLEAN NOT NULL DEFAULT FALSE;
