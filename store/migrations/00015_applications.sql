-- What somebody has typed into a step of the application and not sent yet. The row stays when the step is saved: its version
-- tells a tab that was opened before that another one was faster. A registration counts the reminders that its person got.
-- The ticket's job looks for enrolments only; the index of the version before stays for that version.

-- +goose Up
CREATE TABLE drafts (
    registration_id TEXT NOT NULL REFERENCES registrations (id),
    step TEXT NOT NULL,
    typed TEXT,
    field TEXT NOT NULL,
    version BIGINT NOT NULL,
    saved_at BIGINT NOT NULL,
    PRIMARY KEY (registration_id, step)
);
CREATE INDEX drafts_saved_at ON drafts (saved_at);

ALTER TABLE registrations ADD COLUMN reminded BIGINT NOT NULL DEFAULT 0;
CREATE INDEX registrations_enrolled_without_referral ON registrations (id) WHERE own_referral = '' AND paid_txn_id <> '' AND event_code <> 'hiresure';
