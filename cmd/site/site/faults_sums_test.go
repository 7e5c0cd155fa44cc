package site_test

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment"
	"hiresure/admission/staff"
	"hiresure/e2e/money"
	"hiresure/simulators"
)

const inReview = "payment in review: amount or currency differ"

// paysWrong pays a wrong sum, which an operator must review.
func paysWrong(wrong func(o *order) admission.Money) func(*gatewaySite, money.Provider) {
	return func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		taken := wrong(o)
		o.comeBack(o.PayWrong(o.name, taken.Minor, taken.Currency))
		l.deliverNew(o.simulator, 1)
		l.settle()
		o.mustBe(payment.Review, "after another sum was paid")
		if word, err := o.by.Verify(o.Txn); err != nil || word != string(payment.OutcomePending) {
			l.T.Errorf("the payer sees %s, %v", word, err)
		}
		l.mustDiffer(fmt.Sprintf("charged %s for %s", taken, admission.Money{Minor: o.Minor, Currency: at.Currency}))
		l.must(l.Site.Business.Payment.OrderRefund(l.T.Context(), o.Txn, staff.Actor{Name: "staff"}))
		l.Work()
		l.Passes(time.Hour) // if it is only accepted at first
		l.Work()
		o.mustBe(payment.Refunded, "sent back by staff")
		l.deliverNew(o.simulator, 1)
		l.mustBalance(inReview)
	}
}

func takesOneMoney(p money.Provider) string {
	return unless(!p.OneMoney, "it takes no other currency")
}

// wrongSums are payments of wrong sums, and prices that change meanwhile.
var wrongSums = []mishap{
	{"7 a paisa less", nil, paysWrong(func(o *order) admission.Money { return admission.Money{Minor: o.Minor - 1, Currency: o.at.Currency} })},
	{"7 a hundred times as much", nil, paysWrong(func(o *order) admission.Money { return admission.Money{Minor: o.Minor * 100, Currency: o.at.Currency} })},
	{"7 another currency", takesOneMoney, paysWrong(func(o *order) admission.Money {
		currency := map[string]string{"INR": "USD", "USD": "EUR"}[o.at.Currency]
		return admission.Money{Minor: o.Minor, Currency: currency}
	})},
	{"22 an offer lowers the sum, and staff accept it", nil, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		o.comeBack(o.PayWrong(o.name, o.Minor-100, at.Currency))
		l.deliverNew(o.simulator, 1)
		l.settle()
		o.mustBe(payment.Review, "after less was paid")
		_, err := l.Site.Business.Payment.AcceptReview(l.T.Context(), o.Txn, staff.Actor{Name: "staff"})
		l.must(err)
		o.mustBe(payment.Paid, "accepted by staff")
		l.mustBalance(inReview)
	}},
	{"19 the coupon changes before the payment", nil, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("MGROW500").start(at)
		whole := l.enrol("").start(at)
		if o.Minor >= whole.Minor {
			l.T.Errorf("with the coupon it is %d, without %d", o.Minor, whole.Minor)
		}
		if _, err := l.db.ExecContext(l.T.Context(), "UPDATE coupons SET amount_minor = 10000, max_uses = 1 WHERE code = 'MGROW500'"); err != nil {
			l.T.Fatal(err)
		}
		o.comeBack(o.Pay(o.name))
		whole.comeBack(whole.Pay(whole.name))
		o.mustBe(payment.Paid, "after the return")
		if taken := o.Captured(at.Currency); taken != o.Minor+whole.Minor {
			l.T.Errorf("taken %d, want %d", taken, o.Minor+whole.Minor)
		}
		l.mustBalance()
	}},
}

// faultyResponses are the faults of a provider's responses, except a missing response.
var faultyResponses = []simulators.Fault{simulators.ErrorAfter, simulators.ErrorBefore, simulators.Truncated, simulators.TooMany, simulators.Unauthorized}

const noCredentials = "gateway refuses our credentials: "

// brokenAnswers are lost, late or torn responses and temporary rejections.
var brokenAnswers = []mishap{
	{"9 the answer to a start is broken", func(p money.Provider) string { return unless(p.Starts != "", "it starts without a call") }, func(l *gatewaySite, at money.Provider) {
		for _, suffering := range faultyResponses {
			p := l.enrol("")
			l.banks[at.Name].AddFaults(suffering)
			if attempt, err := money.Start(p.Visitor, p.registration, at.Name); err == nil && attempt.Txn == "" {
				l.T.Errorf("%s: an attempt without an id", suffering)
			}
			l.Passes(3 * time.Second)
			o := p.start(at) // the payer presses again
			o.comeBack(o.Pay(o.name))
			o.mustBe(payment.Paid, string(suffering))
		}
		if orders := l.count("SELECT COUNT(*) FROM transactions WHERE state = 'paid'"); orders != int64(len(faultyResponses)) {
			l.T.Errorf("%d are paid", orders)
		}
		l.mustBalance(l.credentialAlert(at)...)
	}},
	{"9 the answers after a charge are broken", nil, func(l *gatewaySite, at money.Provider) {
		var all []*order
		for i, suffering := range faultyResponses {
			o := l.enrol("").start(at)
			back := o.Pay(o.name)
			switch {
			case at.ByReturn && suffering != simulators.ErrorBefore && suffering != simulators.TooMany && suffering != simulators.Unauthorized:
				o.AddFaults("", suffering)
			case !at.ByReturn:
				o.AddFaults(make([]simulators.Fault, i%3)...)
				o.AddFaults(suffering, suffering, suffering)
			}
			all = append(all, o)
			o.comeBack(back)
			if state := o.state(); state == payment.Failed {
				l.T.Errorf("%s: it has failed", suffering)
			}
			l.Passes(5 * time.Minute)
			l.Work()
			l.catchUp(o.simulator)
		}
		l.settle()
		for i, o := range all {
			o.mustBe(payment.Paid, string(faultyResponses[i]))
		}
		l.mustBalance(l.credentialAlert(at)...)
	}},
	{"9 the line is cut after a charge", func(p money.Provider) string {
		return unless(p.WeTake, "the site takes nothing; 4 has the answers that are lost")
	}, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		back := o.Pay(o.name)
		o.WhileAnswering(at.Takes, func(string) { panic(http.ErrAbortHandler) })
		o.comeBack(back)
		if taken := o.Captured(at.Currency); taken != o.Minor {
			l.T.Errorf("taken %d, want %d", taken, o.Minor)
		}
		l.settle()
		o.mustBe(payment.Paid, "asked about")
		l.mustBalance()
	}},
	{"18 the provider's clock is ahead or behind", nil, func(l *gatewaySite, at money.Provider) {
		for _, skew := range []time.Duration{9 * time.Minute, -9 * time.Minute} {
			l.banks[at.Name].skewed.Store(int64(skew))
			o := l.enrol("").start(at)
			o.pay()
			e := o.lastEvent()
			response, err := money.Tell(l.Base, at.Name, e)
			l.must(err)
			if response.Status != http.StatusOK && response.Status != http.StatusBadRequest { // some providers' old signatures are rejected
				l.T.Errorf("a webhook by another clock is answered %d", response.Status)
			}
			l.settle()
			o.mustBe(payment.Paid, "asked about")
		}
		l.mustBalance()
	}},
	{"18 the provider's clock is so far off that it refuses our calls", func(p money.Provider) string { return unless(p.ByReturn, "it signs no time of ours") }, func(l *gatewaySite, at money.Provider) {
		b := l.banks[at.Name]
		o := l.enrol("").start(at)
		b.skewed.Store(int64(11 * time.Minute))
		o.comeBack(o.Pay(o.name))
		o.mustBe(payment.Pending, "refused")
		if b.Captured(at.Currency) != 0 {
			l.T.Error("a call that was refused has charged")
		}
		b.skewed.Store(0)
		l.Passes(3 * time.Second)
		o.comeBack(o.Pay(o.name))
		o.mustBe(payment.Paid, "by clocks that agree")
		l.mustBalance(noCredentials + at.Name)
	}},
	{"16 each acknowledgement is what the provider insists on", nil, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		o.pay()
		e := o.lastEvent()
		for range 2 {
			response, err := money.Tell(l.Base, at.Name, e)
			receives, insists := o.Bank.(interface {
				Receives(e simulators.Event, answer string) bool
			})
			if err != nil || response.Status != http.StatusOK || insists && !receives.Receives(e, response.Body) {
				l.T.Errorf("answered %d %q, %v", response.Status, response.Body, err)
			}
		}
		for _, method := range []string{http.MethodGet, http.MethodHead} { // a probe
			request, err := http.NewRequestWithContext(l.T.Context(), method, l.Base+"/payments/webhook/"+at.Name, nil)
			l.must(err)
			answer, err := http.DefaultClient.Do(request)
			l.must(err)
			answer.Body.Close()
			if answer.StatusCode != http.StatusOK {
				l.T.Errorf("a probe by %s is answered %d", method, answer.StatusCode)
			}
		}
		l.Work()
		l.mustBalance()
	}},
	{"15 all roads at once, and the database is busy", nil, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		back := o.pay()
		events := o.Events()
		let := l.lockSettlement(o)
		var roads sync.WaitGroup
		for range 4 {
			roads.Go(func() { o.comeBack(back) })
			roads.Go(func() { _, _ = o.by.Verify(o.Txn) }) // it may be too busy to respond
			roads.Go(func() {
				for _, e := range events {
					l.deliver(o.simulator, e, 1)
				}
			})
		}
		let()
		roads.Wait()
		l.Work()
		l.mustBalance()
		o.mustBe(payment.Paid, "by whichever road")
	}},
}

// credentialAlert returns the daily alert about a provider that rejects our credentials.
func (l *gatewaySite) credentialAlert(at money.Provider) []string {
	for _, alert := range l.alerts {
		if alert == noCredentials+at.Name {
			return []string{alert}
		}
	}
	return nil
}
