package business_test

import (
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

// makeUnavailable marks only the named providers as unavailable.
func (w *world) makeUnavailable(names ...string) {
	for i := range w.Payment.Gateways {
		w.Payment.Gateways[i].Available = func() bool { return !slices.Contains(names, w.Payment.Gateways[i].Name) }
	}
}

// offeredMethods returns the offered, unavailable and preselected methods of the payment page.
func (p *person) offeredMethods() (methods, silent []string, chosen string) {
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

func (p *person) expectMethods(what string, methods, silent []string, chosen string) {
	p.t.Helper()
	gotMethods, gotSilent, gotChosen := p.offeredMethods()
	same(p.t, what+": methods", gotMethods, methods)
	same(p.t, what+": silent", gotSilent, silent)
	equal(p.t, what+": chosen", gotChosen, chosen)
}

const one, other = "sandbox", "second"

// An open attempt at an unavailable gateway continues.
func TestUnavailableGatewayIsNotOffered(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(nil)
		p.expectMethods("at first", []string{one, other}, nil, one)
		w.makeUnavailable(one)
		p.expectMethods("the first is silent", []string{other}, []string{one}, other)
		_, err := p.start(one)
		expectProblem(t, err, admission.Unavailable, "", "This way to pay does not answer at the moment. Choose another, or try again in a few minutes.")
		equal(t, "attempts", w.count("transactions"), 0)
		equal(t, "where one begins", p.mustStart("").Gateway, other)

		w.makeUnavailable(one, other)
		p.expectMethods("with an attempt at the second", []string{other}, []string{one}, other)
		open := p.txn
		equal(t, "the attempt that goes on", p.mustStart(other).ID, open)
		equal(t, "unnamed too", p.mustStart("").ID, open)
		_, err = p.start(one)
		expectProblem(t, err, admission.Unavailable, "", "This way to pay does not answer at the moment. Choose another, or try again in a few minutes.")
		same(t, "attempts", w.texts("SELECT gateway, state FROM transactions"), []string{"second | pending"})

		w.clock.Pass(time.Hour)
		w.other.press(open, sandbox.Failed)
		w.runJobs()
		p.expectMethods("nobody answers", nil, []string{one, other}, other)
		_, err = p.start("")
		expectProblem(t, err, admission.Unavailable, "", "Payment is not possible at the moment.")
		w.makeUnavailable()
		p.expectMethods("all answer again", []string{one, other}, nil, one)
	})
}

func TestFailedGatewayIsNotPreselected(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(nil)
		p.mustStart(one)
		p.expectMethods("while one is open", []string{one, other}, nil, one)
		p.returnWith(sandbox.Failed)
		p.expectMethods("after it failed", []string{one, other}, nil, other)
		equal(t, "where one begins that is not named", p.mustStart("").Gateway, one)
		w.clock.Pass(time.Minute)
		p.mustStart(other)
		p.expectMethods("while another is open", []string{one, other}, nil, other)
		w.other.afterNext("fetch", func(s *method.Status) error { s.AttemptFailed = true; return nil })
		p.verifyPayment()
		p.expectMethods("whose try has failed", []string{one, other}, nil, one)
		w.makeUnavailable(one)
		p.expectMethods("where there is no other", []string{other}, []string{one}, other)
	})
}
