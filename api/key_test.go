package api_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hiresure/store/storetest"
)

func TestSameKeyHappensOnce(t *testing.T) { storetest.EachURL(t, onSameKeyHappensOnce) }

func onSameKeyHappensOnce(t *testing.T, databaseURL string) {
	s := newSiteOn(t, databaseURL)
	b := s.browser().proves(phone, email)
	id := b.enrols(nil)
	for title, call := range map[string]func(b *browser) reply{
		"enquiry": func(b *browser) reply { return b.post(enquiryPath, enquiry(nil)) },
		"payment": func(b *browser) reply { return b.starts(id) },
	} {
		t.Run(title, func(t *testing.T) {
			before := s.ledger.written()
			var done atomic.Pointer[reply]
			replies, statuses := atOnce(50, func(int) reply {
				got := call(b.twin().with("Idempotency-Key", title))
				if got.status == http.StatusOK {
					done.Store(&got)
				}
				return got
			})
			if statuses[200] < 1 || statuses[200]+statuses[409] != 50 {
				t.Fatalf("statuses %v", statuses)
			}
			first := done.Load()
			for _, r := range replies {
				if r.status == http.StatusOK && string(r.raw) != string(first.raw) {
					t.Errorf("two answers:\n%s%s", first.raw, r.raw)
				}
				if r.status == http.StatusConflict && (r.message() != "This request is being worked on. Please try again in 60 seconds." || r.header.Get("Retry-After") != "60") {
					t.Errorf("got %s", r.raw)
				}
			}
			for what, n := range s.ledger.written() {
				if n -= before[what]; n > 1 && what != "transaction change" {
					t.Errorf("%d of %s written", n, what)
				}
			}
			s.clock.Pass(24*time.Hour - time.Minute)
			if again := call(b.with("Idempotency-Key", title)); string(again.raw) != string(first.raw) {
				t.Errorf("a day later:\n%s%s", first.raw, again.raw)
			}
		})
	}
}

// A retry after a server's death gets the time at which the key is free.
func TestKeyOfAServerThatDied(t *testing.T) { storetest.EachURL(t, onKeyOfAServerThatDied) }

func onKeyOfAServerThatDied(t *testing.T, databaseURL string) {
	s := newSiteOn(t, databaseURL)
	b := s.browser().with("Idempotency-Key", "k1")
	want(t, b.post(enquiryPath, enquiry(nil)), http.StatusOK, "Request successfully submitted.")
	if _, err := storetest.SQL(t, databaseURL).Exec("UPDATE idempotency_keys SET done = FALSE"); err != nil { // only its claim is left
		t.Fatal(err)
	}
	for _, row := range []struct {
		pass                time.Duration
		retryAfter, message string
	}{
		{12 * time.Second, "48", "This request is being worked on. Please try again in 48 seconds."},
		{47*time.Second + time.Millisecond, "1", "This request is being worked on. Please try again in 1 second."},
		{900 * time.Millisecond, "1", "This request is being worked on. Please try again in 1 second."},
	} {
		s.clock.Pass(row.pass)
		again := b.post(enquiryPath, enquiry(nil))
		want(t, again, http.StatusConflict, row.message)
		if got := again.header.Get("Retry-After"); got != row.retryAfter {
			t.Errorf("Retry-After %s, want %s", got, row.retryAfter)
		}
	}
	s.clock.Pass(time.Second)
	want(t, b.post(enquiryPath, enquiry(nil)), http.StatusOK, "Request successfully submitted.")
}

func TestKeyBelongsToItsBodyCallAndSession(t *testing.T) {
	s := newSite(t)
	b := s.browser().with("Idempotency-Key", "k1")
	first := b.post(enquiryPath, enquiry(nil))
	want(t, b.post(enquiryPath, enquiry(object{"description": "more"})), http.StatusUnprocessableEntity, "This Idempotency-Key was used for another request.")
	other := b.from("203.0.113.77:1").post(enquiryPath, enquiry(nil))
	if other.status != http.StatusOK || string(other.raw) == string(first.raw) {
		t.Errorf("a stranger with the same key got %d %s", other.status, other.raw)
	}
	want(t, b.post(couponPath, object{"coupon_code": "MGROW500"}), http.StatusOK, "Coupon applied.")
	s.clock.Pass(24*time.Hour + time.Minute)
	if again := b.post(enquiryPath, enquiry(nil)); string(again.raw) == string(first.raw) {
		t.Error("the key still counts after 24 hours")
	}
	want(t, b.with("Idempotency-Key", strings.Repeat("k", 256)).post(enquiryPath, enquiry(nil)), http.StatusUnprocessableEntity,
		"Idempotency-Key must be 1 to 255 visible characters.")
}

func TestKeyOfACallThatOpensASession(t *testing.T) {
	s := newSite(t)
	b := s.browser().with("Idempotency-Key", "k1")
	first := b.asks(phone, email)
	want(t, first, http.StatusOK, "We sent a code to your mobile number.")
	if again := b.asks(phone, email); string(again.raw) != string(first.raw) {
		t.Errorf("the same browser got another answer: %s", again.raw)
	}
	lost := s.browser().with("Idempotency-Key", "k1")
	if again := lost.asks(phone, email); again.status != http.StatusOK || string(again.raw) != string(first.raw) {
		t.Errorf("a retry without the cookie of the lost answer got %d %s", again.status, again.raw)
	}
	want(t, lost.asks(phone, "other@example.com"), http.StatusUnprocessableEntity, "This Idempotency-Key was used for another request.")
	for title, stranger := range map[string]*browser{
		"at another address":                  s.browser().with("Idempotency-Key", "k1").from("203.0.113.77:1"),
		"at the same address, of another key": s.browser().with("Idempotency-Key", "k2"),
	} {
		if got := stranger.asks(phone, email); got.status != http.StatusTooManyRequests {
			t.Errorf("a stranger %s got %d %s", title, got.status, got.raw)
		}
	}
	if n := len(s.ledger.sent("otp", "+91"+phone)); n != 1 {
		t.Errorf("%d codes sent", n)
	}
}

func TestAnswersThatMayChangeAreNotKept(t *testing.T) {
	s := newSite(t)
	b := s.browser().proves(phone, email).with("Idempotency-Key", "k1")
	body := object{"email": "b@example.com", "phone_number": "9876543211", "scholarship_code": "KS_Mgrow"}
	s.browser().asks("9876543211", "b@example.com")
	limited := b.post(askPath, body)
	if limited.status != http.StatusTooManyRequests {
		t.Fatalf("got %d", limited.status)
	}
	wait, err := strconv.Atoi(limited.header.Get("Retry-After"))
	if err != nil {
		t.Fatal(err)
	}
	s.clock.Pass(time.Duration(wait) * time.Second)
	want(t, b.post(askPath, body), http.StatusOK, "We sent a code to your mobile number.")
}
