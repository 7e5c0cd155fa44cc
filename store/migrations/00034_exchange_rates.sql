-- The list price in the charged currency, and what one unit of it was worth in rupees, in ten-thousandths, when the payment started.

-- +goose Up
ALTER TABLE transactions ADD COLUMN foreign_list BIGINT NOT NULL DEFAULT 0;
ALTER TABLE transactions ADD COLUMN exchange_rupees BIGINT NOT NULL DEFAULT 0;
ALTER TABLE transactions ADD COLUMN exchange_source TEXT NOT NULL DEFAULT '';
ALTER TABLE invoices ADD COLUMN exchange_rupees BIGINT NOT NULL DEFAULT 0;
ALTER TABLE invoices ADD COLUMN exchange_source TEXT NOT NULL DEFAULT '';
