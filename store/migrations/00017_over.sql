-- +goose Up
-- What is over by the privacy notice is found by these (store/holdings.go, overs).
CREATE INDEX enquiries_created_at ON enquiries (created_at);
CREATE INDEX grievances_created_at ON grievances (created_at);
CREATE INDEX registrations_unpaid ON registrations (modified_at) WHERE paid_txn_id = '' AND erased_at = 0;
