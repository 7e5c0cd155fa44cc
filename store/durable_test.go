package store_test

import (
	"database/sql"
	"testing"

	"hiresure/store"
	"hiresure/store/storetest"
)

// The test queries the updating connection: SQLite has the setting per connection.
func TestUpdateIsDurable(t *testing.T) {
	type row struct{ name, url, query, want string }
	file := storetest.SQLite(t)
	rows := []row{
		{"SQLite waits at each commit", file, "PRAGMA synchronous", "2"}, // FULL
		{"SQLite writes ahead", file, "PRAGMA journal_mode", "wal"},
	}
	if !testing.Short() {
		url := storetest.Postgres(t)
		db, err := sql.Open("pgx", url)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Exec("DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET synchronous_commit = off'; END $$"); err != nil {
			t.Fatal(err)
		}
		rows = append(rows,
			row{"PostgreSQL, though the database says otherwise", url, "SHOW synchronous_commit", "on"},
			row{"PostgreSQL, though the URL says otherwise", url + "&synchronous_commit=off", "SHOW synchronous_commit", "on"})
	}
	for _, r := range rows {
		s, err := store.Open(t.Context(), store.Config{URL: r.url, Secret: storetest.Secret, Migrate: true})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.Query(t.Context(), "update", r.query); got != r.want || err != nil {
			t.Errorf("%s: %s is %q, %v; want %q", r.name, r.query, got, err, r.want)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
