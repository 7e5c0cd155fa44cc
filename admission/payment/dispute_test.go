package payment_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

// disputesByEvent is a provider that reports disputes only in events, which name its payment, and ours if the header does.
type disputesByEvent struct{ *businesstest.Provider }

func (g disputesByEvent) Webhook(ctx context.Context, h http.Header, raw []byte, query url.Values) (method.Event, error) {
	e, err := g.Provider.Webhook(ctx, h, raw, query)
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
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				tells := w.Payment.Gateways[0]
				tells.DisputesByEvent, tells.Gateway = true, disputesByEvent{w.Sandbox}
				w.Payment.Gateways[0] = tells
				p := w.Paid(nil)
				w.Clock.Pass(time.Second)
				if c.gone {
					w.Sandbox.EventAfterPayment(p.TxnID, sandbox.RefundedThere)
				}
				for i, told := range c.told {
					header, body := w.Sandbox.Bank.SignedWebhook(p.TxnID, "payment.captured")
					header.Set("Dispute", string(told))
					header.Set("Number", strconv.Itoa(i))
					header.Set("Payment", "sbxpay_"+p.TxnID)
					for range 2 { // each event is repeated
						_, _, err := w.Payment.ReceiveWebhook(w.Ctx, w.Sandbox.Name, payment.Webhook{Header: header, Body: body})
						w.Must(err)
					}
					w.RunJobs()
					w.Clock.Pass(time.Minute)
				}
				for i := range 2 { // later answers change nothing, whether or not they count the lost amount as refunded
					if i == 1 && c.state == payment.Refunded && !c.gone {
						w.Must(w.Sandbox.Bank.Apply(w.Ctx, p.TxnID, sandbox.RefundedThere))
					}
					w.Must(w.Sandbox.SendWebhook(p.TxnID, "payment.captured"))
					w.RunJobs()
					w.Clock.Pass(24 * time.Hour)
					found, err := w.Payment.Reconcile(w.Ctx, w.Clock.Now().AddDate(0, 0, -35), w.Clock.Now().AddDate(0, 0, 1))
					w.Must(err)
					businesstest.Same(t, "differences", found, nil)
				}
				got := p.State(p.TxnID)
				businesstest.Equal(t, "state", got.State, c.state)
				businesstest.Same(t, "alerts", w.Alerts.All(), c.alerts)
				businesstest.Same(t, "refunds", w.Texts("SELECT minor, state, reason FROM refunds"), c.refunds)
				businesstest.Equal(t, "credit notes", w.Count("credit_notes"), len(c.refunds))
				businesstest.Equal(t, "mails of a refund", strings.Count(got.Mails, "dispute-lost")+strings.Count(got.Mails, "refunded"), len(c.refunds))
				businesstest.Equal(t, "events without an end", w.Count("inbox WHERE handled_at = 0 OR problem <> ''"), 0)
			})
		})
	}
}

// A dispute of another charge of the order does not change the payment.
func TestDisputeOfSecondCharge(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		tells := w.Payment.Gateways[0]
		tells.DisputesByEvent, tells.Gateway = true, disputesByEvent{w.Sandbox}
		w.Payment.Gateways[0] = tells
		p := w.Paid(nil)
		second := "sbxpay_" + p.TxnID + "_2"
		w.Clock.Pass(time.Minute)
		w.Sandbox.BeforeNext("refund", func(context.Context) error { return method.ErrDeclined }) // as of what is disputed
		w.Sandbox.EventAfterPayment(p.TxnID, sandbox.SecondCharge)
		w.RunJobs()
		businesstest.Same(t, "the second charge", w.Texts("SELECT payment_id, state FROM refunds"), []string{second + " | failed"})
		for i, told := range []method.Dispute{method.DisputeOpened, method.DisputeLost, method.DisputeLost} {
			header, body := w.Sandbox.Bank.SignedWebhook(p.TxnID, "payment.captured")
			header.Set("Dispute", string(told))
			header.Set("Number", strconv.Itoa(i))
			header.Set("Payment", second)
			header.Set("Txn", p.TxnID)
			_, _, err := w.Payment.ReceiveWebhook(w.Ctx, w.Sandbox.Name, payment.Webhook{Header: header, Body: body})
			w.Must(err)
			w.RunJobs()
			w.Clock.Pass(time.Minute)
		}
		got := p.State(p.TxnID)
		businesstest.Equal(t, "state", got.State, payment.Paid)
		businesstest.Equal(t, "mails", got.Mails, "receipt, refund-due, refund-failed")
		businesstest.Same(t, "the registration", w.Texts("SELECT CASE WHEN refunded THEN 'refunded' ELSE 'stands' END FROM registrations"), []string{"stands"})
		businesstest.Same(t, "refunds", w.Texts("SELECT payment_id, minor, state, reason FROM refunds ORDER BY created_at"), []string{
			second + " | 149900 | failed | second charge of one order", second + " | 149900 | done | dispute lost",
		})
		businesstest.Same(t, "alerts", w.Alerts.All(), []string{
			"order charged twice: the second charge is refunded", "refund failed", "a dispute was opened: answer it at the provider before its deadline", "a dispute was lost",
		})
		businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
		_, err := w.Sandbox.Bank.Refund(w.Ctx, method.Intent{TxnID: p.TxnID}, method.Charge{PaymentID: second}, "lost", admission.INR(1499_00))
		w.Must(err)
		w.Must(w.Sandbox.SendWebhook(p.TxnID, "payment.captured"))
		w.RunJobs()
		businesstest.Equal(t, "refunds once its answer says so too", w.Count("refunds"), 2)
	})
}

// An answer to a request sent before the dispute reports neither its end nor its refund.
func TestStaleAnswerDoesNotEndDispute(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		w.Clock.Pass(time.Second)
		for _, what := range []sandbox.ChargeEvent{sandbox.DisputeOpens, sandbox.DisputeLost} { // in the same moment
			w.Sandbox.EventAfterPayment(p.TxnID, what)
			w.RunJobs()
		}
		businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Disputed)
		businesstest.Equal(t, "refunds", w.Count("refunds"), 0)
		w.Clock.Pass(time.Second)
		w.Must(w.Sandbox.SendWebhook(p.TxnID, "dispute.lost"))
		w.RunJobs()
		businesstest.Equal(t, "state by the next answer", p.State(p.TxnID).State, payment.Refunded)
		businesstest.Same(t, "refunds", w.Texts("SELECT minor, state, reason FROM refunds"), []string{"149900 | done | dispute lost"})
		businesstest.Same(t, "credit notes", w.Texts("SELECT total_minor FROM credit_notes"), []string{"149900"})
		businesstest.Same(t, "differences", reconcileNextDay(w), nil)
	})
}

// One answer may report a won dispute and a refund: both are recorded before anything is refunded.
func TestMovementsDuringDisputeAreRecordedAtItsEnd(t *testing.T) {
	for name, c := range map[string]struct {
		before, during   []sandbox.ChargeEvent
		refunds          []string
		credits, reverse []string
	}{
		"a part that had gone back bounces": {
			[]sandbox.ChargeEvent{sandbox.PartRefundedThere}, []sandbox.ChargeEvent{sandbox.DisputeWon, sandbox.RefundBounces},
			[]string{"14990 | bounced | at the provider", "149900 | done | ordered"}, []string{"14990", "149900"}, []string{"14990"},
		},
		"a part goes back": {
			nil, []sandbox.ChargeEvent{sandbox.DisputeWon, sandbox.PartRefundedThere},
			[]string{"14990 | done | at the provider", "134910 | done | ordered"}, []string{"14990", "134910"}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				p := w.Paid(nil)
				w.AfterPayment(p.TxnID, append(c.before, sandbox.DisputeOpens)...)
				w.Clock.Pass(time.Second)
				w.Sandbox.Deaf = true // no event is sent
				for _, what := range c.during {
					w.Must(w.Sandbox.Bank.Apply(w.Ctx, p.TxnID, what))
				}
				w.Must(w.Database.Update(w.Ctx, businesstest.RefundJob(p.TxnID, w.Clock.Now())))
				w.RunJobs()
				businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Refunded)
				businesstest.Same(t, "refunds", w.Texts("SELECT minor, state, reason FROM refunds ORDER BY created_at, minor"), c.refunds)
				businesstest.Same(t, "refunded", w.Texts("SELECT refunded_minor FROM transactions"), []string{"149900"})
				businesstest.Same(t, "credit notes", w.Texts("SELECT total_minor FROM credit_notes ORDER BY number"), c.credits)
				businesstest.Same(t, "invoices that reverse one", w.Texts("SELECT total_minor FROM invoices WHERE reverses <> '' ORDER BY issue"), c.reverse)
				businesstest.Same(t, "differences", reconcileNextDay(w), nil)
				businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
			})
		})
	}
}

// Money of a refund that bounces during a dispute is ours again once the dispute is won.
func TestBounceDuringDisputeIsRecordedAtItsEnd(t *testing.T) {
	for _, c := range []struct {
		end     sandbox.ChargeEvent
		state   payment.State
		refunds []string
	}{
		{sandbox.DisputeWon, payment.Paid, []string{"149900 | bounced | at the provider"}},
		{sandbox.DisputeLost, payment.Refunded, []string{"149900 | bounced | at the provider", "149900 | done | dispute lost"}},
	} {
		t.Run(string(c.end), func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				p := w.Paid(nil)
				w.AfterPayment(p.TxnID, sandbox.RefundedThere)
				w.Clock.Pass(time.Second)
				w.Sandbox.Deaf = true // no event is sent of the bounce
				w.Must(w.Sandbox.Bank.Apply(w.Ctx, p.TxnID, sandbox.RefundBounces))
				w.Sandbox.Deaf = false
				w.Sandbox.EventAfterPayment(p.TxnID, sandbox.DisputeOpens)
				w.RunJobs()
				businesstest.Equal(t, "state meanwhile", p.State(p.TxnID).State, payment.Refunded)
				businesstest.Same(t, "refunds meanwhile", w.Texts("SELECT minor, state, reason FROM refunds"), []string{"149900 | done | at the provider"})
				w.AfterPayment(p.TxnID, c.end)
				businesstest.Equal(t, "state", p.State(p.TxnID).State, c.state)
				businesstest.Same(t, "refunds", w.Texts("SELECT minor, state, reason FROM refunds ORDER BY created_at"), c.refunds)
				businesstest.Same(t, "differences", reconcileNextDay(w), nil)
			})
		})
	}
}

// Each charge of an order is compared by its own state, and a dispute of the second one is raised once.
func TestChargesOfOneOrderAreComparedEachByItself(t *testing.T) {
	const opened = "a dispute was opened: answer it at the provider before its deadline"
	for name, disputed := range map[string][]int{"the own charge": {0}, "the second charge": {1}, "both": {0, 1}} {
		t.Run(name, func(t *testing.T) {
			businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
				p := w.Paid(nil)
				w.AfterPayment(p.TxnID, sandbox.SecondCharge)
				w.Clock.Pass(time.Second)
				for _, charge := range disputed {
					w.Sandbox.SetDisputed(p.TxnID, charge, true)
				}
				if disputed[0] == 0 { // else only the comparison finds it
					w.Must(w.Sandbox.SendWebhook(p.TxnID, "dispute.created"))
				}
				w.RunJobs()
				for range 2 {
					businesstest.Same(t, "differences during the dispute", reconcileNextDay(w), nil)
				}
				businesstest.Equal(t, "alerts of disputes", strings.Count(strings.Join(w.Alerts.All(), "\n"), opened), len(disputed))
				for _, charge := range disputed {
					w.Sandbox.SetDisputed(p.TxnID, charge, false)
				}
				w.Must(w.Sandbox.SendWebhook(p.TxnID, "dispute.won"))
				w.RunJobs()
				businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Paid)
				businesstest.Same(t, "differences after it", reconcileNextDay(w), nil)
			})
		})
	}
}

// A dispute may be lost in part, and won after it was lost.
func TestPartsAndTurnsOfDisputes(t *testing.T) {
	const opened, lost, inPart, wonAfterAll = "a dispute was opened: answer it at the provider before its deadline", "a dispute was lost", "a dispute was lost in part", "lost dispute won after all: the bank gave the money back"
	for sentence, c := range map[string]struct {
		happens []sandbox.ChargeEvent
		state   payment.State
		mails   string
		alerts  []string
		refunds []string
	}{
		"lost in part": {
			[]sandbox.ChargeEvent{sandbox.DisputeOpens, sandbox.DisputeLostInPart}, payment.Paid, "dispute-open, dispute-part, receipt",
			[]string{opened, inPart}, []string{"49966 | done | dispute lost"},
		},
		"lost, then won": {
			[]sandbox.ChargeEvent{sandbox.DisputeOpens, sandbox.DisputeLost, sandbox.DisputeWon}, payment.Paid, "receipt, dispute-open, dispute-lost, dispute-back",
			[]string{opened, lost, wonAfterAll}, []string{"149900 | bounced | dispute lost"},
		},
		"lost in part, then won": {
			[]sandbox.ChargeEvent{sandbox.DisputeOpens, sandbox.DisputeLostInPart, sandbox.DisputeWon}, payment.Paid, "receipt, dispute-open, dispute-part, dispute-back",
			[]string{opened, inPart, wonAfterAll}, []string{"49966 | bounced | dispute lost"},
		},
		"lost in part, then refunded there": {
			[]sandbox.ChargeEvent{sandbox.DisputeOpens, sandbox.DisputeLostInPart, sandbox.PartRefundedThere}, payment.Paid, "receipt, dispute-open, dispute-part, refunded-part",
			[]string{opened, inPart}, []string{"49966 | done | dispute lost", "14990 | done | at the provider"},
		},
	} {
		t.Run(sentence, func(t *testing.T) {
			businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
				p := w.Paid(nil)
				w.AfterPayment(p.TxnID, c.happens...)
				got := p.State(p.TxnID)
				businesstest.Equal(t, "state", got.State, c.state)
				businesstest.Same(t, "mails", strings.Split(got.Mails, ", "), slices.Sorted(slices.Values(strings.Split(c.mails, ", "))))
				businesstest.Same(t, "alerts", w.Alerts.All(), c.alerts)
				businesstest.Same(t, "refunds", w.Texts("SELECT minor, state, reason FROM refunds ORDER BY created_at"), c.refunds)
				businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
				businesstest.Same(t, "differences", reconcileNextDay(w), nil)
			})
		})
	}
}
