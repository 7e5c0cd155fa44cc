//go:build long

package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission/status"
	"hiresure/store"
	"hiresure/store/storetest"
)

// A list of ten takes at most 1.5 times as long among a million registrations as among a thousand. Both are asked in turn, so
// that a busy machine slows both.
func TestPhaseListSpeedWithAMillionRows(t *testing.T) {
	lists := map[string]func(tx store.Tx) (found int, err error){
		"ten in a phase": func(tx store.Tx) (int, error) {
			page, _, err := tx.RegistrationsInPhase(status.PaymentReview, "", 10)
			return len(page), err
		},
		"ten of an account": func(tx store.Tx) (int, error) {
			page, _, err := tx.RegistrationsPage("account-7", "", 10)
			return len(page), err
		},
		"an account's phases": func(tx store.Tx) (int, error) {
			counts, err := tx.CountPhases("account-7")
			return len(counts) * 10, err
		},
	}
	for database, fresh := range map[string]func(testing.TB) string{"sqlite": storetest.SQLite, "postgres": storetest.Postgres} {
		t.Run(database, func(t *testing.T) {
			few, many := withPhases(t, fresh(t), 1_000), withPhases(t, fresh(t), 1_000_000)
			for name, list := range lists {
				var fewTook, manyTook []time.Duration
				for range 801 {
					fewTook = append(fewTook, timed(t, few, list))
					manyTook = append(manyTook, timed(t, many, list))
				}
				ratio := float64(median(manyTook)) / float64(median(fewTook))
				t.Logf("%s: %v among a thousand, %v among a million: %.2f", name, median(fewTook), median(manyTook), ratio)
				if ratio > 1.5 {
					t.Errorf("%s take %.2f times as long among a million registrations", name, ratio)
				}
			}
		})
	}
}

// withPhases opens a store with so many registrations: ten of account-7, and a sixth of them in each of six phases.
func withPhases(t *testing.T, url string, rows int) *store.Store {
	t.Helper()
	s, db := storetest.Open(t, url), raw(t, url)
	statement := fmt.Sprintf(`INSERT INTO registrations (id, event_slug, event_code, subevent_code, full_name, email, phone, course, state_code, college, referral_code, coupon_code, adult, guardian_name,
			guardian_phone, step, paid_txn_id, terms_version, terms_hash, terms_at, refunded, created_at, modified_at, phase, phase_until, account_id)
		WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < %d)
		SELECT 'r' || n, 'e', 'KS', '', 'A Name', 'mail' || n || '@example.com', '+91' || n, 'Blockchain', '29', '', '', '', TRUE, '', '', 0, '', '', '', 0, FALSE, n, n,
			CASE n %% 6 WHEN 0 THEN 'payment_review' WHEN 1 THEN 'fee_due' WHEN 2 THEN 'enrolled' WHEN 3 THEN 'payment_failed' WHEN 4 THEN 'closed' ELSE 'event_over' END, 0,
			CASE WHEN n <= 10 THEN 'account-7' ELSE 'other-' || n END
		FROM counted`, rows)
	statements := []string{statement, "ANALYZE"}
	if strings.HasPrefix(url, "sqlite://") {
		statements = append(statements, "PRAGMA wal_checkpoint(TRUNCATE)") // a million rows are not read from the log
	}
	for _, statement := range statements {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func timed(t *testing.T, s *store.Store, list func(tx store.Tx) (int, error)) time.Duration {
	t.Helper()
	began := time.Now()
	if err := s.View(t.Context(), func(tx store.Tx) error {
		found, err := list(tx)
		if err == nil && found < 10 {
			return fmt.Errorf("%d rows are found", found)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return time.Since(began)
}

func median(took []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(took))[len(took)/2]
}
