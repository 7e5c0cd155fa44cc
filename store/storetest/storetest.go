// Package storetest creates databases for tests: a SQLite file and a database in a private PostgreSQL.
package storetest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"hiresure/store"
)

// Secret is the secret of test stores.
var Secret = bytes.Repeat([]byte("s"), 32)

// Each runs a test on a new store of each database.
func Each(t *testing.T, test func(*testing.T, *store.Store)) {
	t.Helper()
	EachURL(t, func(t *testing.T, url string) { test(t, Open(t, url)) })
}

// EachURL runs a test with the URLs of SQLite and, without -short, Postgres.
func EachURL(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	eachURL(t, true, test)
}

// EachURLIfLong is EachURL for what depends little on the database: it asks Postgres in the long tests only.
func EachURLIfLong(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	eachURL(t, Long, test)
}

func eachURL(t *testing.T, postgres bool, test func(t *testing.T, url string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, SQLite(t)) })
	if postgres && !testing.Short() {
		t.Run("postgres", func(t *testing.T) { test(t, Postgres(t)) })
	}
}

// SQLite returns the URL of a new SQLite file.
func SQLite(t testing.TB) string {
	t.Helper()
	return "sqlite://" + filepath.Join(t.TempDir(), "site.db")
}

// Open opens a store until the test ends; changes modify its configuration.
func Open(t testing.TB, url string, changes ...func(*store.Config)) *store.Store {
	t.Helper()
	if err := copyTables(url); err != nil {
		t.Fatal(err)
	}
	config := store.Config{URL: url, Secret: Secret, Migrate: true}
	for _, change := range changes {
		change(&config)
	}
	s, err := store.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func migrate(url string) error {
	s, err := store.Open(context.Background(), store.Config{URL: url, Secret: Secret, Migrate: true})
	if err != nil {
		return err
	}
	return s.Close()
}

// copyTables copies a SQLite file with all tables to url, unless it exists: much faster than migrating.
func copyTables(url string) error {
	path, isSQLite := strings.CutPrefix(url, "sqlite://")
	if !isSQLite {
		return nil
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	tables, err := sqliteTables()
	if err != nil {
		return err
	}
	return os.WriteFile(path, tables, 0o600)
}

// sqliteTables returns the bytes of a SQLite file without rows.
var sqliteTables = sync.OnceValues(func() (_ []byte, err error) {
	folder, err := os.MkdirTemp("", "storetest")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	path := filepath.Join(folder, "site.db")
	if err := migrate("sqlite://" + path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})
