package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/pressly/goose/v3"
)

// CommitEachAlone disables SQLite's commit batches. Call it before the first update.
func (s *Store) CommitEachAlone() {
	s.database.(*sqliteDatabase).writer.limit = 1
}

// Query returns the single value of a query in an update or a view, with or without a timeout.
func (s *Store) Query(ctx context.Context, where, query string) (value string, err error) {
	run := map[string]func(context.Context, func(*tx) error) error{
		"update": s.update, "long update": s.longUpdate, "view": s.view, "long view": s.longView,
	}[where]
	err = run(ctx, func(t *tx) error { return t.db.Raw(query).Scan(&value).Error })
	return value, err
}

// ClaimedRowReads returns how many rows PostgreSQL reads to claim jobs.
func (s *Store) ClaimedRowReads(ctx context.Context, kinds []string, now time.Time, n int) (jobs int, rows int64, err error) {
	err = s.update(ctx, func(t *tx) error {
		due, err := t.dueJobs(kinds, toMicros(now), n)
		if jobs = len(due); err != nil {
			return err
		}
		return t.db.Raw("SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables WHERE relname = 'jobs'").Scan(&rows).Error
	})
	return jobs, rows, err
}

// MigrateTo creates a SQLite database with an older schema.
func MigrateTo(ctx context.Context, path string, version int64) error {
	db, err := sql.Open("sqlite", sqliteSource(path))
	if err != nil {
		return err
	}
	provider, err := migrationsFor(goose.DialectSQLite3, db)
	if err == nil {
		_, err = provider.UpTo(ctx, version)
	}
	return errors.Join(err, db.Close())
}

// MigratePostgresWith migrates a PostgreSQL database with statements as an additional migration.
func MigratePostgresWith(ctx context.Context, url string, statements ...string) error {
	return migratePostgres(ctx, url, goose.WithGoMigrations(goose.NewGoMigration(schemaVersion()+1, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		for _, statement := range statements {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	}}, nil)))
}

// ListBatch is listBatch.
const ListBatch = listBatch

// ListWithin returns the ids of the outbox, read in one transaction.
func (s *Store) ListWithin(ctx context.Context) (ids []string, err error) {
	err = s.view(ctx, func(t *tx) error {
		for row, err := range outbox.rows(t, allRows) {
			if err != nil {
				return err
			}
			ids = append(ids, row.ID)
		}
		return nil
	})
	return ids, err
}

// Cursor seals a position as a cursor of a list.
func Cursor(s *Store, list, of, place string) string {
	return s.sealer.seal("cursor of "+list, of, []byte(place))
}

// LastingAlerts returns the texts of the alerts whose end the database shows.
func LastingAlerts() (texts []string) {
	for _, one := range lastingAlerts {
		texts = append(texts, one.what)
	}
	return texts
}
