package store_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
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

// What was done before used_at was there counts as what is done since.
func TestWhatWasUsedBeforeItWasWrittenDownIsKept(t *testing.T) {
	const before = 23
	open := func(t *testing.T, url string, db *sql.DB) {
		t.Helper()
		for _, statement := range []string{
			"INSERT INTO registrations (id, event_slug, event_code, subevent_code, full_name, email, phone, course, state_code, college, referral_code, coupon_code, adult, guardian_name, guardian_phone, step, paid_txn_id, terms_version, terms_hash, terms_at, refunded, created_at, modified_at) SELECT id, '', '', '', '', '', id, '', '', '', '', '', TRUE, '', '', 0, '', '', '', 0, FALSE, 0, 1 FROM (SELECT 'idle' AS id UNION ALL SELECT 'typed' UNION ALL SELECT 'sent') AS ids",
			fmt.Sprintf("INSERT INTO drafts SELECT 'typed', 'personal', '', '', 1, %d", noon.UnixMicro()),
			fmt.Sprintf("INSERT INTO documents SELECT 'd', 'sent', '', '', '', 0, 0, 0, FALSE, %d, '', 0, '', ''", noon.UnixMicro()),
		} {
			if _, err := db.ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		s, err := store.Open(t.Context(), store.Config{URL: url, Secret: storetest.Secret, Migrate: true})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if err := s.Purge(t.Context(), noon.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		if n := number(t, db, "SELECT COUNT(*) FROM registrations"); n != 2 {
			t.Errorf("%d registrations stay, want the two that are used", n)
		}
	}
	t.Run("sqlite", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "site.db")
		if err := store.MigrateTo(t.Context(), path, before); err != nil {
			t.Fatal(err)
		}
		open(t, "sqlite://"+path, storetest.SQL(t, "sqlite://"+path))
	})
	t.Run("postgres", func(t *testing.T) {
		url := storetest.EmptyPostgres(t)
		db := storetest.SQL(t, url)
		if err := store.MigratePostgresTo(t.Context(), db, before); err != nil {
			t.Fatal(err)
		}
		open(t, url, db)
	})
}
