package store_test

import (
	"testing"
	"time"

	"hiresure/store"
	"hiresure/store/storetest"
)

// A site of the version before has written a message, and wants to add its job, when the program that is deployed beside it
// has locked the jobs and waits for the messages: PostgreSQL ends the migration, which then begins again.
func TestAMigrationGoesOnBesideASiteThatWrites(t *testing.T) {
	const beforeJobsAndMessagesChange = 4
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	url := storetest.EmptyPostgres(t)
	db := storetest.SQL(t, url)
	db.SetMaxOpenConns(2)
	check(store.MigratePostgresTo(t.Context(), db, beforeJobsAndMessagesChange))
	writing, err := db.BeginTx(t.Context(), nil)
	check(err)
	for _, statement := range []string{"SET LOCAL deadlock_timeout = '1h'", "LOCK TABLE messages IN ROW EXCLUSIVE MODE"} {
		_, err := writing.ExecContext(t.Context(), statement)
		check(err)
	}
	migrated := make(chan error, 1)
	go func() {
		s, err := store.Open(t.Context(), store.Config{URL: url, Secret: storetest.Secret, Migrate: true})
		if err == nil {
			err = s.Close()
		}
		migrated <- err
	}()
	for number(t, db, "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'messages'::regclass") == 0 {
		<-time.After(time.Millisecond)
	}
	_, err = writing.ExecContext(t.Context(), "LOCK TABLE jobs IN ROW EXCLUSIVE MODE")
	check(err)
	check(writing.Commit())
	check(<-migrated)
}
