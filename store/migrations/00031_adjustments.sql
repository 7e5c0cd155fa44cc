-- A payment that staff accept with another amount than its price, in minor units of its charge: what was missing, or, below
-- zero, what is above. An invoice shows what was missing, in paise.

-- +goose Up
ALTER TABLE transactions ADD COLUMN adjustment_minor BIGINT NOT NULL DEFAULT 0;
ALTER TABLE invoices ADD COLUMN adjustment_minor BIGINT NOT NULL DEFAULT 0;
