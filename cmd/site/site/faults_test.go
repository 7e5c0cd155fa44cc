package site_test

import (
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"time"

	"hiresure/admission/payment"
	"hiresure/e2e/money"
	"hiresure/simulators"
	"hiresure/store/storetest"
)

// mishap is a fault at a provider, or on the way there or back, for all providers.
type mishap struct {
	sentence string
	not      func(p money.Provider) string // the reason why it cannot happen there; nil or "" if it can
	happens  func(l *gatewaySite, at money.Provider)
}

// mishaps lists all mishaps by group. After each of them no money is wrong, lost or double.
var mishaps = [][]mishap{reports, forgeries, wrongSums, brokenAnswers, repeatedSteps, latePayments, refundMishaps, rareMishaps}

// Each mishap happens at two of the providers to which it applies, each time at the next ones, on a new site. The long tests take all
// providers, on PostgreSQL.
func TestMishaps(t *testing.T) { testMishaps(t, storetest.SQLite, 2) }

func testMishaps(t *testing.T, newDatabase func(testing.TB) string, most int) {
	next := 0
	for _, group := range mishaps {
		for _, f := range group {
			where := slices.DeleteFunc(slices.Clone(money.Providers), func(p money.Provider) bool { return f.not != nil && f.not(p) != "" })
			for range min(most, len(where)) {
				p := where[next%len(where)]
				next++
				t.Run(f.sentence+"/"+p.Name, func(t *testing.T) {
					t.Parallel()
					i := slices.IndexFunc(money.Providers, func(one money.Provider) bool { return one.Name == p.Name })
					another := money.Providers[(i+1)%len(money.Providers)]
					f.happens(openGatewaySite(t, newDatabase(t), []money.Provider{p, another}), p)
				})
			}
		}
	}
}

// Providers do not respond at all. The test runs them concurrently, since each takes its timeout.
func TestProviderTimeoutIsRetried(t *testing.T) {
	t.Parallel()
	l := openGatewaySite(t, storetest.SQLite(t), money.Providers)
	var orders []*order
	var returning sync.WaitGroup
	for _, p := range money.Providers {
		o := l.enrol("").start(p)
		back := o.Pay(o.name)
		if p.ByReturn {
			o.AddFaults("") // the second of two calls charges
		}
		o.AddFaults(simulators.HangAfter)
		returning.Go(func() {
			if _, err := money.ComeBack(o.by.Visitor, o.Txn, back); err != nil {
				t.Error(err)
			}
		})
		orders = append(orders, o)
	}
	returning.Wait()
	for _, o := range orders {
		o.mustBe(payment.Pending, o.at.Name+" is silent, and")
	}
	l.mustBalance()
	for _, o := range orders {
		o.mustBe(payment.Paid, o.at.Name+" answers again, and")
	}
}

const congratulations = "Congratulations! Your registration has been successfully submitted."

// reports are the ways in which the site learns of a payment, each alone, and all at once.
var reports = []mishap{
	{"1 each webhook comes fifty times at once", nil, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		o.pay()
		events := 0
		for range 2 { // capturing causes further events
			events += len(l.deliverNew(o.simulator, 50))
			l.Work()
		}
		if kept := l.count("SELECT COUNT(*) FROM inbox"); events == 0 || kept > int64(events) || kept == 0 {
			l.T.Errorf("of %d events %d are kept", events, kept)
		}
		o.mustBe(payment.Paid, "told fifty times")
		l.mustBalance()
	}},
	{"2 the webhook comes before the browser", nil, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		back := o.pay()
		l.catchUp(o.simulator)
		o.mustBe(payment.Paid, "after the webhook")
		o.by.mustSee(o.comeBack(back), congratulations)
		l.deliverNew(o.simulator, 1)
		l.mustBalance()
	}},
	{"2 the webhook comes before the answer that starts", func(p money.Provider) string {
		return unless(p.Starts != "", "it starts without a call")
	}, func(l *gatewaySite, at money.Provider) {
		b, p := l.banks[at.Name], l.enrol("")
		b.WhileAnswering(at.Starts, func(answer string) {
			txn := l.texts("SELECT id FROM transactions")[0]
			var made struct{ ID string }
			if err := json.Unmarshal([]byte(answer), &made); err != nil {
				l.T.Error(err)
			}
			name, err := b.Enter(txn, map[string]any{"providerOrderId": made.ID})
			if err != nil {
				l.T.Error(err)
			}
			b.Pay(name)
			l.catchUp(b)
		})
		attempt, err := money.Start(p.Visitor, p.registration, at.Name)
		l.must(err)
		(&order{attempt, b, "", p}).mustBe(payment.Paid, "told before it had begun")
		l.mustBalance()
	}},
	{"3 only the browser comes back", nil, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		location := o.comeBack(o.Pay(o.name))
		o.mustBe(payment.Paid, "after the return")
		o.by.mustSee(location, congratulations)
		l.mustBalance()
	}},
	{"4 neither comes, and the site asks", nil, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		o.pay()
		l.Work()
		o.mustBe(payment.Pending, "before anybody asks")
		l.Passes(31 * time.Second)
		l.Work()
		o.mustBe(payment.Paid, "once the site has asked")
		l.mustBalance()
	}},
	{"5 a failure is heard of after the payment", func(p money.Provider) string {
		return unless(!p.OneTry, "a try that failed ends the order; 12 has the late payment")
	}, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		o.comeBack(o.Decline(o.name))
		failed := o.Events()
		o.heard = len(failed)
		l.Passes(2 * time.Second) // to take another card
		o.comeBack(o.Pay(o.name))
		o.mustBe(payment.Paid, "after the return")
		l.deliverNew(o.simulator, 1)
		for _, e := range failed {
			l.deliver(o.simulator, e, 1)
		}
		l.Work()
		o.mustBe(payment.Paid, "after the failure is heard of")
		l.mustBalance()
	}},
	{"5 a refund is heard of before the payment", nil, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		if o.pay(); at.WeTake {
			l.Passes(31 * time.Second)
			l.Work()
		}
		o.RefundThere(o.name, o.Minor)
		events := o.Events()
		for _, e := range slices.Backward(events) {
			l.deliver(o.simulator, e, 1)
			l.Work()
		}
		if len(events) == 0 { // no events about refunds
			l.Passes(time.Minute)
			l.Work()
		}
		o.mustBe(payment.Refunded, "after all was heard of, backwards")
		l.mustBalance()
	}},
	{"5 an authorisation is heard of after the capture", func(p money.Provider) string {
		return unless(!p.WeTake, "the site takes the money at once")
	}, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		back, _ := o.Authorise(o.name)
		before := o.Events()
		o.heard = len(before)
		o.comeBack(back)
		o.mustBe(payment.Paid, "after the return")
		l.deliverNew(o.simulator, 1)
		for _, e := range before {
			l.deliver(o.simulator, e, 1)
		}
		l.Work()
		l.mustBalance()
	}},
}

// unless returns why, unless can.
func unless(can bool, why string) string {
	if can {
		return ""
	}
	return why
}
