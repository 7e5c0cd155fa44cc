-- How a payer paid, and what the payer's bank calls the payment, as far as the provider tells. The default lets a program of the
-- version before go on.

-- +goose Up
ALTER TABLE transactions ADD COLUMN means_name TEXT NOT NULL DEFAULT '';
ALTER TABLE transactions ADD COLUMN means_reference TEXT NOT NULL DEFAULT '';
