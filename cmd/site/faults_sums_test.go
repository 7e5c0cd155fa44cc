package main

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment"
	"hiresure/e2e/money"
	"hiresure/simulators"
)

const inReview = "payment in review: amount or currency differ"

// paysWrong pays another sum than was asked for; only a person ends that.
func paysWrong(wrong func(o *order) admission.Money) func(*till, money.Provider) {
	return func(l *till, at money.Provider) {
		o := l.enrols("").opens(at)
		taken := wrong(o)
		o.returns(o.PayWrong(o.name, taken.Minor, taken.Currency))
		l.hears(o.branch, 1)
		l.calmsDown()
		o.is(payment.Review, "after another sum was paid")
		if word, err := o.by.Verify(o.Txn); err != nil || word != string(payment.OutcomePending) {
			l.t.Errorf("the payer is told %s, %v", word, err)
		}
		l.differs(fmt.Sprintf("charged %s for %s", taken, admission.Money{Minor: o.Minor, Currency: at.Currency}))
		l.must(l.site.business.Payment.OrderRefund(l.t.Context(), o.Txn, "staff"))
		l.works()
		l.passes(time.Hour) // where it is only accepted at first
		l.works()
		o.is(payment.Refunded, "sent back by staff")
		l.hears(o.branch, 1) // of that
		l.balance(inReview)
	}
}

func takesOneMoney(p money.Provider) string {
	return unless(!p.OneMoney, "it takes no other currency")
}

// wrongSums are payments of other sums than were asked for, and prices that change meanwhile.
var wrongSums = []mishap{
	{"7 a paisa less", nil, paysWrong(func(o *order) admission.Money { return admission.Money{Minor: o.Minor - 1, Currency: o.at.Currency} })},
	{"7 a hundred times as much", nil, paysWrong(func(o *order) admission.Money { return admission.Money{Minor: o.Minor * 100, Currency: o.at.Currency} })},
	{"7 another currency", takesOneMoney, paysWrong(func(o *order) admission.Money {
		currency := map[string]string{"INR": "USD", "USD": "EUR"}[o.at.Currency]
		return admission.Money{Minor: o.Minor, Currency: currency}
	})},
	{"22 an offer lowers the sum, and staff accept it", nil, func(l *till, at money.Provider) {
		o := l.enrols("").opens(at)
		o.returns(o.PayWrong(o.name, o.Minor-100, at.Currency))
		l.hears(o.branch, 1)
		l.calmsDown()
		o.is(payment.Review, "after less was paid")
		_, err := l.site.business.Payment.AcceptReview(l.t.Context(), o.Txn, "staff")
		l.must(err)
		o.is(payment.Paid, "accepted by staff")
		l.balance(inReview)
	}},
	{"19 the coupon changes before the payment", nil, func(l *till, at money.Provider) {
		o := l.enrols("MGROW500").opens(at)
		whole := l.enrols("").opens(at)
		if o.Minor >= whole.Minor {
			l.t.Errorf("with the coupon it is %d, without %d", o.Minor, whole.Minor)
		}
		if _, err := l.db.ExecContext(l.t.Context(), "UPDATE coupons SET amount_minor = 10000, max_uses = 1 WHERE code = 'MGROW500'"); err != nil {
			l.t.Fatal(err)
		}
		o.returns(o.Pay(o.name))
		whole.returns(whole.Pay(whole.name))
		o.is(payment.Paid, "after the return")
		if taken := o.Captured(at.Currency); taken != o.Minor+whole.Minor {
			l.t.Errorf("taken %d, want %d", taken, o.Minor+whole.Minor)
		}
		l.balance()
	}},
}

// sufferings are what the answers of a provider may be, but for none at all.
var sufferings = []simulators.Fault{simulators.ErrorAfter, simulators.ErrorBefore, simulators.Torn, simulators.TooMany, simulators.Stranger}

const noCredentials = "gateway refuses our credentials: "

// brokenAnswers are answers that are lost, late, torn or refusals of the moment.
var brokenAnswers = []mishap{
	{"9 the answer to a start is broken", func(p money.Provider) string { return unless(p.Starts != "", "it starts without a call") }, func(l *till, at money.Provider) {
		for _, suffering := range sufferings {
			p := l.enrols("")
			l.banks[at.Name].Suffer(suffering)
			if attempt, err := money.Start(p.Visitor, p.registration, at.Name); err == nil && attempt.Txn == "" {
				l.t.Errorf("%s: an attempt without an id", suffering)
			}
			l.passes(3 * time.Second)
			o := p.opens(at) // the payer presses again
			o.returns(o.Pay(o.name))
			o.is(payment.Paid, string(suffering))
		}
		if orders := l.count("SELECT COUNT(*) FROM transactions WHERE state = 'paid'"); orders != int64(len(sufferings)) {
			l.t.Errorf("%d are paid", orders)
		}
		l.balance(l.strangers(at)...)
	}},
	{"9 the answers after a charge are broken", nil, func(l *till, at money.Provider) {
		var all []*order
		for i, suffering := range sufferings {
			o := l.enrols("").opens(at)
			back := o.Pay(o.name)
			switch {
			case at.ByReturn && suffering != simulators.ErrorBefore && suffering != simulators.TooMany && suffering != simulators.Stranger:
				o.Suffer("", suffering)
			case !at.ByReturn:
				o.Suffer(make([]simulators.Fault, i%3)...)
				o.Suffer(suffering, suffering, suffering)
			}
			all = append(all, o)
			o.returns(back)
			if state := o.state(); state == payment.Failed {
				l.t.Errorf("%s: it has failed", suffering)
			}
			l.passes(5 * time.Minute)
			l.works()
			l.learns(o.branch)
		}
		l.calmsDown()
		for i, o := range all {
			o.is(payment.Paid, string(sufferings[i]))
		}
		l.balance(l.strangers(at)...)
	}},
	{"9 the line is cut after a charge", func(p money.Provider) string {
		return unless(p.WeTake, "the site takes nothing; 4 has the answers that are lost")
	}, func(l *till, at money.Provider) {
		o := l.enrols("").opens(at)
		back := o.Pay(o.name)
		o.WhileAnswering(at.Takes, func(string) { panic(http.ErrAbortHandler) })
		o.returns(back)
		if taken := o.Captured(at.Currency); taken != o.Minor {
			l.t.Errorf("taken %d, want %d", taken, o.Minor)
		}
		l.calmsDown()
		o.is(payment.Paid, "asked about")
		l.balance()
	}},
	{"18 the provider's clock is ahead or behind", nil, func(l *till, at money.Provider) {
		for _, skew := range []time.Duration{9 * time.Minute, -9 * time.Minute} {
			l.banks[at.Name].skewed.Store(int64(skew))
			o := l.enrols("").opens(at)
			o.pays()
			e := o.lastEvent()
			told, err := money.Tell(l.Base, at.Name, e)
			l.must(err)
			if told.Status != http.StatusOK && told.Status != http.StatusBadRequest { // old signatures are refused where the provider says so
				l.t.Errorf("a webhook by another clock is answered %d", told.Status)
			}
			l.calmsDown()
			o.is(payment.Paid, "asked about")
		}
		l.balance()
	}},
	{"18 the provider's clock is so far off that it refuses our calls", func(p money.Provider) string { return unless(p.ByReturn, "it signs no time of ours") }, func(l *till, at money.Provider) {
		b := l.banks[at.Name]
		o := l.enrols("").opens(at)
		b.skewed.Store(int64(11 * time.Minute))
		o.returns(o.Pay(o.name))
		o.is(payment.Pending, "refused")
		if b.Captured(at.Currency) != 0 {
			l.t.Error("a call that was refused has charged")
		}
		b.skewed.Store(0)
		l.passes(3 * time.Second)
		o.returns(o.Pay(o.name))
		o.is(payment.Paid, "by clocks that agree")
		l.balance(noCredentials + at.Name)
	}},
	{"16 each acknowledgement is what the provider insists on", nil, func(l *till, at money.Provider) {
		o := l.enrols("").opens(at)
		o.pays()
		e := o.lastEvent()
		for range 2 {
			told, err := money.Tell(l.Base, at.Name, e)
			receives, insists := o.Bank.(interface {
				Receives(e simulators.Event, answer string) bool
			})
			if err != nil || told.Status != http.StatusOK || insists && !receives.Receives(e, told.Body) {
				l.t.Errorf("answered %d %q, %v", told.Status, told.Body, err)
			}
		}
		for _, method := range []string{http.MethodGet, http.MethodHead} { // a probe
			request, err := http.NewRequestWithContext(l.t.Context(), method, l.Base+"/payments/webhook/"+at.Name, nil)
			l.must(err)
			answer, err := http.DefaultClient.Do(request)
			l.must(err)
			answer.Body.Close()
			if answer.StatusCode != http.StatusOK {
				l.t.Errorf("a probe by %s is answered %d", method, answer.StatusCode)
			}
		}
		l.works()
		l.balance()
	}},
	{"15 all roads at once, and the database is busy", nil, func(l *till, at money.Provider) {
		o := l.enrols("").opens(at)
		back := o.pays()
		events := o.Events()
		let := l.locks(o)
		var roads sync.WaitGroup
		for range 4 {
			roads.Go(func() { o.returns(back) })
			roads.Go(func() { _, _ = o.by.Verify(o.Txn) }) // it may be too busy to tell
			roads.Go(func() {
				for _, e := range events {
					l.tells(o.branch, e, 1)
				}
			})
		}
		let()
		roads.Wait()
		l.works()
		l.balance()
		o.is(payment.Paid, "by whichever road")
	}},
}

// strangers is what somebody is told once a day of a provider that has refused our credentials.
func (l *till) strangers(at money.Provider) []string {
	for _, told := range l.alerts {
		if told == noCredentials+at.Name {
			return []string{told}
		}
	}
	return nil
}
