-- The phase of a registration (admission/status), and when time alone ends it. Phases are sorted into lists of staff, and
-- counted. A row that the version before has written is due at once: until is in the past.

-- +goose Up
ALTER TABLE registrations ADD COLUMN phase TEXT NOT NULL DEFAULT '';
ALTER TABLE registrations ADD COLUMN phase_until BIGINT NOT NULL DEFAULT 1;
CREATE INDEX registrations_phase ON registrations (phase, modified_at, id);
CREATE INDEX registrations_phase_until ON registrations (phase_until) WHERE phase_until > 0;
