-- When a person last did something with a registration that does not change the registration's own row, as to type into a draft
-- or to send a document: a purge counts from the later one (store/over.go). The default lets a program of the version before go on.

-- +goose Up
ALTER TABLE registrations ADD COLUMN used_at BIGINT NOT NULL DEFAULT 0;
UPDATE registrations SET used_at = (
    SELECT MAX(at) FROM (
        SELECT 0 AS at
        UNION ALL SELECT saved_at FROM drafts WHERE registration_id = registrations.id
        UNION ALL SELECT begun_at FROM uploads WHERE registration_id = registrations.id
        UNION ALL SELECT stored_at FROM documents WHERE registration_id = registrations.id
        UNION ALL SELECT created_at FROM transactions WHERE registration_id = registrations.id
    ) AS uses
);
