-- What is printed for payments as PDF: object is the name of its bytes in the storage, file_key the key that opens them, wrapped
-- by the master key key_id, and hash the SHA-256 of what it is when it is opened.

-- +goose Up
CREATE TABLE papers (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    ref TEXT NOT NULL,
    registration_id TEXT NOT NULL REFERENCES registrations (id),
    txn_id TEXT NOT NULL,
    issue BIGINT NOT NULL,
    caused_at BIGINT NOT NULL,
    printed BOOLEAN NOT NULL,
    printed_at BIGINT NOT NULL,
    hash TEXT NOT NULL,
    object TEXT NOT NULL,
    size BIGINT NOT NULL,
    file_key TEXT NOT NULL,
    key_id TEXT NOT NULL
);
CREATE UNIQUE INDEX papers_one_of_a_kind ON papers (kind, ref);
CREATE INDEX papers_payment ON papers (txn_id);
CREATE INDEX papers_registration ON papers (registration_id);
CREATE INDEX papers_object ON papers (object);
CREATE INDEX papers_key ON papers (key_id);
