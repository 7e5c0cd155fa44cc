package api_test

import (
	"net/http"
	"testing"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store/storetest"
)

func TestEnrolmentFromCodeToPayment(t *testing.T) {
	storetest.EachURL(t, onEnrolmentGoesFromCodeToPaid)
}

func onEnrolmentGoesFromCodeToPaid(t *testing.T, databaseURL string) {
	s := newSiteOn(t, databaseURL)
	b := s.browser().proves(phone, email)
	id := b.enrols(object{"coupon_code": "mgrow500", "consents": []string{"marketing"}})
	started := b.starts(id)
	want(t, started, http.StatusOK, "Payment started.")
	txn := started.text("transactionResponse", "payment_transaction_id")
	for name, wanted := range map[string]string{
		"pe_txnId": txn, "txId": txn, "checkout_url": "/checkout/" + txn, "gateway": "sandbox", "amount": "999", "currency": "INR", "redirectUrl": baseURL + "/success",
	} {
		if got := started.text("transactionResponse", name); got != wanted {
			t.Errorf("transactionResponse.%s is %q, want %q", name, got, wanted)
		}
	}
	again := b.starts(id)
	if got := again.text("transactionResponse", "payment_transaction_id"); got != txn {
		t.Errorf("the same method opened another attempt %q", got)
	}
	pending := b.outcome(txn)
	want(t, pending, http.StatusOK, "Your payment is being processed.")
	if got := pending.text("payment_status"); got != "PAYMENT_PENDING" {
		t.Errorf("payment_status %q before paying", got)
	}
	if _, err := s.services.Payment.Complete(t.Context(), txn, method.Return{Form: s.gateway.Press(txn, sandbox.Paid)}); err != nil {
		t.Fatal(err)
	}
	paid := s.browser().outcome(txn) // open to anyone with the id
	want(t, paid, http.StatusOK, "Your payment has arrived.")
	if got := paid.text("payment_status"); got != "PAYMENT_PAID" {
		t.Errorf("payment_status %q after paying", got)
	}
	want(t, b.starts(id), http.StatusConflict, "You have already paid for this programme. Your receipt is in your e-mail.")
	want(t, b.post("/scholarship/v1/create-scholarship-request", enrolment(nil)), http.StatusConflict,
		"You have already paid for this programme. Your receipt is in your e-mail.")
	if n := len(s.ledger.sent("receipt", email)); n != 1 {
		t.Errorf("%d receipts, want 1", n)
	}
	wantWritten(t, s, nil, map[string]int{
		"session": 1, "message": 2, "registration": 1, "transaction": 1, "transaction change": s.ledger.written()["transaction change"],
		"consent to marketing": 1, "consent to terms:2026-11-01": 1,
	})
}

func TestReturnedPaymentIsNotPending(t *testing.T) {
	s := newSite(t)
	b := s.browser().proves(phone, email)
	txn := b.starts(b.enrols(nil)).text("transactionResponse", "txId")
	if _, err := s.services.Payment.Complete(t.Context(), txn, method.Return{Form: s.gateway.Press(txn, sandbox.Paid)}); err != nil {
		t.Fatal(err)
	}
	s.clock.Pass(time.Minute)
	if _, err := s.services.Payment.Refund(t.Context(), txn); err != nil {
		t.Fatal(err)
	}
	back := b.outcome(txn)
	want(t, back, http.StatusOK, "Your payment was refunded.")
	if got := back.text("payment_status"); got != "FAILED" {
		t.Errorf("payment_status %q", got)
	}
}

func TestFailedPaymentIsReported(t *testing.T) {
	s := newSite(t)
	b := s.browser().proves(phone, email)
	txn := b.starts(b.enrols(nil)).text("transactionResponse", "txId")
	if _, err := s.services.Payment.Complete(t.Context(), txn, method.Return{Form: s.gateway.Press(txn, sandbox.Failed)}); err != nil {
		t.Fatal(err)
	}
	failed := b.outcome(txn)
	want(t, failed, http.StatusOK, "Your payment did not go through.")
	if got := failed.text("payment_status"); got != "FAILED" {
		t.Errorf("payment_status %q", got)
	}
}

func TestZeroPriceSettlesAtOnce(t *testing.T) { storetest.EachURL(t, onZeroPriceSettlesAtOnce) }

func onZeroPriceSettlesAtOnce(t *testing.T, databaseURL string) {
	s := newSiteOn(t, databaseURL)
	b := s.browser().proves(phone, email)
	id := b.enrols(object{"coupon_code": "FULLSEAT"})
	got := b.post("/payments/v1/initiate-payment", object{"scholarship_requested_id": id, "redirection_url": "/success?from=mail#top"})
	want(t, got, http.StatusOK, "Payment started.")
	txn := got.text("transactionResponse", "txId")
	if url := got.text("transactionResponse", "checkout_url"); url != "/success?from=mail&kspay_id="+txn+"#top" {
		t.Errorf("checkout_url %q", url)
	}
	if gateway, amount := got.text("transactionResponse", "gateway"), got.text("transactionResponse", "amount"); gateway != "none" || amount != "0" {
		t.Errorf("gateway %q, amount %q", gateway, amount)
	}
	if status := b.outcome(txn).text("payment_status"); status != "PAYMENT_PAID" {
		t.Errorf("payment_status %q", status)
	}
}

func TestCouponThatRanOutStartsNothing(t *testing.T) {
	storetest.EachURL(t, onCouponThatRanOutStartsNothing)
}

func onCouponThatRanOutStartsNothing(t *testing.T, databaseURL string) {
	s := newSiteOn(t, databaseURL)
	first, second := s.browser().proves(phone, email), s.browser().proves("9876543211", "ravi@example.com")
	one := first.enrols(object{"coupon_code": "LASTSEAT"})
	two := second.enrols(object{"coupon_code": "LASTSEAT", "phone_number": "9876543211", "email": "ravi@example.com"})
	want(t, first.starts(one), http.StatusOK, "Payment started.")
	before := s.ledger.written()
	refused := second.starts(two)
	want(t, refused, http.StatusConflict, "This coupon has just been used up.")
	if got := refused.errors()["coupon_code"]; got != "This coupon has just been used up." {
		t.Errorf("errors.coupon_code %q", got)
	}
	if got := refused.text("data", "final_amount"); got != "1499" {
		t.Errorf("data.final_amount %q, want the full price 1499", got)
	}
	wantWritten(t, s, before, nil)
	full := second.starts(two)
	want(t, full, http.StatusOK, "Payment started.")
	if got := full.text("transactionResponse", "amount"); got != "1499" {
		t.Errorf("amount %q", got)
	}
}

func TestGuardianVerifiesAnotherPhone(t *testing.T) {
	const guardian = "9123456780"
	minor := object{"adult": false, "guardian_name": "Meera Rao", "guardian_phone": guardian}
	for name, ask := range map[string]object{
		"by guardian_phone": {"phone_number": phone, "guardian_phone": guardian},
		"by phone_number":   {"phone_number": guardian},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			b := s.browser().proves(phone, email)
			refused := b.post("/scholarship/v1/create-scholarship-request", enrolment(minor))
			want(t, refused, http.StatusUnprocessableEntity, "Please verify the OTP.")
			if got := refused.errors()["guardian_otp"]; got != "Please verify the OTP." {
				t.Errorf("errors %v", refused.errors())
			}
			ask["purpose"], ask["email"], ask["scholarship_code"] = "guardian", email, "KS_Mgrow"
			asked := b.post("/scholarship/v1/user-verification-request", ask)
			want(t, asked, http.StatusOK, "We sent a code to your mobile number.")
			withCode := object{"guardian_otp": wrong(s.code(guardian))}
			for field, value := range minor {
				withCode[field] = value
			}
			wrongCode := b.post("/scholarship/v1/create-scholarship-request", enrolment(withCode))
			want(t, wrongCode, http.StatusUnprocessableEntity, "Invalid OTP")
			if got := wrongCode.errors()["guardian_otp"]; got != "Invalid OTP" {
				t.Errorf("errors %v", wrongCode.errors())
			}
			withCode["guardian_otp"] = s.code(guardian)
			b.enrols(withCode)
			b.enrols(withCode) // verified by now: no code is needed
		})
	}
}

func TestGuardianCodeMayBeVerifiedByItself(t *testing.T) {
	s := newSite(t)
	b := s.browser().proves(phone, email)
	asked := b.post("/scholarship/v1/user-verification-request", object{
		"purpose": "guardian", "guardian_phone": "9123456780", "phone_number": phone, "email": email, "scholarship_code": "KS_Mgrow",
	})
	answer := object{"purpose": "guardian", "guardian_phone": "9123456780", "guardian_otp": "", "request_id": asked.text("request_id"), "phone_number": phone}
	missing := b.post("/scholarship/v1/user-request-verify", answer)
	want(t, missing, http.StatusUnprocessableEntity, "Please verify the OTP.")
	answer["guardian_otp"] = s.code("9123456780")
	want(t, b.post("/scholarship/v1/user-request-verify", answer), http.StatusOK, "Your mobile number is verified.")
	b.enrols(object{"adult": false, "guardian_name": "Meera Rao", "guardian_phone": "9123456780"})
}

func TestAnotherBrowserContinuesWithACode(t *testing.T) {
	s := newSite(t)
	id := s.browser().proves(phone, email).enrols(nil)
	s.clock.Pass(2 * time.Minute)
	other := s.browser()
	want(t, other.starts(id), http.StatusNotFound, "Registration not found.")
	want(t, other.post("/ks-website/v1/resend-otp-for-scholarship-request", object{"scholarship_requested_id": id}), http.StatusOK,
		"We sent a code to your mobile number.")
	bad := other.post("/ks-website/v1/update-scholarship-request", object{"scholarship_requested_id": id, "phone_otp": wrong(s.code(phone))})
	want(t, bad, http.StatusUnprocessableEntity, "Invalid OTP")
	good := other.post("/ks-website/v1/update-scholarship-request", object{"scholarship_requested_id": id, "phone_otp": s.code(phone)})
	want(t, good, http.StatusOK, "Your mobile number is verified.")
	want(t, other.starts(id), http.StatusOK, "Payment started.")
	// A verified phone needs no further code: the answer says so, and the registration is open.
	want(t, other.post("/ks-website/v1/resend-otp-for-scholarship-request", object{"scholarship_requested_id": id}), http.StatusPaymentRequired,
		"This phone number is already verified.")
}

func TestVerifiedPhoneReturns402AndSendsNoCode(t *testing.T) {
	s := newSite(t)
	b := s.browser().proves(phone, email)
	before := s.ledger.written()
	got := b.asks(phone, email)
	want(t, got, http.StatusPaymentRequired, "This phone number is already verified.")
	wantWritten(t, s, before, nil)
	// Another session is rejected.
	s.clock.Pass(2 * time.Minute)
	want(t, s.browser().asks(phone, email), http.StatusOK, "We sent a code to your mobile number.")
}

func TestVerifiedPhoneReturnsItsRegistration(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	first := b.answers(phone, email, b.asks(phone, email).text("request_id"), s.code(phone))
	want(t, first, http.StatusOK, "Your mobile number is verified.")
	id := b.enrols(nil)
	s.clock.Pass(2 * time.Minute)
	other := s.browser()
	request := other.asks(phone, email).text("request_id")
	wrong := other.answers(phone, email, request, "000000")
	want(t, wrong, http.StatusUnprocessableEntity, "Invalid OTP")
	right := other.answers(phone, email, request, s.code(phone))
	want(t, right, http.StatusOK, "Your mobile number is verified.")
	for _, c := range []struct {
		title string
		reply
		want string
	}{{"before there is one", first, ""}, {"with a wrong code", wrong, ""}, {"once it is proven", right, id}} {
		if got := c.text("scholarship_requested_id"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.title, got, c.want)
		}
	}
	want(t, other.starts(id), http.StatusOK, "Payment started.")
}
