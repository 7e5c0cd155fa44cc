package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"

	"hiresure/admission"
	"hiresure/admission/business"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
	"hiresure/store/storetest"
)

// books is a database made by the business's calls, with a payment in every valid state.
type books struct {
	*business.Services
	t     *testing.T
	ctx   context.Context
	store *store.Store
	raw   *sql.DB
	bank  *sandbox.Gateway
	now   time.Time
	names []string // placeholders and ids of rows, alternating
	n     int
}

// rejecting rejects webhooks.
type rejecting struct{}

func (rejecting) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("nobody hears of it")
}

func newBooks(t *testing.T, address string) *books {
	t.Helper()
	b := &books{t: t, ctx: context.WithoutCancel(t.Context()), now: noon}
	clock := func() time.Time { return b.now }
	b.store = storetest.Open(t, address, func(c *store.Config) { c.Clock, c.Log = clock, slog.New(slog.DiscardHandler) })
	b.raw = storetest.SQL(t, address)
	b.raw.SetMaxOpenConns(1)
	b.bank = businesstest.Sandbox(t, sandbox.Config{
		Orders: b.store, Clock: clock, HangFor: time.Millisecond, LateAfter: time.Hour, Client: &http.Client{Transport: rejecting{}},
	})
	event := admission.Event{Slug: "e", Code: "E", SubeventCode: "E1", Title: "Programme", Fee: admission.INR(1499_00), ListFee: admission.INR(1499_00), Published: true, OpensAt: noon.AddDate(0, -1, 0), ClosesAt: noon.AddDate(1, 0, 0)}
	config := businesstest.Config(b.store.Areas(), clock)
	config.Events, config.Supplier, config.Gateways = businesstest.Catalogue{event}, func(time.Time) *invoice.Supplier { return businesstest.Supplier() }, payment.Catalogue{b.bank.Entry()}
	var err error
	b.Services, err = business.New(config)
	b.must(err)
	for id, c := range map[string]enrol.Coupon{
		"half": {Code: "HALF", Terms: enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 50}, MaxUses: 5, MaxPerPhone: 3, BudgetMinor: 5 * 749_50},
		"free": {Code: "FREE", Terms: enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 100}},
	} {
		c.ID, c.EventCode = id, "E"
		b.must(b.store.SaveCoupon(b.ctx, c))
	}
	b.must(b.store.SaveReferral(b.ctx, enrol.Referral{Code: "SETU", OwnerName: "Ishani Bora", OwnerPhone: "+919000000017", CreditMinor: 200_00}))
	b.fill()
	return b
}

func (b *books) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// start enrols a visitor and starts a payment. Wanted sentences then name the payment <pay name> and the registration <r name>.
func (b *books) start(name, state, coupon, referral string) (txn string, visitor admission.Visitor) {
	b.t.Helper()
	b.n++
	_, session, err := storetest.AddSession(b.ctx, b.store, b.now.AddDate(10, 0, 0))
	b.must(err)
	visitor = admission.Visitor{SessionID: session.ID, IP: "198.51.100.7"}
	r := enrol.Registration{
		ID: admission.NewID(), EventSlug: "e", EventCode: "E", FullName: "Asha Rao", Email: fmt.Sprintf("asha%d@example.com", b.n), Phone: fmt.Sprintf("+9198%08d", b.n),
		StateCode: state, CouponCode: coupon, ReferralCode: referral, Adult: true, TermsAt: b.now, CreatedAt: b.now, ModifiedAt: b.now,
	}
	b.must(b.store.Update(b.ctx, func(tx store.Tx) error {
		kept, err := tx.SessionForUpdate(session.ID)
		if err != nil {
			return err
		}
		kept.Registered = append(kept.Registered, r.ID)
		return errors.Join(tx.SaveSession(kept), tx.AddRegistration(&r))
	}))
	b.names = append(b.names, "<r "+name+">", r.ID)
	return b.attempt(name, visitor, r.ID), visitor
}

func (b *books) attempt(name string, visitor admission.Visitor, registration string) string {
	b.t.Helper()
	t, err := b.Payment.Start(b.ctx, visitor, payment.StartRequest{RegistrationID: registration})
	b.must(err)
	b.names = append(b.names, "<pay "+name+">", t.ID)
	return t.ID
}

func (b *books) press(txn string, outcome sandbox.Outcome) {
	b.t.Helper()
	_, err := b.Payment.Complete(b.ctx, txn, method.Return{Form: b.bank.Press(txn, outcome)})
	b.must(err)
}

func (b *books) paid(name, state, coupon, referral string, outcome sandbox.Outcome) string {
	b.t.Helper()
	txn, _ := b.start(name, state, coupon, referral)
	b.press(txn, outcome)
	return txn
}

// happen changes a charge at the provider a second later, and polls it.
func (b *books) happen(txn string, what sandbox.ChargeEvent) {
	b.t.Helper()
	b.now = b.now.Add(time.Second)
	if what != "" {
		b.must(b.bank.Apply(b.ctx, txn, what))
	}
	status, err := b.bank.Fetch(b.ctx, method.Intent{TxnID: txn}, "")
	b.must(err)
	b.now = b.now.Add(time.Second)
	_, err = b.Payment.Settle(b.ctx, txn, status)
	b.must(err)
}

// refund runs the refund job of a payment and adds it again if the provider is not done.
func (b *books) refund(ref string) {
	b.t.Helper()
	again, err := b.Payment.Refund(b.ctx, ref)
	b.must(err)
	if again > 0 {
		b.must(b.store.Update(b.ctx, func(tx store.Tx) error {
			return tx.AddJob(admission.Job{Kind: payment.JobRefund, Ref: ref, DueAt: b.now.Add(again)})
		}))
	}
}

func (b *books) text(query string, args ...any) (found string) {
	b.t.Helper()
	b.must(b.raw.QueryRow(query, args...).Scan(&found))
	return found
}

func (b *books) fill() {
	b.t.Helper()
	b.paid("plain", "29", "", "", sandbox.Paid)
	b.paid("other", "29", "", "", sandbox.Paid)
	b.paid("far", "27", "HALF", "SETU", sandbox.Paid)
	b.paid("again", "27", "HALF", "", sandbox.Paid)
	bounced := b.paid("bounced", "29", "", "", sandbox.BouncingRefund)
	b.refund(bounced)
	b.must(b.bank.Apply(b.ctx, bounced, sandbox.RefundBounces))
	b.now = b.now.Add(time.Second)
	b.refund(b.text("SELECT id FROM refunds WHERE txn_id = $1", bounced))
	b.happen(b.paid("part", "29", "", "", sandbox.Paid), sandbox.PartRefundedThere)
	b.happen(b.paid("gone", "29", "", "SETU", sandbox.Paid), sandbox.RefundedThere)
	b.happen(b.paid("disputed", "29", "", "", sandbox.Paid), sandbox.DisputeOpens)
	b.refund(b.paid("slow", "29", "", "", sandbox.SlowRefund))
	b.paid("charged twice", "29", "", "", sandbox.ChargedTwice)
	b.paid("review", "29", "HALF", "", sandbox.WrongAmount)
	b.paid("failed", "29", "", "", sandbox.Failed)
	b.paid("lapsed", "29", "HALF", "", sandbox.Failed)
	b.start("free", "29", "FREE", "SETU")
	b.start("open", "29", "HALF", "")

	for _, name := range []string{"due", "twice"} { // the first payment succeeds after the second
		first, visitor := b.start(name+" paid", "29", "", "")
		b.press(first, sandbox.Failed)
		registration := b.text("SELECT registration_id FROM transactions WHERE id = $1", first)
		second := b.attempt(name, visitor, registration)
		for _, txn := range []string{first, second} {
			_, err := b.Payment.Settle(b.ctx, txn, method.Status{TxnID: txn, State: method.ChargePaid, Charges: []method.Charge{{PaymentID: "late " + txn, State: method.ChargePaid, Amount: admission.INR(1499_00), At: b.now}}})
			b.must(err)
		}
		if name == "twice" {
			b.now = b.now.Add(time.Second)
			charge := method.Charge{PaymentID: "late " + second, State: method.ChargeRefunded, Amount: admission.INR(1499_00), Refunded: admission.INR(1499_00), At: b.now}
			_, err := b.Payment.Settle(b.ctx, second, method.Status{TxnID: second, State: method.ChargeRefunded, Charges: []method.Charge{charge}})
			b.must(err)
		}
	}
	for _, event := range []string{"waits", "handled"} {
		header, body := b.bank.SignedWebhook(b.text("SELECT id FROM transactions WHERE state = 'pending'"), "payment."+event)
		_, _, err := b.Payment.ReceiveWebhook(b.ctx, "sandbox", payment.Webhook{Header: header, Body: body})
		b.must(err)
		id := b.text("SELECT id FROM inbox WHERE type = $1", "payment."+event)
		if event == "handled" {
			_, err = b.Payment.HandleEvent(b.ctx, id)
			b.must(err)
		}
		b.names = append(b.names, "<w "+event+">", id, "<e "+event+">", b.text("SELECT event_id FROM inbox WHERE id = $1", id))
	}
	payments := slices.Clone(b.names)
	for i := 0; i < len(payments); i += 2 {
		name, isPayment := strings.CutPrefix(payments[i], "<pay ")
		if !isPayment {
			continue
		}
		for letter, query := range map[string]string{
			"i": "SELECT COALESCE(MIN(number), '') FROM invoices WHERE txn_id = $1", "v": "SELECT COALESCE(MAX(number), '') FROM invoices WHERE txn_id = $1",
			"n": "SELECT COALESCE(MAX(number), '') FROM credit_notes WHERE txn_id = $1", "f": "SELECT COALESCE(MAX(id), '') FROM refunds WHERE txn_id = $1",
			"m": "SELECT COALESCE(MAX(id), '') FROM messages WHERE cause = 'receipt:' || CAST($1 AS TEXT)",
		} {
			b.names = append(b.names, "<"+letter+" "+name, b.text(query, payments[i+1]))
		}
	}
	b.names = append(b.names, "<now>", fmt.Sprint(b.now.UnixMicro()), "<april>", fmt.Sprint(time.Date(2027, 4, 1, 0, 0, 0, 0, admission.IST).UnixMicro()),
		"<december>", fmt.Sprint(time.Date(2027, 12, 1, 0, 0, 0, 0, admission.IST).UnixMicro()),
		"<max far again>", b.text("SELECT MAX(id) FROM transactions WHERE id IN ($1, $2)", b.id("far"), b.id("again")))
}

func (b *books) id(payment string) string {
	return strings.NewReplacer(b.names...).Replace("<pay " + payment + ">")
}
