-- What a form asks and nobody searches or decides on: JSON by the field's name, NULL where nothing was answered; and the
-- version of the form that asked, 0 of rows from before. A program from before this leaves both alone.

-- +goose Up
ALTER TABLE registrations ADD COLUMN answers TEXT;
ALTER TABLE registrations ADD COLUMN form_version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE enquiries ADD COLUMN answers TEXT;
ALTER TABLE enquiries ADD COLUMN form_version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE grievances ADD COLUMN answers TEXT;
ALTER TABLE grievances ADD COLUMN form_version BIGINT NOT NULL DEFAULT 0;
