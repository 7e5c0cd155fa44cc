package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/pressly/goose/v3"
)

// severalInvoices is migration 8: a payment may have several invoices, since one reverses a credit note whose refund has
// bounced; and nobody changes or deletes a credit note. SQLite cannot drop a constraint, so there the table is made anew.
func severalInvoices(dialect goose.Dialect) *goose.Migration {
	return goose.NewGoMigration(8, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		run := func(statements ...string) error {
			for _, statement := range statements {
				if _, err := tx.ExecContext(ctx, statement); err != nil {
					return fmt.Errorf("%s: %w", statement, err)
				}
			}
			return nil
		}
		if dialect == goose.DialectPostgres {
			if err := run(
				"ALTER TABLE invoices DROP CONSTRAINT invoices_txn_id_key",
				"ALTER TABLE invoices ADD COLUMN issue BIGINT NOT NULL DEFAULT 1",
				"ALTER TABLE invoices ADD COLUMN reverses TEXT NOT NULL DEFAULT ''",
				"ALTER TABLE invoices ADD UNIQUE (txn_id, issue)",
			); err != nil {
				return err
			}
			return run(refuseChanges(dialect, "credit_notes")...)
		}
		var definition string
		if err := tx.QueryRowContext(ctx, "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = 'invoices'").Scan(&definition); err != nil {
			return err
		}
		anew := strings.NewReplacer(
			"CREATE TABLE invoices", "CREATE TABLE invoices_anew",
			"txn_id TEXT NOT NULL UNIQUE REFERENCES", "txn_id TEXT NOT NULL REFERENCES",
			"UNIQUE (series, financial_year, serial)",
			"issue BIGINT NOT NULL DEFAULT 1, reverses TEXT NOT NULL DEFAULT '', UNIQUE (series, financial_year, serial), UNIQUE (txn_id, issue)",
		).Replace(definition)
		if err := run(
			anew,
			"INSERT INTO invoices_anew SELECT *, 1, '' FROM invoices",
			"DROP TABLE invoices", // with its triggers, none of which fires for this
			"ALTER TABLE invoices_anew RENAME TO invoices",
		); err != nil {
			return err
		}
		return run(append(refuseChanges(dialect, "invoices"), refuseChanges(dialect, "credit_notes")...)...)
	}}, nil)
}
