-- The documents of an application, the uploads in which they arrive, and who has opened them. A file itself lies in the
-- storage: object is its name there, file_key the key that opens it, wrapped by the master key key_id.

-- +goose Up
CREATE TABLE uploads (
    id TEXT PRIMARY KEY,
    registration_id TEXT NOT NULL REFERENCES registrations (id),
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    size BIGINT NOT NULL,
    hash TEXT NOT NULL,
    received BIGINT NOT NULL,
    writer TEXT NOT NULL,
    state TEXT NOT NULL,
    refusal TEXT NOT NULL,
    document_id TEXT NOT NULL,
    judge_until BIGINT NOT NULL,
    begun_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX uploads_registration ON uploads (registration_id, begun_at);
CREATE INDEX uploads_expires_at ON uploads (expires_at);

CREATE TABLE upload_pieces (
    upload_id TEXT NOT NULL,
    start BIGINT NOT NULL,
    object TEXT NOT NULL,
    size BIGINT NOT NULL,
    file_key TEXT NOT NULL,
    key_id TEXT NOT NULL,
    PRIMARY KEY (upload_id, start)
);
CREATE INDEX upload_pieces_object ON upload_pieces (object);
CREATE INDEX upload_pieces_key ON upload_pieces (key_id);

CREATE TABLE documents (
    id TEXT PRIMARY KEY,
    registration_id TEXT NOT NULL REFERENCES registrations (id),
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    content_type TEXT NOT NULL,
    width BIGINT NOT NULL,
    height BIGINT NOT NULL,
    pages BIGINT NOT NULL,
    checking BOOLEAN NOT NULL,
    stored_at BIGINT NOT NULL,
    object TEXT NOT NULL,
    size BIGINT NOT NULL,
    file_key TEXT NOT NULL,
    key_id TEXT NOT NULL
);
CREATE UNIQUE INDEX documents_one_of_a_kind ON documents (registration_id, kind);
CREATE INDEX documents_object ON documents (object);
CREATE INDEX documents_key ON documents (key_id);

CREATE TABLE document_views (
    id TEXT PRIMARY KEY,
    document_id TEXT NOT NULL,
    registration_id TEXT NOT NULL,
    viewer TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX document_views_registration ON document_views (registration_id, at);
