package main

import (
	"net/url"
	"sync"
	"time"

	"hiresure/admission/payment"
	"hiresure/e2e"
	"hiresure/e2e/money"
)

// another is the provider that a till has beside the one at hand.
func (l *till) another(than money.Provider) money.Provider {
	for name, b := range l.banks {
		if name != than.Name {
			return b.at
		}
	}
	return than
}

const calledOff = "the site does not take what is no longer wanted"

// manyTabs are payers who do everything twice.
var manyTabs = []mishap{
	{"11 a double click, and two tabs with the same provider", nil, func(l *till, at money.Provider) {
		p := l.enrols("")
		var clicks sync.WaitGroup
		opened := make([]money.Attempt, 4)
		for i := range opened {
			clicks.Go(func() {
				var err error
				if opened[i], err = money.Start(p.Visitor, p.registration, at.Name); err != nil {
					l.t.Error(err)
				}
			})
		}
		clicks.Wait()
		o := p.opens(at)
		for _, click := range opened {
			if click.Txn != o.Txn {
				l.t.Errorf("two attempts: %s, %s", click.Txn, o.Txn)
			}
		}
		back := o.Pay(o.name)
		for range 4 {
			clicks.Go(func() { o.returns(back) })
		}
		clicks.Wait()
		l.hears(o.branch, 1)
		l.balance()
		o.is(payment.Paid, "after all returns")
		if taken := o.Captured(at.Currency) - o.Refunded(at.Currency); taken != o.Minor {
			l.t.Errorf("taken %d, want %d", taken, o.Minor)
		}
	}},
	{"11 two tabs bring a card each", func(p money.Provider) string {
		return unless(p.ByReturn, "the browser brings nothing that can be charged")
	}, func(l *till, at money.Provider) {
		o := l.enrols("").opens(at)
		first, second, third := o.Pay(o.name), o.Pay(o.name), o.Pay(o.name)
		o.WhileAnswering(at.Takes, func(string) { o.returns(second) })
		o.returns(first)
		o.returns(third)
		o.is(payment.Paid, "by the first")
		if taken := o.Captured(at.Currency); taken != o.Minor {
			l.t.Errorf("taken %d, want %d", taken, o.Minor)
		}
		l.balance()
	}},
	{"11 two tabs with two providers, both paid", nil, func(l *till, at money.Provider) {
		p := l.enrols("")
		first := p.opens(at)
		second := p.opens(l.another(at))
		second.returns(second.Pay(second.name))
		second.is(payment.Paid, "after its return")
		first.returns(first.Pay(first.name))
		l.hears(first.branch, 1)
		l.learns(second.branch)
		l.balance()
		second.is(payment.Paid, "at the end")
		want := payment.Refunded
		if at.WeTake {
			want = payment.Expired
		}
		first.is(want, "at the end")
		if held := first.Captured(at.Currency) - first.Refunded(at.Currency); held != 0 {
			l.t.Errorf("the first provider still holds %d", held)
		}
		told := l.count("SELECT COUNT(*) FROM messages WHERE cause LIKE 'refund:%'")
		if (told == 1) != (want == payment.Refunded) {
			l.t.Errorf("the payer is told %d times that it goes back", told)
		}
	}},
	{"11 paid at one provider, and another is chosen before that is heard of", nil, func(l *till, at money.Provider) {
		p := l.enrols("")
		first := p.opens(at)
		first.pays()
		attempt, err := money.Start(p.Visitor, p.registration, l.another(at).Name)
		switch refused, is := err.(*e2e.Refused); {
		case at.WeTake && !at.ByReturn: // it is called off, and so never taken
			l.must(err)
			if second := (&order{attempt, l.banks[l.another(at).Name], "", p}); second.Txn == first.Txn {
				l.t.Error("the same attempt goes on")
			}
			if taken := first.Captured(at.Currency); taken != 0 {
				l.t.Errorf("taken %d: %s", taken, calledOff)
			}
		case !is && attempt.Txn != first.Txn:
			l.t.Errorf("another attempt begins: %v, %v", attempt, err)
		case is && refused.Answer.Status != 409:
			l.t.Errorf("refused with %v", refused)
		default:
			first.is(payment.Paid, "asked about first")
		}
		l.balance()
	}},
}

// lateOnes are payments of which the bank says something only when nobody waits any more.
var lateOnes = []mishap{
	{"12 paid after the attempt's life", nil, func(l *till, at money.Provider) {
		o := l.enrols("").opens(at)
		o.returns(o.Wait(o.name))
		o.is(payment.Pending, "while the bank is silent")
		l.calmsDown()
		o.is(payment.Expired, "after its life")
		o.Late(o.name)
		l.learns(o.branch)
		if len(o.Events()) == 0 {
			l.calmsDown()
		}
		o.is(payment.Paid, "paid late")
		l.balance()
	}},
	{"12 paid late, and another payment was faster", nil, func(l *till, at money.Provider) {
		p := l.enrols("")
		first := p.opens(at)
		first.returns(first.Wait(first.name))
		second := p.opens(l.another(at))
		second.returns(second.Pay(second.name))
		second.is(payment.Paid, "after its return")
		first.Late(first.name)
		l.learns(first.branch)
		l.balance()
		first.is(payment.Refunded, "at the end")
		second.is(payment.Paid, "at the end")
		if told := l.count("SELECT COUNT(*) FROM messages WHERE cause LIKE 'refund:%'"); told != 1 {
			l.t.Errorf("the payer is told %d times that it goes back", told)
		}
	}},
	{"12 paid after it had failed", func(p money.Provider) string {
		return unless(p.OneTry, "a try that failed leaves the order open; 13 has that")
	}, func(l *till, at money.Provider) {
		o := l.enrols("").opens(at)
		o.returns(o.Decline(o.name))
		o.is(payment.Failed, "after the bank has refused")
		o.Late(o.name)
		l.learns(o.branch)
		o.is(payment.Paid, "paid late")
		l.balance()
	}},
	{"13 a try fails, the next is paid", func(p money.Provider) string {
		return unless(!p.OneTry, "a try that failed ends the order")
	}, func(l *till, at money.Provider) {
		o := l.enrols("").opens(at)
		o.returns(o.Decline(o.name))
		l.learns(o.branch)
		o.is(payment.Pending, "after a try that failed")
		if word, err := o.by.Verify(o.Txn); err != nil || word != string(payment.OutcomeFailed) {
			l.t.Errorf("the payer is told %s, %v", word, err)
		}
		l.passes(3 * time.Second)
		var back url.Values
		for range 2 { // and gives up once in between
			o.returns(o.Leave(o.name))
			l.passes(3 * time.Second)
		}
		back = o.Pay(o.name)
		o.returns(back)
		o.is(payment.Paid, "after the next")
		l.hears(o.branch, 1)
		l.balance()
	}},
}
