-- What staff print: a batch, its papers in order, and the parts of its file while it is made.

-- +goose Up
CREATE TABLE print_batches (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    who TEXT NOT NULL,
    ordered_at BIGINT NOT NULL,
    filter TEXT NOT NULL,
    form TEXT NOT NULL,
    double_sided BOOLEAN NOT NULL,
    state TEXT NOT NULL,
    trouble TEXT NOT NULL,
    total BIGINT NOT NULL,
    done BIGINT NOT NULL,
    duplicates BIGINT NOT NULL,
    sheets BIGINT NOT NULL,
    first_number TEXT NOT NULL,
    last_number TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    ended_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    object TEXT NOT NULL,
    size BIGINT NOT NULL,
    file_key TEXT NOT NULL,
    key_id TEXT NOT NULL
);
CREATE INDEX print_batches_ordered ON print_batches (ordered_at, id);
CREATE INDEX print_batches_open ON print_batches (ordered_at, id) WHERE state = 'open';
CREATE INDEX print_batches_expires ON print_batches (expires_at) WHERE object <> '';
CREATE INDEX print_batches_object ON print_batches (object);
CREATE TABLE print_items (
    batch_id TEXT NOT NULL REFERENCES print_batches (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    kind TEXT NOT NULL,
    ref TEXT NOT NULL,
    registration_id TEXT NOT NULL REFERENCES registrations (id),
    txn_id TEXT NOT NULL,
    number TEXT NOT NULL,
    issue BIGINT NOT NULL,
    duplicate BOOLEAN NOT NULL,
    PRIMARY KEY (batch_id, position)
);
CREATE INDEX print_items_paper ON print_items (kind, ref);
CREATE INDEX print_items_registration ON print_items (registration_id);
CREATE TABLE print_parts (
    id TEXT PRIMARY KEY,
    batch_id TEXT NOT NULL REFERENCES print_batches (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    object TEXT NOT NULL,
    size BIGINT NOT NULL,
    file_key TEXT NOT NULL,
    key_id TEXT NOT NULL
);
CREATE UNIQUE INDEX print_parts_position ON print_parts (batch_id, position);
CREATE INDEX print_parts_object ON print_parts (object);
