package payment_test

import (
	"bytes"
	"context"
	"log/slog"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"hiresure/admission/business/businesstest"
	"hiresure/admission/payment/method"
	"hiresure/admission/staff"
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
	for alert, causes := range map[string]func(w *businesstest.World) (txn string){
		"payment in review: amount or currency differ": func(w *businesstest.World) string {
			p := w.Paying(nil)
			p.ReturnWith(sandbox.WrongAmount)
			w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
			return p.TxnID
		},
		"order charged twice: the second charge is refunded": func(w *businesstest.World) string { return eventsAfterPayment(w, sandbox.SecondCharge) },
		"a dispute was opened: answer it at the provider before its deadline": func(w *businesstest.World) string {
			return eventsAfterPayment(w, sandbox.DisputeOpens)
		},
		"a dispute was won": func(w *businesstest.World) string {
			return eventsAfterPayment(w, sandbox.DisputeOpens, sandbox.DisputeWon)
		},
		"a dispute was lost": func(w *businesstest.World) string {
			return eventsAfterPayment(w, sandbox.DisputeOpens, sandbox.DisputeLost)
		},
		"a dispute was lost in part": func(w *businesstest.World) string {
			return eventsAfterPayment(w, sandbox.DisputeOpens, sandbox.DisputeLostInPart)
		},
		lossAlert: func(w *businesstest.World) string {
			txn := eventsAfterPayment(w, sandbox.RefundedThere, sandbox.DisputeOpens, sandbox.DisputeLost)
			w.ExpectedFaults = w.VerifyBooks()
			return txn
		},
		bouncedAlert: func(w *businesstest.World) string {
			return eventsAfterPayment(w, sandbox.RefundedThere, sandbox.RefundBounces)
		},
		"refund failed": func(w *businesstest.World) string {
			w.Sandbox.BeforeNext("refund", func(context.Context) error { return method.ErrDeclined })
			txn := eventsAfterPayment(w, sandbox.SecondCharge)
			w.Clock.Pass(time.Second)
			w.Must(w.Payment.OrderRefund(w.Ctx, txn, staff.Actor{Name: "test"}))
			return txn
		},
		"refund postponed: the payment is disputed": func(w *businesstest.World) string {
			p := w.Paying(nil)
			p.ReturnWith(sandbox.WrongAmount)
			w.Sandbox.SetDisputed(p.TxnID, 0, true)
			w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
			w.RunJobs()
			w.Sandbox.SetDisputed(p.TxnID, 0, false)
			w.Advance(24 * time.Hour)
			return p.TxnID
		},
		"webhook of an unknown payment": func(w *businesstest.World) string {
			const unknown = "0123456789abcdefghjkmnpqrs"
			w.Must(w.Sandbox.SendWebhook(unknown, "payment.paid"))
			w.Advance(59 * time.Minute)
			w.Advance(2 * time.Minute)
			return unknown
		},
		"payment expired at a gateway that is not configured: check whether it was paid": func(w *businesstest.World) string {
			p := w.Paying(nil)
			log := w.Payment.Log
			w.OpenWithout(w.Sandbox)
			w.Payment.Log = log
			w.Advance(30 * time.Minute)
			return p.TxnID
		},
	} {
		t.Run(alert, func(t *testing.T) {
			businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
				var log lockedLog
				w.Payment.Log = slog.New(slog.NewTextHandler(&log, nil))
				txn := causes(w)
				w.RunJobs()
				if !slices.Contains(w.Alerts.All(), alert) {
					t.Fatalf("alerts: %v", w.Alerts.All())
				}
				line := regexp.MustCompile(`(?m)^.*level=ERROR msg="` + regexp.QuoteMeta(alert) + `" txn=` + txn + `( .*)?$`)
				if !line.MatchString(log.lines.String()) {
					t.Errorf("the log does not name payment %s:\n%s", txn, &log.lines)
				}
			})
		})
	}
}

// eventsAfterPayment lets events happen at the provider to a paid order, a second apart, and returns its id.
func eventsAfterPayment(w *businesstest.World, what ...sandbox.ChargeEvent) (txn string) {
	w.T.Helper()
	p := w.Paid(nil)
	w.AfterPayment(p.TxnID, what...)
	return p.TxnID
}
