-- Why a refund failed or bounced: the provider's codes and our own words.

-- +goose Up
ALTER TABLE refunds ADD COLUMN failure_reason TEXT NOT NULL DEFAULT '';
