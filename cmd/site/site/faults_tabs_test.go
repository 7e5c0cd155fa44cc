package site_test

import (
	"net/url"
	"sync"
	"time"

	"hiresure/admission/payment"
	"hiresure/e2e"
	"hiresure/e2e/money"
)

// another returns the site's other provider.
func (l *gatewaySite) another(than money.Provider) money.Provider {
	for name, b := range l.banks {
		if name != than.Name {
			return b.at
		}
	}
	return than
}

const cancelled = "the site does not take what is no longer wanted"

// repeatedSteps are payers who repeat every step.
var repeatedSteps = []mishap{
	{"11 a double click, and two tabs with the same provider", nil, func(l *gatewaySite, at money.Provider) {
		p := l.enrol("")
		var clicks sync.WaitGroup
		opened := make([]money.Attempt, 4)
		for i := range opened {
			clicks.Go(func() {
				var err error
				if opened[i], err = money.Start(p.Visitor, p.registration, at.Name); err != nil {
					l.T.Error(err)
				}
			})
		}
		clicks.Wait()
		o := p.start(at)
		for _, click := range opened {
			if click.Txn != o.Txn {
				l.T.Errorf("two attempts: %s, %s", click.Txn, o.Txn)
			}
		}
		back := o.Pay(o.name)
		for range 4 {
			clicks.Go(func() { o.comeBack(back) })
		}
		clicks.Wait()
		l.deliverNew(o.simulator, 1)
		l.mustBalance()
		o.mustBe(payment.Paid, "after all returns")
		if taken := o.Captured(at.Currency) - o.Refunded(at.Currency); taken != o.Minor {
			l.T.Errorf("taken %d, want %d", taken, o.Minor)
		}
	}},
	{"11 two tabs bring a card each", func(p money.Provider) string {
		return unless(p.ByReturn, "the browser brings nothing that can be charged")
	}, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		first, second, third := o.Pay(o.name), o.Pay(o.name), o.Pay(o.name)
		o.WhileAnswering(at.Takes, func(string) { o.comeBack(second) })
		o.comeBack(first)
		o.comeBack(third)
		o.mustBe(payment.Paid, "by the first")
		if taken := o.Captured(at.Currency); taken != o.Minor {
			l.T.Errorf("taken %d, want %d", taken, o.Minor)
		}
		l.mustBalance()
	}},
	{"11 two tabs with two providers, both paid", nil, func(l *gatewaySite, at money.Provider) {
		p := l.enrol("")
		first := p.start(at)
		second := p.start(l.another(at))
		second.comeBack(second.Pay(second.name))
		second.mustBe(payment.Paid, "after its return")
		first.comeBack(first.Pay(first.name))
		l.deliverNew(first.simulator, 1)
		l.catchUp(second.simulator)
		l.mustBalance()
		second.mustBe(payment.Paid, "at the end")
		want := payment.Refunded
		if at.WeTake {
			want = payment.Expired
		}
		first.mustBe(want, "at the end")
		if held := first.Captured(at.Currency) - first.Refunded(at.Currency); held != 0 {
			l.T.Errorf("the first provider still holds %d", held)
		}
		refundMessages := l.count("SELECT COUNT(*) FROM messages WHERE cause LIKE 'refund:%'")
		if (refundMessages == 1) != (want == payment.Refunded) {
			l.T.Errorf("the payer is told %d times that it goes back", refundMessages)
		}
	}},
	{"11 paid at one provider, and another is chosen before that is heard of", nil, func(l *gatewaySite, at money.Provider) {
		p := l.enrol("")
		first := p.start(at)
		first.pay()
		attempt, err := money.Start(p.Visitor, p.registration, l.another(at).Name)
		switch refused, is := err.(*e2e.Refused); {
		case at.WeTake && !at.ByReturn: // cancelled, so never captured
			l.must(err)
			if second := (&order{attempt, l.banks[l.another(at).Name], "", p}); second.Txn == first.Txn {
				l.T.Error("the same attempt goes on")
			}
			if taken := first.Captured(at.Currency); taken != 0 {
				l.T.Errorf("taken %d: %s", taken, cancelled)
			}
		case !is && attempt.Txn != first.Txn:
			l.T.Errorf("another attempt begins: %v, %v", attempt, err)
		case is && refused.Answer.Status != 409:
			l.T.Errorf("refused with %v", refused)
		default:
			first.mustBe(payment.Paid, "asked about first")
		}
		l.mustBalance()
	}},
}

// latePayments are payments that the bank decides after they have expired.
var latePayments = []mishap{
	{"12 paid after the attempt's life", nil, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		o.comeBack(o.LeavePending(o.name))
		o.mustBe(payment.Pending, "while the bank is silent")
		l.settle()
		o.mustBe(payment.Expired, "after its life")
		o.Late(o.name)
		l.catchUp(o.simulator)
		if len(o.Events()) == 0 {
			l.settle()
		}
		o.mustBe(payment.Paid, "paid late")
		l.mustBalance()
	}},
	{"12 paid late, and another payment was faster", nil, func(l *gatewaySite, at money.Provider) {
		p := l.enrol("")
		first := p.start(at)
		first.comeBack(first.LeavePending(first.name))
		second := p.start(l.another(at))
		second.comeBack(second.Pay(second.name))
		second.mustBe(payment.Paid, "after its return")
		first.Late(first.name)
		l.catchUp(first.simulator)
		l.mustBalance()
		first.mustBe(payment.Refunded, "at the end")
		second.mustBe(payment.Paid, "at the end")
		if refundMessages := l.count("SELECT COUNT(*) FROM messages WHERE cause LIKE 'refund:%'"); refundMessages != 1 {
			l.T.Errorf("the payer is told %d times that it goes back", refundMessages)
		}
	}},
	{"12 paid after it had failed", func(p money.Provider) string {
		return unless(p.OneTry, "a try that failed leaves the order open; 13 has that")
	}, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		o.comeBack(o.Decline(o.name))
		o.mustBe(payment.Failed, "after the bank has refused")
		o.Late(o.name)
		l.catchUp(o.simulator)
		o.mustBe(payment.Paid, "paid late")
		l.mustBalance()
	}},
	{"13 a try fails, the next is paid", func(p money.Provider) string {
		return unless(!p.OneTry, "a try that failed ends the order")
	}, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		o.comeBack(o.Decline(o.name))
		l.catchUp(o.simulator)
		o.mustBe(payment.Pending, "after a try that failed")
		if word, err := o.by.Verify(o.Txn); err != nil || word != string(payment.OutcomeFailed) {
			l.T.Errorf("the payer sees %s, %v", word, err)
		}
		l.Passes(3 * time.Second)
		var back url.Values
		for range 2 { // and gives up once in between
			o.comeBack(o.Leave(o.name))
			l.Passes(3 * time.Second)
		}
		back = o.Pay(o.name)
		o.comeBack(back)
		o.mustBe(payment.Paid, "after the next")
		l.deliverNew(o.simulator, 1)
		l.mustBalance()
	}},
}
