-- A refund after the last day to reverse its GST has a credit note without tax.

-- +goose Up
ALTER TABLE credit_notes ADD COLUMN financial BOOLEAN NOT NULL DEFAULT FALSE;
