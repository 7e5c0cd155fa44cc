-- +goose Up
ALTER TABLE referral_credits ADD COLUMN cancelled_at BIGINT NOT NULL DEFAULT 0;
