package commands

import (
	"bytes"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hiresure/cmd/site/site"
	"hiresure/cmd/site/sitetest"
	"hiresure/store/storetest"
)

func TestNewerDatabaseIsRejected(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		cfg, environ := sitetest.Development(t, "DATABASE_URL", url)
		if err := perform(t, environ, "migrate"); err != nil {
			t.Fatal(err)
		}
		if _, err := storetest.SQL(t, url).ExecContext(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (1000, TRUE)"); err != nil {
			t.Fatal(err)
		}
		newer := regexp.MustCompile(`^(open store: )?the database's schema is number 1000, newer than this program's \d+: start the version that made it, or restore a backup from before$`)
		for _, command := range []string{"migrate", "seed", "verify", "refund x --as Ravi"} {
			if err := perform(t, environ, command); err == nil || !newer.MatchString(err.Error()) {
				t.Errorf("site %s: %v", command, err)
			}
		}
		if err := site.Run(t.Context(), cfg, slog.New(slog.DiscardHandler), io.Discard); err == nil || !newer.MatchString(err.Error()) {
			t.Errorf("site: %v", err)
		}
	})
}

func TestBackupAndRestore(t *testing.T) {
	cfg, environ := sitetest.Development(t)
	backup := filepath.Join(t.TempDir(), "backup.db")
	for _, command := range []string{"seed", "backup " + backup} {
		if err := perform(t, environ, command); err != nil {
			t.Fatal(err)
		}
	}
	s, err := site.Build(t.Context(), site.Options{Config: cfg, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	path := strings.TrimPrefix(cfg.DatabaseURL, "sqlite://")
	if err, want := perform(t, environ, "restore "+backup), "restore: "+path+" is in use: stop the site, and whatever else has it open"; err == nil || err.Error() != want {
		t.Errorf("while the site runs: %v, want %s", err, want)
	}
	s.Close(t.Context())
	if err := os.Truncate(path, 1000); err != nil { // an accident
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Run(t.Context(), []string{"restore", backup}, environ, &out); err != nil {
		t.Fatal(err)
	}
	outputPattern := regexp.MustCompile(`^the old database is kept as ` + regexp.QuoteMeta(path) + `\.before-restore-\d{8}T\d{6}Z\n` + regexp.QuoteMeta(backup) + ` is restored: start the site, then run site verify\n$`)
	if !outputPattern.MatchString(out.String()) {
		t.Errorf("output %q", out.String())
	}
	if err := perform(t, environ, "verify"); err != nil {
		t.Errorf("verify: %v", err)
	}
	environ["DATABASE_URL"] = "postgres://127.0.0.1:1/database"
	if err := perform(t, environ, "restore "+backup); err == nil || err.Error() != "restore: a PostgreSQL database is restored with pg_restore" {
		t.Errorf("PostgreSQL: %v", err)
	}
}
