-- What waits for a browser or a font.

-- +goose Up
CREATE INDEX papers_waiting ON papers (id) WHERE NOT printed;
