-- What the lists of staff filter and sort by. profile_status is the text of the badge, set with the phase. A note is never changed.

-- +goose Up
ALTER TABLE registrations ADD COLUMN profile_status TEXT NOT NULL DEFAULT '';
DROP INDEX registrations_named;
CREATE INDEX registrations_changed ON registrations (modified_at, id) WHERE erased_at = 0;
CREATE INDEX registrations_event_changed ON registrations (event_code, modified_at, id) WHERE erased_at = 0;
CREATE INDEX registrations_status ON registrations (profile_status, modified_at, id) WHERE erased_at = 0;
CREATE INDEX registrations_event_status ON registrations (event_code, profile_status, modified_at, id) WHERE erased_at = 0;
CREATE INDEX registrations_coupon ON registrations (coupon_code, modified_at, id) WHERE coupon_code <> '';
CREATE INDEX registrations_source ON registrations (source, modified_at, id) WHERE source <> '';
CREATE INDEX registrations_college ON registrations (lower(college)) WHERE college <> '';
CREATE INDEX transactions_means_reference ON transactions (means_reference) WHERE means_reference <> '';
CREATE INDEX refunds_provider_id ON refunds (provider_id) WHERE provider_id <> '';
CREATE INDEX messages_recipient ON messages (recipient, created_at);
CREATE TABLE staff_notes (
    id TEXT PRIMARY KEY,
    registration_id TEXT NOT NULL REFERENCES registrations (id),
    account_id TEXT NOT NULL,
    who TEXT NOT NULL,
    words TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX staff_notes_registration ON staff_notes (registration_id, at);
