-- A session that passed the human check on the page without scripts has narrower limits than one that did the work. The
-- default lets a program of the version before go on adding sessions.

-- +goose Up
ALTER TABLE sessions ADD COLUMN by_ticket BOOLEAN NOT NULL DEFAULT FALSE;
