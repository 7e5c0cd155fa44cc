package api_test

import (
	"fmt"
	"maps"
	"net/http"
	"testing"
	"time"

	"hiresure/admission/access"
	"hiresure/admission/business"
	"hiresure/api"
	"hiresure/store/storetest"
)

// What is stored for unverified visitors, and whose.

func TestResponseIsNotReplayedToAnotherCredential(t *testing.T) {
	s := newSite(t, guarded)
	knownOwner(s)
	body := object{"identifiers": object{"mobile_number": phone}}
	b := s.browser().with("Idempotency-Key", "k1")
	service := b.with("X-Client-Secret", "service-secret")
	first := service.post(existsPath, body)
	want(t, first, http.StatusOK, "This mobile number is known.")
	want(t, b.post(existsPath, body), http.StatusUnprocessableEntity, "Execute reCAPTCHA is not ready yet.")
	want(t, b.with("X-Client-Secret", "guess").post(existsPath, body), http.StatusUnauthorized, "The client secret is wrong.")
	want(t, b.with("Authorization", "Basic eDp5").post(existsPath, body), http.StatusUnprocessableEntity, "Execute reCAPTCHA is not ready yet.")
	want(t, b.with("Authorization", "Bearer x").post(existsPath, body), http.StatusUnauthorized, pleaseLogin)
	want(t, service.with("Authorization", "Bearer x").post(existsPath, body), http.StatusUnauthorized, pleaseLogin)
	want(t, service.with("Authorization", "Basic eDp5").from("203.0.113.5:1").post(existsPath, body), http.StatusOK, "This mobile number is known.")
	if again := service.post(existsPath, body); string(again.raw) != string(first.raw) {
		t.Errorf("the service itself got %s, want %s", again.raw, first.raw)
	}

	// One more credential makes another caller, with another answer.
	other := object{"identifiers": object{"mobile_number": "9876543219"}}
	want(t, service.post(existsPath, other), http.StatusUnprocessableEntity, "This Idempotency-Key was used for another request.")
	service = service.with("Idempotency-Key", "k2")
	want(t, service.post(existsPath, other), http.StatusOK, "You can continue with this mobile number.")
	person := s.browser().from("203.0.113.98:1")
	asked := person.asksWith("9876543219", "ravi@example.com", "good person")
	want(t, person.answers("9876543219", "ravi@example.com", asked.text("request_id"), s.code("9876543219")), http.StatusOK, "Your mobile number is verified.")
	person.enrols(object{"phone_number": "9876543219", "email": "ravi@example.com"})
	want(t, service.post(existsPath, other), http.StatusOK, "You can continue with this mobile number.")
	want(t, service.with("Authorization", "Basic eDp5").post(existsPath, other), http.StatusOK, "This mobile number is known.")

	rotated := newSiteOn(t, s.url, guarded, func(_ *business.Config, of *api.Config) { of.ServiceSecret = "another secret" })
	old := rotated.browser().with("Idempotency-Key", "k1").with("X-Client-Secret", "service-secret")
	want(t, old.post(existsPath, body), http.StatusUnauthorized, "The client secret is wrong.")
}

func TestStrangersFillNoTableWithKeys(t *testing.T) {
	s := newSite(t, limited, func(n *business.Config, _ *api.Config) { n.Human = &human{} })
	keys := 0
	keyed := func(b *browser) *browser {
		keys++
		return b.with("Idempotency-Key", fmt.Sprint(keys))
	}
	before := storetest.Rows(t, s.url)
	for range 400 {
		want(t, keyed(s.browser()).post(resendPath, object{}), http.StatusUnprocessableEntity, "Send either request_id or scholarship_requested_id.")
	}
	if after := storetest.Rows(t, s.url); !maps.Equal(before, after) {
		t.Errorf("400 refused calls have left rows: %v, before %v", after, before)
	}

	// Reading payments has no limit, because nothing is stored. An open one can be started any number of times.
	owner := s.browser().proves(phone, email)
	registration := owner.enrols(nil)
	txn := owner.starts(registration).text("transactionResponse", "txId")
	for range 301 {
		want(t, keyed(s.browser()).outcome(txn), http.StatusOK, "Your payment is being processed.")
	}
	for range 100 {
		if again := keyed(owner).starts(registration).text("transactionResponse", "txId"); again != txn {
			t.Fatalf("another payment was started: %s", again)
		}
	}
	over := keyed(owner).starts(registration)
	want(t, over, http.StatusTooManyRequests, "Too many tries. Please wait 60 minutes and try again.")
	if got := over.header.Get("Retry-After"); got != "3600" {
		t.Errorf("Retry-After %s", got)
	}
	if n := storetest.Rows(t, s.url)["idempotency_keys"]; n != 100 {
		t.Errorf("%d keys are kept, want 100", n)
	}
	want(t, keyed(owner).outcome(txn), http.StatusOK, "Your payment is being processed.")
}

// A refused call leaves nothing of the check that it passed, which it can bring again.
func TestRefusedCallKeepsItsHumanCheck(t *testing.T) {
	storetest.EachURL(t, onRefusedCallKeepsItsHumanCheck)
}

func onRefusedCallKeepsItsHumanCheck(t *testing.T, databaseURL string) {
	s := newSiteOn(t, databaseURL, guarded, limited)
	fill := func(buckets ...string) {
		if err := s.services.Access.Store.Update(t.Context(), func(tx access.Tx) error {
			for _, bucket := range buckets {
				for range 1000 {
					if err := tx.AddHit(bucket, s.clock.Now(), s.clock.Now().Add(24*time.Hour)); err != nil {
						return err
					}
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	for _, what := range []string{"code", "coupon", "referral", "lookup", "enquiry", "enquiry-day", "lead", "lead-day"} {
		fill(what + ":ip:198.51.100.7")
	}
	fill("code:day:+919876543210", "code:day:"+email)
	calls := map[string]func(b *browser, token string) reply{
		"a code": func(b *browser, token string) reply { return b.asksWith(phone, email, token) },
		"a code to sign in": func(b *browser, token string) reply {
			return b.post("/login/code", object{"email": email, "captcha_token": token})
		},
		"a coupon": func(b *browser, token string) reply {
			return b.post(couponPath, object{"coupon_code": "MGROW500", "captcha_token": token})
		},
		"a referral code": func(b *browser, token string) reply {
			return b.with("X-Captcha-Token", token).get(referralPath + "SETU2025")
		},
		"an enquiry": func(b *browser, token string) reply {
			return b.post(enquiryPath, enquiry(object{"captcha_token": token}))
		},
		"a beacon": func(b *browser, token string) reply {
			return b.post(leadPath, lead("9123456780", "l@example.com", token))
		},
	}
	before := storetest.Rows(t, databaseURL)
	for what, call := range calls {
		for range 10 {
			got := call(s.browser(), "good "+what) // the same token again
			if got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") == "" || got.header.Get("Set-Cookie") != "" {
				t.Fatalf("%s: %d, Retry-After %q, Set-Cookie %q, %s", what, got.status, got.header.Get("Retry-After"), got.header.Get("Set-Cookie"), got.raw)
			}
		}
	}
	if after := storetest.Rows(t, databaseURL); !maps.Equal(before, after) {
		t.Errorf("refused calls have left rows: %v, before %v", after, before)
	}
	for what, call := range calls { // elsewhere, or once there is room
		s.clock.Pass(25 * time.Hour)
		b := s.browser()
		if got := call(b, "good "+what); got.status >= 300 {
			t.Errorf("%s with the token of a refused call: %d %s", what, got.status, got.raw)
		}
		if got := call(s.browser(), "good "+what); got.status < 300 {
			t.Errorf("%s: the token counts twice", what)
		}
	}
}

func TestOneHumanCheckLeavesNoMoreThanTheLimitsAllow(t *testing.T) {
	storetest.EachURL(t, onOneHumanCheckLeavesNoMoreThanTheLimitsAllow)
}

func onOneHumanCheckLeavesNoMoreThanTheLimitsAllow(t *testing.T, databaseURL string) {
	s := newSiteOn(t, databaseURL, guarded, limited)
	knownOwner(s)
	before := storetest.Rows(t, databaseURL)
	b := s.browser().passes("good stranger")
	statuses := map[int]int{}
	for i := range 320 {
		address, phones := fmt.Sprintf("a%d@example.com", i), fmt.Sprintf("%03d00000", i) // each in another block
		for _, got := range []reply{
			b.post(leadPath, lead("98"+phones, address, "")),
			b.post(existsPath, object{"identifiers": object{"mobile_number": "97" + phones}}),
			b.post(phonePath, object{"email": email, "phone_number": "97" + phones, "scholarship_code": "KS_Mgrow"}),
			b.post(couponPath, object{"coupon_code": fmt.Sprint("GUESS", i)}),
			b.get(referralPath + fmt.Sprint("GUESS", i)),
			b.asks("96"+phones, email),
			b.post(enquiryPath, enquiry(object{"email": address})),
		} {
			statuses[got.status]++
		}
	}
	const leads, lookUps, coupons, referrals, codes, enquiries = 10, 5, 10, 10, 10, 10 // per hour, of one session
	want := maps.Clone(before)
	for table, more := range map[string]int{
		"sessions": 1, "spent": 1, "leads": leads, "enquiries": enquiries, "code_requests": codes,
		"consents": leads,
		"messages": codes + enquiries, "jobs": leads + codes + enquiries,
		"hits": 3*leads + 2*(lookUps+coupons+referrals) + 9*codes + 4*enquiries, // of session and address; a code also of its phone, its block, the network and the hour; a write also of the day
	} {
		want[table] += more
	}
	after := storetest.Rows(t, databaseURL)
	for table := range after {
		if after[table] != want[table] {
			t.Errorf("%s: %d rows, want %d", table, after[table], want[table])
		}
	}
	if statuses[http.StatusTooManyRequests] != 7*320-leads-lookUps-coupons-(referrals-1)-codes-enquiries { // the human check took one referral
		t.Errorf("2,240 calls are answered %v", statuses)
	}
}
