package store_test

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"hiresure/admission/access"
	"hiresure/admission/payment"
	"hiresure/store"
	"hiresure/store/storetest"
)

// expire adds n hits that expire at noon and one that does not.
func expire(t *testing.T, db *sql.DB, n int) {
	t.Helper()
	over, stays := noon.UnixMicro(), noon.UnixMicro()+1
	if _, err := db.ExecContext(t.Context(), fmt.Sprintf(`INSERT INTO hits (bucket, at, until)
		WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < %d) SELECT 'purged', n, %d - n FROM counted`, n, over)); err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), fmt.Sprintf("INSERT INTO hits (bucket, at, until) VALUES ('stays', %d, %d)", over, stays)); err != nil {
		t.Fatal(err)
	}
}

func TestPurgePausesBetweenBatches(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, direct := storetest.Open(t, url), raw(t, url)
		const all = 40_000
		expire(t, direct, all)
		ended := make(chan error, 1)
		go func() { ended <- s.Purge(t.Context(), noon) }()
		between := 0
		for running := true; running; {
			select {
			case err := <-ended:
				if err != nil {
					t.Fatal(err)
				}
				running = false
			default:
			}
			var left int
			update(t, s, func(tx store.Tx) (err error) {
				left, _, err = tx.Hits("purged", time.Time{})
				return errors.Join(err, tx.AddHit("stays", noon, noon.Add(time.Hour)))
			})
			if left > 0 && left < all {
				between++
			}
		}
		if between == 0 {
			t.Error("nobody wrote while it ran")
		}
		if n := hits(t, s, "purged"); n != 0 {
			t.Errorf("%d rows are left", n)
		}
		if n := hits(t, s, "stays"); n < between+1 {
			t.Errorf("%d rows of at least %d stay", n, between+1)
		}
	})
}

func TestNextPurge(t *testing.T) {
	for _, row := range []struct {
		rows int64
		took time.Duration
		want int64
	}{
		{100, 5 * time.Millisecond, 100},
		{100, 10 * time.Millisecond, 50},
		{100, 2 * time.Millisecond, 250},
		{100, 0, 1000},
		{1000, time.Millisecond, 1000},
		{10, time.Hour, 10},
	} {
		if got := store.NextPurge(row.rows, row.took); got != row.want {
			t.Errorf("%d rows took %v: %d come next, want %d", row.rows, row.took, got, row.want)
		}
	}
}

func TestPurgesUseIndexes(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		if strings.HasPrefix(url, "postgres") {
			for _, statement := range []string{
				"INSERT INTO sessions SELECT n::text, n::text, 0, '', '', '', n FROM generate_series(1, 5000) n",
				"INSERT INTO hits SELECT n::text, n, n FROM generate_series(1, 5000) n",
				"INSERT INTO spent SELECT n::text, n FROM generate_series(1, 5000) n",
				"INSERT INTO idempotency_keys SELECT n::text, '', TRUE, 0, '', '', 0, n FROM generate_series(1, 5000) n",
				"INSERT INTO code_requests SELECT n::text, '', '', '', '', '', '', '', 0, 0, n, 0, 0 FROM generate_series(1, 5000) n",
				"INSERT INTO leads SELECT n::text, '', '', n::text, '', n FROM generate_series(1, 5000) n",
				"INSERT INTO registrations (id, event_slug, event_code, subevent_code, full_name, email, phone, course, state_code, college, referral_code, coupon_code, adult, guardian_name, guardian_phone, step, paid_txn_id, terms_version, terms_hash, terms_at, refunded, created_at, modified_at) VALUES ('r', '', '', '', '', '', '', '', '', '', '', '', TRUE, '', '', 0, '', '', '', 0, FALSE, 0, 0)",
				"INSERT INTO corrections SELECT n::text, 'r', '', n::text, '', '', '', FALSE, '', '', '', '', 0, 0, 0, 0, 0, n, 0 FROM generate_series(1, 5000) n",
				"INSERT INTO drafts SELECT 'r', n::text, '', '', 1, n FROM generate_series(1, 5000) n",
				"INSERT INTO messages SELECT n::text, n::text, '', '', '', '', n, 0 FROM generate_series(1, 5000) n",
				"INSERT INTO inbox SELECT n::text, '', n::text, '', '', '', '', 0, n, '' FROM generate_series(1, 5000) n",
				"INSERT INTO exports SELECT n::text, '', n, 0, 0, 0, 0, 0, 0 FROM generate_series(1, 5000) n",
				"INSERT INTO export_parts SELECT n::text, 0, '', n FROM generate_series(1, 5000) n",
				"INSERT INTO deletions SELECT n::text, n::text, 0, 0, 0, 0, n FROM generate_series(1, 5000) n",
				"INSERT INTO staff_sessions SELECT n::text, n::text, '', '', '', '', '', '', 0, n, 0, 0, '' FROM generate_series(1, 5000) n",
				"INSERT INTO staff_links SELECT n::text, '', 0, n, 0 FROM generate_series(1, 5000) n",
				"INSERT INTO staff_cases SELECT n::text, '', '', n FROM generate_series(1, 5000) n",
				"INSERT INTO print_batches SELECT n::text, '', '', n, '', '', FALSE, '', '', 0, 0, 0, 0, '', '', 0, 0, 0, '', 0, '', '' FROM generate_series(1, 5000) n",
				"ANALYZE",
			} {
				if _, err := raw(t, url).ExecContext(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
		}
		plans, err := s.PurgePlans(t.Context())
		if err != nil || len(plans) != 17 {
			t.Fatal(plans, err)
		}
		for table, plan := range plans {
			byIndex := strings.Contains(plan, "SEARCH "+table+" USING COVERING INDEX "+table+"_") || strings.Contains(plan, "Index Scan using "+table+"_")
			byPlace := strings.Contains(plan, "SEARCH "+table+" USING INTEGER PRIMARY KEY") || strings.Contains(plan, "TID Cond")
			if !byIndex || !byPlace || strings.Contains(plan, "SCAN "+table) || strings.Contains(plan, "Seq Scan") {
				t.Errorf("%s:\n%s", table, plan)
			}
		}
	})
}

func TestPurgeSkipsLockedRows(t *testing.T) {
	url := storetest.Postgres(t)
	s := storetest.Open(t, url)
	update(t, s, func(tx store.Tx) error {
		return errors.Join(
			tx.AddSession(&access.Session{ID: "in use", TokenHash: "in use", ExpiresAt: noon}),
			tx.AddSession(&access.Session{ID: "over", TokenHash: "over", ExpiresAt: noon}))
	})
	there := func(id string) bool {
		return view(t, s, func(tx store.Tx) (*access.Session, error) { return tx.Session(id) }) != nil
	}
	update(t, s, func(tx store.Tx) error {
		if _, err := tx.SessionForUpdate("in use"); err != nil {
			return err
		}
		if err := s.Purge(t.Context(), noon); err != nil || there("over") || !there("in use") {
			t.Errorf("while it is used: over %t, in use %t, %v", there("over"), there("in use"), err)
		}
		return nil
	})
	if err := s.Purge(t.Context(), noon); err != nil || there("in use") {
		t.Errorf("afterwards: in use %t, %v", there("in use"), err)
	}
}

func TestInboxEventIsPurged400DaysAfterHandling(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		const kept = 400 * 24 * time.Hour
		for id, handled := range map[string]time.Time{
			"over": noon.Add(-kept), "yet": noon.Add(-kept).Add(time.Microsecond), "never handled": {},
		} {
			update(t, s, func(tx store.Tx) error {
				if _, err := tx.AddInboxEvent(&payment.InboxEvent{ID: id, Gateway: "g", EventID: id, ReceivedAt: noon.Add(-2 * kept)}); err != nil {
					return err
				}
				if handled.IsZero() {
					return nil
				}
				return tx.MarkHandled(id, "", handled)
			})
		}
		if err := s.Purge(t.Context(), noon); err != nil {
			t.Fatal(err)
		}
		for id, want := range map[string]bool{"over": false, "yet": true, "never handled": true} {
			if got := view(t, s, func(tx store.Tx) (*payment.InboxEvent, error) { return tx.InboxEvent(id) }); (got != nil) != want {
				t.Errorf("%s: there %t, want %t", id, got != nil, want)
			}
		}
	})
}
