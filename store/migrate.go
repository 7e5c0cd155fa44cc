package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"hiresure/admission"
)

//go:embed migrations/*.sql
var migrations embed.FS

const versionQuery = "SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version WHERE is_applied"

// schemaVersion returns the number of the last migration.
var schemaVersion = sync.OnceValue(func() int64 {
	var last int64
	for _, migration := range goMigrations(goose.DialectSQLite3) {
		last = max(last, migration.Version)
	}
	files, err := migrations.ReadDir("migrations")
	if err != nil {
		panic(err) // embedded files
	}
	for _, file := range files {
		number, err := goose.NumericComponent(file.Name())
		if err != nil {
			panic(err)
		}
		last = max(last, number)
	}
	return last
})

// newerSchema returns the error for a database that a later version of this program has migrated.
func newerSchema(version int64) error {
	return fmt.Errorf("the database's schema is number %d, newer than this program's %d: start the version that made it, or restore a backup from before", version, schemaVersion())
}

// firstSchema is the oldest schema that this program can migrate. Versions 1 to 24 were squashed into it before the first release.
const firstSchema = 25

// olderSchema returns the error for a database from before the first release.
func olderSchema(version int64) error {
	return fmt.Errorf("the database's schema is number %d, from before the first release: this program migrates from number %d on", version, firstSchema)
}

// goMigrations returns the migrations whose SQL differs between the databases.
func goMigrations(dialect goose.Dialect) []*goose.Migration {
	return []*goose.Migration{appendOnly(dialect), lockStaffLog(dialect), searchTerms(dialect)}
}

func migrationsFor(dialect goose.Dialect, db *sql.DB, options ...goose.ProviderOption) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	options = append(options, goose.WithDisableGlobalRegistry(true), goose.WithGoMigrations(goMigrations(dialect)...))
	return goose.NewProvider(dialect, db, files, options...)
}

// migrate applies the missing migrations.
func migrate(ctx context.Context, dialect goose.Dialect, db *sql.DB, options ...goose.ProviderOption) error {
	provider, err := migrationsFor(dialect, db, options...)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	version, err := provider.GetDBVersion(ctx)
	switch {
	case err == nil && version > schemaVersion():
		return newerSchema(version)
	case err == nil && version > 0 && version < firstSchema:
		return olderSchema(version)
	}
	if err == nil { // while other sites write
		err = retryConflicts(ctx, func(int) error {
			_, err := provider.Up(ctx)
			return err
		})
	}
	return wrap("migrate", err)
}

// Migrated returns an error for the operator if the schema is older or newer than this program.
func (s *Store) Migrated(ctx context.Context) error {
	var version int64
	err := s.view(ctx, func(t *tx) error { return t.db.Raw(versionQuery).Scan(&version).Error })
	switch {
	case errors.Is(err, admission.ErrUnavailable):
		return err
	case version > 0 && version < firstSchema:
		return olderSchema(version)
	case err != nil || version < schemaVersion(): // err: there is no such table
		return errors.New("the database's schema is older than this program: run site migrate")
	case version > schemaVersion():
		return newerSchema(version)
	}
	return nil
}

// appendOnly is migration 26: consents, invoices and credit notes cannot be changed or deleted. The exception are rows whose
// id is in erasing: a consent is deleted with its person, and a tax document loses its buyer after the legal period.
func appendOnly(dialect goose.Dialect) *goose.Migration {
	return goose.NewGoMigration(26, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		for _, statement := range slices.Concat(
			appendOnlyTable(dialect, "consents", "delete", "update", "OLD"),
			appendOnlyTable(dialect, "invoices", "update", "delete", "NEW"),
			appendOnlyTable(dialect, "credit_notes", "update", "delete", "NEW"),
		) {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		return nil
	}}, nil)
}

// appendOnlyTable returns the statements that reject one kind of change (refused) of all rows of table, and the other
// (erasing) of rows whose id is not in the table erasing. row is the result of PostgreSQL's trigger if it accepts.
func appendOnlyTable(dialect goose.Dialect, table, erasing, refused, row string) []string {
	statements := []string{
		`CREATE TRIGGER {table}_no_{refused} BEFORE {refused} ON {table} BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END`,
		`CREATE TRIGGER {table}_no_{erasing} BEFORE {erasing} ON {table} WHEN NOT EXISTS (SELECT 1 FROM erasing WHERE ref = OLD.id)
			BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END`,
	}
	if dialect == goose.DialectPostgres {
		statements = []string{
			`CREATE FUNCTION {table}_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '{table} are append-only'; END $$`,
			`CREATE TRIGGER {table}_no_{refused} BEFORE {refused} OR TRUNCATE ON {table} EXECUTE FUNCTION {table}_refuse()`,
			`CREATE FUNCTION {table}_unless_erasing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
					IF EXISTS (SELECT 1 FROM erasing WHERE ref = OLD.id) THEN RETURN {row}; END IF;
					RAISE EXCEPTION '{table} are append-only'; END $$`,
			`CREATE TRIGGER {table}_no_{erasing} BEFORE {erasing} ON {table} FOR EACH ROW EXECUTE FUNCTION {table}_unless_erasing()`,
		}
	}
	names := strings.NewReplacer("{table}", table, "{erasing}", erasing, "{refused}", refused, "{row}", row)
	for i := range statements {
		statements[i] = names.Replace(statements[i])
	}
	return statements
}

// lockStaffLog is migration 39: rows of the log of staff cannot be changed or deleted.
func lockStaffLog(dialect goose.Dialect) *goose.Migration {
	statements := []string{
		`CREATE TRIGGER staff_log_no_update BEFORE UPDATE ON staff_log BEGIN SELECT RAISE(ABORT, 'the staff log is append-only'); END`,
		`CREATE TRIGGER staff_log_no_delete BEFORE DELETE ON staff_log BEGIN SELECT RAISE(ABORT, 'the staff log is append-only'); END`,
	}
	if dialect == goose.DialectPostgres {
		statements = []string{
			`CREATE FUNCTION staff_log_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the staff log is append-only'; END $$`,
			`CREATE TRIGGER staff_log_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON staff_log EXECUTE FUNCTION staff_log_refuse()`,
		}
	}
	return goose.NewGoMigration(39, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		for _, statement := range statements {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		return nil
	}}, nil)
}

// searchTerms is migration 42: the terms by which staff find registrations. PostgreSQL sorts them by bytes, as SQLite does, so that a
// prefix is a range.
func searchTerms(dialect goose.Dialect) *goose.Migration {
	collation, rowid := "", " WITHOUT ROWID"
	if dialect == goose.DialectPostgres {
		collation, rowid = ` COLLATE "C"`, ""
	}
	statements := []string{
		`CREATE TABLE search_terms (
			registration_id TEXT NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
			term TEXT` + collation + ` NOT NULL,
			created_at BIGINT NOT NULL,
			PRIMARY KEY (registration_id, term)
		)` + rowid,
		`CREATE INDEX search_terms_term ON search_terms (term, created_at, registration_id)`,
	}
	return goose.NewGoMigration(42, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		for _, statement := range statements {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		return nil
	}}, nil)
}

// sessionLock returns goose's lock for PostgreSQL, tried every second for a minute.
func sessionLock() (goose.ProviderOption, error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 60))
	if err != nil {
		return nil, err
	}
	return goose.WithSessionLocker(locker), nil
}

// withFileLock runs work under the exclusive lock of a file, which the operating system releases with the process.
func withFileLock(path string, work func() error) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err == nil {
		err = work()
	}
	return errors.Join(err, file.Close())
}
