package api_test

import (
	"fmt"
	"net/http"
	"testing"

	"hiresure/store/storetest"
)

// Whoever passed the human check could list known phones: 50 an hour from an address, any number through a /48.
func TestLookUpsTellStrangersOfNoPhone(t *testing.T) {
	storetest.EachURLIfLong(t, func(t *testing.T, databaseURL string) {
		s := newSiteOn(t, databaseURL, guarded, limited)
		knownOwner(s)
		for _, path := range []string{existsPath, phonePath} {
			ask := func(b *browser, phone, token string) reply {
				body := object{"identifiers": object{"mobile_number": phone}}
				if path == phonePath {
					body = object{"email": email, "phone_number": phone, "scholarship_code": "KS_Mgrow"}
				}
				if token != "" {
					body["captcha_token"] = token
				}
				return b.post(path, body)
			}
			for i := range 40 { // another browser in another /48 each time
				b := s.browser().from(fmt.Sprintf("[2001:db8:%x::1]:1", i))
				known, unknown := ask(b, phone, fmt.Sprintf("good %s %d", path, i)), ask(b, "9123456780", "")
				if string(known.raw) != string(unknown.raw) || known.status != http.StatusOK || known.message() != "You can continue with this mobile number." {
					t.Fatalf("a known phone answers %s, an unknown one %s", known.raw, unknown.raw)
				}
			}
			service := s.browser().with("X-Client-Secret", "service-secret")
			if known, unknown := ask(service, phone, ""), ask(service, "9123456780", ""); string(known.raw) == string(unknown.raw) {
				t.Errorf("a service is told %s of both", known.raw)
			}
		}
		neighbours := 0 // one /48, however many of its /64
		for i := range 400 {
			b := s.browser().from(fmt.Sprintf("[2001:db8:ffff:%x::1]:1", i))
			if got := b.post(existsPath, object{"identifiers": object{"mobile_number": phone}, "captcha_token": fmt.Sprint("good one ", i)}); got.status == http.StatusOK {
				neighbours++
			}
		}
		if neighbours != 200 {
			t.Errorf("%d look-ups through one network, want 200", neighbours)
		}
	})
}
