package store_test

import (
	"cmp"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/registry"
	"hiresure/admission/status"
	"hiresure/store"
	"hiresure/store/storetest"
)

// courses is a catalogue of one changeable event.
type courses struct{ event admission.Event }

func (c *courses) EventBySlug(string) (admission.Event, bool) { return admission.Event{}, false }
func (c *courses) EventByCode(code string) (admission.Event, bool) {
	return c.event, code == c.event.Code
}

// phaseOf reads a registration's phase by SQL.
func phaseOf(t *testing.T, db *sql.DB, id string) (phase string) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), "SELECT phase FROM registrations WHERE id = '"+id+"'").Scan(&phase); err != nil {
		t.Fatal(err)
	}
	return phase
}

func TestPhaseChangesInTheSameTransaction(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := noon
		s, direct := storetest.Open(t, url, func(c *store.Config) { c.Clock = func() time.Time { return now } }), raw(t, url)
		events := &courses{admission.Event{Code: "KS", Published: true, ClosesAt: noon.AddDate(0, 1, 0), Days: []admission.Day{{On: noon.AddDate(0, 2, 0)}}}}
		s.UseEvents(events)
		r := enrol.Registration{ID: "r", EventCode: "KS", Phone: "1", ModifiedAt: noon}
		txn := payment.Transaction{ID: "t", RegistrationID: "r", MerchantRef: "m", State: payment.Created, CreatedAt: noon, ExpiresAt: noon.Add(30 * time.Minute)}
		save := func(tx store.Tx) error { return tx.SaveRegistration(&r) }
		saveTxn := func(tx store.Tx) error { return tx.SaveTransaction(&txn) }
		for _, step := range []struct {
			sentence string
			change   func(tx store.Tx) error
			want     status.Phase
		}{
			{"somebody enrols", func(tx store.Tx) error { return tx.AddRegistration(&r) }, status.FeeDue},
			{"starts to pay", func(tx store.Tx) error {
				r.Step = enrol.StepPaying
				return cmp.Or(tx.AddTransaction(&txn), save(tx))
			}, status.PaymentOpen},
			{"the try fails", func(tx store.Tx) error { txn.AttemptFailed = true; return saveTxn(tx) }, status.PaymentFailed},
			{"another sum arrives", func(tx store.Tx) error { txn.State = payment.Review; return saveTxn(tx) }, status.PaymentReview},
			{"staff accept it", func(tx store.Tx) error {
				txn.State, r.PaidTxnID, r.Step = payment.Paid, "t", enrol.StepComplete
				return cmp.Or(saveTxn(tx), save(tx))
			}, status.Enrolled},
			{"a refund is asked for", func(tx store.Tx) error {
				txn.State = payment.RefundPending
				return cmp.Or(tx.SaveRefund(&payment.Refund{ID: "f", TxnID: "t", State: method.RefundAsked, CreatedAt: noon}), saveTxn(tx))
			}, status.RefundPending},
			{"the provider accepts it", func(tx store.Tx) error {
				return cmp.Or(tx.SaveRefund(&payment.Refund{ID: "f", TxnID: "t", State: method.RefundAccepted, CreatedAt: noon, PostedAt: noon}), saveTxn(tx))
			}, status.RefundSent},
			{"the fee is sent back", func(tx store.Tx) error {
				txn.State, r.Refunded = payment.Refunded, true
				return cmp.Or(tx.SaveRefund(&payment.Refund{ID: "f", TxnID: "t", State: method.RefundDone, CreatedAt: noon, PostedAt: noon}), saveTxn(tx), save(tx))
			}, status.RefundSent},
		} {
			update(t, s, step.change)
			if got := phaseOf(t, direct, "r"); got != string(step.want) {
				t.Errorf("%s: the phase is %q, want %q", step.sentence, got, step.want)
			}
		}
		// The row's phase is of the row as it was saved.
		update(t, s, func(tx store.Tx) error { err := save(tx); r.Refunded = false; return err })
		r.Refunded = true
		if got := phaseOf(t, direct, "r"); got != string(status.RefundSent) {
			t.Errorf("after a change that was not saved: %q", got)
		}
		// A failed transaction changes nothing.
		if err := s.Update(t.Context(), func(tx store.Tx) error { r.Refunded = false; _ = save(tx); return sql.ErrNoRows }); err == nil {
			t.Fatal("the transaction did not fail")
		}
		if got := phaseOf(t, direct, "r"); got != string(status.RefundSent) {
			t.Errorf("after a transaction that failed: %q", got)
		}

		now = noon.AddDate(0, 0, 14)
		if err := s.RenewPhases(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := phaseOf(t, direct, "r"); got != string(status.Refunded) {
			t.Errorf("two weeks later: %q", got)
		}
	})
}

// A renewal waits for who holds a registration, and sees the change.
func TestRenewedPhaseIsOfTheLastChange(t *testing.T) {
	for sentence, c := range map[string]struct{ change, want string }{
		"it is paid":    {fmt.Sprintf("UPDATE registrations SET step = %d WHERE id = 'r'", enrol.StepComplete), "closed enrolled"},
		"it is deleted": {"DELETE FROM registrations WHERE id = 'r'", "closed"},
	} {
		t.Run(sentence, func(t *testing.T) {
			url := storetest.Postgres(t)
			now := noon
			s, direct := storetest.Open(t, url, func(c *store.Config) { c.Clock = func() time.Time { return now } }), raw(t, url)
			s.UseEvents(&courses{admission.Event{Code: "KS", Published: true, ClosesAt: noon.Add(time.Hour), Days: []admission.Day{{On: noon.AddDate(0, 2, 0)}}}})
			update(t, s, func(tx store.Tx) error {
				return cmp.Or(tx.AddRegistration(&enrol.Registration{ID: "other", EventCode: "KS", Phone: "1"}), tx.AddRegistration(&enrol.Registration{ID: "r", EventCode: "KS", Phone: "2"}))
			})
			now = noon.Add(time.Hour)
			holder, err := direct.BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := holder.ExecContext(t.Context(), c.change); err != nil {
				t.Fatal(err)
			}
			renewed := make(chan error, 1)
			go func() { renewed <- s.RenewPhases(t.Context()) }()
			untilSomebodyWaits(t, direct)
			if err := cmp.Or(holder.Commit(), <-renewed); err != nil {
				t.Fatal(err)
			}
			var got string
			if err := direct.QueryRowContext(t.Context(), "SELECT string_agg(phase, ' ' ORDER BY id) FROM registrations").Scan(&got); err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("the phases are %q, want %q", got, c.want)
			}
		})
	}
}

func TestTimeAndContentChangePhases(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := noon
		s, direct := storetest.Open(t, url, func(c *store.Config) { c.Clock = func() time.Time { return now } }), raw(t, url)
		events := &courses{admission.Event{Code: "KS", Published: true, ClosesAt: noon.Add(time.Hour)}}
		s.UseEvents(events)
		update(t, s, func(tx store.Tx) error {
			return cmp.Or(tx.AddRegistration(&enrol.Registration{ID: "a", EventCode: "KS", Phone: "1"}), tx.AddRegistration(&enrol.Registration{ID: "b", EventCode: "KS", Phone: "2"}))
		})
		renewed := func(renew func() error, want ...string) {
			t.Helper()
			if err := renew(); err != nil {
				t.Fatal(err)
			}
			if got := []string{phaseOf(t, direct, "a"), phaseOf(t, direct, "b")}; !slices.Equal(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
		}
		soon := func() error { return s.RenewPhases(t.Context()) }
		renewed(soon, "fee_due", "fee_due")
		now = noon.Add(time.Hour)
		renewed(soon, "closed", "closed")
		events.event.ClosesAt = noon.AddDate(0, 1, 0) // a revision of the content
		renewed(soon, "closed", "closed")
		renewed(func() error {
			next, err := s.RenewEveryPhase(t.Context(), "")
			if next != "" {
				t.Errorf("two registrations go on after %q", next)
			}
			return err
		}, "fee_due", "fee_due")

		// The previous version does not write the column.
		if _, err := direct.ExecContext(t.Context(), "UPDATE registrations SET phase = '', phase_until = 1 WHERE id = 'b'"); err != nil {
			t.Fatal(err)
		}
		renewed(soon, "fee_due", "fee_due")

		events.event.ClosesAt = noon.Add(2 * time.Hour) // the phase stays, but ends earlier
		renewed(func() error { _, err := s.RenewEveryPhase(t.Context(), ""); return err }, "fee_due", "fee_due")
		now = noon.Add(2 * time.Hour)
		renewed(soon, "closed", "closed")
	})
}

func TestRenewPhasesRenewsMoreThanOneBatch(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := noon
		s, direct := storetest.Open(t, url, func(c *store.Config) { c.Clock = func() time.Time { return now } }), raw(t, url)
		s.UseEvents(&courses{admission.Event{Code: "KS", Published: true, ClosesAt: noon.Add(time.Hour)}})
		update(t, s, func(tx store.Tx) error {
			for i := range 401 { // two batches and one
				if err := tx.AddRegistration(&enrol.Registration{ID: fmt.Sprint(i), EventCode: "KS", Phone: fmt.Sprint(i)}); err != nil {
					return err
				}
			}
			return nil
		})
		now = noon.Add(time.Hour)
		if err := s.RenewPhases(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := number(t, direct, "SELECT COUNT(*) FROM registrations WHERE phase = 'closed'"); n != 401 {
			t.Errorf("%d phases renewed, want 401", n)
		}
	})
}

func TestVerifyPhases(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := noon
		s, direct := storetest.Open(t, url, func(c *store.Config) { c.Clock = func() time.Time { return now } }), raw(t, url)
		s.UseEvents(&courses{admission.Event{Code: "KS", Published: true, ClosesAt: noon.Add(time.Hour)}})
		update(t, s, func(tx store.Tx) error {
			return cmp.Or(tx.AddRegistration(&enrol.Registration{ID: "a", EventCode: "KS", Phone: "1"}), tx.AddRegistration(&enrol.Registration{ID: "b", EventCode: "KS", Phone: "2"}))
		})
		faults := func() string {
			found, err := s.Verify(t.Context(), func(time.Time) bool { return false })
			if err != nil {
				t.Fatal(err)
			}
			found = slices.DeleteFunc(found, func(fault string) bool { return !strings.Contains(fault, "phase") })
			return strings.Join(found, "\n")
		}
		if got := faults(); got != "" {
			t.Errorf("without a fault: %s", got)
		}
		for _, late := range []time.Duration{0, 14 * time.Minute} { // the job may be late
			now = noon.Add(time.Hour + late)
			if got := faults(); got != "" {
				t.Errorf("%v after the phase has ended: %s", late, got)
			}
		}
		now = noon.Add(time.Hour + 15*time.Minute)
		if got, want := faults(), "registration a has the phase \"fee_due\", and its facts amount to \"closed\"\nregistration b has the phase \"fee_due\", and its facts amount to \"closed\""; got != want {
			t.Errorf("later:\n%s\nwant\n%s", got, want)
		}
		now = noon
		if _, err := direct.ExecContext(t.Context(), "UPDATE registrations SET phase = 'enrolled' WHERE id = 'b'"); err != nil {
			t.Fatal(err)
		}
		if got, want := faults(), `registration b has the phase "enrolled", and its facts amount to "fee_due"`; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	})
}

// A registration's payment is the one that paid it, else the one in review, else the last.
func TestPaymentFacts(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		want := map[string]string{
			"last": "last 2", "equal": "equal 2", "review": "review 1", "paid": "paid 1, invoiced", "disputed": "disputed 1, charged back, sent after 0s",
			"disputed in a second charge": "disputed in a second charge 1", "dispute open": "dispute open 1", "refunded": "refunded 1, sent after 1m0s", "asked": "asked 1", "accepted": "accepted 1, sent after 2m0s", "none": "",
		}
		ids := slices.Sorted(maps.Keys(want))
		update(t, s, func(tx store.Tx) error {
			for _, id := range ids {
				r := enrol.Registration{ID: id, EventCode: "KS", Phone: id}
				if state := want[id]; !slices.Contains([]string{"last", "equal", "review", "none"}, id) {
					r.PaidTxnID, _, _ = strings.Cut(state, ",")
				}
				if err := tx.AddRegistration(&r); err != nil {
					return err
				}
			}
			for _, row := range []struct {
				id    string
				state payment.State
				after time.Duration
			}{
				{"last 1", payment.Expired, 0}, {"last 2", payment.Failed, time.Minute}, {"last 0", payment.Failed, -time.Minute},
				{"equal 1", payment.Failed, 0}, {"equal 2", payment.Failed, 0},
				{"review 1", payment.Review, 0}, {"review 2", payment.Failed, time.Minute},
				{"paid 1", payment.Paid, 0}, {"paid 2", payment.Review, time.Minute},
				{"disputed 1", payment.Refunded, 0}, {"disputed in a second charge 1", payment.Paid, 0}, {"dispute open 1", payment.Disputed, 0}, {"refunded 1", payment.Refunded, 0},
				{"asked 1", payment.RefundPending, 0}, {"accepted 1", payment.RefundPending, 0},
			} {
				txn := payment.Transaction{ID: row.id, RegistrationID: row.id[:len(row.id)-2], MerchantRef: row.id, State: row.state, CreatedAt: noon.Add(row.after), PaymentID: "own " + row.id}
				if err := tx.AddTransaction(&txn); err != nil {
					return err
				}
			}
			for _, refund := range []payment.Refund{
				{TxnID: "disputed 1", PaymentID: "own disputed 1", State: method.RefundDone, Reason: payment.ReasonDispute},
				{TxnID: "disputed in a second charge 1", PaymentID: "second", State: method.RefundDone, Reason: payment.ReasonDispute},
				{TxnID: "dispute open 1", PaymentID: "own dispute open 1", State: method.RefundAsked, Reason: payment.ReasonDispute},
				{TxnID: "refunded 1", PaymentID: "own refunded 1", State: method.RefundDone, Reason: payment.ReasonOrdered, PostedAt: noon.Add(time.Minute)},
				{ID: "loss", TxnID: "refunded 1", PaymentID: "own refunded 1", State: method.RefundDone, Reason: payment.ReasonRefundLoss, PostedAt: noon.Add(time.Hour)},
				{TxnID: "asked 1", PaymentID: "own asked 1", State: method.RefundAsked, Reason: payment.ReasonOrdered, PostedAt: noon},
				{ID: "part", TxnID: "asked 1", PaymentID: "own asked 1", State: method.RefundDone, Reason: payment.ReasonAtProvider, PostedAt: noon},
				{TxnID: "accepted 1", PaymentID: "own accepted 1", State: method.RefundAccepted, Reason: payment.ReasonOrdered, PostedAt: noon.Add(2 * time.Minute)},
			} {
				refund.ID, refund.CreatedAt = cmp.Or(refund.ID, refund.TxnID), noon
				if err := tx.SaveRefund(&refund); err != nil {
					return err
				}
			}
			return tx.AddInvoice(&invoice.Invoice{ID: "i", RegistrationID: "paid", TxnID: "paid 1"})
		})
		facts := view(t, s, func(tx store.Tx) (map[string]status.Payment, error) { return tx.PaymentFacts(ids) })
		for id, want := range want {
			got := ""
			if fact := facts[id]; fact.Transaction != nil {
				got = fact.Transaction.ID
				if fact.Invoiced {
					got += ", invoiced"
				}
				if fact.Refund.ChargedBack {
					got += ", charged back"
				}
				if sent := fact.Refund.SentAt; !sent.IsZero() {
					got += ", sent after " + sent.Sub(noon).String()
				}
			}
			if got != want {
				t.Errorf("%s: %q, want %q", id, got, want)
			}
		}
	})
}

func TestCountPhases(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		update(t, s, func(tx store.Tx) error {
			return cmp.Or(
				tx.AddRegistration(&enrol.Registration{ID: "a", EventCode: "KS", Phone: "1", AccountID: "x"}), tx.AddRegistration(&enrol.Registration{ID: "b", EventCode: "MG", Phone: "2", AccountID: "x"}),
				tx.AddRegistration(&enrol.Registration{ID: "c", EventCode: enrol.ApplicationCode, Phone: "3", AccountID: "x"}), tx.AddRegistration(&enrol.Registration{ID: "d", EventCode: "KS", Phone: "4"}),
			)
		})
		for account, want := range map[string][]registry.PhaseCount{
			"x": {{Product: enrol.ProductApplication, Phase: status.Form, N: 1}, {Product: enrol.ProductEnrolment, Phase: status.FeeDue, N: 2}},
			"":  nil,
		} {
			got := view(t, s, func(tx store.Tx) ([]registry.PhaseCount, error) { return tx.CountPhases(account) })
			if !slices.Equal(got, want) {
				t.Errorf("of %q: %v, want %v", account, got, want)
			}
		}
	})
}

func TestRegistrationsInPhase(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		update(t, s, func(tx store.Tx) error {
			for i, step := range []enrol.Step{enrol.StepVerified, enrol.StepVerified, enrol.StepPaid, enrol.StepVerified} {
				id := string(rune('a' + i))
				if err := tx.AddRegistration(&enrol.Registration{ID: id, EventCode: enrol.ApplicationCode, Phone: id, Step: step, ModifiedAt: noon.Add(time.Duration(i) * time.Minute)}); err != nil {
					return err
				}
			}
			return nil
		})
		update(t, s, func(tx store.Tx) error {
			var pages []string
			cursor := ""
			for {
				page, next, err := tx.RegistrationsInPhase(status.Form, cursor, 2)
				if err != nil {
					return err
				}
				ids := ""
				for _, r := range page {
					ids += r.ID
				}
				pages = append(pages, ids)
				if cursor = next; cursor == "" {
					break
				}
			}
			if got := strings.Join(pages, " "); got != "db a" {
				t.Errorf("the pages are %q, the latest change first: want \"db a\"", got)
			}
			return nil
		})
	})
}

func TestRenewEveryPhase(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		const rows = 10_050 // more than one call
		s, direct := storetest.Open(t, url), raw(t, url)
		if _, err := direct.ExecContext(t.Context(), `INSERT INTO registrations (id, event_slug, event_code, subevent_code, full_name, email, phone, course, state_code, college, referral_code, coupon_code,
				adult, guardian_name, guardian_phone, step, paid_txn_id, terms_version, terms_hash, terms_at, refunded, created_at, modified_at)
			WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 10050)
			SELECT 'r' || n, '', 'KS', '', '', '', 'p' || n, '', '', '', '', '', TRUE, '', '', 0, '', '', '', 0, FALSE, 0, 0 FROM counted`); err != nil {
			t.Fatal(err)
		}
		count := func() (left int) {
			if err := direct.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM registrations WHERE phase <> 'fee_due'").Scan(&left); err != nil {
				t.Fatal(err)
			}
			return left
		}
		next, err := s.RenewEveryPhase(t.Context(), "")
		if err != nil || next == "" || count() != rows-10_000 {
			t.Fatalf("the first part ends after %q with %d left, %v", next, count(), err)
		}
		if next, err = s.RenewEveryPhase(t.Context(), next); err != nil || next != "" || count() != 0 {
			t.Errorf("the second part ends after %q with %d left, %v", next, count(), err)
		}
	})
}
