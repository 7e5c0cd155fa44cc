-- A document may be sent before anybody says which of the papers it is: its kind is '' then, and there may be several.

-- +goose Up
DROP INDEX documents_one_of_a_kind;
CREATE UNIQUE INDEX documents_one_of_a_kind ON documents (registration_id, kind) WHERE kind <> '';
CREATE INDEX documents_registration ON documents (registration_id);
