package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/pressly/goose/v3"
)

// myData is migration 16: what a person asks of the own data. exports are the files that a person asked for, in sealed
// parts; deletions the requests to be deleted; former_addresses what an account was reached at before, and until when.
// registrations.erased_at is since when a registration, kept for its payments, names nobody. The defaults let a program of
// the version before go on.
//
// Consents, invoices and credit notes stay append-only, but for the rows whose id stands in erasing: whoever is deleted
// takes the consents along, and the papers lose their buyer when the law's time is over. An id stands there within the
// transaction that erases alone.
func myData(dialect goose.Dialect) *goose.Migration {
	return goose.NewGoMigration(16, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		statements := append([]string{
			`CREATE TABLE exports (
				id TEXT PRIMARY KEY, account_id TEXT NOT NULL, asked_at BIGINT NOT NULL, done BIGINT NOT NULL, size BIGINT NOT NULL, parts BIGINT NOT NULL,
				ready_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, failed_at BIGINT NOT NULL)`,
			`CREATE INDEX exports_account ON exports (account_id, asked_at)`,
			`CREATE INDEX exports_asked_at ON exports (asked_at)`,
			`CREATE TABLE export_parts (export_id TEXT NOT NULL, part BIGINT NOT NULL, sealed TEXT NOT NULL, expires_at BIGINT NOT NULL, PRIMARY KEY (export_id, part))`,
			`CREATE INDEX export_parts_expires_at ON export_parts (expires_at)`,
			`CREATE TABLE deletions (
				id TEXT PRIMARY KEY, account_id TEXT NOT NULL, asked_at BIGINT NOT NULL, due_at BIGINT NOT NULL, postponed_at BIGINT NOT NULL, done_at BIGINT NOT NULL, closed_at BIGINT NOT NULL)`,
			`CREATE UNIQUE INDEX deletions_one_open ON deletions (account_id) WHERE closed_at = 0`,
			`CREATE INDEX deletions_closed_at ON deletions (closed_at)`,
			`CREATE TABLE former_addresses (account_id TEXT NOT NULL, address TEXT NOT NULL, until BIGINT NOT NULL, PRIMARY KEY (account_id, address))`,
			`CREATE TABLE erasing (ref TEXT PRIMARY KEY)`,
			`ALTER TABLE registrations ADD COLUMN erased_at BIGINT NOT NULL DEFAULT 0`,
			`CREATE INDEX registrations_erased_at ON registrations (erased_at) WHERE erased_at > 0`,
		}, erasable(dialect)...)
		for _, statement := range statements {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		return nil
	}}, nil)
}

// erasable are the statements that let what stands in erasing go: consents whole, of papers what an update changes.
func erasable(dialect goose.Dialect) (statements []string) {
	for _, of := range []struct{ table, may, mayNot, row string }{
		{"consents", "delete", "update", "OLD"},
		{"invoices", "update", "delete", "NEW"},
		{"credit_notes", "update", "delete", "NEW"},
	} {
		if dialect == goose.DialectPostgres {
			statements = append(statements,
				fmt.Sprintf(`DROP TRIGGER %[1]s_no_change ON %[1]s`, of.table),
				fmt.Sprintf(`CREATE TRIGGER %[1]s_no_%[2]s BEFORE %[2]s OR TRUNCATE ON %[1]s EXECUTE FUNCTION %[1]s_refuse()`, of.table, of.mayNot),
				fmt.Sprintf(`CREATE FUNCTION %[1]s_unless_erasing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
					IF EXISTS (SELECT 1 FROM erasing WHERE ref = OLD.id) THEN RETURN %[2]s; END IF;
					RAISE EXCEPTION '%[1]s are append-only'; END $$`, of.table, of.row),
				fmt.Sprintf(`CREATE TRIGGER %[1]s_no_%[2]s BEFORE %[2]s ON %[1]s FOR EACH ROW EXECUTE FUNCTION %[1]s_unless_erasing()`, of.table, of.may),
			)
			continue
		}
		statements = append(statements,
			fmt.Sprintf(`DROP TRIGGER %s_no_%s`, of.table, of.may),
			fmt.Sprintf(`CREATE TRIGGER %[1]s_no_%[2]s BEFORE %[2]s ON %[1]s WHEN NOT EXISTS (SELECT 1 FROM erasing WHERE ref = OLD.id)
				BEGIN SELECT RAISE(ABORT, '%[1]s are append-only'); END`, of.table, of.may),
		)
	}
	return statements
}
