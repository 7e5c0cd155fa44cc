package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
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
		panic(err) // they are a part of the program
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

// newer refuses a database that a later version of this program has migrated: what we wrote there might be wrong by its
// rules, and what it wrote we might take for something else.
func newer(version int64) error {
	return fmt.Errorf("the database's schema is number %d, newer than this program's %d: start the version that made it, or restore a backup from before", version, schemaVersion())
}

// goMigrations are those that differ between the databases.
func goMigrations(dialect goose.Dialect) []*goose.Migration {
	return []*goose.Migration{appendOnly(dialect), severalInvoices(dialect), myData(dialect)}
}

func migrationsFor(dialect goose.Dialect, db *sql.DB, options ...goose.ProviderOption) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	options = append(options, goose.WithDisableGlobalRegistry(true), goose.WithGoMigrations(goMigrations(dialect)...))
	return goose.NewProvider(dialect, db, files, options...)
}

// migrate brings the schema up to date.
func migrate(ctx context.Context, dialect goose.Dialect, db *sql.DB, options ...goose.ProviderOption) error {
	provider, err := migrationsFor(dialect, db, options...)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	version, err := provider.GetDBVersion(ctx)
	if err == nil && version > schemaVersion() {
		return newer(version)
	}
	if err == nil { // beside sites that go on writing
		err = untilClear(ctx, func(int) error {
			_, err := provider.Up(ctx)
			return err
		})
	}
	return wrap("migrate", err)
}

// Migrated returns an error that an operator can read where the schema is older or newer than this program.
func (s *Store) Migrated(ctx context.Context) error {
	var version int64
	err := s.view(ctx, func(t *tx) error { return t.db.Raw(versionQuery).Scan(&version).Error })
	switch {
	case errors.Is(err, admission.ErrUnavailable):
		return err
	case err != nil || version < schemaVersion(): // err: there is no such table
		return errors.New("the database's schema is older than this program: run site migrate")
	case version > schemaVersion():
		return newer(version)
	}
	return nil
}

// appendOnly is migration 2: nobody changes or deletes a consent or an invoice, not even we.
func appendOnly(dialect goose.Dialect) *goose.Migration {
	return goose.NewGoMigration(2, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		for _, table := range []string{"consents", "invoices"} {
			for _, statement := range refuseChanges(dialect, table) {
				if _, err := tx.ExecContext(ctx, statement); err != nil {
					return err
				}
			}
		}
		return nil
	}}, nil)
}

// refuseChanges are the statements that make a table append-only.
func refuseChanges(dialect goose.Dialect, table string) []string {
	statements := []string{
		`CREATE TRIGGER %[1]s_no_update BEFORE UPDATE ON %[1]s BEGIN SELECT RAISE(ABORT, '%[1]s are append-only'); END`,
		`CREATE TRIGGER %[1]s_no_delete BEFORE DELETE ON %[1]s BEGIN SELECT RAISE(ABORT, '%[1]s are append-only'); END`,
	}
	if dialect == goose.DialectPostgres {
		statements = []string{
			`CREATE FUNCTION %[1]s_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '%[1]s are append-only'; END $$`,
			`CREATE TRIGGER %[1]s_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON %[1]s EXECUTE FUNCTION %[1]s_refuse()`,
		}
	}
	for i := range statements {
		statements[i] = fmt.Sprintf(statements[i], table)
	}
	return statements
}

// oneAtATime is the lock of goose's on PostgreSQL: the session's, tried every second for a minute.
func oneAtATime() (goose.ProviderOption, error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 60))
	if err != nil {
		return nil, err
	}
	return goose.WithSessionLocker(locker), nil
}

// underLock runs work while no other process runs any under the same file's lock. It is the operating system's, and ends with
// the process.
func underLock(path string, work func() error) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err == nil {
		err = work()
	}
	return errors.Join(err, file.Close())
}
