package site_test

import (
	"sync"
	"time"

	"hiresure/admission/payment"
	"hiresure/admission/staff"
	"hiresure/e2e/money"
	"hiresure/simulators"
)

const (
	chargedTwice  = "order charged twice: the second charge is refunded"
	refundBounced = "refund returned by the payer's bank"
	refundFailed  = "refund failed"
)

// paidTwice returns a payment that must be refunded, because another was faster.
func (l *gatewaySite) paidTwice(at money.Provider) (due *order) {
	l.T.Helper()
	p := l.enrol("")
	due = p.start(at)
	due.comeBack(due.LeavePending(due.name))
	second := p.start(l.another(at))
	second.comeBack(second.Pay(second.name))
	second.mustBe(payment.Paid, "after its return")
	l.Work() // the jobs of the faster one
	due.Late(due.name)
	return due
}

// refundMishaps are refunds and disputes, by us and at the provider.
var refundMishaps = []mishap{
	{"14 staff refund all of it there", nil, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		o.comeBack(o.Pay(o.name))
		l.catchUp(o.simulator)
		l.Passes(time.Hour)
		o.RefundThere(o.name, o.Minor)
		if len(l.deliverNew(o.simulator, 2)) == 0 { // no event: the nightly reconciliation finds it
			l.mustDiffer("refunded there, paid here")
		}
		l.Work()
		o.mustBe(payment.Refunded, "refunded there")
		if notes := l.count("SELECT COUNT(*) FROM credit_notes"); notes != l.count("SELECT COUNT(*) FROM invoices") {
			l.T.Errorf("%d credit notes", notes)
		}
		l.mustBalance()
	}},
	{"14 staff refund it there in parts", func(p money.Provider) string { return unless(!p.Whole, "it gives back all or nothing") }, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		o.comeBack(o.Pay(o.name))
		for i, part := range []int64{500, o.Minor - 1500, 1000} {
			l.Passes(time.Hour)
			o.RefundThere(o.name, part)
			if len(l.deliverNew(o.simulator, 1)) == 0 { // no event: the nightly reconciliation finds it
				_, err := l.Site.Business.Payment.Reconcile(l.T.Context(), drillNow, l.Site.Clock().AddDate(0, 0, 1))
				l.must(err)
			}
			l.Work()
			if want := map[bool]payment.State{true: payment.Refunded, false: payment.Paid}[i == 2]; o.state() != want {
				l.T.Errorf("after part %d it is %s, want %s", i+1, o.state(), want)
			}
		}
		if back := o.Refunded(at.Currency); back != o.Minor {
			l.T.Errorf("%d went back of %d", back, o.Minor)
		}
		l.mustBalance()
	}},
	{"14 a second charge of one order goes back", func(p money.Provider) string { return unless(!p.OneCharge, "an order is never charged twice") }, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		o.comeBack(o.Pay(o.name))
		l.Passes(time.Minute)
		o.PayAgain(o.name)
		l.deliverNew(o.simulator, 3)
		l.Work()
		wantAlerts := []string{chargedTwice}
		if at.ByHand {
			wantAlerts = append(wantAlerts, refundFailed)
			l.Passes(time.Hour)
			o.RefundThere(o.name, o.Minor)
		}
		l.catchUp(o.simulator)
		o.mustBe(payment.Paid, "after the second charge")
		if back := o.Refunded(at.Currency); back != o.Minor {
			l.T.Errorf("%d went back, want %d", back, o.Minor)
		}
		l.mustBalance(wantAlerts...)
	}},
	{"14 a refund's answer is lost, and it is asked for twice", nil, func(l *gatewaySite, at money.Provider) {
		due := l.paidTwice(at)
		heard := l.deliverNew(due.simulator, 1)
		if len(heard) == 0 {
			l.Passes(31 * time.Second)
		}
		due.WhileAnswering(at.Refunds, func(string) { due.AddFaults(simulators.ErrorAfter, simulators.ErrorAfter) }) // polls fail too
		l.Work()
		var jobs sync.WaitGroup
		for range 3 {
			jobs.Go(func() {
				_, _ = l.Site.Business.Payment.Refund(l.T.Context(), due.Txn) // its response may be lost too
			})
		}
		jobs.Wait()
		l.mustBalance()
		due.mustBe(payment.Refunded, "at the end")
		if back := due.Refunded(at.Currency); back != due.Minor {
			l.T.Errorf("%d went back, want %d", back, due.Minor)
		}
		if refunds := l.count("SELECT COUNT(*) FROM refunds"); refunds != 1 {
			l.T.Errorf("%d refunds", refunds)
		}
	}},
	{"14 staff were faster than the refund", nil, func(l *gatewaySite, at money.Provider) {
		due := l.paidTwice(at)
		l.Passes(31 * time.Second)
		l.deliverNew(due.simulator, 1)
		due.RefundThere(due.name, due.Minor)
		l.Work()
		l.mustBalance()
		if back := due.Refunded(at.Currency); back != due.Minor {
			l.T.Errorf("%d went back, want %d", back, due.Minor)
		}
	}},
	{"14 a refund that is under way fails, and is sent again", func(p money.Provider) string { return unless(!p.Whole, "nothing is told of a refund that fails") }, func(l *gatewaySite, at money.Provider) {
		due := l.paidTwice(at)
		due.SlowRefunds()
		l.deliverNew(due.simulator, 1)
		l.Passes(31 * time.Second)
		l.Work()
		due.mustBe(payment.RefundPending, "accepted, not done")
		refund := l.texts("SELECT id FROM refunds")[0]
		due.RefundEnds(due.name, refund, false)
		l.catchUp(due.simulator)
		l.Passes(time.Hour) // a job that polls it comes later
		l.Work()
		due.mustBe(payment.RefundDue, "after it has failed")
		l.must(l.Site.Business.Payment.OrderRefund(l.T.Context(), due.Txn, staff.Actor{Name: "staff"}))
		l.Work()
		again := l.texts("SELECT id FROM refunds WHERE state <> 'failed'")
		if len(again) != 1 {
			l.T.Fatalf("refunds: %q", again)
		}
		due.RefundEnds(due.name, again[0], true)
		l.catchUp(due.simulator)
		l.Passes(time.Hour)
		l.Work()
		due.mustBe(payment.Refunded, "at the end")
		l.mustBalance(refundFailed)
	}},
	{"14 a refund that was done bounces, and is sent again", func(p money.Provider) string {
		return unless(!p.Final, "a refund that is done stays done")
	}, func(l *gatewaySite, at money.Provider) {
		due := l.paidTwice(at)
		l.deliverNew(due.simulator, 1)
		l.Passes(31 * time.Second)
		l.Work()
		l.Passes(time.Hour)
		l.Work()
		due.mustBe(payment.Refunded, "sent back")
		l.Passes(time.Hour)
		due.RefundEnds(due.name, l.texts("SELECT id FROM refunds")[0], false)
		l.catchUp(due.simulator)
		_, err := l.Site.Business.Payment.Reconcile(l.T.Context(), drillNow, l.Site.Clock().AddDate(0, 0, 1)) // for providers without an event
		l.must(err)
		l.Work()
		due.mustBe(payment.RefundDue, "after it has bounced")
		l.must(l.Site.Business.Payment.OrderRefund(l.T.Context(), due.Txn, staff.Actor{Name: "staff"}))
		l.Work()
		l.Passes(time.Hour)
		l.Work()
		due.mustBe(payment.Refunded, "sent again")
		l.mustBalance(refundBounced)
	}},
	{"14 a dispute opens, and is won", nil, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		o.comeBack(o.Pay(o.name))
		l.disputed(o)
		o.DisputeWon(o.name)
		l.catchUp(o.simulator)
		o.mustBe(payment.Paid, "won")
		l.mustBalance("a dispute was opened: answer it at the provider before its deadline", "a dispute was won")
	}},
	{"14 a dispute opens, and is lost", nil, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		o.comeBack(o.Pay(o.name))
		l.disputed(o)
		o.DisputeLost(o.name)
		l.catchUp(o.simulator)
		o.mustBe(payment.Refunded, "lost")
		l.mustBalance("a dispute was lost", "a dispute was opened: answer it at the provider before its deadline")
	}},
}

// disputed opens a dispute at the payer's bank and delivers its event.
func (l *gatewaySite) disputed(o *order) {
	l.T.Helper()
	l.catchUp(o.simulator)
	l.Passes(time.Hour)
	o.DisputeOpens(o.name)
	l.catchUp(o.simulator)
	o.mustBe(payment.Disputed, "disputed")
	l.Passes(time.Hour)
}

// rareMishaps happen at a few providers only.
var rareMishaps = []mishap{
	{"21 a payment waits at the provider, and is confirmed", nil, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		o.comeBack(o.LeavePending(o.name))
		l.catchUp(o.simulator)
		o.mustBe(payment.Pending, "while it waits")
		o.by.mustSee("/success?kspay_id="+o.Txn, "Transaction in pending!")
		l.Passes(3 * time.Second)
		o.Late(o.name)
		l.catchUp(o.simulator)
		o.mustBe(payment.Paid, "confirmed")
		l.mustBalance()
	}},
	{"21 a payment waits at the provider, and is refused", func(p money.Provider) string {
		return unless(p.WeTake && !p.ByReturn, "no capture waits there")
	}, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		o.comeBack(o.LeavePending(o.name))
		o.mustBe(payment.Pending, "while it waits")
		o.Bank.(interface{ Deny(order string) }).Deny(o.name)
		l.catchUp(o.simulator)
		o.mustBe(payment.Failed, "refused")
		l.mustBalance()
	}},
}
