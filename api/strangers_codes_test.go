package api_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"hiresure/store/storetest"
)

const numberBusy = "Many codes were sent to this number. Please wait %s and try again."

// stranger is another browser at another address each time.
func (s *site) stranger(i int) *browser {
	return s.browser().from(fmt.Sprintf("203.0.%d.%d:1000", 113+i/250, i%250))
}

// Three codes used to lock a phone for ten minutes and the tenth for a day, whoever asked.
func TestNobodyKeepsCodesFromTheOwner(t *testing.T) {
	storetest.EachURL(t, onNobodyKeepsCodesFromTheOwner)
}

func onNobodyKeepsCodesFromTheOwner(t *testing.T, databaseURL string) {
	s := newSiteOn(t, databaseURL, limited, guarded)
	asked := 0
	hammer := func() reply {
		asked++
		return s.stranger(asked).asksWith(phone, "x@example.com", fmt.Sprintf("good %d", asked))
	}
	for i := range 10 {
		want(t, hammer(), http.StatusOK, "We sent a code to your mobile number.")
		if i%3 == 2 {
			got := hammer()
			want(t, got, http.StatusTooManyRequests, fmt.Sprintf(numberBusy, "10 minutes"))
			if got.steps() != 1 || got.header.Get("Retry-After") != "600" || got.errors()["phone_number"] == "" {
				t.Errorf("after %d codes: %d steps, Retry-After %s, errors %v", i+1, got.steps(), got.header.Get("Retry-After"), got.errors())
			}
			s.clock.Pass(10 * time.Minute)
		}
	}
	refused := hammer()
	want(t, refused, http.StatusTooManyRequests, fmt.Sprintf(numberBusy, "24 hours"))
	if got := refused.header.Get("Retry-After"); got != "84600" { // a day after the first, half an hour ago
		t.Errorf("Retry-After %s after the tenth code", got)
	}

	// The stranger works too: each further code of the day costs twice the work of the one before.
	for i := range 9 {
		b := s.stranger(100 + i)
		got := b.asksWith(phone, "x@example.com", fmt.Sprintf("good further %d", i))
		if got.steps() != min(1+i, 8) {
			t.Errorf("further code %d needs %d steps", i+1, got.steps())
		}
		token := b.token(got)
		if i == 0 {
			for n := range 3 {
				want(t, s.stranger(200+n).asksWith("9123456780", "x@example.com", fmt.Sprintf("good other %d", n)), http.StatusOK, "We sent a code to your mobile number.")
			}
			want(t, b.asksWith("9123456780", "x@example.com", token), http.StatusTooManyRequests, fmt.Sprintf(numberBusy, "10 minutes")) // work for one number is none for another
		}
		want(t, b.asksWith(phone, "x@example.com", token), http.StatusOK, "We sent a code to your mobile number.")
		again := s.stranger(150+i).asksWith(phone, "x@example.com", token) // a token works once
		if again.status == http.StatusOK {
			t.Errorf("the token of further code %d works twice", i+1)
		}
		s.clock.Pass(time.Minute)
	}

	// The owner has the code in half a minute, can have it sent again, and enrols.
	sent := len(s.ledger.sent("otp", "+91"+phone))
	owner := s.browser().from("[2001:db8:1::1]:1")
	got := owner.asksWorking(phone, email, "good owner")
	want(t, got, http.StatusOK, "We sent a code to your mobile number.")
	first := s.code(phone)
	want(t, owner.asks(phone, email), http.StatusTooManyRequests, "A code went to this number a moment ago. Please wait 60 seconds and try again.")
	s.clock.Pass(time.Minute)
	hammer()
	resend := func(token string) reply {
		body := object{"request_id": got.text("request_id")}
		if token != "" {
			body["captcha_token"] = token
		}
		return owner.post(resendPath, body)
	}
	want(t, owner.working(resend(""), resend), http.StatusOK, "We sent a code to your mobile number.")
	if again := s.code(phone); again != first {
		t.Errorf("the living code %s was sent again as %s", first, again)
	}
	if n := len(s.ledger.sent("otp", "+91"+phone)) - sent; n != 2 {
		t.Errorf("%d SMS went to the owner, want 2", n)
	}
	want(t, owner.answers(phone, email, got.text("request_id"), first), http.StatusOK, "Your mobile number is verified.")
	owner.enrols(nil)

	// So does whoever signs in with the phone, in another browser.
	byPhone := s.browser().from("[2001:db8:2::1]:1")
	login := func(token string) reply {
		return byPhone.post("/login/code", object{"mobile_number": phone, "email": email, "fullname": "Asha Rao", "captcha_token": token})
	}
	code := byPhone.working(login("good sign-in"), login)
	want(t, code, http.StatusOK, "We sent a code to your mobile number.")
	want(t, byPhone.post("/login/token", object{"request_id": code.text("request_id"), "otp": s.code(phone)}), http.StatusOK, "You are signed in.")
}

func TestNobodyKeepsMailedCodesFromTheOwner(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		s := newSiteOn(t, databaseURL, limited, guarded)
		login := func(b *browser, token string) reply {
			return b.post("/login/code", object{"email": email, "captcha_token": token})
		}
		for i := range 3 {
			want(t, login(s.stranger(i), fmt.Sprintf("good %d", i)), http.StatusOK, "We sent a code to your e-mail.")
		}
		owner := s.browser().from("[2001:db8:1::1]:1")
		got := login(owner, "good owner")
		want(t, got, http.StatusTooManyRequests, "Many codes were sent to this e-mail. Please wait 10 minutes and try again.")
		want(t, login(owner, owner.token(got)), http.StatusOK, "We sent a code to your e-mail.")
	})
}

// The work is no way to bomb a number: a session gets one new code in ten minutes and five sends a day, a network ten.
func TestFurtherCodesAreFew(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		s := newSiteOn(t, databaseURL, limited, guarded)
		for i := range 3 {
			want(t, s.stranger(i).asksWith(phone, "x@example.com", fmt.Sprintf("good %d", i)), http.StatusOK, "We sent a code to your mobile number.")
		}
		login := func(b *browser, token string) reply {
			return b.post("/login/code", object{"mobile_number": phone, "captcha_token": token})
		}
		sends := 0
		for i := range 20 { // new sessions of one /48
			b := s.browser().from(fmt.Sprintf("[2001:db8:7:%x00::1]:1", i))
			got := login(b, fmt.Sprintf("good bomb %d", i))
			if got = b.working(got, func(token string) reply { return login(b, token) }); got.status == http.StatusOK {
				sends++
				continue
			}
			want(t, got, http.StatusTooManyRequests, fmt.Sprintf(numberBusy, "24 hours"))
			if got.steps() != 0 {
				t.Error("work is asked for, for nothing")
			}
		}
		if sends != 10 {
			t.Errorf("%d further codes through one network, want 10", sends)
		}

		b := s.stranger(20)
		want(t, b.asksWorking(phone, email, "good one"), http.StatusOK, "We sent a code to your mobile number.")
		s.clock.Pass(time.Minute)
		guardian := func(token string) reply { // another code, in the same session
			body := object{"purpose": "guardian", "email": email, "phone_number": "9123456780", "guardian_phone": phone, "scholarship_code": "KS_Mgrow"}
			if token != "" {
				body["captcha_token"] = token
			}
			return b.post(askPath, body)
		}
		want(t, guardian(""), http.StatusTooManyRequests, "Too many tries. Please wait 9 minutes and try again.")
		s.clock.Pass(9 * time.Minute)
		if n := len(s.ledger.sent("otp", "+91"+phone)); n != 14 {
			t.Errorf("%d SMS, want 14", n)
		}
	})
}
