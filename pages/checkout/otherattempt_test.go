package checkout_test

import (
	"net/http"
	"testing"

	"hiresure/admission/enrol"
	"hiresure/integrations/payment/sandbox"
)

const goOn = "If you have paid, do not pay again: we ask your bank and e-mail you. If not, continue."

// A return to a failed attempt links to the one that is open, or has paid.
func TestFailedPaymentLinksToTheOtherAttempt(t *testing.T) {
	s := newSite(t)
	b, failed := s.at(sandbox.Failed, nil)
	page := "/success?kspay_id=" + failed
	b.get(page).is(http.StatusOK, "Transaction failed!", "Your details are kept.", "Try again, ₹1,499").without("Continue to pay", "Another payment")
	open := b.start()
	b.get(page).is(http.StatusOK, "Your payment did not go through Another payment of yours is still open. "+goOn+" Transaction failed! Your transaction could not be processed", "Continue to pay", "Payment is open").
		holds(`href="/checkout/`+open+`"`).without("Try again", "Only the payment is missing", `action="/pay"`)
	s.stranger().get(page).is(http.StatusOK, "Transaction failed!").without("Continue to pay", "Another payment", open)
	b.press(open, sandbox.Pending)
	b.get(page).is(http.StatusOK, "Another payment of yours is still open.", "Continue to pay").without("Try again")
	b.press(open, sandbox.Failed)
	b.get(page).is(http.StatusOK, "Try again, ₹1,499").without("Continue to pay", "Another payment")

	paid := b.start()
	b.press(paid, sandbox.Paid)
	b.get(page).is(http.StatusOK, "You are enrolled: another payment of yours went through.", "Your ticket", "Paid by another payment").
		holds(`href="/success?kspay_id=`+paid+`"`, "5 of 5 steps done").without("Try again")
}

func TestFailedPaymentNextToAReviewedOneAsksForNothing(t *testing.T) {
	s := newSite(t)
	b, failed := s.at(sandbox.Failed, nil)
	checked := b.start()
	b.press(checked, sandbox.WrongAmount)
	b.get("/success?kspay_id="+failed).is(http.StatusOK, "Your payment did not go through Another payment of yours is being checked. There is nothing for you to do. Transaction failed!", "There is nothing for you to do.", "Received, being checked").
		holds(`href="/success?kspay_id=`+checked+`"`, `<li class="is-waiting">`).without("Try again", "Continue to pay")
}

func TestFailedFeeLinksToTheOtherAttempt(t *testing.T) {
	s := newSite(t, withApplication)
	b := s.applicant(enrol.StepAgreed)
	failed := b.pays()
	page := feePath + "?kspay_id=" + failed
	b.get(b.press(failed, sandbox.Failed)).is(http.StatusOK, "Try again, ₹2,500.00", "Payment is missing", "Step 5 of 6: payment failed")
	open := b.pays()
	b.get(page).is(http.StatusOK, "Payment is open", "Step 5 of 6: payment is open Your payment did not go through Another payment of yours is still open. "+goOn+" Transaction failed! Your transaction", "Continue to pay My Registrations").
		holds(`href="/checkout/`+open+`"`).without("Try again", "Only the payment is missing", `action="/hiresure/payment"`, "payment failed")
	b.press(open, sandbox.Paid)
	b.get(page).is(http.StatusOK, "Payment, done Documents is next Step 5 of 6 done This payment did not go through Your application is paid: another payment of yours went through.", "Your payment My Registrations").
		holds(`href="/hiresure/payment?kspay_id=`+open+`"`, "5 of 6 steps done").without("Try again", "payment failed", "by another payment")
	b.changes(func(r *enrol.Registration) { r.Step = enrol.StepComplete })
	for _, address := range []string{page, feePath + "?kspay_id=" + open} {
		b.get(address).is(http.StatusOK, "Step 5 of 6 done").holds("6 of 6 steps done").without("is next")
	}
}

func TestFailedFeeNextToAReviewedOneAsksForNothing(t *testing.T) {
	s := newSite(t, withApplication)
	b := s.applicant(enrol.StepAgreed)
	failed := b.pays()
	b.press(failed, sandbox.Failed)
	checked := b.pays()
	b.press(checked, sandbox.WrongAmount)
	b.get(feePath+"?kspay_id="+failed).is(http.StatusOK, "Payment being checked", "Step 5 of 6: payment being checked Your payment did not go through Another payment of yours is being checked. There is nothing for you to do. Transaction failed! Your transaction").
		holds(`href="/hiresure/payment?kspay_id=`+checked+`"`, `<li class="is-waiting">`).without("Try again", "payment failed", "is missing")
}
