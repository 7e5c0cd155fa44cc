package store_test

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/store"
	"hiresure/store/storetest"
)

// restore runs Restore at noon.
func restore(t *testing.T, url, backup string) (string, error) {
	t.Helper()
	return store.Restore(t.Context(), url, backup, noon)
}

func TestRestoreRejects(t *testing.T) {
	folder := t.TempDir()
	good := filepath.Join(folder, "good.db")
	s := storetest.Open(t, storetest.SQLite(t))
	fill(t, s, "of the backup", 2000)
	if err := s.Backup(t.Context(), good); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	// changed returns a modified backup.
	changed := func(name string, content []byte, statements ...string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, statement := range statements {
			db, err := sql.Open("sqlite", "file:"+path)
			if err == nil {
				_, err = db.ExecContext(t.Context(), statement)
			}
			if err := errors.Join(err, db.Close()); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	overwritten := slices.Clone(whole)
	for i := len(whole) / 2; i < len(whole)/2+40_000; i++ {
		overwritten[i] = 0x5a
	}
	url := storetest.SQLite(t)
	for _, row := range []struct{ sentence, backup, want string }{
		{"nothing", filepath.Join(folder, "absent.db"), "no such file or directory"},
		{"a folder", folder, folder + " is no file"},
		{"the database itself", pathOf(url), "is the database itself"},
		{"a text", changed("text", []byte(strings.Repeat("no database, ", 1000))), "file is not a database"},
		{"an empty file", changed("empty", nil), "is no database of this program"},
		{"a half", changed("half", whole[:len(whole)/2]), "malformed"},
		{"an overwritten one", changed("overwritten", overwritten), "is damaged: "},
		{"an index that lacks a row", changed("index", whole, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '(until)', '(bucket)') WHERE name = 'hits_until'"), "is damaged: "},
		{"another program's", changed("other", nil, "CREATE TABLE notes (text TEXT)"), "is no database of this program"},
		{
			"another program's with migrations", changed("goose", nil, "CREATE TABLE goose_db_version (version_id BIGINT, is_applied BOOLEAN); INSERT INTO goose_db_version VALUES (25, TRUE)"),
			"is no database of this program: it has no index accounts_email",
		},
		{"one without a table", changed("table", whole, "DROP TABLE invoice_series"), "is no database of this program: it has no table invoice_series"},
		{"one without a trigger", changed("trigger", whole, "DROP TRIGGER invoices_no_update"), "is no database of this program: it has no trigger invoices_no_update"},
		{"a later one", changed("later", whole, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (1000, TRUE)"), "the database's schema is number 1000, newer than this program's "},
		{"one from before the first release", changed("early", nil, "CREATE TABLE goose_db_version (version_id BIGINT, is_applied BOOLEAN); INSERT INTO goose_db_version VALUES (24, TRUE)"), "the database's schema is number 24, from before the first release"},
		{"one whose rows lack their parents", changed("orphan", whole, "INSERT INTO links VALUES ('token', 'nobody', 0, 0)"), `is damaged: a row of "links" names a missing one of "registrations"`},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			target, err := store.Open(t.Context(), store.Config{URL: url, Secret: storetest.Secret, Migrate: true})
			if err != nil {
				t.Fatal(err)
			}
			fill(t, target, row.sentence, 1)
			if err := target.Close(); err != nil {
				t.Fatal(err)
			}
			before := filesIn(t, filepath.Dir(pathOf(url)))
			if kept, err := restore(t, url, row.backup); err == nil || kept != "" || !strings.HasPrefix(err.Error(), "restore: ") || !strings.Contains(err.Error(), row.want) {
				t.Errorf("got %q, %v, want %s", kept, err, row.want)
			}
			if after := filesIn(t, filepath.Dir(pathOf(url))); len(after) != len(before) {
				t.Errorf("files were %v and are %v", before, after)
			}
			if n := filled1000(t, storetest.Open(t, url), row.sentence); n != 1 {
				t.Errorf("the database has %d rows of 1", n)
			}
		})
	}
	if _, err := restore(t, "postgres://host/database", good); err == nil || err.Error() != "restore: a PostgreSQL database is restored with pg_restore" {
		t.Errorf("PostgreSQL: %v", err)
	}
}

func TestRestoreRejectsADatabaseInUse(t *testing.T) {
	s := storetest.Open(t, storetest.SQLite(t))
	backup := filepath.Join(t.TempDir(), "backup.db")
	if err := s.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	for who, use := range map[string]func(t *testing.T, url string) (end func() error){
		"a site": func(t *testing.T, url string) func() error {
			return open(t, store.Config{URL: url, Migrate: true}).Close
		},
		"a command": func(t *testing.T, url string) func() error { return open(t, store.Config{URL: url}).Close },
		"a program that knows nothing of us": func(t *testing.T, url string) func() error {
			db := raw(t, url)
			if n := number(t, db, "SELECT COUNT(*) FROM hits"); n != 1 {
				t.Errorf("%d rows", n)
			}
			return db.Close
		},
	} {
		t.Run(who, func(t *testing.T) {
			url := storetest.SQLite(t)
			first := open(t, store.Config{URL: url, Migrate: true})
			fill(t, first, "stands", 1)
			if err := first.Close(); err != nil {
				t.Fatal(err)
			}
			end := use(t, url)
			want := "restore: " + pathOf(url) + " is in use: stop the site, and whatever else has it open"
			if _, err := restore(t, url, backup); err == nil || err.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			}
			if err := end(); err != nil {
				t.Fatal(err)
			}
			if _, err := restore(t, url, backup); err != nil {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

// killed copies the files of an open database, as a killed process would leave them.
func killed(t *testing.T, url string) (left string) {
	t.Helper()
	left = storetest.SQLite(t)
	for _, suffix := range []string{"", "-wal", "-shm"} {
		content, err := os.ReadFile(pathOf(url) + suffix)
		if err == nil {
			err = os.WriteFile(pathOf(left)+suffix, content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return left
}

func TestRestoreAfterAKillKeepsBothDatabases(t *testing.T) {
	url := storetest.SQLite(t)
	s := storetest.Open(t, url)
	fill(t, s, "in the backup", 10)
	backup := filepath.Join(t.TempDir(), "backup.db")
	if err := s.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	fill(t, s, "after the backup", 10)
	for _, damaged := range []bool{false, true} {
		t.Run(fmt.Sprint("damaged ", damaged), func(t *testing.T) {
			left := killed(t, url)
			path := pathOf(left)
			if damaged {
				for _, name := range []string{path, path + "-wal"} { // overwrites both heads
					file, err := os.OpenFile(name, os.O_WRONLY, 0)
					if err == nil {
						_, err = file.WriteAt(make([]byte, 100), 0)
					}
					if err := errors.Join(err, file.Close()); err != nil {
						t.Fatal(err)
					}
				}
			}
			kept, err := restore(t, left, backup)
			if want := path + ".before-restore-20261121T063000Z"; kept != want || err != nil {
				t.Fatalf("kept %q, %v; want %q", kept, err, want)
			}
			want := map[string]fs.FileMode{filepath.Base(path): 0o600, filepath.Base(path) + ".in-use": 0o600, filepath.Base(kept): 0o600}
			if damaged {
				want[filepath.Base(kept)+"-wal"] = 0o600
			}
			if files := filesIn(t, filepath.Dir(path)); !mapsEqual(files, want) {
				t.Errorf("files are %v, want %v", files, want)
			}
			restored := storetest.Open(t, left)
			if in, after := filled1000(t, restored, "in the backup"), filled1000(t, restored, "after the backup"); in != 10 || after != 0 {
				t.Errorf("restored: %d and %d rows, want 10 and 0", in, after)
			}
			if !damaged {
				old := storetest.Open(t, "sqlite://"+kept)
				if in, after := filled1000(t, old, "in the backup"), filled1000(t, old, "after the backup"); in != 10 || after != 10 {
					t.Errorf("kept: %d and %d rows, want 10 and 10", in, after)
				}
			}
		})
	}
}

func mapsEqual(a, b map[string]fs.FileMode) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

func TestRestoreWithoutADatabase(t *testing.T) {
	s := storetest.Open(t, storetest.SQLite(t))
	fill(t, s, "kept", 3)
	backup := filepath.Join(t.TempDir(), "backup.db")
	if err := s.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "new machine")
	url := "sqlite://" + filepath.Join(folder, "site.db")
	check := func(sentence string) {
		t.Helper()
		if kept, err := restore(t, url, backup); kept != "" || err != nil {
			t.Errorf("%s: kept %q, %v", sentence, kept, err)
		}
		restored := open(t, store.Config{URL: url})
		if n := filled1000(t, restored, "kept"); n != 3 {
			t.Errorf("%s: %d rows", sentence, n)
		}
		if err := restored.Close(); err != nil {
			t.Fatal(err)
		}
	}
	check("there is not even a folder")
	other := storetest.SQLite(t)
	fill(t, storetest.Open(t, other), "of another database", 3)
	log, err := os.ReadFile(pathOf(other) + "-wal")
	if err := errors.Join(err, os.Remove(pathOf(url)), os.WriteFile(pathOf(url)+"-wal", log, 0o600)); err != nil {
		t.Fatal(err)
	}
	check("the log of another database is left")
}

func TestRestoreOlderSchema(t *testing.T) {
	old := storetest.SQLite(t)
	if err := store.MigrateTo(t.Context(), pathOf(old), 25); err != nil {
		t.Fatal(err)
	}
	insertHits(t, old, 3)
	url := storetest.SQLite(t)
	if _, err := restore(t, url, pathOf(old)); err != nil {
		t.Fatal(err)
	}
	restored := storetest.Open(t, url)
	if err := restored.Migrated(t.Context()); err != nil {
		t.Error(err)
	}
	if n := number(t, raw(t, url), "SELECT COUNT(*) FROM hits"); n != 3 {
		t.Errorf("%d rows", n)
	}
}

func TestARestoreTakesSeconds(t *testing.T) {
	url := storetest.SQLite(t)
	s := open(t, store.Config{URL: url, Migrate: true})
	const rows = 10_000
	insertHits(t, url, rows)
	backup := filepath.Join(t.TempDir(), "backup.db")
	started := time.Now()
	if err := s.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	backedUp := time.Since(started)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(pathOf(url), 100_000); err != nil {
		t.Fatal(err)
	}
	started = time.Now()
	if _, err := restore(t, url, backup); err != nil {
		t.Fatal(err)
	}
	open(t, store.Config{URL: url, Migrate: true})
	restored := time.Since(started)
	t.Logf("%d rows of a kilobyte: backed up in %v, restored and open in %v", rows, backedUp, restored)
	if n := number(t, raw(t, url), "SELECT COUNT(*) FROM hits"); n != rows {
		t.Errorf("%d rows", n)
	}
	if restored > 30*time.Second {
		t.Errorf("it took %v", restored)
	}
}
