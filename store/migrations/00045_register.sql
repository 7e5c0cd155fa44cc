-- The order of the invoice register.

-- +goose Up
CREATE INDEX invoices_issued ON invoices (issued_on, id);
CREATE INDEX credit_notes_issued ON credit_notes (issued_on, id);
