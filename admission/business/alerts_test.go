package business_test

import (
	"bytes"
	"context"
	"log/slog"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

// lockedLog is a log for concurrent writers.
type lockedLog struct {
	mutex sync.Mutex
	lines bytes.Buffer
}

func (l *lockedLog) Write(line []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.lines.Write(line)
}

func TestAlertsLogPaymentID(t *testing.T) {
	for alert, causes := range map[string]func(w *world) (txn string){
		"payment in review: amount or currency differ": func(w *world) string {
			p := w.paying(nil)
			p.returnWith(sandbox.WrongAmount)
			w.must(w.Payment.OrderRefund(w.ctx, p.txn, "test"))
			return p.txn
		},
		"one order was charged twice: the second charge goes back": func(w *world) string { return w.eventsAfterPayment(sandbox.SecondCharge) },
		"a dispute was opened: answer it at the provider before its deadline": func(w *world) string {
			return w.eventsAfterPayment(sandbox.DisputeOpens)
		},
		"a dispute was won":  func(w *world) string { return w.eventsAfterPayment(sandbox.DisputeOpens, sandbox.DisputeWon) },
		"a dispute was lost": func(w *world) string { return w.eventsAfterPayment(sandbox.DisputeOpens, sandbox.DisputeLost) },
		bouncedAlert:         func(w *world) string { return w.eventsAfterPayment(sandbox.RefundedThere, sandbox.RefundBounces) },
		"refund failed": func(w *world) string {
			w.sandbox.beforeNext("refund", func(context.Context) error { return method.ErrDeclined })
			txn := w.eventsAfterPayment(sandbox.SecondCharge)
			w.clock.Pass(time.Second)
			w.must(w.Payment.OrderRefund(w.ctx, txn, "test"))
			return txn
		},
		"a payment that must go back is disputed: it waits for the dispute's end": func(w *world) string {
			p := w.paying(nil)
			p.returnWith(sandbox.WrongAmount)
			w.sandbox.disputes(p.txn, 0, true)
			w.must(w.Payment.OrderRefund(w.ctx, p.txn, "test"))
			w.runJobs()
			w.sandbox.disputes(p.txn, 0, false)
			w.advance(24 * time.Hour)
			return p.txn
		},
		"webhook of an unknown payment": func(w *world) string {
			const unknown = "0123456789abcdefghjkmnpqrs"
			w.must(w.sandbox.webhook(unknown, "payment.paid"))
			w.advance(59 * time.Minute)
			w.advance(2 * time.Minute)
			return unknown
		},
		"an attempt of a gateway that is not configured has ended: was it paid?": func(w *world) string {
			p := w.paying(nil)
			w.openWithout(w.sandbox)
			w.Payment.Log = w.log()
			w.advance(30 * time.Minute)
			return p.txn
		},
	} {
		t.Run(alert, func(t *testing.T) {
			onSQLite(t, func(t *testing.T, w *world) {
				w.Payment.Log = w.log()
				txn := causes(w)
				w.runJobs()
				if !slices.Contains(w.alerts.all(), alert) {
					t.Fatalf("alerts: %v", w.alerts.all())
				}
				line := regexp.MustCompile(`(?m)^.*level=ERROR msg="` + regexp.QuoteMeta(alert) + `" txn=` + txn + `( .*)?$`)
				if !line.MatchString(w.heard.lines.String()) {
					t.Errorf("the log does not name payment %s:\n%s", txn, &w.heard.lines)
				}
			})
		})
	}
}

func (w *world) log() *slog.Logger { return slog.New(slog.NewTextHandler(&w.heard, nil)) }

// eventsAfterPayment lets events happen at the provider to a paid order, a second apart, and returns its id.
func (w *world) eventsAfterPayment(what ...sandbox.Afterwards) (txn string) {
	w.t.Helper()
	p := w.paid(nil)
	w.moreEvents(p.txn, what...)
	return p.txn
}

// moreEvents lets events happen at the provider to an order, a second apart.
func (w *world) moreEvents(txn string, what ...sandbox.Afterwards) {
	w.t.Helper()
	for _, each := range what {
		w.clock.Pass(time.Second)
		w.sandbox.eventAfterPayment(txn, each)
		w.runJobs()
	}
}
