-- Who has paid owns a referral code. The default lets a program of the version before go on paying registrations; those get
-- their code from the job that gives tickets, which finds them by an index.

-- +goose Up
ALTER TABLE registrations ADD COLUMN own_referral TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX registrations_own_referral ON registrations (own_referral) WHERE own_referral <> '';
CREATE INDEX registrations_without_referral ON registrations (id) WHERE own_referral = '' AND paid_txn_id <> '';
