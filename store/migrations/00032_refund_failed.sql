-- A payment that must go back and whose last refund failed or bounced: staff send it back by hand.

-- +goose Up
ALTER TABLE transactions ADD COLUMN refund_failed BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE transactions SET refund_failed = TRUE WHERE state = 'refund_due' AND EXISTS (
    SELECT 1 FROM refunds f WHERE f.txn_id = transactions.id AND f.payment_id = transactions.payment_id AND f.state IN ('failed', 'bounced'));
