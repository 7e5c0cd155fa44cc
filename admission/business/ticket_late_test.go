package business_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/receipt"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestMissingTicketIsIssued(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, address string) {
		w := newWorld(t, address)
		before, refunded, gone, after := w.paid(nil), w.paid(nil), w.paid(nil), w.paid(nil)
		_, err := w.Payment.Refund(w.ctx, refunded.txn)
		w.must(err)
		kept, keptKey := after.ticket()
		forgotten := storetest.SQL(t, address)
		for _, statement := range []string{
			"UPDATE registrations SET ticket = '', ticket_key = '', own_referral = '' WHERE id <> '" + after.registration + "'",
			"UPDATE registrations SET event_code = 'KS_Gone', created_at = " + fmt.Sprint(noon.AddDate(-2, 0, 0).UnixMicro()) + " WHERE id = '" + gone.registration + "'",
			"UPDATE ticket_series SET issued = 1",
		} {
			if _, err := forgotten.Exec(statement); err != nil {
				t.Fatal(err)
			}
		}
		unpaid := w.enrolled(nil)
		others := "SELECT id, full_name, email, phone, step, paid_txn_id, refunded, created_at, modified_at, coupon_code FROM registrations ORDER BY id"
		rest := w.texts(others)
		w.clock.Pass(time.Hour)
		for _, err := range concurrently(4, func(int) error { return w.Receipts.IssueTickets(w.ctx) }) {
			w.must(err)
		}
		all := "SELECT id, ticket, ticket_key FROM registrations ORDER BY id"
		first := w.texts(all)
		for p, year := range map[*person]string{before: "26", refunded: "26", gone: "24", after: "26"} {
			number, key := p.ticket()
			expectTicketNumber(t, number, key, year, 4)
		}
		number, key := after.ticket()
		equal(t, "a ticket that was there", number+key, kept+keptKey)
		number, key = unpaid.ticket()
		equal(t, "ticket of who has not paid", number+key, "")
		same(t, "series", w.texts("SELECT prefix, issued FROM ticket_series ORDER BY prefix"), []string{"HS24 | 1", "HS26 | 3"})
		same(t, "all else", w.texts(others), rest)

		w.must(w.Receipts.IssueTickets(w.ctx))
		same(t, "tickets after a second run", w.texts(all), first)
	})
}

func TestUnpaidEnrolmentGetsNoTicket(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		failed, open, second := w.paying(nil), w.paying(nil), w.paid(nil)
		failed.returnWith(sandbox.Failed)
		w.must(w.Receipts.IssueTickets(w.ctx))
		for _, p := range []*person{failed, open} {
			number, key := p.ticket()
			equal(t, "ticket", number+key, "")
		}
		number, key := second.ticket()
		expectTicketNumber(t, number, key, "26", 4)
		equal(t, "issued", w.texts("SELECT issued FROM ticket_series")[0], "1")
	})
}

func TestTicketRunIsLimited(t *testing.T) {
	t.Parallel()
	ctx, database := t.Context(), storetest.Open(t, storetest.SQLite(t))
	receipts := receipt.Service{Config: receipt.Config{Store: database.Areas().Payment, Events: businesstest.Events(), Clock: func() time.Time { return noon }}}
	if err := database.Update(ctx, func(tx store.Tx) error {
		for i := range 1_150 {
			phone := fmt.Sprint(i)
			if err := tx.AddRegistration(&enrol.Registration{ID: admission.NewID(), EventCode: "KS_Mgrow", Phone: phone, Step: enrol.StepComplete, PaidTxnID: phone, CreatedAt: noon}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(ctx)
	end()
	if err := receipts.IssueTickets(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("a run that was broken off: %v", err)
	}
	for _, want := range []int{150, 0, 0} {
		if err := receipts.IssueTickets(ctx); err != nil {
			t.Fatal(err)
		}
		if err := database.View(ctx, func(tx store.Tx) error {
			left, err := tx.RegistrationsWithoutTicket(2_000)
			equal(t, "registrations without a ticket", len(left), want)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
}
