-- What a mail brings along: names of papers as JSON, and in the outbox of development what their files are called.

-- +goose Up
ALTER TABLE messages ADD COLUMN papers TEXT NOT NULL DEFAULT '';
ALTER TABLE outbox ADD COLUMN files TEXT NOT NULL DEFAULT '';
