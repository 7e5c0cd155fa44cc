package api_test

import (
	"net/http"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/store"
	"hiresure/store/storetest"
)

// Calls that require a sign-in.

func TestAccountPhoneIsVerified(t *testing.T) {
	storetest.EachURL(t, onThePhoneOfAnAccountIsProven)
}

func onThePhoneOfAnAccountIsProven(t *testing.T, databaseURL string) {
	s := newSiteOn(t, databaseURL, guarded)
	withPhone := func(more object) object {
		body := object{"phone_number": phone, "country_code": "+91", "scholarship_code": "hiresure"}
		for name, value := range more {
			body[name] = value
		}
		return body
	}
	stranger := s.browser()
	asked := stranger.asksWith(phone, email, "good stranger")
	want(t, stranger.answers(phone, email, asked.text("request_id"), s.code(phone)), http.StatusOK, "Your mobile number is verified.")
	enrolled := stranger.enrols(nil)
	s.clock.Pass(time.Minute)
	b := s.byMail()
	want(t, b.starts(enrolled), http.StatusNotFound, "Registration not found.")
	for _, c := range []struct {
		sentence, message string
		status            int
		path              string
		body              object
	}{
		{"another phone", "This is not the mobile number of your account.", 422, phoneCodePath, withPhone(object{"phone_number": "9876543219"})},
		{"no phone", "Phone number is required.", 422, phoneCodePath, withPhone(object{"phone_number": ""})},
		{"another country", "This must be +91.", 422, phoneCodePath, withPhone(object{"country_code": "+1"})},
		{"no programme", "Programme is required.", 422, phoneCodePath, withPhone(object{"scholarship_code": ""})},
		{"another programme", "Programme not found.", 404, phoneCodePath, withPhone(object{"scholarship_code": "KS_Mgrow"})},
		{"a code before it is sent", "Invalid OTP", 422, phoneProofPath, withPhone(object{"mobile_otp": "123456"})},
		{"no code", "Please verify the OTP.", 422, phoneProofPath, withPhone(nil)},
		{"a code of another phone", "This is not the mobile number of your account.", 422, phoneProofPath, withPhone(object{"phone_number": "9876543219", "mobile_otp": "123456"})},
	} {
		want(t, b.post(c.path, c.body), c.status, c.message)
		wantSignedOut(t, "nobody: "+c.sentence, s.client().post(c.path, c.body))
	}
	sent := b.post(phoneCodePath, withPhone(nil))
	want(t, sent, http.StatusOK, "We sent a code to your mobile number.")
	want(t, s.client().post(loginTokenPath, object{"request_id": sent.text("request_id"), "otp": s.code(phone)}), http.StatusUnprocessableEntity, "Invalid OTP") // a signed-in visitor needs no code
	want(t, b.post(phoneCodePath, withPhone(nil)), http.StatusTooManyRequests, "A code went to this number a moment ago. Please wait 60 seconds and try again.")
	refused := b.post(phoneProofPath, withPhone(object{"mobile_otp": wrong(s.code(phone))}))
	want(t, refused, http.StatusUnprocessableEntity, "Invalid OTP")
	if refused.errors()["mobile_otp"] != "Invalid OTP" {
		t.Errorf("errors %v", refused.errors())
	}
	want(t, b.starts(enrolled), http.StatusNotFound, "Registration not found.")
	want(t, b.post(phoneProofPath, withPhone(object{"mobile_otp": s.code(phone)})), http.StatusOK, "Your mobile number is verified.")
	want(t, b.starts(enrolled), http.StatusOK, "Payment started.")
	want(t, b.post(phoneCodePath, withPhone(nil)), http.StatusPaymentRequired, "This phone number is already verified.")
	want(t, b.post(phoneProofPath, withPhone(object{"mobile_otp": s.code(phone)})), http.StatusUnprocessableEntity, "Invalid OTP")
}

func TestAPhoneIsOneAccountsOnly(t *testing.T) {
	s := newSite(t)
	b := s.byMail()
	now := s.clock.Now()
	s.update(func(tx store.Tx) error {
		return tx.AddAccount(&account.Account{ID: admission.NewID(), FullName: "Ravi", Email: "ravi@example.com", Phone: "+91" + phone, PhoneProvenAt: now, CreatedAt: now, ModifiedAt: now})
	})
	body := object{"phone_number": phone, "scholarship_code": "hiresure"}
	want(t, b.post(phoneCodePath, body), http.StatusOK, "We sent a code to your mobile number.")
	body["mobile_otp"] = s.code(phone)
	want(t, b.post(phoneProofPath, body), http.StatusConflict, "This phone number is already registered.")
	want(t, b.post(phoneProofPath, body), http.StatusUnprocessableEntity, "Invalid OTP")
}

func TestAccountCallsByCookieChangeTheCookie(t *testing.T) {
	s := newSite(t)
	s.addAccount()
	b := s.browser().proves("9876543219", "ravi@example.com")
	v := admission.Visitor{SessionID: b.cookieSession().ID, IP: "198.51.100.7"}
	sent, _, err := s.services.Account.RequestCode(t.Context(), v, email)
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.services.Account.SignIn(t.Context(), v, sent.RequestID, s.mailed(email))
	if err != nil || in.Account == nil {
		t.Fatalf("signed in %v, %v", in, err)
	}
	b.cookies["__Host-hiresure"] = in.Token
	body := object{"phone_number": phone, "scholarship_code": "hiresure"}
	want(t, b.post(phoneCodePath, body), http.StatusOK, "We sent a code to your mobile number.")
	body["mobile_otp"] = s.code(phone)
	want(t, b.post(phoneProofPath, body), http.StatusOK, "Your mobile number is verified.")
	if b.cookies["__Host-hiresure"] == in.Token {
		t.Error("the token stayed the same when the phone was proven")
	}
	want(t, b.get(profilePath), http.StatusOK, "Profile found.")
	b.cookies["__Host-hiresure"] = in.Token
	wantSignedOut(t, "the old cookie", b.get(profilePath))
}
