package receipt_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"

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
		kept, keptKey := after.Ticket()
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
			number, key := p.Ticket()
			businesstest.ExpectTicketNumber(t, number, key, year, 4)
		}
		number, key := after.Ticket()
		businesstest.Equal(t, "a ticket that was there", number+key, kept+keptKey)
		number, key = unpaid.Ticket()
		businesstest.Equal(t, "ticket of somebody who has not paid", number+key, "")
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
			number, key := p.Ticket()
			businesstest.Equal(t, "ticket", number+key, "")
		}
		number, key := second.Ticket()
		businesstest.ExpectTicketNumber(t, number, key, "26", 4)
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

func TestTicketIsOpenedByKey(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		w.Paid(nil)
		number, key := p.Ticket()
		paper, err := w.Receipts.ReceiptOfTicket(w.Ctx, key)
		w.Must(err)
		businesstest.Equal(t, "registration", paper.Registration.ID, p.RegistrationID)
		for _, wrong := range []string{admission.NewKey(), strings.Repeat("A", 22), otherCase(key)} {
			_, err := w.Receipts.ReceiptOfTicket(w.Ctx, wrong)
			businesstest.ExpectProblem(t, err, admission.NotFound, "", "Ticket not found.")
		}
		blind := receipt.Service{} // without a store: it looks nothing up
		for _, wrong := range []string{"", number, p.RegistrationID, key[1:], key + "A", key[:21] + "%", key[:21] + " "} {
			_, err := blind.ReceiptOfTicket(w.Ctx, wrong)
			businesstest.ExpectProblem(t, err, admission.NotFound, "", "Ticket not found.")
		}
	})
}

// otherCase swaps upper and lower case.
func otherCase(key string) string {
	return strings.Map(func(letter rune) rune {
		if unicode.IsUpper(letter) {
			return unicode.ToLower(letter)
		}
		return unicode.ToUpper(letter)
	}, key)
}
