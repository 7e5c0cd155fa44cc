package storetest

import (
	"database/sql"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"
)

// SQL opens a store's database for direct queries, until the test ends. On SQLite it sets the pragmas ("query_only(1)").
func SQL(t testing.TB, url string, pragmas ...string) *sql.DB {
	t.Helper()
	driver, source := "pgx", url
	if path, isSQLite := strings.CutPrefix(url, "sqlite://"); isSQLite {
		driver, source = "sqlite", "file:"+path+"?_pragma="+strings.Join(append([]string{"busy_timeout(5000)"}, pragmas...), "&_pragma=")
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}
