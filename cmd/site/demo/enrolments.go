package demo

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/office"
	"hiresure/integrations/payment/sandbox"
)

const (
	hour = time.Hour
	day  = 24 * time.Hour
)

// story is what some people do.
type story struct {
	what   string
	count  int
	oldest time.Duration // how long before the end it begins at most; 0: any time
	newest time.Duration // how long before the end it begins at least
	play   func(p *person, at time.Time)
}

// enrolments are the stories of enrolments. Those that wait for a person begin within a day, because the office settles them by then.
var enrolments = []story{
	{"verify and leave", 10, 0, hour, func(p *person, at time.Time) {
		p.at(at, "verify", p.verifyPhone)
		p.planned--
	}},
	{"enrol and leave", 14, 0, 10 * time.Minute, func(p *person, at time.Time) { p.enrols(at) }},
	{"fail", 9, 0, 20 * time.Minute, func(p *person, at time.Time) { p.pays(p.enrols(at), sandbox.Failed) }},
	{"fail, then pay", 12, 0, hour, func(p *person, at time.Time) {
		at = p.pays(p.enrols(at), sandbox.Failed)
		p.pays(p.soon(at, 15*time.Minute), sandbox.Paid)
	}},
	{"leave the bank's page", 8, 0, 2 * hour, func(p *person, at time.Time) { p.pays(p.enrols(at), sandbox.Pending) }},
	{"pay at this moment", 2, 5 * time.Minute, 4 * time.Minute, func(p *person, at time.Time) { p.at(p.enrols(at), "start", p.start) }},
	{"pay, and the bank is silent for half an hour", 3, 40 * time.Minute, 30 * time.Minute, (*person).paysUnnoticed},
	{"pay, and the bank is silent for hours", 3, 9 * hour, 2 * hour, (*person).paysUnnoticed},
	{"pay another amount", 4, 20 * hour, hour, func(p *person, at time.Time) { p.pays(p.enrols(at), pick(p.demo, wrong)) }},
	{"pay another amount, accepted", 2, 0, 2 * day, func(p *person, at time.Time) { p.decided(at, office.Accept) }},
	{"pay another amount, sent back", 3, 0, 2 * day, func(p *person, at time.Time) { p.decided(at, office.SendBack) }},
	{"be refunded long ago", 5, 0, 30 * day, func(p *person, at time.Time) { p.atBankAfter(at, 10*day, sandbox.RefundedThere) }},
	{"be refunded now", 4, 6 * day, 4 * day, func(p *person, at time.Time) { p.atBankAfter(at, 2*day, sandbox.RefundedThere) }},
	{"be refunded in part", 2, 0, 6 * day, func(p *person, at time.Time) { p.atBankAfter(at, 3*day, sandbox.PartRefundedThere) }},
	{"be refunded in part by us", 2, 0, 6 * day, func(p *person, at time.Time) {
		p.at(p.pays(p.enrols(at), sandbox.Paid).Add(2*day), "refund", func() error {
			return p.refundFee(500_00, "complaint", "Agreed with her: she could not join two of the eight months.")
		})
	}},
	{"pay, and be charged again", 3, 0, 2 * day, func(p *person, at time.Time) { p.pays(p.enrols(at), sandbox.ChargedTwice) }},
	{"dispute", 3, 12 * day, 6 * day, func(p *person, at time.Time) { p.atBankAfter(at, 4*day, sandbox.DisputeOpens) }},
	{"win a dispute", 2, 0, 40 * day, func(p *person, at time.Time) { p.disputes(at, sandbox.DisputeWon) }},
	{"lose a dispute", 2, 0, 40 * day, func(p *person, at time.Time) { p.disputes(at, sandbox.DisputeLost) }},
	{"lose a part of a dispute", 1, 0, 40 * day, func(p *person, at time.Time) { p.disputes(at, sandbox.DisputeLostInPart) }},
	{"enrol again, and the refund returns", 2, 20 * hour, 16 * hour, (*person).refundReturns},
	{"pay twice", 2, 0, 3 * day, func(p *person, at time.Time) { p.paysTwice(at) }},
	{"pay twice, and the refund returns", 2, 20 * hour, 16 * hour, func(p *person, at time.Time) {
		first := p.paysTwice(at)
		p.at(at.Add(6*hour), "bounce", func() error { return p.atBank(*first, sandbox.RefundBounces) })
	}},
	{"delete the account", 2, 0, 30 * day, func(p *person, at time.Time) {
		p.at(p.pays(p.enrols(at), sandbox.Paid).Add(3*day), "delete", p.deleteAccount)
	}},
}

var (
	wrong = []sandbox.Outcome{sandbox.WrongAmount, sandbox.WrongCurrency}
	paid  = []sandbox.Outcome{sandbox.Paid, sandbox.Paid, sandbox.Paid, sandbox.Paid, sandbox.WebhookFirst, sandbox.WebhookTwice, sandbox.WebhookOnly, sandbox.Late}
)

// planEnrolments plans the stories of enrolments, and as many people who simply pay as there are registrations left.
func (d *demo) planEnrolments() {
	var open []admission.Event
	for _, from := range d.Words.Current().Events() {
		if e, known := d.Events.EventBySlug(from.Slug); known && e.Published && e.OpensAt.Before(d.end) && e.ClosesAt.After(d.start) {
			open = append(open, e)
		}
	}
	if len(open) == 0 {
		return
	}
	for _, s := range enrolments {
		for range s.count {
			d.playEnrolment(open, s)
		}
	}
	for d.planned < registrations {
		d.playEnrolment(open, story{"pay", 1, 0, 10 * time.Minute, (*person).paysAtLast})
	}
}

// playEnrolment plans a story for a new person in one of the open events. What must happen now is left out once they are closed.
func (d *demo) playEnrolment(open []admission.Event, s story) {
	p := d.newPerson()
	p.event = open[map[bool]int{true: len(open) - 1, false: 0}[d.people%4 == 0]]
	from, to := later(d.start, p.event.OpensAt), d.end.Add(-s.newest)
	if s.oldest > 0 {
		from = later(from, d.end.Add(-s.oldest))
	}
	if closes := p.event.ClosesAt.Add(-6 * hour); to.After(closes) {
		to = closes
	}
	d.planned++
	if to.Before(from) {
		if s.oldest == 0 { // the window is too short for a long story
			p.paysAtLast(later(from, to))
		}
		return
	}
	s.play(p, d.moment(from, to))
	if d.people%23 == 0 {
		p.note(d.end.Add(-time.Duration(1+d.random.IntN(100)) * hour))
	}
}

// enrols plans the verified phone and the form, and returns when the person may pay.
func (p *person) enrols(at time.Time) (ready time.Time) {
	in := map[string]string{}
	first := p.event.CouponCode != "" && p.people%4 == 1
	switch {
	case first && p.people%16 == 1:
		in["coupon_code"] = "FULLSEAT"
	case first && p.people%8 == 1:
		in["coupon_code"] = "HALFPRICE"
	case first:
		in["coupon_code"] = p.event.CouponCode
	case p.people%9 == 2:
		in["referral_code"] = "SETU2025"
	}
	if p.people%3 == 0 {
		in["company_name"] = p.region.college
	}
	if p.people%5 == 0 {
		in["consents"] = "marketing,reminders"
	}
	p.at(at, "verify", p.verifyPhone)
	if p.people%12 == 5 {
		in["adult"], in["guardian_name"], in["guardian_phone"] = "false", p.father, p.guardianPhone()
		in["guardian_relation"] = "Father"
		at = minutes(at, 2)
		p.at(at, "guardian", p.verifyGuardian)
	}
	at = minutes(at, 1)
	p.at(at, "enrol", func() error { return p.enrol(in) })
	return minutes(at, 2)
}

// pays plans a payment and returns when its outcome is known.
func (p *person) pays(at time.Time, outcome sandbox.Outcome) time.Time {
	p.at(at, "pay", func() error { return p.pay(outcome) })
	p.at(minutes(at, 1), "poll", nil)
	return minutes(at, 2)
}

func (p *person) paysAtLast(at time.Time) { p.pays(p.enrols(at), pick(p.demo, paid)) }

func (p *person) paysUnnoticed(at time.Time) { p.at(p.enrols(at), "pay", p.payUnnoticed) }

// decided plans a payment of another amount, and a colleague's decision a few hours later.
func (p *person) decided(at time.Time, how office.Decision) {
	at = p.pays(p.enrols(at), sandbox.WrongAmount)
	p.at(p.soon(at, 5*hour), "decide", func() error { return p.decide(how) })
}

// atBankAfter plans a payment and what happens to it at the bank later.
func (p *person) atBankAfter(at time.Time, after time.Duration, what sandbox.ChargeEvent) time.Time {
	at = p.pays(p.enrols(at), sandbox.Paid).Add(after)
	p.at(at, string(what), func() error { return p.atBank(p.txn, what) })
	return at
}

// disputes plans a dispute that ends after two weeks.
func (p *person) disputes(at time.Time, end sandbox.ChargeEvent) {
	at = p.atBankAfter(at, 6*day, sandbox.DisputeOpens).Add(14 * day)
	p.at(at, string(end), func() error { return p.atBank(p.txn, end) })
}

// refundReturns plans a refund, a new enrolment, and the return of the refund.
func (p *person) refundReturns(at time.Time) {
	at = p.atBankAfter(at, 2*hour, sandbox.RefundedThere)
	first := ""
	p.at(at.Add(2*hour), "enrol again", func() error {
		first = p.txn
		return p.enrol(nil)
	})
	p.at(at.Add(4*hour), "bounce", func() error { return p.atBank(first, sandbox.RefundBounces) })
	p.planned++
}

// paysTwice plans a payment that the bank takes late, after the person has paid again. It returns where the first payment's id will be.
func (p *person) paysTwice(at time.Time) (first *string) {
	first = new(string)
	at = p.enrols(at)
	p.pays(at, sandbox.LateExpired)
	p.at(minutes(at, 31), "expire", nil)
	p.at(minutes(at, 35), "pay again", func() error {
		*first = p.txn
		return p.pay(sandbox.Paid)
	})
	p.at(minutes(at, 62), "poll", nil)
	return first
}
