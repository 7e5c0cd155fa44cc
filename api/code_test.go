package api_test

import (
	"net/http"
	"testing"
	"time"

	"hiresure/store/storetest"
)

func TestCodeDiesAfterFiveWrongTries(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	id := b.asks(phone, email).text("request_id")
	for range 4 {
		want(t, b.answers(phone, email, id, wrong(s.code(phone))), http.StatusUnprocessableEntity, "Invalid OTP")
	}
	want(t, b.answers(phone, email, id, wrong(s.code(phone))), http.StatusUnprocessableEntity, "5 wrong tries: this OTP has ended. Please ask for a new one.")
	dead := b.answers(phone, email, id, s.code(phone))
	want(t, dead, http.StatusTooManyRequests, "5 wrong tries: this OTP has ended. Please ask for a new one.")
	if after := dead.header.Get("Retry-After"); after != "60" {
		t.Errorf("Retry-After %q", after)
	}
	s.clock.Pass(time.Minute)
	want(t, b.post(resendPath, object{"request_id": id}), http.StatusOK, "We sent a code to your mobile number.")
	if codes := s.ledger.sent("otp", "+91"+phone); codes[0].Params["Code"] == codes[1].Params["Code"] {
		t.Error("a dead code was sent again")
	}
	want(t, b.answers(phone, email, id, s.code(phone)), http.StatusOK, "Your mobile number is verified.")
}

func TestGuessesInParallelGetFiveTries(t *testing.T) {
	storetest.EachURL(t, onGuessesInParallelGetFiveTries)
}

func onGuessesInParallelGetFiveTries(t *testing.T, databaseURL string) {
	s := newSiteOn(t, databaseURL)
	b := s.browser()
	id := b.asks(phone, email).text("request_id")
	bad := wrong(s.code(phone))
	_, statuses := atOnce(50, func(int) reply { return b.twin().answers(phone, email, id, bad) })
	if statuses[422] != 5 || statuses[429] != 45 {
		t.Errorf("statuses %v, want 5 of 422 and 45 of 429", statuses)
	}
}

func TestCodeWorksOnceInFiftyParallelTries(t *testing.T) {
	storetest.EachURL(t, onCodeWorksOnceInFiftyParallelTries)
}

func onCodeWorksOnceInFiftyParallelTries(t *testing.T, databaseURL string) {
	s := newSiteOn(t, databaseURL)
	b := s.browser()
	id := b.asks(phone, email).text("request_id")
	code := s.code(phone)
	_, statuses := atOnce(50, func(int) reply { return b.twin().answers(phone, email, id, code) })
	if statuses[200] != 1 || statuses[422] != 49 {
		t.Errorf("statuses %v, want one 200 and 49 of 422", statuses)
	}
}

func TestCodeIsBound(t *testing.T) {
	const other, otherEmail = "9876543211", "ravi@example.com"
	for title, try := range map[string]func(b *browser, idA, idB string) reply{
		"to its request": func(b *browser, _, idB string) reply { return b.answers(phone, email, idB, b.code(phone)) },
		"to its phone":   func(b *browser, idA, _ string) reply { return b.answers(other, email, idA, b.code(phone)) },
		"to its e-mail":  func(b *browser, idA, _ string) reply { return b.answers(phone, otherEmail, idA, b.code(phone)) },
		"to its session": func(b *browser, idA, _ string) reply {
			return b.site.browser().answers(phone, email, idA, b.code(phone))
		},
		"to another's own": func(b *browser, _, _ string) reply { return b.answers(other, otherEmail, "", b.code(phone)) },
		"to its programme": func(b *browser, idA, _ string) reply {
			return b.post(verifyPath, object{"email": email, "phone_number": phone, "phone_otp": b.code(phone), "scholarship_code": "KS_Campus", "request_id": idA})
		},
		"to its purpose": func(b *browser, idA, _ string) reply {
			return b.post(verifyPath, object{"phone_number": phone, "phone_otp": b.code(phone), "request_id": idA, "purpose": "guardian"})
		},
	} {
		t.Run(title, func(t *testing.T) {
			s := newSite(t)
			b := s.browser()
			idA := b.asks(phone, email).text("request_id")
			idB := b.asks(other, otherEmail).text("request_id")
			want(t, try(b, idA, idB), http.StatusUnprocessableEntity, "Invalid OTP")
			refused := b.post(enrolPath, enrolment(nil))
			want(t, refused, http.StatusUnprocessableEntity, "Please verify the OTP.")
		})
	}
}

func TestCodeIgnoresInvisibleCharacters(t *testing.T) {
	const markedPhone, markedEmail = "\u202a" + phone + "\u202c", "asha\u200b@example.com"
	for typed, marked := range map[string]func(code string) string{
		"with marks around":  func(code string) string { return "\u200e" + code + "\u200b" },
		"with a fixed space": func(code string) string { return code[:3] + "\u00a0" + code[3:] },
		"with a hyphen":      func(code string) string { return code[:3] + "\u2011" + code[3:] },
	} {
		s := newSite(t)
		b := s.browser()
		id := b.asks(markedPhone, markedEmail).text("request_id")
		if got := b.answers(markedPhone, markedEmail, id, marked(s.code(phone))); got.status != http.StatusOK {
			t.Errorf("%s: %d %q", typed, got.status, got.message())
		}
	}
}

func TestCodeReturnsThePhonesEnrolment(t *testing.T) {
	s := newSite(t)
	first := s.browser().proves(phone, email)
	id := first.enrols(nil)
	for _, typed := range []string{email, "kiran@example.com"} { // also to another user of that phone
		s.clock.Pass(time.Minute)
		b := s.browser()
		asked := b.asks(phone, typed).text("request_id")
		got := b.answers(phone, typed, asked, s.code(phone))
		want(t, got, http.StatusOK, "Your mobile number is verified.")
		if got.text("scholarship_requested_id") != id || got.text("fullname") != "Asha Rao" || got.text("email") != email {
			t.Errorf("%s: %s", typed, got.raw)
		}
	}
	other := s.browser()
	asked := other.asks("9876543211", "kiran@example.com").text("request_id")
	got := other.answers("9876543211", "kiran@example.com", asked, s.code("9876543211"))
	for _, field := range []string{"scholarship_requested_id", "fullname", "email"} {
		if _, tells := got.body[field]; tells {
			t.Errorf("a number that has not enrolled: %s", got.raw)
		}
	}
}

func TestCodeExpiresAfterTenMinutes(t *testing.T) {
	for wait, status := range map[time.Duration]int{10*time.Minute - time.Second: http.StatusOK, 10*time.Minute + time.Second: http.StatusUnprocessableEntity} {
		s := newSite(t)
		b := s.browser()
		id := b.asks(phone, email).text("request_id")
		s.clock.Pass(wait)
		if got := b.answers(phone, email, id, s.code(phone)); got.status != status {
			t.Errorf("after %s: %d %q, want %d", wait, got.status, got.message(), status)
		}
	}
}

func TestResendWaitsAMinute(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	id := b.asks(phone, email).text("request_id")
	s.clock.Pass(59 * time.Second)
	for title, again := range map[string]reply{
		"resend": b.post(resendPath, object{"request_id": id}), "a new request": b.asks(phone, email), "a new session": s.browser().asks(phone, email),
	} {
		if again.status != http.StatusTooManyRequests || again.header.Get("Retry-After") != "1" || again.message() != "A code went to this number a moment ago. Please wait 1 second and try again." {
			t.Errorf("%s at 59 s: %d %q, Retry-After %q", title, again.status, again.message(), again.header.Get("Retry-After"))
		}
	}
	s.clock.Pass(time.Second)
	_, statuses := atOnce(20, func(int) reply { return b.twin().post(resendPath, object{"request_id": id}) })
	codes := s.ledger.sent("otp", "+91"+phone)
	if statuses[200] != 1 || statuses[429] != 19 || len(codes) != 2 {
		t.Errorf("statuses %v and %d messages, want one 200 and 2 messages", statuses, len(codes))
	}
	if len(codes) == 2 && codes[0].Params["Code"] != codes[1].Params["Code"] {
		t.Error("the code changed while it lived")
	}
}
