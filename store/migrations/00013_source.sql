-- Where the visit came from that led to a registration or an enquiry: no person, no address but a host (admission.Source).

-- +goose Up
ALTER TABLE registrations ADD COLUMN source TEXT NOT NULL DEFAULT '';
ALTER TABLE enquiries ADD COLUMN source TEXT NOT NULL DEFAULT '';
