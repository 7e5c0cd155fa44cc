-- Money still moves after "paid": it goes back at the provider, a refund bounces, a dispute opens, one order is charged twice.

-- +goose Up
ALTER TABLE transactions ADD COLUMN merchant_ref TEXT NOT NULL DEFAULT '';
ALTER TABLE transactions ADD COLUMN payer_description TEXT NOT NULL DEFAULT '';
ALTER TABLE transactions ADD COLUMN payer_name TEXT NOT NULL DEFAULT '';
ALTER TABLE transactions ADD COLUMN payer_email TEXT NOT NULL DEFAULT '';
ALTER TABLE transactions ADD COLUMN payer_phone TEXT NOT NULL DEFAULT '';
ALTER TABLE transactions ADD COLUMN payer_state_code TEXT NOT NULL DEFAULT '';
ALTER TABLE transactions ADD COLUMN next_url TEXT NOT NULL DEFAULT '';
ALTER TABLE transactions ADD COLUMN disputed_at BIGINT NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX transactions_merchant_ref ON transactions (gateway, merchant_ref) WHERE merchant_ref <> '';

-- One payment of a registration is looked at: others go back. There were none by the rules, and by chance there might be.
UPDATE transactions SET state = 'refund_due' WHERE state = 'review'
    AND id NOT IN (SELECT MIN(id) FROM transactions WHERE state = 'review' GROUP BY registration_id);
CREATE UNIQUE INDEX transactions_one_review ON transactions (registration_id) WHERE state = 'review';

ALTER TABLE refunds ADD COLUMN payment_id TEXT NOT NULL DEFAULT '';
ALTER TABLE refunds ADD COLUMN reason TEXT NOT NULL DEFAULT '';
ALTER TABLE refunds ADD COLUMN posted_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE refunds ADD COLUMN changed_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE refunds ADD COLUMN alerted_at BIGINT NOT NULL DEFAULT 0;
UPDATE refunds SET payment_id = (SELECT payment_id FROM transactions WHERE transactions.id = refunds.txn_id), posted_at = created_at;
UPDATE refunds SET changed_at = created_at WHERE state = 'done';
CREATE INDEX transactions_registration ON transactions (registration_id);

-- Append-only; migration 8 holds it to that.
CREATE TABLE credit_notes (
    id TEXT PRIMARY KEY,
    number TEXT NOT NULL UNIQUE,
    series TEXT NOT NULL,
    financial_year TEXT NOT NULL,
    serial BIGINT NOT NULL,
    invoice_id TEXT NOT NULL,
    invoice_number TEXT NOT NULL,
    invoice_date BIGINT NOT NULL,
    registration_id TEXT NOT NULL REFERENCES registrations (id),
    txn_id TEXT NOT NULL REFERENCES transactions (id),
    refund_id TEXT NOT NULL UNIQUE REFERENCES refunds (id),
    issued_on BIGINT NOT NULL,
    seller_name TEXT NOT NULL,
    seller_address TEXT NOT NULL,
    seller_gstin TEXT NOT NULL,
    seller_email TEXT NOT NULL,
    seller_phone TEXT NOT NULL,
    seller_state_name TEXT NOT NULL,
    seller_state_code TEXT NOT NULL,
    buyer_name TEXT NOT NULL,
    buyer_address TEXT NOT NULL,
    buyer_gstin TEXT NOT NULL,
    buyer_email TEXT NOT NULL,
    buyer_phone TEXT NOT NULL,
    buyer_state_name TEXT NOT NULL,
    buyer_state_code TEXT NOT NULL,
    description TEXT NOT NULL,
    sac TEXT NOT NULL,
    rate_bp BIGINT NOT NULL,
    place_of_supply TEXT NOT NULL,
    place_code TEXT NOT NULL,
    tax_taxable BIGINT NOT NULL,
    tax_cgst BIGINT NOT NULL,
    tax_sgst BIGINT NOT NULL,
    tax_utgst BIGINT NOT NULL,
    tax_igst BIGINT NOT NULL,
    total_minor BIGINT NOT NULL,
    words TEXT NOT NULL,
    UNIQUE (series, financial_year, serial)
);
CREATE INDEX credit_notes_txn ON credit_notes (txn_id);
