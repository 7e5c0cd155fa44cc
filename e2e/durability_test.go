//go:build long

package e2e

import (
	"os/exec"
	"testing"

	"hiresure/store/storetest"
)

// Each response must be preceded by a sync of the disk after its request, so that a database configured not to sync fails.
func TestResponsesFollowASync(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) {
		tr := newTracer(t)
		site := startTraced(t, tr, AnyPort, t.TempDir())
		tr.judge(t, "hiresure.db-wal", sendOneByOne(t, site))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		tr := newTracer(t)
		cluster := storetest.OwnCluster(t, tr.command()...)
		databaseURL, err := cluster.NewDatabase()
		if err != nil {
			t.Fatal(err)
		}
		// A database may be configured not to sync. Our connections override that.
		if _, err := storetest.SQL(t, databaseURL).Exec("DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET synchronous_commit = off'; END $$"); err != nil {
			t.Fatal(err)
		}
		site := Start(t, AnyPort, t.TempDir(), "DATABASE_URL="+databaseURL, "CAPTCHA=off", "RATE_LIMITS=off")
		tr.judge(t, "/pg_wal/", sendOneByOne(t, site))
	})
}

// startTraced starts a site whose syncs are traced.
func startTraced(t *testing.T, tr *tracer, addr, dataDir string, variables ...string) *Site {
	t.Helper()
	binary, err := Binary()
	if err != nil {
		t.Fatal(err)
	}
	command := append(tr.command(), binary)
	return StartCommand(t, exec.Command(command[0], command[1:]...), addr, dataDir, append(variables, "CAPTCHA=off", "RATE_LIMITS=off")...)
}

// sendOneByOne sends enquiries one after the other.
func sendOneByOne(t *testing.T, site *Site) (answered []span) {
	t.Helper()
	v := NewVisitor(site.URL, 1)
	for n := range 50 {
		if _, err := v.step("/ks-website/create-enquiry", enquiry(n)); err != nil {
			t.Fatal(err)
		}
		answered = append(answered, span{v.Asking, v.Answered})
	}
	site.Kill()
	return answered
}
