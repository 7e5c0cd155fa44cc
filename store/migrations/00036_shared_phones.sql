-- Whether a minor's guardian has agreed on the student's own phone.

-- +goose Up
ALTER TABLE registrations ADD COLUMN shared_phone BOOLEAN NOT NULL DEFAULT FALSE;
