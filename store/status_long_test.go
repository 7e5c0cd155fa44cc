//go:build long

package store_test

import (
	"database/sql"
	"fmt"
	"slices"
	"testing"
	"time"

	"hiresure/admission/status"
	"hiresure/store"
	"hiresure/store/storetest"
)

// Among a million registrations ten of a phase, and an account's own ten, are found in at most half more time than among a thousand.
func TestAPhaseIsListedAsFastAmongAMillion(t *testing.T) {
	const few, many = 1_000, 1_000_000
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, beside := storetest.Open(t, url), raw(t, url)
		lists := map[string]func(tx store.Tx) (found int, err error){
			"ten in a phase": func(tx store.Tx) (int, error) {
				page, _, err := tx.RegistrationsInPhase(status.PaymentReview, "", 10)
				return len(page), err
			},
			"ten of an account": func(tx store.Tx) (int, error) {
				page, _, err := tx.RegistrationsBehind("account-7", "", 10)
				return len(page), err
			},
			"an account's phases": func(tx store.Tx) (int, error) {
				counts, err := tx.CountPhases("account-7")
				return len(counts) * 10, err
			},
		}
		took := map[string]map[int]time.Duration{}
		for _, rows := range []int{few, many} {
			fillPhases(t, beside, rows)
			for name, list := range lists {
				if took[name] == nil {
					took[name] = map[int]time.Duration{}
				}
				took[name][rows] = median(t, s, list)
			}
		}
		for name, of := range took {
			t.Logf("%s: %v among %d, %v among %d", name, of[few], few, of[many], many)
			if ratio := float64(of[many]) / float64(of[few]); ratio > 1.5 {
				t.Errorf("%s take %.2f times as long among %d registrations", name, ratio, many)
			}
		}
	})
}

// fillPhases adds registrations until there are so many: ten of account-7, and in each of six phases a sixth of the others.
func fillPhases(t *testing.T, db *sql.DB, rows int) {
	t.Helper()
	var there int
	if err := db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM registrations").Scan(&there); err != nil {
		t.Fatal(err)
	}
	statement := fmt.Sprintf(`INSERT INTO registrations (id, event_slug, event_code, subevent_code, full_name, email, phone, course, state_code, college, referral_code, coupon_code, adult, guardian_name,
			guardian_phone, step, paid_txn_id, terms_version, terms_hash, terms_at, refunded, created_at, modified_at, phase, phase_until, account_id)
		WITH RECURSIVE counted(n) AS (SELECT %d UNION ALL SELECT n + 1 FROM counted WHERE n < %d)
		SELECT 'r' || n, 'e', 'KS', '', 'A Name', 'mail' || n || '@example.com', '+91' || n, 'Blockchain', '29', '', '', '', TRUE, '', '', 0, '', '', '', 0, FALSE, n, n,
			CASE n %% 6 WHEN 0 THEN 'payment_review' WHEN 1 THEN 'fee_due' WHEN 2 THEN 'enrolled' WHEN 3 THEN 'payment_failed' WHEN 4 THEN 'closed' ELSE 'event_over' END, 0,
			CASE WHEN n <= 10 THEN 'account-7' ELSE 'other-' || n END
		FROM counted`, there+1, rows)
	for _, statement := range []string{statement, "ANALYZE"} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
}

// median returns how long a list takes, in the middle of many times.
func median(t *testing.T, s *store.Store, list func(tx store.Tx) (int, error)) time.Duration {
	t.Helper()
	var took []time.Duration
	for range 401 {
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
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	return took[len(took)/2]
}
