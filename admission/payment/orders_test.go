package payment_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/staff"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store/storetest"
)

const (
	refundHere = sandbox.ChargeEvent("refund here")
	partHere   = sandbox.ChargeEvent("refund a part here")
)

var orderedEvents = []sandbox.ChargeEvent{
	refundHere, partHere, sandbox.RefundedThere, sandbox.SecondCharge, sandbox.DisputeOpens, sandbox.DisputeLost, sandbox.DisputeWon, sandbox.DisputeLostInPart, sandbox.RefundBounces,
}

// daily returns a figure of the everyday tests, or its value in the long ones.
func daily(figure, long int) int {
	if storetest.Long {
		return long
	}
	return figure
}

// After each event, in any order of them that the provider allows, our books equal the provider's.
func TestBooksEqualTheProvidersInEveryOrderOfEvents(t *testing.T) {
	everyOrder(t, daily(2, 4), daily(20, 100), func(w *businesstest.World) *businesstest.Person { return w.Paid(nil) })
}

// The same after staff accepted more than the price, of which the excess went back.
func TestBooksEqualTheProvidersInEveryOrderAfterAnExcess(t *testing.T) {
	everyOrder(t, daily(2, 3), 15, func(w *businesstest.World) *businesstest.Person {
		p := arrives(w, admission.INR(1549_00), nil)
		accept(w, p)
		return p
	})
}

// everyOrder tries all orders of at most longest events after a payment.
func everyOrder(t *testing.T, longest, atLeast int, paid func(*businesstest.World) *businesstest.Person) {
	t.Helper()
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		tried := 0
		var try func(before []sandbox.ChargeEvent)
		try = func(before []sandbox.ChargeEvent) {
			for _, next := range orderedEvents {
				events := append(slices.Clone(before), next)
				if !happensInOrder(t, w, paid(w), events) {
					continue
				}
				tried++
				if len(events) < longest {
					try(events)
				}
			}
		}
		try(nil)
		if tried < atLeast {
			t.Errorf("only %d orders are possible", tried)
		}
		businesstest.Equal(t, "jobs that failed", w.Count("jobs WHERE attempts > 0"), 0)
		w.Clock.Pass(time.Second)
		for _, txn := range w.Texts("SELECT id FROM transactions WHERE disputed_at > 0") { // what happens during a dispute is recorded at its end
			there, err := w.Sandbox.Bank.Fetch(w.Ctx, method.Intent{TxnID: txn}, "")
			w.Must(err)
			if there.Charges[0].Disputed {
				w.Sandbox.EventAfterPayment(txn, sandbox.DisputeWon)
			}
		}
		w.RunJobs()
		for _, txn := range w.Texts("SELECT DISTINCT f.txn_id FROM refunds f JOIN transactions t ON t.id = f.txn_id WHERE f.state = 'bounced' AND (t.payment_id <> f.payment_id OR t.state = 'paid' AND t.refunded_minor < -t.adjustment_minor)") {
			if err := w.Payment.OrderRefund(w.Ctx, txn, staff.Actor{Name: "test"}); admission.AsProblem(err) == nil { // it was ordered for all charges of the order
				w.Must(err)
			}
		}
		w.RunJobs()
		w.ExpectedFaults = w.Losses()
		businesstest.Same(t, "site verify", w.VerifyBooks(), w.ExpectedFaults)
	})
}

// What happened to a payment before we heard of it, in any order, is recorded once we do.
func TestBooksMatchTheProvidersAfterMissedEvents(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		w.Sandbox.Deaf = true
		tried, unheard := 0, []string{}
		var try func(before []sandbox.ChargeEvent)
		try = func(before []sandbox.ChargeEvent) {
			p := w.Paying(nil)
			w.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
			unheard = append(unheard, p.TxnID)
			for _, event := range before {
				w.Clock.Pass(time.Second)
				if err := w.Sandbox.Bank.Apply(w.Ctx, p.TxnID, event); errors.Is(err, method.ErrDeclined) {
					return
				} else {
					w.Must(err)
				}
			}
			tried++
			if len(before) < daily(2, 4) {
				for _, next := range orderedEvents[2:] { // all but ours
					try(append(slices.Clone(before), next))
				}
			}
		}
		try(nil)
		if tried < daily(15, 50) {
			t.Errorf("only %d orders are possible", tried)
		}
		w.Clock.Pass(time.Minute)
		for _, txn := range unheard {
			w.Poll(txn)
		}
		w.Clock.Pass(time.Second)
		for _, txn := range unheard {
			if err := w.Sandbox.Bank.Apply(w.Ctx, txn, sandbox.DisputeWon); !errors.Is(err, method.ErrDeclined) {
				w.Must(err)
				w.Must(w.Sandbox.SendWebhook(txn, "payment.paid"))
			}
		}
		w.RunJobs()
		for _, txn := range w.Texts("SELECT id FROM transactions WHERE state = 'refund_due'") { // lost before we heard, then won
			w.Must(w.Payment.OrderRefund(w.Ctx, txn, staff.Actor{Name: "test"}))
		}
		w.RunJobs()
		w.ExpectedFaults = w.Losses()
		businesstest.Equal(t, "jobs that failed", w.Count("jobs WHERE attempts > 0"), 0)
		for _, txn := range w.Texts("SELECT id FROM transactions WHERE state NOT IN ('paid', 'refunded')") {
			t.Errorf("not settled:\n%s", strings.Join(w.Books(txn), "\n"))
		}
	})
}

// happensInOrder lets events happen to a new payment, and reports whether the provider allows them.
func happensInOrder(t *testing.T, w *businesstest.World, p *businesstest.Person, events []sandbox.ChargeEvent) bool {
	t.Helper()
	heard := len(p.Post.To(p.Email))
	for i, event := range events {
		w.Clock.Pass(time.Second)
		if event == refundHere {
			_, err := w.Payment.Refund(w.Ctx, p.TxnID) // a disputed payment waits
			w.Must(err)
		} else if event == partHere {
			placed, err := order(w, p.TxnID, 100_00, meera)
			if admission.AsProblem(err) != nil {
				return false
			}
			w.Must(err)
			if placed.Decision == payment.Waiting {
				_, err := w.Payment.ApproveRefund(w.Ctx, placed.ID, arvind)
				w.Must(err)
			}
		} else if err := w.Sandbox.Bank.Apply(w.Ctx, p.TxnID, event); errors.Is(err, method.ErrDeclined) {
			return false
		} else {
			w.Must(err)
		}
		w.RunJobs()
		w.Clock.Pass(time.Second)
		w.Must(w.Sandbox.SendWebhook(p.TxnID, "payment.paid"))
		w.RunJobs()
		there, err := w.Sandbox.Bank.Fetch(w.Ctx, method.Intent{TxnID: p.TxnID}, "")
		w.Must(err)
		for n, charge := range there.Charges {
			if charge.Disputed {
				continue // nothing is recorded until it ends
			}
			ours := w.Texts("SELECT COALESCE(SUM(minor), 0) FROM refunds WHERE txn_id = $1 AND payment_id = $2 AND state = 'done'", p.TxnID, charge.PaymentID)[0]
			businesstest.Equal(t, fmt.Sprintf("%v: refunded of charge %d", events[:i+1], n+1), ours, fmt.Sprint(charge.Refunded.Minor))
		}
		own := there.Charges[0]
		stands := w.Count("registrations WHERE paid_txn_id = $1 AND refunded = FALSE", p.TxnID) == 1
		if !own.Disputed {
			businesstest.Equal(t, fmt.Sprintf("%v: the enrolment counts", events[:i+1]), stands, own.Left().Minor > 0)
		}
		if state := payment.State(w.Texts("SELECT state FROM transactions WHERE id = $1", p.TxnID)[0]); !own.Disputed && stands != (state == payment.Paid) {
			t.Errorf("%v: the payment is %s", events[:i+1], state)
		}
		mails := p.Post.To(p.Email)
		if len(mails) == heard {
			continue
		}
		heard = len(mails)
		last := mails[heard-1]
		switch last.Template {
		case "refunded", "refunded-part", "dispute-lost", "dispute-part":
			businesstest.Equal(t, fmt.Sprintf("%v: %s, and the enrolment counts", events[:i+1], last.Template), stands, strings.HasSuffix(last.Template, "-part"))
			businesstest.Equal(t, fmt.Sprintf("%v: left, in %s", events[:i+1], last.Template), last.Params["Left"], own.Amount.With(max(own.Left().Minor, 0)).String())
			lost := event == sandbox.DisputeLost || event == sandbox.DisputeLostInPart
			if told := strings.HasPrefix(last.Template, "dispute"); told != lost && (told || !slices.Contains(events, sandbox.RefundedThere)) { // which is recorded with the dispute's end
				t.Errorf("%v: %s says %t of a dispute", events[:i+1], last.Template, told)
			}
		case "refund-bounced", "dispute-back":
			if last.Template == "dispute-back" && event != sandbox.DisputeWon {
				t.Errorf("%v: %s was sent", events[:i+1], last.Template)
			}
			if last.Params["Stands"] != "" && !stands {
				t.Errorf("%v: %s says that the enrolment counts", events[:i+1], last.Template)
			}
		}
	}
	return true
}
