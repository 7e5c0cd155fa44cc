-- A worker asks for the jobs of its kind that are due longest: it reads those, and not the whole backlog.

-- +goose Up
DROP INDEX jobs_due_at;
CREATE INDEX jobs_by_kind ON jobs (kind, due_at, ref);
