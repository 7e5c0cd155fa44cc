package payment_test

import (
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

// makeUnavailable marks only the named providers as unavailable.
func makeUnavailable(w *businesstest.World, names ...string) {
	for i := range w.Payment.Gateways {
		w.Payment.Gateways[i].Available = func() bool { return !slices.Contains(names, w.Payment.Gateways[i].Name) }
	}
}

// offeredMethods returns the offered, unavailable and preselected methods of the payment page.
func offeredMethods(p *businesstest.Person) (methods, silent []string, chosen string) {
	p.T.Helper()
	due, err := p.Payment.Due(p.Ctx, p.Visitor, p.RegistrationID)
	p.Must(err)
	for _, m := range due.Methods {
		methods = append(methods, m.Name)
	}
	for _, m := range due.Unavailable {
		silent = append(silent, m.Name)
	}
	return methods, silent, due.Chosen(due.Methods)
}

func expectMethods(p *businesstest.Person, what string, methods, silent []string, chosen string) {
	p.T.Helper()
	gotMethods, gotSilent, gotChosen := offeredMethods(p)
	businesstest.Same(p.T, what+": methods", gotMethods, methods)
	businesstest.Same(p.T, what+": silent", gotSilent, silent)
	businesstest.Equal(p.T, what+": chosen", gotChosen, chosen)
}

const one, other = "sandbox", "second"

// An open attempt at an unavailable gateway continues.
func TestUnavailableGatewayIsNotOffered(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(nil)
		expectMethods(p, "at first", []string{one, other}, nil, one)
		makeUnavailable(w, one)
		expectMethods(p, "the first is silent", []string{other}, []string{one}, other)
		_, err := p.Start(one)
		businesstest.ExpectProblem(t, err, admission.Unavailable, "", "This way to pay does not answer at the moment. Choose another, or try again in a few minutes.")
		businesstest.Equal(t, "attempts", w.Count("transactions"), 0)
		businesstest.Equal(t, "where one begins", p.MustStart("").Gateway, other)

		makeUnavailable(w, one, other)
		expectMethods(p, "with an attempt at the second", []string{other}, []string{one}, other)
		open := p.TxnID
		businesstest.Equal(t, "the attempt that goes on", p.MustStart(other).ID, open)
		businesstest.Equal(t, "unnamed too", p.MustStart("").ID, open)
		_, err = p.Start(one)
		businesstest.ExpectProblem(t, err, admission.Unavailable, "", "This way to pay does not answer at the moment. Choose another, or try again in a few minutes.")
		businesstest.Same(t, "attempts", w.Texts("SELECT gateway, state FROM transactions"), []string{"second | pending"})

		w.Clock.Pass(time.Hour)
		w.Second.PressWithoutReturn(open, sandbox.Failed)
		w.RunJobs()
		expectMethods(p, "nobody answers", nil, []string{one, other}, other)
		_, err = p.Start("")
		businesstest.ExpectProblem(t, err, admission.Unavailable, "", "Payment is not possible at the moment.")
		makeUnavailable(w)
		expectMethods(p, "all answer again", []string{one, other}, nil, one)
	})
}

func TestFailedGatewayIsNotPreselected(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(nil)
		p.MustStart(one)
		expectMethods(p, "while one is open", []string{one, other}, nil, one)
		p.ReturnWith(sandbox.Failed)
		expectMethods(p, "after it failed", []string{one, other}, nil, other)
		businesstest.Equal(t, "where one begins that is not named", p.MustStart("").Gateway, one)
		w.Clock.Pass(time.Minute)
		p.MustStart(other)
		expectMethods(p, "while another is open", []string{one, other}, nil, other)
		w.Second.AfterNext("fetch", func(s *method.Status) error { s.AttemptFailed = true; return nil })
		p.VerifyPayment()
		expectMethods(p, "whose try has failed", []string{one, other}, nil, one)
		makeUnavailable(w, one)
		expectMethods(p, "where there is no other", []string{other}, []string{one}, other)
	})
}

// Where the provider is the merchant of record, we write no invoice and no credit note.
func TestSaleByProviderHasNoInvoice(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		for i := range w.Payment.Gateways {
			w.Payment.Gateways[i].SoldBy = "2Checkout"
		}
		p := w.Paid(nil)
		for i := range w.Payment.Gateways {
			w.Payment.Gateways[i].SoldBy = "" // changed later: the payment stays as it was
		}
		businesstest.Equal(t, "invoices", w.Count("invoices"), 0)
		w.RunJobs()
		businesstest.Equal(t, "invoice in the mail", p.Mailed("receipt").Params["InvoiceURL"], "")
		w.AfterPayment(p.TxnID, sandbox.RefundedThere)
		businesstest.Equal(t, "credit notes", w.Count("credit_notes"), 0)
		businesstest.Equal(t, "mails", p.Mails(), "receipt, refunded")
		businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
	})
}
