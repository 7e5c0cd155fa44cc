package checkout_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestGetNeverStartsAPayment(t *testing.T) {
	s := newSite(t)
	b := s.enrolled(coupon("LASTSEAT"))
	for range 3 {
		b.get("/pay").is(http.StatusOK, "One step is left: pay ₹999", "This is a test site: no money moves.", "HireSure mGrow Scholarship", "Ananya Deshmukh", "₹999", "₹1,499", "₹1,499 less ₹500 with LASTSEAT", "Pay ₹999")
	}
	due, err := s.services.Enrol.LatestRegistration(t.Context(), admission.Visitor{}, "")
	if err == nil {
		t.Errorf("a visitor without a session has %v", due)
	}
	check(t, s.store.View(t.Context(), func(tx store.Tx) error {
		open, err := tx.OpenTransaction(b.registration.ID)
		if open != nil {
			t.Errorf("GET started %s", open.ID)
		}
		return err
	}))
	s.stranger().post("/pay", url.Values{"scholarship_requested_id": {b.registration.ID}}).leadsTo("/#no-enrolment")
	s.enrolled(second).post("/pay", url.Values{"scholarship_requested_id": {b.registration.ID}}).leadsTo("/#no-enrolment")
}

func TestThePersonChecksTheDetailsBeforePaying(t *testing.T) {
	details := []string{"Ananya Deshmukh", "ananya.d@example.com You +91 98200 41567 Maharashtra"}
	s := newSite(t)
	b := s.enrolled(nil)
	change := `<a href="/scholarship/hiresure-mgrow-2025?change=` + b.registration.ID + `#enrol">Change`
	b.get("/pay").is(http.StatusOK, details...).holds(change)
	txn := b.start()
	b.get("/pay").is(http.StatusOK, details...).holds(change)
	b.get("/checkout/"+txn).is(http.StatusOK).without("41567", "Maharashtra", change)
	b.press(txn, sandbox.Failed)
	b.get("/pay").is(http.StatusOK, append(details, "Give us the first 8 characters of your payment ID: "+txn[:4]+" "+txn[4:8])...).holds(change)
	s.clock.Pass(120 * 24 * time.Hour)
	s.enrolled(second).get("/pay").is(http.StatusOK, "Enrolment for this programme closed").without("?change=", "Tuition is separate", "If you cancel", "Full refund") // there is no form to change it in

	paid, _ := newSite(t).at(sandbox.Paid, nil)
	paid.get("/pay").is(http.StatusOK, details...).without(change)
	checked, _ := newSite(t).at(sandbox.WrongAmount, nil)
	checked.get("/pay").is(http.StatusOK, "Your payment is being checked", "Payment is being checked").without(change)
}

const look = "Check your bank or UPI app first. If money was taken, you can wait until it is back, or pay again. If both payments arrive, we refund one. "

// On a phone the bill is longer than a screen.
func TestMethodsAndButtonAreAboveTheBill(t *testing.T) {
	const to, details = "To Aksharam Skill Academy Private Limited GSTIN 29ABCDE1234F1ZW ", " Once the payment provider has confirmed the payment, you are enrolled. We never see your card or UPI details. For Exam fee, HireSure mGrow Scholarship"
	newSite(t).enrolled(nil).get("/pay").is(http.StatusOK, to+"Pay ₹1,499"+details)
	failed, _ := newSite(t).at(sandbox.Failed, nil)
	failed.get("/pay").is(http.StatusOK, "You are not enrolled yet.", to+look+"Try again, ₹1,499"+details)
	newSite(t, methods(new([]string))).enrolled(nil).get("/pay").is(http.StatusOK, "All taxes included How do you want to pay? ", "Note of apps. This way to pay needs JavaScript. Tuition is separate", to+"Pay ₹1,499"+details)
}

func TestLateCouponIsReported(t *testing.T) {
	const later = "This payment does not include the coupon MGROW500. To use it, start a new payment when this one ends."
	s := newSite(t)
	b := s.enrolled(nil)
	txn := b.start()
	b.get("/pay").is(http.StatusOK, "₹1,499").without("MGROW500")
	b.changes(func(r *enrol.Registration) { r.CouponCode = "MGROW500" })
	b.get("/pay").is(http.StatusOK, "Your payment is still open", "Payment is open", "₹1,499", later)
	b.press(txn, sandbox.Failed)
	b.get("/pay").is(http.StatusOK, "Exam fee of Ananya Deshmukh Your payment did not go through", "₹999").without(later)
}

func TestLateDetailsAreReported(t *testing.T) {
	const later = "This payment and its invoice are for Ananya Deshmukh, Maharashtra. To use your new details, start a new payment when this one ends."
	s := newSite(t)
	b := s.enrolled(nil)
	b.start()
	b.get("/pay").is(http.StatusOK, "Your payment is still open").without("its invoice")
	b.changes(func(r *enrol.Registration) { r.StateCode = "32" })
	b.get("/pay").is(http.StatusOK, "Your payment is still open", later)
}

func TestLastRefundDayIsShown(t *testing.T) {
	const taxes = "All taxes included "
	const left = "If money has left your account You last tried on 21 Nov 2026, 12:04. Any amount deducted will be refunded in 3-4 business days. We ask the bank ourselves. You need not send us anything. "
	const tuition, first, none = "Tuition is separate, and only if you start: ₹0 up to rank 250, ₹4,50,000 from rank 251 ", "Full refund if you cancel by 7 Mar 2027, then one free move. To Aksharam", "No refund any more, but one free move to the next exam. To Aksharam"
	const until, over = "Full refund until 7 Mar 2027. After that, one free move to the next exam. No refund if you do not win a scholarship. You owe nothing unless you join. To cancel, write to support@hiresure.example and the fee is back within 7 business days. Refund Policy", "The full refund ended on 7 Mar 2027. Now you have one free move to the next exam. No refund if you do not win a scholarship. You owe nothing unless you join. Refund Policy"
	s := newSite(t)
	b := s.enrolled(nil)
	b.get("/pay").is(http.StatusOK, "Pay ₹1,499", taxes+tuition+first, "Change what you typed If you cancel "+until+" If the payment fails")
	b.start()
	b.get("/pay").is(http.StatusOK, "Continue to pay", taxes+tuition+first, "If you cancel "+until)
	b.press(b.start(), sandbox.Failed)
	b.get("/pay").is(http.StatusOK, "Try again, ₹1,499", taxes+tuition+first, "GSTIN 29ABCDE1234F1ZW "+look+"Try again, ₹1,499", left+"Not back by Thursday, 26 November? Call or write to us with the payment ID. Payment ID Copy payment ID", "If you cancel "+until)
	s.enrolled(func(r *enrol.Registration) { second(r); r.CouponCode = "FULLSEAT" }).get("/pay").aboveFooter().without("returned", "Full refund", "If you cancel", "Tuition", "test site")
	b.changes(func(r *enrol.Registration) { r.CouponCode = "FULLSEAT" })
	b.get("/pay").is(http.StatusOK, "Complete my registration", left+"Not back by").without("If you cancel", look)
	for moment, texts := range map[time.Time][]string{
		time.Date(2027, 3, 7, 23, 59, 59, 0, admission.IST): {tuition + first, until},
		time.Date(2027, 3, 8, 0, 0, 0, 0, admission.IST):    {tuition + none, over},
	} {
		late := newSite(t)
		late.clock.Pass(moment.Sub(late.clock.Now()))
		late.enrolled(nil).get("/pay").is(http.StatusOK, texts...)
	}
}

func TestACouponThatIsGoneStartsNothing(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		s := newSiteOn(t, databaseURL)
		first := s.enrolled(coupon("LASTSEAT"))
		late := s.enrolled(func(r *enrol.Registration) { second(r); r.CouponCode = "LASTSEAT" })
		txn := first.start()
		const gone = "This coupon has just been used up."
		late.get("/pay").is(http.StatusOK, gone, "₹1,499").without("₹999")
		refused := late.post("/pay", nil).is(http.StatusConflict, gone, "Pay ₹1,499").without("₹999")
		refused.holds(`role="alert"`)
		if strings.Count(refused.text(), gone) != 1 {
			t.Errorf("%q does not stand once in: %s", gone, refused.text())
		}
		check(t, s.store.View(t.Context(), func(tx store.Tx) error {
			open, err := tx.OpenTransaction(late.registration.ID)
			if open != nil {
				t.Errorf("an attempt was started: %v", open)
			}
			return err
		}))
		late.get("/checkout/"+late.start()).is(http.StatusOK, "₹1,499").without("₹999")
		first.press(txn, sandbox.Paid)
		first.get("/success?kspay_id="+txn).is(http.StatusOK, congratulations)
		first.get("/pay").is(http.StatusOK, "You have paid", "₹999", "LASTSEAT", "Your ticket Receipt Tax invoice You have this by e-mail too.").without(gone)
	})
}

func TestNothingToPayIsSettledAtOnce(t *testing.T) {
	s := newSite(t)
	b := s.enrolled(coupon("FULLSEAT"))
	b.get("/pay").is(http.StatusOK, "One step is left", "₹0", "₹1,499", "FULLSEAT", "Complete my registration", "Nothing is charged.").
		without("has confirmed the payment", "How do you want to pay?")
	a := b.post("/pay", nil)
	txn, found := strings.CutPrefix(a.location, "/success?kspay_id=")
	if a.status != http.StatusSeeOther || !found || strings.Contains(txn, "&") {
		t.Fatalf("POST /pay answered %d to %q", a.status, a.location)
	}
	b.get(a.location).is(http.StatusOK, congratulations, "Nothing to pay ₹0").without("Tax invoice", "Paid")
	b.get("/pay").is(http.StatusOK, "You are enrolled", "There is nothing to pay.", "Receipt").without("You have paid", "This coupon has just been used up.", "Change")
	b.get("/checkout/"+txn+"/receipt").is(http.StatusOK, "Receipt", "Nothing to pay ₹0.00", "Coupon FULLSEAT", "−1,499.00", "GSTIN 29ABCDE1234F1ZW")
	b.get("/checkout/"+txn+"/invoice").is(http.StatusNotFound, "Invoice not found")
}

func TestMethodChargesInItsOwnCurrency(t *testing.T) {
	s := newSite(t, withDollars)
	b := s.enrolled(coupon("MGROW500"))
	first := b.start()
	b.get("/checkout/"+first).is(http.StatusOK, "Another method").holds(`"other":"/pay"`)
	b.get("/pay").is(http.StatusOK, "How do you want to pay?", "Test payment No money moves. ₹999", "dollars $12.66", "Continue to pay")
	s.enrolled(second).get("/pay").is(http.StatusOK, "Test payment No money moves. ₹1,499", "dollars $19", "Pay ₹1,499 $19 Once the payment").holds("Pay<span> ₹1,499</span><span> $19</span>") // the style sheet shows one
	a := b.post("/pay", url.Values{"gateway": {"dollars"}})
	txn := strings.TrimPrefix(a.location, "/checkout/")
	if txn == first || s.state(first) == payment.Pending {
		t.Errorf("the first method stays open: %q", s.state(first))
	}
	b.get("/checkout/"+txn).is(http.StatusOK, "$12.66")
	b.post("/pay", url.Values{"gateway": {"nosuch"}}).is(http.StatusUnprocessableEntity, "Unsupported gateway")
	dollars := s.sandbox("dollars", []string{"USD"})
	b.post("/checkout/"+txn+"/return", dollars.Press(txn, sandbox.Paid)).leadsTo("/success?txId=" + txn)
	b.get("/success?txId="+txn).is(http.StatusOK, congratulations, "$12.66")
	b.get("/checkout/"+txn+"/invoice").is(http.StatusOK, "Paid: $12.66, at ₹88.7200 for $1 (RBI reference rate, 20 Nov 2026).", "With tax: fee 1,685.68, discount 562.48.", "₹1,123.20")
	b.get("/checkout/"+txn+"/receipt").is(http.StatusOK, "$12.66 paid on 21 Nov 2026", "Registration fee HireSure mGrow Scholarship, all taxes included, in USD $19.00 Coupon MGROW500 −$6.34 Paid $12.66",
		"Rate for $1, RBI reference rate, 20 Nov 2026 ₹88.7200 Value in rupees ₹1,123.20 Of which taxable value").without("Price in rupees")
	s.changePayment(txn, func(t *payment.Transaction) { t.ForeignList, t.Exchange = 0, admission.ExchangeRate{} }) // by an older version
	b.get("/checkout/"+txn+"/receipt").is(http.StatusOK, "What was paid Paid $12.66 Price in rupees with MGROW500 ₹1,123.20 Of which taxable value").without("Value in rupees", "Registration fee HireSure")
}

func TestReviewResultIsShownToTheOwnerOnly(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.WrongAmount, nil)
	address := "/success?kspay_id=" + txn
	b.get(address).is(http.StatusOK, "₹1,498.99 reached us, ₹0.01 less than the fee. A reviewer decides by Monday, 23 November.")
	s.stranger().get(address).is(http.StatusOK, "Do not pay again. A reviewer checks this payment.").without("₹")
}
