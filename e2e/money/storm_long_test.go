//go:build long

package money

import (
	"flag"
	"path/filepath"
	"testing"
	"time"

	"hiresure/store/storetest"
)

var lasts = flag.Duration("storm", 5*time.Minute, "how long a storm lasts on each database")

// TestLongStorm has 16 concurrent callers and kills the server every 20 seconds.
func TestLongStorm(t *testing.T) {
	of := scale{callers: 16, lasts: *lasts, kills: 20 * time.Second}
	t.Run("SQLite", func(t *testing.T) { runStorms(t, "sqlite://"+filepath.Join(t.TempDir(), "site.db"), of) })
	t.Run("PostgreSQL", func(t *testing.T) {
		databaseURL, err := storetest.OwnCluster(t).NewDatabase()
		if err != nil {
			t.Fatal(err)
		}
		runStorms(t, databaseURL, of)
	})
}
