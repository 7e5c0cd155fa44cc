package enrol_test

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
		w := businesstest.NewWorld(t, address)
		before, refunded, gone, after := w.Paid(nil), w.Paid(nil), w.Paid(nil), w.Paid(nil)
		_, err := w.Payment.Refund(w.Ctx, refunded.TxnID)
		w.Must(err)
		kept, keptKey := ticket(after)
		forgotten := storetest.SQL(t, address)
		for _, statement := range []string{
			"UPDATE registrations SET ticket = '', ticket_key = '', own_referral = '' WHERE id <> '" + after.RegistrationID + "'",
			"UPDATE registrations SET event_code = 'KS_Gone', created_at = " + fmt.Sprint(businesstest.Noon.AddDate(-2, 0, 0).UnixMicro()) + " WHERE id = '" + gone.RegistrationID + "'",
			"UPDATE ticket_series SET issued = 1",
		} {
			if _, err := forgotten.Exec(statement); err != nil {
				t.Fatal(err)
			}
		}
		unpaid := w.Enrolled(nil)
		others := "SELECT id, full_name, email, phone, step, paid_txn_id, refunded, created_at, modified_at, coupon_code FROM registrations ORDER BY id"
		rest := w.Texts(others)
		w.Clock.Pass(time.Hour)
		for _, err := range businesstest.Concurrently(4, func(int) error { return w.Receipts.IssueTickets(w.Ctx) }) {
			w.Must(err)
		}
		all := "SELECT id, ticket, ticket_key FROM registrations ORDER BY id"
		first := w.Texts(all)
		for p, year := range map[*businesstest.Person]string{before: "26", refunded: "26", gone: "24", after: "26"} {
			number, key := ticket(p)
			expectTicketNumber(t, number, key, year, 4)
		}
		number, key := ticket(after)
		businesstest.Equal(t, "a ticket that was there", number+key, kept+keptKey)
		number, key = ticket(unpaid)
		businesstest.Equal(t, "ticket of who has not paid", number+key, "")
		businesstest.Same(t, "series", w.Texts("SELECT prefix, issued FROM ticket_series ORDER BY prefix"), []string{"HS24 | 1", "HS26 | 3"})
		businesstest.Same(t, "all else", w.Texts(others), rest)

		w.Must(w.Receipts.IssueTickets(w.Ctx))
		businesstest.Same(t, "tickets after a second run", w.Texts(all), first)
	})
}

func TestUnpaidEnrolmentGetsNoTicket(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		failed, open, second := w.Paying(nil), w.Paying(nil), w.Paid(nil)
		failed.ReturnWith(sandbox.Failed)
		w.Must(w.Receipts.IssueTickets(w.Ctx))
		for _, p := range []*businesstest.Person{failed, open} {
			number, key := ticket(p)
			businesstest.Equal(t, "ticket", number+key, "")
		}
		number, key := ticket(second)
		expectTicketNumber(t, number, key, "26", 4)
		businesstest.Equal(t, "issued", w.Texts("SELECT issued FROM ticket_series")[0], "1")
	})
}

func TestTicketRunIsLimited(t *testing.T) {
	t.Parallel()
	ctx, database := t.Context(), storetest.Open(t, storetest.SQLite(t))
	receipts := receipt.Service{Config: receipt.Config{Store: database.Areas().Payment, Events: businesstest.Events(), Clock: func() time.Time { return businesstest.Noon }}}
	if err := database.Update(ctx, func(tx store.Tx) error {
		for i := range 1_150 {
			phone := fmt.Sprint(i)
			if err := tx.AddRegistration(&enrol.Registration{ID: admission.NewID(), EventCode: "KS_Mgrow", Phone: phone, Step: enrol.StepComplete, PaidTxnID: phone, CreatedAt: businesstest.Noon}); err != nil {
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
			businesstest.Equal(t, "registrations without a ticket", len(left), want)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
}
