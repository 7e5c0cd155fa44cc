package checkout_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hiresure/admission"
	"hiresure/admission/business"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/integrations/payment/sandbox"
)

// A full disk writes nothing.
type disk struct {
	admission.Store[payment.Tx]
	full bool
}

func (d *disk) Update(ctx context.Context, work func(payment.Tx) error) error {
	if d.full {
		return fmt.Errorf("save payment: %w: database or disk is full", admission.ErrUnavailable)
	}
	return d.Store.Update(ctx, work)
}

func TestReturnDuringAnOutageWarnsNotToPayAgain(t *testing.T) {
	store := &disk{}
	s := newSite(t, withApplication, func(_ *site, n *business.Config) {
		store.Store, n.Stores.Payment = n.Stores.Payment, store
	})
	const words = "Do not pay again We cannot show your payment at the moment, and this is our fault. Your money is safe: we check with the payment provider ourselves. Reference "
	payer, applicant := s.enrolled(nil), s.applicant(enrol.StepAgreed)
	txn, fee := payer.start(), applicant.pays()
	paid, feePaid := s.gateway.Press(txn, sandbox.Paid), s.gateway.Press(fee, sandbox.Paid)

	store.full = true
	for _, broken := range []struct {
		what, again string
		answer      answer
	}{
		{"a return by post", "/success?kspay_id=" + txn, payer.post("/checkout/"+txn+"/return", paid)},
		{"a return by its address", "/checkout/" + txn + "/return?" + strings.ReplaceAll(paid.Encode(), "&", "&amp;"), payer.get("/checkout/" + txn + "/return?" + paid.Encode())},
		{"its outcome", "/success?kspay_id=" + txn, payer.get("/success?kspay_id=" + txn)},
		{"the outcome of a fee", "/hiresure/payment?kspay_id=" + fee, applicant.get("/hiresure/payment?kspay_id=" + fee)},
		{"the return of a fee", "/success?kspay_id=" + fee, applicant.post("/checkout/"+fee+"/return", feePaid)},
	} {
		t.Run(broken.what, func(t *testing.T) {
			broken.answer.t = t
			broken.answer.is(http.StatusServiceUnavailable, words, "See your payment Go to the scholarship page").
				holds(`href="`+broken.again+`"`).without("Try again", "Go back one page", "Something went wrong")
		})
	}
	payer.post("/pay", url.Values{"scholarship_requested_id": {payer.registration.ID}}).is(http.StatusServiceUnavailable, "Something went wrong", "We cannot save anything at the moment. Please try again in a few seconds.").
		without("Do not pay again")

	store.full = false
	payer.get("/success?kspay_id="+txn).is(http.StatusOK, "You are enrolled")
	applicant.get("/hiresure/payment?kspay_id="+fee).is(http.StatusOK, congratulations)
	payer.post("/checkout/"+txn+"/return", url.Values{"outcome": {strings.Repeat("x", 65<<10)}}).is(http.StatusRequestEntityTooLarge, "This request is too large.").without("Do not pay again")
}
