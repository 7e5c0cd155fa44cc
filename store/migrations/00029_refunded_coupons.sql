-- A refunded enrolment has given its coupon back.

-- +goose Up
UPDATE coupon_uses SET state = 'released' WHERE state IN ('used', 'over limit')
    AND txn_id IN (SELECT paid_txn_id FROM registrations WHERE refunded = TRUE);
