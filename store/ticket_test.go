package store_test

import (
	"slices"
	"strings"
	"testing"

	"hiresure/admission/enrol"
	"hiresure/store"
	"hiresure/store/storetest"
)

// As the previous version writes registrations, with only the columns that it knows.
func TestPreviousVersionWritesWithoutTickets(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, direct := storetest.Open(t, url), raw(t, url)
		update(t, s, func(tx store.Tx) error {
			return tx.AddRegistration(&enrol.Registration{ID: "ours", Phone: "1", PaidTxnID: "t", Ticket: "HS26-4K7M-K", TicketKey: "k", OwnReferral: "c"})
		})
		for _, statement := range []string{
			`INSERT INTO registrations (id, event_slug, event_code, subevent_code, full_name, email, phone, course, state_code, college, referral_code, coupon_code, adult, guardian_name,
				guardian_phone, step, paid_txn_id, terms_version, terms_hash, terms_at, refunded, created_at, modified_at, answers, form_version)
				SELECT 'theirs', event_slug, event_code, subevent_code, full_name, email, '2', course, state_code, college, referral_code, coupon_code, adult, guardian_name,
				guardian_phone, step, '', terms_version, terms_hash, terms_at, refunded, created_at, modified_at, answers, form_version FROM registrations`,
			"UPDATE registrations SET step = 8, paid_txn_id = 't2' WHERE id = 'theirs'",
			"UPDATE registrations SET refunded = TRUE, modified_at = 1 WHERE id = 'ours'",
		} {
			if _, err := direct.ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		update(t, s, func(tx store.Tx) error {
			paid, err := tx.RegistrationByTicketKey("k")
			if err != nil || paid == nil || paid.ID != "ours" || paid.Ticket != "HS26-4K7M-K" || !paid.Refunded {
				t.Errorf("ours: %+v, %v", paid, err)
			}
			sharer, err := tx.RegistrationByOwnReferral("c")
			if err != nil || sharer == nil || sharer.ID != "ours" {
				t.Errorf("whose code it is: %+v, %v", sharer, err)
			}
			unpaid, err := tx.Registration("theirs")
			if err != nil || unpaid == nil || unpaid.Ticket != "" || unpaid.TicketKey != "" || unpaid.OwnReferral != "" || unpaid.PaidTxnID != "t2" {
				t.Errorf("theirs: %+v, %v", unpaid, err)
			}
			without, err := tx.RegistrationsWithoutTicket(9)
			if strings.Join(without, " ") != "theirs" || err != nil {
				t.Errorf("paid and without a ticket: %v, %v", without, err)
			}
			return err
		})
	})
}

func TestTicketIsUnique(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		add := func(r enrol.Registration) error {
			return s.Update(t.Context(), func(tx store.Tx) error { return tx.AddRegistration(&r) })
		}
		for _, row := range []struct {
			sentence string
			r        enrol.Registration
			refused  bool
		}{
			{"the first", enrol.Registration{ID: "1", Phone: "1", Ticket: "n", TicketKey: "k"}, false},
			{"another", enrol.Registration{ID: "2", Phone: "2", Ticket: "n2", TicketKey: "k2"}, false},
			{"without a ticket", enrol.Registration{ID: "3", Phone: "3"}, false},
			{"another without a ticket", enrol.Registration{ID: "4", Phone: "4"}, false},
			{"the same number", enrol.Registration{ID: "5", Phone: "5", Ticket: "n", TicketKey: "k5"}, true},
			{"the same key", enrol.Registration{ID: "6", Phone: "6", Ticket: "n6", TicketKey: "k"}, true},
		} {
			if err := add(row.r); (err != nil) != row.refused {
				t.Errorf("%s: %v", row.sentence, err)
			}
		}
		update(t, s, func(tx store.Tx) error {
			taken, err := tx.TicketTaken("n")
			if !taken || err != nil {
				t.Errorf("a number that is taken: %v", err)
			}
			none, err := tx.RegistrationByTicketKey("")
			if none != nil || err != nil {
				t.Errorf("no key opens %+v, %v", none, err)
			}
			if none, err = tx.RegistrationByOwnReferral(""); none != nil || err != nil {
				t.Errorf("no code is that of %+v, %v", none, err)
			}
			return err
		})
	})
}

func TestCountTicket(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for _, err := range concurrent(20, func(int) error {
			return s.Update(t.Context(), func(tx store.Tx) error {
				_, err := tx.CountTicket("HS26")
				return err
			})
		}) {
			if err != nil {
				t.Fatal(err)
			}
		}
		for prefix, want := range map[string]int{"HS26": 21, "HS27": 1} {
			update(t, s, func(tx store.Tx) error {
				issued, err := tx.CountTicket(prefix)
				if issued != want {
					t.Errorf("%s: %d, want %d", prefix, issued, want)
				}
				return err
			})
		}
	})
}

func TestTicketQueriesUseIndexes(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		if strings.HasPrefix(url, "postgres") {
			for _, statement := range []string{
				`INSERT INTO registrations SELECT n::text, '', n::text, '', '', '', n::text, '', '', '', '', '', TRUE, '', '', 8, 't', '', '', 0, FALSE, 0, 0, NULL, 0, n::text, n::text, n::text
					FROM generate_series(1, 5000) n`,
				"ANALYZE",
			} {
				if _, err := raw(t, url).ExecContext(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
		}
		plans, err := s.TicketPlans(t.Context())
		if err != nil || len(plans) != 3 {
			t.Fatal(plans, err)
		}
		for index, plan := range plans {
			if !slices.Contains(strings.Fields(plan), index) || strings.Contains(plan, "Seq Scan") {
				t.Errorf("%s:\n%s", index, plan)
			}
		}
	})
}
