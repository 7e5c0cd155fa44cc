// Package storetest gives tests real databases: a fresh SQLite file, and a fresh database in a private PostgreSQL.
package storetest

import (
	"bytes"
	"path/filepath"
	"testing"

	"hiresure/store"
)

// Secret is what the stores of tests seal with.
var Secret = bytes.Repeat([]byte("s"), 32)

// Each runs a test on a fresh store of each database.
func Each(t *testing.T, test func(*testing.T, *store.Store)) {
	t.Helper()
	EachURL(t, func(t *testing.T, url string) { test(t, Open(t, url)) })
}

// EachURL runs a test with the URL of a fresh database of each kind; with -short only of SQLite.
func EachURL(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, SQLite(t)) })
	if !testing.Short() {
		t.Run("postgres", func(t *testing.T) { test(t, Postgres(t)) })
	}
}

// SQLite returns the URL of a SQLite file that is not there yet.
func SQLite(t testing.TB) string {
	t.Helper()
	return "sqlite://" + filepath.Join(t.TempDir(), "site.db")
}

// Open opens a store until the test ends.
func Open(t testing.TB, url string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{URL: url, Secret: Secret, Migrate: true})
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
