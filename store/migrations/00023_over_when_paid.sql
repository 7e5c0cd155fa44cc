-- What is paid is over too, by the privacy notice: registrations that still name somebody are found by when they last changed.

-- +goose Up
CREATE INDEX registrations_named ON registrations (modified_at) WHERE erased_at = 0;
DROP INDEX registrations_unpaid;
CREATE INDEX referral_credits_code ON referral_credits (code);
