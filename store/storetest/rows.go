package storetest

import (
	"database/sql"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"
)

// Rows counts the rows of every table of a database, by table: what a test holds strangers to.
func Rows(t testing.TB, url string) map[string]int {
	t.Helper()
	driver, source, tables := "pgx", url, "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
	if path, isSQLite := strings.CutPrefix(url, "sqlite://"); isSQLite {
		driver, source, tables = "sqlite", "file:"+path+"?_pragma=query_only(1)", "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	names, err := texts(db, tables)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]int{}
	for _, name := range names {
		var n int
		if err := db.QueryRow("SELECT COUNT(*) FROM " + name).Scan(&n); err != nil {
			t.Fatal(err)
		}
		rows[name] = n
	}
	return rows
}

func texts(db *sql.DB, query string) (found []string, err error) {
	rows, err := db.Query(query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		found = append(found, text)
	}
	return found, rows.Err()
}
