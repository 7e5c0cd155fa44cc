package storetest

import (
	"database/sql"
	"strings"
	"testing"
)

// Rows counts the rows of every table of a database.
func Rows(t testing.TB, url string) map[string]int {
	t.Helper()
	db, tables := SQL(t, url, "query_only(1)"), "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
	defer db.Close()
	if strings.HasPrefix(url, "sqlite://") {
		tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
	}
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
