package store_test

import (
	"testing"
	"time"

	"hiresure/store"
	"hiresure/store/storetest"
)

// A running site has stored a message and adds its job, while the migration has locked the jobs and waits for the messages:
// PostgreSQL aborts the migration, which is then retried.
func TestMigrationRetriesAfterADeadlock(t *testing.T) {
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	url := storetest.Postgres(t)
	db := storetest.SQL(t, url)
	db.SetMaxOpenConns(2)
	writing, err := db.BeginTx(t.Context(), nil)
	check(err)
	for _, statement := range []string{"SET LOCAL deadlock_timeout = '1h'", "LOCK TABLE messages IN ROW EXCLUSIVE MODE"} {
		_, err := writing.ExecContext(t.Context(), statement)
		check(err)
	}
	migrated := make(chan error, 1)
	go func() {
		migrated <- store.MigratePostgresWith(t.Context(), url,
			"ALTER TABLE jobs ADD COLUMN later TEXT NOT NULL DEFAULT ''", "ALTER TABLE messages ADD COLUMN later TEXT NOT NULL DEFAULT ''")
	}()
	for number(t, db, "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'messages'::regclass") == 0 {
		<-time.After(time.Millisecond)
	}
	_, err = writing.ExecContext(t.Context(), "LOCK TABLE jobs IN ROW EXCLUSIVE MODE")
	check(err)
	check(writing.Commit())
	check(<-migrated)
	if n := number(t, db, "SELECT count(*) FROM information_schema.columns WHERE column_name = 'later' AND table_name IN ('jobs', 'messages')"); n != 2 {
		t.Errorf("%d columns of 2 were added", n)
	}
}
