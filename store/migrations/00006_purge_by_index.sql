-- Each purge finds what is over by an index.

-- +goose Up
CREATE INDEX spent_until ON spent (until);
CREATE INDEX leads_created_at ON leads (created_at);
CREATE INDEX messages_created_at ON messages (created_at);
CREATE INDEX inbox_handled_at ON inbox (handled_at);
