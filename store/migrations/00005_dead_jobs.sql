-- A job that was refused for good stays: dead_at says since when, failures (JSON, times and errors) why, and an operator
-- makes it due again. Its due_at lies beyond all time, so that a program of the version before, which does not know
-- dead_at, leaves it alone too. Each column has a default, so that such a program can still add rows.

-- +goose Up
ALTER TABLE jobs ADD COLUMN dead_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN failures TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN payload TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN progress TEXT NOT NULL DEFAULT '';
ALTER TABLE messages ADD COLUMN template_version TEXT NOT NULL DEFAULT '';
ALTER TABLE messages ADD COLUMN content TEXT NOT NULL DEFAULT '';
