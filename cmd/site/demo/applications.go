package demo

import (
	"time"

	"hiresure/admission/document"
	"hiresure/integrations/payment/sandbox"
)

// applications are the stories of applications.
var applications = []story{
	{"leave before the form", 6, 0, hour, func(p *person, at time.Time) { p.applies(at, 0) }},
	{"leave the form at step 2", 6, 0, hour, func(p *person, at time.Time) { p.applies(at, 1) }},
	{"leave the form at step 3", 5, 0, hour, func(p *person, at time.Time) { p.applies(at, 2) }},
	{"leave at the review", 5, 0, hour, func(p *person, at time.Time) { p.applies(at, 3) }},
	{"agree, and do not pay", 5, 0, hour, func(p *person, at time.Time) { p.applies(at, 4) }},
	{"fail", 3, 0, 2 * hour, func(p *person, at time.Time) { p.pays(p.applies(at, 4), sandbox.Failed) }},
	{"leave the bank's page", 3, 0, 3 * hour, func(p *person, at time.Time) { p.pays(p.applies(at, 4), sandbox.Pending) }},
	{"pay at this moment", 1, 32 * time.Minute, 31 * time.Minute, func(p *person, at time.Time) { p.at(p.applies(at, 4), "start", p.start) }},
	{"pay, and the bank is silent", 2, 5 * hour, 2 * hour, func(p *person, at time.Time) { p.at(p.applies(at, 4), "pay", p.payUnnoticed) }},
	{"pay another amount", 2, 20 * hour, 2 * hour, func(p *person, at time.Time) { p.pays(p.applies(at, 4), sandbox.WrongAmount) }},
	{"pay another amount, sent back", 1, 0, 3 * day, func(p *person, at time.Time) {
		p.at(p.pays(p.applies(at, 4), sandbox.WrongAmount).Add(3*hour), "decide", func() error { return p.decide("refund") })
	}},
	{"pay, without documents", 6, 0, 2 * hour, func(p *person, at time.Time) { p.pays(p.applies(at, 4), sandbox.Paid) }},
	{"upload one document", 4, 0, 2 * day, func(p *person, at time.Time) { p.uploadsDocuments(at, document.Photo) }},
	{"upload two documents", 4, 0, 2 * day, func(p *person, at time.Time) { p.uploadsDocuments(at, document.Photo, document.IDProof) }},
	{"upload a picture that is too small", 1, 10 * day, 2 * day, func(p *person, at time.Time) {
		p.at(p.pays(p.applies(at, 4), sandbox.Paid), "upload", func() error { return p.upload(document.Photo, 60) })
	}},
	{"submit", 14, 0, 3 * day, (*person).submits},
	{"be refunded long ago", 1, 0, 30 * day, func(p *person, at time.Time) { p.feeAtBank(at, 8*day, sandbox.RefundedThere) }},
	{"be refunded now", 1, 6 * day, 4 * day, func(p *person, at time.Time) { p.feeAtBank(at, 2*day, sandbox.RefundedThere) }},
	{"ask for the fee back", 2, 20 * hour, 6 * hour, func(p *person, at time.Time) {
		p.at(p.pays(p.applies(at, 4), sandbox.Paid).Add(3*hour), "refund", func() error {
			return p.refundFee(0, "cancelled", "Moving abroad. Asked by e-mail from the verified address.")
		})
	}},
	{"apply again, and the refund returns", 1, 20 * hour, 16 * hour, (*person).feeReturns},
	{"dispute", 1, 12 * day, 6 * day, func(p *person, at time.Time) { p.feeAtBank(at, 4*day, sandbox.DisputeOpens) }},
	{"lose a dispute", 1, 0, 40 * day, func(p *person, at time.Time) {
		at = p.feeAtBank(at, 5*day, sandbox.DisputeOpens).Add(12 * day)
		p.at(at, "lose", func() error { return p.atBank(p.txn, sandbox.DisputeLost) })
	}},
	{"delete the account", 1, 0, 30 * day, func(p *person, at time.Time) {
		p.at(p.pays(p.applies(at, 4), sandbox.Paid).Add(3*day), "delete", p.deleteAccount)
	}},
}

// planApplications plans the stories of applications.
func (d *demo) planApplications() {
	for _, s := range applications {
		for range s.count {
			p := d.newPerson()
			from := d.start
			if s.oldest > 0 {
				from = d.end.Add(-s.oldest)
			}
			d.planned++
			s.play(p, d.moment(from, d.end.Add(-s.newest)))
			if d.people%11 == 0 {
				p.note(d.end.Add(-time.Duration(1+d.random.IntN(20)) * hour))
			}
		}
	}
}

// applies plans an application with so many of its steps, and returns when the next one may follow.
func (p *person) applies(at time.Time, steps int) time.Time {
	p.at(at, "sign in", p.signIn)
	p.at(minutes(at, 1), "begin", p.beginApplication)
	at = minutes(at, 7)
	for _, save := range []struct {
		what string
		do   func() error
	}{{"personal", p.personal}, {"academic", p.academic}, {"scholarship", p.scholarship}, {"agree", p.agree}}[:steps] {
		p.at(at, save.what, save.do)
		at = minutes(at, 5)
	}
	return at
}

// uploadsDocuments plans a paid application and documents, a few minutes apart from the next day on.
func (p *person) uploadsDocuments(at time.Time, kinds ...document.Kind) time.Time {
	at = p.soon(p.pays(p.applies(at, 4), sandbox.Paid), day)
	for _, kind := range kinds {
		p.at(at, "upload", func() error { return p.upload(kind, 240) })
		at = minutes(at, 4)
	}
	return at
}

func (p *person) submits(at time.Time) {
	kinds := []document.Kind{document.Photo, document.IDProof, document.Marksheet}
	if p.people%3 == 0 {
		kinds = append(kinds, document.IncomeCertificate)
	}
	p.at(p.uploadsDocuments(at, kinds...), "submit", p.submit)
}

// feeAtBank plans a paid application and what happens to its payment at the bank later.
func (p *person) feeAtBank(at time.Time, after time.Duration, what sandbox.ChargeEvent) time.Time {
	at = p.pays(p.applies(at, 4), sandbox.Paid).Add(after)
	p.at(at, string(what), func() error { return p.atBank(p.txn, what) })
	return at
}

// feeReturns plans a refund, a new application, and the return of the refund.
func (p *person) feeReturns(at time.Time) {
	at = p.feeAtBank(at, 2*hour, sandbox.RefundedThere)
	p.at(at.Add(2*hour), "apply again", p.beginApplication)
	p.at(at.Add(4*hour), "bounce", func() error { return p.atBank(p.txn, sandbox.RefundBounces) })
	p.planned++
}
