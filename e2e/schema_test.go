//go:build long

package e2e

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hiresure/store/storetest"
)

// A database created by the previous version and migrated by this one has the schema of a new one: tables, columns in their
// order, types, defaults, constraints, indexes and triggers. So deployed migrations cannot change.
func TestMigratedSchemaEqualsANewOne(t *testing.T) {
	if _, err := BinaryBefore(); err != nil {
		if errors.Is(err, errNoHistory) {
			skip(t, err.Error())
		}
		t.Fatal(err)
	}
	for _, database := range []struct {
		name string
		url  func() string
		dump func(t *testing.T, url string) []string
	}{
		{"sqlite", func() string { return storetest.SQLite(t) }, sqliteSchema},
		{"postgres", func() string { return storetest.EmptyPostgres(t) }, postgresSchema},
	} {
		t.Run(database.name, func(t *testing.T) {
			migrated, fresh := database.url(), database.url()
			migrate(t, BinaryBefore, migrated)
			migrate(t, Binary, migrated)
			migrate(t, Binary, fresh)
			was, is := database.dump(t, migrated), database.dump(t, fresh)
			if len(is) < 100 {
				t.Fatalf("the schema has %d lines", len(is))
			}
			for _, line := range was {
				if !slices.Contains(is, line) {
					t.Errorf("only the migrated database has %s", line)
				}
			}
			for _, line := range is {
				if !slices.Contains(was, line) {
					t.Errorf("only the new database has %s", line)
				}
			}
			if !t.Failed() && !slices.Equal(was, is) {
				t.Error("the lines are the same in another order")
			}
		})
	}
}

// migrate runs a version's site migrate.
func migrate(t *testing.T, binary func() (string, error), url string) {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), path, "migrate")
	command.Env = append(command.Environ(), "DATABASE_URL="+url, "DATA_DIR="+t.TempDir())
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s migrate: %v\n%s", path, err, out)
	}
}

var (
	spaces   = regexp.MustCompile(`\s+`)
	brackets = regexp.MustCompile(`\s*([(),])\s*`)
)

// sqliteSchema returns the sorted statements of tables, indexes and triggers, without differences in spaces and case, which
// SQLite preserves.
func sqliteSchema(t *testing.T, url string) (lines []string) {
	t.Helper()
	rows, err := storetest.SQL(t, url).QueryContext(context.Background(), "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		line = strings.ReplaceAll(strings.ToLower(line), `"`, "") // a renamed table is quoted
		lines = append(lines, strings.TrimSpace(brackets.ReplaceAllString(spaces.ReplaceAllString(line, " "), "$1")))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	return lines
}

// postgresSchema returns the lines of pg_dump without the two with a random word.
func postgresSchema(t *testing.T, url string) []string {
	t.Helper()
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/pg_dump")
	if err != nil || len(found) == 0 {
		t.Fatalf("no pg_dump: %v", err)
	}
	out, err := exec.CommandContext(t.Context(), found[len(found)-1], "--schema-only", "--no-owner", "--dbname="+url).Output()
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(strings.Split(string(out), "\n"), func(line string) bool {
		return strings.HasPrefix(line, `\restrict`) || strings.HasPrefix(line, `\unrestrict`)
	})
}
