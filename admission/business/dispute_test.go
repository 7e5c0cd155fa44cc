package business_test

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

// disputesByEvent is a provider that reports disputes only in events, which name its payment, and ours if the header does.
type disputesByEvent struct{ *provider }

func (g disputesByEvent) Webhook(ctx context.Context, h http.Header, raw []byte, query url.Values) (method.Event, error) {
	e, err := g.provider.Webhook(ctx, h, raw, query)
	if told := method.Dispute(h.Get("Dispute")); told != "" {
		e = method.Event{ID: h.Get("Number"), Type: "dispute", Kind: method.EventOfDispute, TxnID: h.Get("Txn"), PaymentID: h.Get("Payment"), Dispute: told}
	}
	return e, err
}

func TestDisputesReportedByEvents(t *testing.T) {
	const opened, won, lost = method.DisputeOpened, method.DisputeWon, method.DisputeLost
	const heardOpened, heardWon, heardLost = "a dispute was opened: answer it at the provider before its deadline", "a dispute was won", "a dispute was lost"
	for sentence, c := range map[string]struct {
		told    []method.Dispute
		gone    bool // all of it was sent back at the provider before
		state   payment.State
		alerts  []string
		refunds []string
	}{
		"an open one waits":                          {[]method.Dispute{opened}, false, payment.Disputed, []string{heardOpened}, nil},
		"the same told twice is one":                 {[]method.Dispute{opened, opened}, false, payment.Disputed, []string{heardOpened}, nil},
		"one that is won changes nothing":            {[]method.Dispute{opened, won}, false, payment.Paid, []string{heardOpened, heardWon}, nil},
		"won, and nobody had heard of it":            {[]method.Dispute{won}, false, payment.Paid, nil, nil},
		"one that is lost is a refund":               {[]method.Dispute{opened, lost}, false, payment.Refunded, []string{heardOpened, heardLost}, []string{"149900 | done | dispute lost"}},
		"lost, and nobody had heard of it":           {[]method.Dispute{lost}, false, payment.Refunded, []string{heardOpened, heardLost}, []string{"149900 | done | dispute lost"}},
		"lost is told twice":                         {[]method.Dispute{opened, lost, lost}, false, payment.Refunded, []string{heardOpened, heardLost}, []string{"149900 | done | dispute lost"}},
		"one of a payment that had gone back before": {[]method.Dispute{opened, opened}, true, payment.Refunded, []string{heardOpened}, []string{"149900 | done | at the provider"}},
	} {
		t.Run(sentence, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				tells := w.Payment.Gateways[0]
				tells.DisputesByEvent, tells.Gateway = true, disputesByEvent{w.sandbox}
				w.Payment.Gateways[0] = tells
				p := w.paid(nil)
				w.clock.Pass(time.Second)
				if c.gone {
					w.sandbox.eventAfterPayment(p.txn, sandbox.RefundedThere)
				}
				for i, told := range c.told {
					header, body := w.sandbox.bank.SignedWebhook(p.txn, "payment.captured")
					header.Set("Dispute", string(told))
					header.Set("Number", strconv.Itoa(i))
					header.Set("Payment", "sbxpay_"+p.txn)
					for range 2 { // each event is repeated
						_, _, err := w.Payment.ReceiveWebhook(w.ctx, w.sandbox.Name, payment.Webhook{Header: header, Body: body})
						w.must(err)
					}
					w.runJobs()
					w.clock.Pass(time.Minute)
				}
				for i := range 2 { // later answers change nothing, whether or not they count the lost amount as refunded
					if i == 1 && c.state == payment.Refunded && !c.gone {
						w.must(w.sandbox.bank.Happen(w.ctx, p.txn, sandbox.RefundedThere))
					}
					w.must(w.sandbox.webhook(p.txn, "payment.captured"))
					w.runJobs()
					w.clock.Pass(24 * time.Hour)
					found, err := w.Payment.Reconcile(w.ctx, w.clock.Now().AddDate(0, 0, -35), w.clock.Now().AddDate(0, 0, 1))
					w.must(err)
					same(t, "differences", found, nil)
				}
				got := p.state(p.txn)
				equal(t, "state", got.State, c.state)
				same(t, "alerts", w.alerts.all(), c.alerts)
				same(t, "refunds", w.texts("SELECT minor, state, reason FROM refunds"), c.refunds)
				equal(t, "credit notes", w.count("credit_notes"), len(c.refunds))
				equal(t, "mails of a refund", strings.Count(got.Mails, "refunded"), len(c.refunds))
				equal(t, "events without an end", w.count("inbox WHERE handled_at = 0 OR problem <> ''"), 0)
			})
		})
	}
}

// A dispute of another charge of the order does not change the payment.
func TestDisputeOfSecondCharge(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		tells := w.Payment.Gateways[0]
		tells.DisputesByEvent, tells.Gateway = true, disputesByEvent{w.sandbox}
		w.Payment.Gateways[0] = tells
		p := w.paid(nil)
		second := "sbxpay_" + p.txn + "_2"
		w.clock.Pass(time.Minute)
		w.sandbox.beforeNext("refund", func(context.Context) error { return method.ErrDeclined }) // as of what is disputed
		w.sandbox.eventAfterPayment(p.txn, sandbox.SecondCharge)
		w.runJobs()
		same(t, "the second charge", w.texts("SELECT payment_id, state FROM refunds"), []string{second + " | failed"})
		for i, told := range []method.Dispute{method.DisputeOpened, method.DisputeLost, method.DisputeLost} {
			header, body := w.sandbox.bank.SignedWebhook(p.txn, "payment.captured")
			header.Set("Dispute", string(told))
			header.Set("Number", strconv.Itoa(i))
			header.Set("Payment", second)
			header.Set("Txn", p.txn)
			_, _, err := w.Payment.ReceiveWebhook(w.ctx, w.sandbox.Name, payment.Webhook{Header: header, Body: body})
			w.must(err)
			w.runJobs()
			w.clock.Pass(time.Minute)
		}
		got := p.state(p.txn)
		equal(t, "state", got.State, payment.Paid)
		equal(t, "mails", got.Mails, "receipt, refund-started")
		same(t, "the registration", w.texts("SELECT CASE WHEN refunded THEN 'refunded' ELSE 'stands' END FROM registrations"), []string{"stands"})
		same(t, "refunds", w.texts("SELECT payment_id, minor, state, reason FROM refunds ORDER BY created_at"), []string{
			second + " | 149900 | failed | second charge of one order", second + " | 149900 | done | dispute lost",
		})
		same(t, "alerts", w.alerts.all(), []string{
			"one order was charged twice: the second charge goes back", "refund failed", "a dispute was opened: answer it at the provider before its deadline", "a dispute was lost",
		})
		same(t, "site verify", w.verifiedBooks(), nil)
		_, err := w.sandbox.bank.Refund(w.ctx, method.Intent{TxnID: p.txn}, method.Charge{PaymentID: second}, "lost", admission.INR(1499_00))
		w.must(err)
		w.must(w.sandbox.webhook(p.txn, "payment.captured"))
		w.runJobs()
		equal(t, "refunds once its answer says so too", w.count("refunds"), 2)
	})
}

// An answer to a request sent before the dispute reports neither its end nor its refund.
func TestStaleAnswerDoesNotEndDispute(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paid(nil)
		w.clock.Pass(time.Second)
		for _, what := range []sandbox.Afterwards{sandbox.DisputeOpens, sandbox.DisputeLost} { // in the same moment
			w.sandbox.eventAfterPayment(p.txn, what)
			w.runJobs()
		}
		equal(t, "state", p.state(p.txn).State, payment.Disputed)
		equal(t, "refunds", w.count("refunds"), 0)
		w.clock.Pass(time.Second)
		w.must(w.sandbox.webhook(p.txn, "dispute.lost"))
		w.runJobs()
		equal(t, "state by the next answer", p.state(p.txn).State, payment.Refunded)
		same(t, "refunds", w.texts("SELECT minor, state, reason FROM refunds"), []string{"149900 | done | dispute lost"})
		same(t, "credit notes", w.texts("SELECT total_minor FROM credit_notes"), []string{"149900"})
		same(t, "differences", w.reconcileNextDay(), nil)
	})
}

// One answer may report a won dispute and a refund: both are recorded before anything is refunded.
func TestMovementsDuringDisputeAreRecordedAtItsEnd(t *testing.T) {
	for name, c := range map[string]struct {
		before, during   []sandbox.Afterwards
		refunds          []string
		credits, reverse []string
	}{
		"a part that had gone back bounces": {
			[]sandbox.Afterwards{sandbox.PartRefundedThere}, []sandbox.Afterwards{sandbox.DisputeWon, sandbox.RefundBounces},
			[]string{"14990 | bounced | at the provider", "149900 | done | ordered"}, []string{"14990", "149900"}, []string{"14990"},
		},
		"a part goes back": {
			nil, []sandbox.Afterwards{sandbox.DisputeWon, sandbox.PartRefundedThere},
			[]string{"14990 | done | at the provider", "134910 | done | ordered"}, []string{"14990", "134910"}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				p := w.paid(nil)
				w.moreEvents(p.txn, append(c.before, sandbox.DisputeOpens)...)
				w.clock.Pass(time.Second)
				w.sandbox.deaf = true // no event is sent
				for _, what := range c.during {
					w.must(w.sandbox.bank.Happen(w.ctx, p.txn, what))
				}
				w.must(w.database.Update(w.ctx, refundJob(p.txn, w.clock.Now())))
				w.runJobs()
				equal(t, "state", p.state(p.txn).State, payment.Refunded)
				same(t, "refunds", w.texts("SELECT minor, state, reason FROM refunds ORDER BY created_at, minor"), c.refunds)
				same(t, "refunded", w.texts("SELECT refunded_minor FROM transactions"), []string{"149900"})
				same(t, "credit notes", w.texts("SELECT total_minor FROM credit_notes ORDER BY number"), c.credits)
				same(t, "invoices that reverse one", w.texts("SELECT total_minor FROM invoices WHERE reverses <> '' ORDER BY issue"), c.reverse)
				same(t, "differences", w.reconcileNextDay(), nil)
				same(t, "site verify", w.verifiedBooks(), nil)
			})
		})
	}
}

// Money of a refund that bounces during a dispute is ours again once the dispute is won.
func TestBounceDuringDisputeIsRecordedAtItsEnd(t *testing.T) {
	for _, c := range []struct {
		end     sandbox.Afterwards
		state   payment.State
		refunds []string
	}{
		{sandbox.DisputeWon, payment.Paid, []string{"149900 | bounced | at the provider"}},
		{sandbox.DisputeLost, payment.Refunded, []string{"149900 | done | at the provider"}},
	} {
		t.Run(string(c.end), func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				p := w.paid(nil)
				w.moreEvents(p.txn, sandbox.RefundedThere)
				w.clock.Pass(time.Second)
				w.sandbox.deaf = true // no event is sent of the bounce
				w.must(w.sandbox.bank.Happen(w.ctx, p.txn, sandbox.RefundBounces))
				w.sandbox.deaf = false
				w.sandbox.eventAfterPayment(p.txn, sandbox.DisputeOpens)
				w.runJobs()
				equal(t, "state meanwhile", p.state(p.txn).State, payment.Refunded)
				same(t, "refunds meanwhile", w.texts("SELECT minor, state, reason FROM refunds"), []string{"149900 | done | at the provider"})
				w.moreEvents(p.txn, c.end)
				equal(t, "state", p.state(p.txn).State, c.state)
				same(t, "refunds", w.texts("SELECT minor, state, reason FROM refunds"), c.refunds)
				same(t, "differences", w.reconcileNextDay(), nil)
			})
		})
	}
}
