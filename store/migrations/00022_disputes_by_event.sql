-- Some gateways tell of disputes in webhooks alone, and name the payment by their own id.

-- +goose Up
ALTER TABLE inbox ADD COLUMN payment_id TEXT NOT NULL DEFAULT '';
ALTER TABLE inbox ADD COLUMN dispute TEXT NOT NULL DEFAULT '';
