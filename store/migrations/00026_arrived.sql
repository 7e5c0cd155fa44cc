-- What came of a payment instead of what was asked for: its payer reads both while a person looks at it. The default lets a program
-- of the version before go on.

-- +goose Up
ALTER TABLE transactions ADD COLUMN arrived_minor BIGINT NOT NULL DEFAULT 0;
ALTER TABLE transactions ADD COLUMN arrived_currency TEXT NOT NULL DEFAULT '';
