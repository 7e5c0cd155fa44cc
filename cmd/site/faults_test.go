package main

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

// mishap is something that goes wrong at a provider, on the way to it or back, told once for all providers.
type mishap struct {
	sentence string
	not      func(p money.Provider) string // why it can not happen there; nil, or "", where it can
	happens  func(l *till, at money.Provider)
}

// mishaps are all of them, by the group of which they are. However they come, no money is wrong, lost or double.
var mishaps = [][]mishap{waysBack, forgedOnes, wrongSums, brokenAnswers, manyTabs, lateOnes, goneBack, oddOnes}

// Each mishap happens at each provider to which it applies, at a site of its own. PostgreSQL is asked by the long tests.
func TestMoneyIsNeverWrong(t *testing.T) { moneyIsNeverWrong(t, storetest.SQLite) }

func moneyIsNeverWrong(t *testing.T, newDatabase func(testing.TB) string) {
	for _, group := range mishaps {
		for _, f := range group {
			for i, p := range money.Providers {
				if f.not != nil && f.not(p) != "" {
					continue
				}
				t.Run(f.sentence+"/"+p.Name, func(t *testing.T) {
					t.Parallel()
					another := money.Providers[(i+1)%len(money.Providers)]
					f.happens(openTill(t, newDatabase(t), []money.Provider{p, another}), p)
				})
			}
		}
	}
}

// No answer comes at all, of who charges or of who is asked. All providers at once, since each is waited for.
func TestAProviderThatNeverAnswersIsAskedAgain(t *testing.T) {
	t.Parallel()
	l := openTill(t, storetest.SQLite(t), money.Providers)
	var orders []*order
	var returning sync.WaitGroup
	for _, p := range money.Providers {
		o := l.enrols("").opens(p)
		back := o.Pay(o.name)
		if p.ByReturn {
			o.Suffer("") // of two calls the second charges
		}
		o.Suffer(simulators.HangAfter)
		returning.Go(func() {
			if _, err := money.ComeBack(o.by.Visitor, o.Txn, back); err != nil {
				t.Error(err)
			}
		})
		orders = append(orders, o)
	}
	returning.Wait()
	for _, o := range orders {
		o.is(payment.Pending, o.at.Name+" is silent, and")
	}
	l.balance()
	for _, o := range orders {
		o.is(payment.Paid, o.at.Name+" answers again, and")
	}
}

const congratulations = "Congratulations! Your registration has been successfully submitted."

// waysBack are the roads by which the site hears that it was paid, each alone, and all at once.
var waysBack = []mishap{
	{"1 each webhook comes fifty times at once", nil, func(l *till, at money.Provider) {
		o := l.enrols("").opens(at)
		o.pays()
		events := 0
		for range 2 { // taking the money causes further events
			events += len(l.hears(o.branch, 50))
			l.works()
		}
		if kept := l.count("SELECT COUNT(*) FROM inbox"); events == 0 || kept > int64(events) || kept == 0 {
			l.t.Errorf("of %d events %d are kept", events, kept)
		}
		o.is(payment.Paid, "told fifty times")
		l.balance()
	}},
	{"2 the webhook comes before the browser", nil, func(l *till, at money.Provider) {
		o := l.enrols("").opens(at)
		back := o.pays()
		l.learns(o.branch)
		o.is(payment.Paid, "after the webhook")
		o.by.sees(o.returns(back), congratulations)
		l.hears(o.branch, 1)
		l.balance()
	}},
	{"2 the webhook comes before the answer that starts", func(p money.Provider) string {
		return unless(p.Starts != "", "it starts without a call")
	}, func(l *till, at money.Provider) {
		b, p := l.banks[at.Name], l.enrols("")
		b.WhileAnswering(at.Starts, func(answer string) {
			txn := l.texts("SELECT id FROM transactions")[0]
			var made struct{ ID string }
			if err := json.Unmarshal([]byte(answer), &made); err != nil {
				l.t.Error(err)
			}
			name, err := b.Enter(txn, map[string]any{"providerOrderId": made.ID})
			if err != nil {
				l.t.Error(err)
			}
			b.Pay(name)
			l.learns(b)
		})
		attempt, err := money.Start(p.Visitor, p.registration, at.Name)
		l.must(err)
		(&order{attempt, b, "", p}).is(payment.Paid, "told before it had begun")
		l.balance()
	}},
	{"3 only the browser comes back", nil, func(l *till, at money.Provider) {
		o := l.enrols("").opens(at)
		location := o.returns(o.Pay(o.name))
		o.is(payment.Paid, "after the return")
		o.by.sees(location, congratulations)
		l.balance()
	}},
	{"4 neither comes, and the site asks", nil, func(l *till, at money.Provider) {
		o := l.enrols("").opens(at)
		o.pays()
		l.works()
		o.is(payment.Pending, "before anybody asks")
		l.passes(31 * time.Second)
		l.works()
		o.is(payment.Paid, "once the site has asked")
		l.balance()
	}},
	{"5 a failure is heard of after the payment", func(p money.Provider) string {
		return unless(!p.OneTry, "a try that failed ends the order; 12 has the late payment")
	}, func(l *till, at money.Provider) {
		o := l.enrols("").opens(at)
		o.returns(o.Decline(o.name))
		failed := o.Events()
		o.heard = len(failed)
		l.passes(2 * time.Second) // to take another card
		o.returns(o.Pay(o.name))
		o.is(payment.Paid, "after the return")
		l.hears(o.branch, 1)
		for _, e := range failed {
			l.tells(o.branch, e, 1)
		}
		l.works()
		o.is(payment.Paid, "after the failure is heard of")
		l.balance()
	}},
	{"5 a refund is heard of before the payment", nil, func(l *till, at money.Provider) {
		o := l.enrols("").opens(at)
		want := payment.Failed // it came and went
		if o.pays(); at.WeTake {
			l.passes(31 * time.Second)
			l.works()
			want = payment.Refunded
		}
		o.RefundThere(o.name, o.Minor)
		events := o.Events()
		for _, e := range slices.Backward(events) {
			l.tells(o.branch, e, 1)
			l.works()
		}
		if len(events) == 0 { // of refunds nothing is told
			l.passes(time.Minute)
			l.works()
		}
		o.is(want, "after all was heard of, backwards")
		l.balance()
	}},
	{"5 an authorisation is heard of after the capture", func(p money.Provider) string {
		return unless(!p.WeTake, "the site takes the money at once")
	}, func(l *till, at money.Provider) {
		o := l.enrols("").opens(at)
		back, _ := o.Authorise(o.name)
		before := o.Events()
		o.heard = len(before)
		o.returns(back)
		o.is(payment.Paid, "after the return")
		l.hears(o.branch, 1)
		for _, e := range before {
			l.tells(o.branch, e, 1)
		}
		l.works()
		l.balance()
	}},
}

// unless is why something can not happen where it can not.
func unless(can bool, why string) string {
	if can {
		return ""
	}
	return why
}
