package business_test

import (
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

// silence has some of the providers answer nobody, as far as is known.
func (w *world) silence(names ...string) {
	for i := range w.Payment.Gateways {
		w.Payment.Gateways[i].Available = func() bool { return !slices.Contains(names, w.Payment.Gateways[i].Name) }
	}
}

// offered is what the page to pay offers a person, what does not answer, and what is chosen at first.
func (p *person) offered() (methods, silent []string, chosen string) {
	p.t.Helper()
	due, err := p.Payment.Due(p.ctx, p.Visitor, p.registration)
	p.must(err)
	for _, m := range due.Methods {
		methods = append(methods, m.Name)
	}
	for _, m := range due.Unavailable {
		silent = append(silent, m.Name)
	}
	return methods, silent, due.Chosen(due.Methods)
}

func (p *person) isOffered(what string, methods, silent []string, chosen string) {
	p.t.Helper()
	gotMethods, gotSilent, gotChosen := p.offered()
	same(p.t, what+": methods", gotMethods, methods)
	same(p.t, what+": silent", gotSilent, silent)
	equal(p.t, what+": chosen", gotChosen, chosen)
}

const one, other = "sandbox", "second"

// Who does not answer is not offered; what has begun there goes on.
func TestAGatewayThatDoesNotAnswerIsNotOffered(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(nil)
		p.isOffered("at first", []string{one, other}, nil, one)
		w.silence(one)
		p.isOffered("the first is silent", []string{other}, []string{one}, other)
		_, err := p.start(one)
		refused(t, err, admission.Unavailable, "", "This way to pay does not answer at the moment. Choose another, or try again in a few minutes.")
		equal(t, "attempts", w.count("transactions"), 0)
		equal(t, "where one begins", p.starts("").Gateway, other)

		w.silence(one, other)
		p.isOffered("with an attempt at the second", []string{other}, []string{one}, other)
		open := p.txn
		equal(t, "the attempt that goes on", p.starts(other).ID, open)
		equal(t, "unnamed too", p.starts("").ID, open)
		_, err = p.start(one)
		refused(t, err, admission.Unavailable, "", "This way to pay does not answer at the moment. Choose another, or try again in a few minutes.")
		same(t, "attempts", w.texts("SELECT gateway, state FROM transactions"), []string{"second | pending"})

		w.clock.Pass(time.Hour)
		w.other.press(open, sandbox.Failed)
		w.work()
		p.isOffered("nobody answers", nil, []string{one, other}, other)
		_, err = p.start("")
		refused(t, err, admission.Unavailable, "", "Payment is not possible at the moment.")
		w.silence()
		p.isOffered("all answer again", []string{one, other}, nil, one)
	})
}

// Who has just failed is asked to try another way first.
func TestTheGatewayThatFailedLastIsNotChosen(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(nil)
		p.starts(one)
		p.isOffered("while one is open", []string{one, other}, nil, one)
		p.returns(sandbox.Failed)
		p.isOffered("after it failed", []string{one, other}, nil, other)
		equal(t, "where one begins that is not named", p.starts("").Gateway, one)
		w.clock.Pass(time.Minute)
		p.starts(other)
		p.isOffered("while another is open", []string{one, other}, nil, other)
		w.other.afterNext("fetch", func(s *method.Status) error { s.AttemptFailed = true; return nil })
		p.verifies()
		p.isOffered("whose try has failed", []string{one, other}, nil, one)
		w.silence(one)
		p.isOffered("where there is no other", []string{other}, []string{one}, other)
	})
}
