package main

import (
	"encoding/json"
	"testing"

	"hiresure/admission/payment"
	"hiresure/e2e/money"
	"hiresure/store/storetest"
)

// mishap is something that goes wrong at a provider, on the way to it or back, told once for all providers.
type mishap struct {
	sentence string
	not      func(p money.Provider) string // why it can not happen there; nil, or "", where it can
	happens  func(l *till, at money.Provider)
}

// mishaps are all of them, by the group of which they are. However they come, no money is wrong, lost or double.
var mishaps = [][]mishap{waysBack}

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
		l.balance(nil, nil)
	}},
	{"2 the webhook comes before the browser", nil, func(l *till, at money.Provider) {
		o := l.enrols("").opens(at)
		back := o.pays()
		l.hears(o.branch, 1)
		l.works()
		o.is(payment.Paid, "after the webhook")
		o.by.sees(o.returns(back), congratulations)
		l.hears(o.branch, 1)
		l.balance(nil, nil)
	}},
	{"2 the webhook comes before the answer that starts", func(p money.Provider) string {
		if _, asks := startPaths[p.Name]; !asks {
			return "it starts without a call"
		}
		return ""
	}, func(l *till, at money.Provider) {
		b, p := l.banks[at.Name], l.enrols("")
		b.whileAnswering(startPaths[at.Name], func(answer string) {
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
			l.hears(b, 1)
			l.works()
		})
		attempt, err := money.Start(p.Visitor, p.registration, at.Name)
		l.must(err)
		(&order{attempt, b, "", p}).is(payment.Paid, "told before it had begun")
		l.balance(nil, nil)
	}},
	{"3 only the browser comes back", nil, func(l *till, at money.Provider) {
		o := l.enrols("").opens(at)
		location := o.returns(o.Pay(o.name))
		o.is(payment.Paid, "after the return")
		o.by.sees(location, congratulations)
		l.balance(nil, nil)
	}},
}

// startPaths are where each provider makes an order, as far as its gateway starts by a call.
var startPaths = map[string]string{"razorpay": "/v1/orders", "paypal": "/v2/checkout/orders", "cashfree": "/pg/orders", "stripe": "/v1/payment_intents"}
