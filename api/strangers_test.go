package api_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/store/storetest"
)

// What an unverified visitor can do and learn.

func lead(phone, email, token string) object {
	body := object{"fullname": "Asha Rao", "email": email, "phone_number": phone, "scholarship_code": "KS_Mgrow", "consents": []string{"reminders"}}
	if token != "" {
		body["captcha_token"] = token
	}
	return body
}

func TestBeaconRevealsNothingAndIsLimited(t *testing.T) {
	storetest.EachURL(t, onBeaconRevealsNothingAndIsLimited)
}

func onBeaconRevealsNothingAndIsLimited(t *testing.T, databaseURL string) {
	s := newSiteOn(t, databaseURL, guarded, limited)
	owner := s.browser().from("203.0.113.1:1")
	asked := owner.asksWith(phone, email, "good owner")
	want(t, owner.answers(phone, email, asked.text("request_id"), s.code(phone)), http.StatusOK, "Your mobile number is verified.")
	owner.enrols(nil)

	stranger := s.browser()
	before := storetest.Rows(t, databaseURL)
	for title, body := range map[string]object{"no token": lead(phone, email, ""), "junk": lead(phone, email, "junk")} {
		got := stranger.post(leadPath, body)
		if got.status != http.StatusUnprocessableEntity || got.errors()["captcha_token"] == "" {
			t.Errorf("%s: %d %s", title, got.status, got.raw)
		}
	}
	if after := storetest.Rows(t, databaseURL); !maps.Equal(before, after) {
		t.Errorf("refused beacons have left rows: %v, before %v", after, before)
	}

	const kept = "kept@example.com"
	answer := func(got reply) string {
		return fmt.Sprintf("%d %q %v", got.status, got.raw, got.header.Get("Retry-After"))
	}
	first := stranger.post(leadPath, lead("9876500000", kept, "good stranger"))
	if first.status != http.StatusNoContent {
		t.Fatalf("a beacon with a good token: %s", answer(first))
	}
	for i := 1; i < 200; i++ { // 20 an hour, ten times as many after a human check: each counts, whatever its result
		token := ""
		if i%10 == 0 { // a session has a limit of ten
			stranger, token = s.browser(), fmt.Sprint("good stranger ", i)
		}
		body := []object{lead("9876500000", kept, token), lead(phone, email, token), lead(fmt.Sprintf("98765%05d", i), fmt.Sprintf("a%d@example.com", i), token)}[i%3]
		if got := stranger.post(leadPath, body); answer(got) != answer(first) {
			t.Fatalf("beacon %d: %s, want %s", i+1, answer(got), answer(first))
		}
	}
	stranger = s.browser().passes("good stranger of a full address")
	for _, body := range []object{lead(phone, email, ""), lead("9876500000", kept, ""), lead("9876599999", "new@example.com", "")} {
		want(t, stranger.post(leadPath, body), http.StatusTooManyRequests, "Many requests came from your network. Please wait 60 minutes and try again.")
	}
	if n := storetest.Rows(t, databaseURL)["leads"]; n != 68 {
		t.Errorf("%d leads, want one for each e-mail: 68", n)
	}
}

func TestManyEmailLookUpsRevealNothing(t *testing.T) {
	s := newSite(t, guarded, limited)
	owner := s.browser().from("203.0.113.1:1")
	asked := owner.asksWith(phone, email, "good owner")
	want(t, owner.answers(phone, email, asked.text("request_id"), s.code(phone)), http.StatusOK, "Your mobile number is verified.")
	owner.pays(owner.enrols(nil))

	stranger := s.browser()
	want(t, stranger.asksWith("9123456780", "first@example.com", "good stranger"), http.StatusOK, "We sent a code to your mobile number.")
	before := storetest.Rows(t, s.url)
	for i := range 600 {
		address := email
		if i%2 == 1 {
			address = fmt.Sprintf("a%d@example.com", i)
		}
		want(t, stranger.asks("9123456780", address), http.StatusTooManyRequests, "A code went to this number a moment ago. Please wait 60 seconds and try again.")
	}
	if n := len(s.ledger.sent("otp", "+919123456780")); n != 1 {
		t.Errorf("%d SMS sent, want 1", n)
	}
	if after := storetest.Rows(t, s.url); !maps.Equal(before, after) {
		t.Errorf("600 refused asks have left rows: %v, before %v", after, before)
	}

	// The phone check concerns the phone. Only a verified phone learns whose e-mail it is.
	check := func(phone, address string) reply {
		return stranger.post(phonePath, object{"email": address, "phone_number": phone, "scholarship_code": "KS_Mgrow"})
	}
	want(t, check("9123456780", email), http.StatusOK, "You can continue with this mobile number.")
	want(t, check(phone, "other@example.com"), http.StatusOK, "You can continue with this mobile number.")
	s.clock.Pass(61e9)
	again := stranger.asks("9123456780", email)
	want(t, stranger.answers("9123456780", email, again.text("request_id"), s.code("9123456780")), http.StatusOK, "Your mobile number is verified.")
	want(t, check("9123456780", email), http.StatusConflict, "This email is already in use. Please try another.")
	want(t, check("9123456781", email), http.StatusOK, "You can continue with this mobile number.")
}

func TestEveryLookUpIsLimited(t *testing.T) {
	for title, c := range map[string]struct {
		most int
		call func(b *browser) reply
	}{
		"a known phone, by its existence": {5, func(b *browser) reply {
			return b.post(existsPath, object{"identifiers": object{"mobile_number": phone}})
		}},
		"a known phone, for an event": {5, func(b *browser) reply {
			return b.post(phonePath, object{"email": email, "phone_number": phone, "scholarship_code": "KS_Mgrow"})
		}},
		"a right referral code":                   {10, func(b *browser) reply { return b.get(referralPath + "SETU2025") }},
		"a right coupon, of no session in common": {10, func(b *browser) reply { return b.post(couponPath, object{"coupon_code": "MGROW500"}) }},
	} {
		for pass, times := range map[string]int{"": 1, "good": 10} {
			t.Run(title+" "+pass, func(t *testing.T) {
				settings := []setting{limited}
				if pass != "" {
					settings = append(settings, guarded)
				}
				s := newSite(t, settings...)
				knownOwner(s)
				calls, most := 0, c.most*times
				for ; calls <= most; calls++ {
					b := s.browser() // another one each time, at the same address
					if pass != "" {
						b.passes(pass + fmt.Sprint(calls))
					}
					if got := c.call(b); got.status == http.StatusTooManyRequests {
						break
					}
				}
				if calls != most {
					t.Errorf("call %d is refused, want %d to be answered", calls+1, most)
				}
			})
		}
	}
}

// knownOwner has a registration, in another browser.
func knownOwner(s *site) {
	s.t.Helper()
	b := s.browser().from("203.0.113.99:1")
	asked := b.asksWith(phone, email, "good owner")
	want(s.t, b.answers(phone, email, asked.text("request_id"), s.code(phone)), http.StatusOK, "Your mobile number is verified.")
	b.enrols(nil)
}

// passes passes the human check with the look-up of a referral code, from another address so that it counts for this session only.
func (b *browser) passes(token string) *browser {
	b.t.Helper()
	b.solved++
	other := b.from(fmt.Sprintf("192.0.%d.%d:1", b.solved/250, b.solved%250))
	if got := other.with("X-Captcha-Token", token).get(referralPath + "SETU2025"); got.status != http.StatusOK {
		b.t.Fatalf("passing the human check: %d %s", got.status, got.raw)
	}
	return b
}

func TestStrangersCodeRequestBlocksNobody(t *testing.T) {
	storetest.EachURL(t, onAStrangersCodeHoldsUpNobody)
}

func onAStrangersCodeHoldsUpNobody(t *testing.T, databaseURL string) {
	s := newSiteOn(t, databaseURL, guarded, limited)
	stranger, owner := s.browser(), s.browser().from("203.0.113.1:1")
	want(t, stranger.asksWith(phone, "x@example.com", "good stranger"), http.StatusOK, "We sent a code to your mobile number.")
	asked := owner.asksWith(phone, email, "good owner")
	want(t, asked, http.StatusOK, "We sent a code to your mobile number.")
	for title, again := range map[string]reply{
		"the stranger": stranger.asks(phone, "x@example.com"), "the owner": owner.asks(phone, email),
		"the owner's resend": owner.post(resendPath, object{"request_id": asked.text("request_id")}),
	} {
		if again.status != http.StatusTooManyRequests || again.header.Get("Retry-After") != "60" {
			t.Errorf("%s asks again at once: %d, Retry-After %s", title, again.status, again.header.Get("Retry-After"))
		}
	}
	if n := len(s.ledger.sent("otp", "+91"+phone)); n != 2 {
		t.Errorf("%d SMS sent, want 2", n)
	}
	third := s.browser().from("203.0.113.2:1").asksWith(phone, "y@example.com", "good third")
	want(t, third, http.StatusOK, "We sent a code to your mobile number.")
	want(t, s.browser().from("203.0.113.3:1").asksWith(phone, "z@example.com", "good fourth"), http.StatusTooManyRequests, "Many codes were sent to this number. Please wait 10 minutes and try again.")

	// The owner's code belongs to the owner's request; the stranger's is useless.
	codes := s.ledger.sent("otp", "+91"+phone)
	want(t, owner.answers(phone, email, asked.text("request_id"), codes[1].Params["Code"]), http.StatusOK, "Your mobile number is verified.")
	for range 7 { // 3 were sent
		s.clock.Pass(11 * 60e9)
		b := s.browser()
		want(t, b.asksWith(phone, email, "good "+admission.NewID()), http.StatusOK, "We sent a code to your mobile number.")
	}
	s.clock.Pass(11 * 60e9)
	if got := s.browser().asksWith(phone, email, "good last"); got.status != http.StatusTooManyRequests {
		t.Errorf("the eleventh code of a day: %d", got.status)
	}
}

func TestSharedAddressStaysUsable(t *testing.T) {
	storetest.EachURLIfLong(t, onACampusBehindOneAddressGoesOn)
}

func onACampusBehindOneAddressGoesOn(t *testing.T, databaseURL string) {
	s := newSiteOn(t, databaseURL, guarded, limited)
	holder := s.browser().from("203.0.113.1:1")
	asked := holder.asksWith("9000000001", "taken@example.com", "good holder")
	want(t, holder.answers("9000000001", "taken@example.com", asked.text("request_id"), s.code("9000000001")), http.StatusOK, "Your mobile number is verified.")
	holder.pays(holder.enrols(object{"phone_number": "9000000001", "email": "taken@example.com"}))

	proves := func(b *browser, phone, email, token string) {
		t.Helper()
		asked := b.asksWith(phone, email, token)
		want(t, asked, http.StatusOK, "We sent a code to your mobile number.")
		want(t, b.answers(phone, email, asked.text("request_id"), s.code(phone)), http.StatusOK, "Your mobile number is verified.")
	}
	student, attacker, newcomer := s.browser(), s.browser(), s.browser()
	proves(student, phone, email, "good student")
	proves(attacker, "9123456780", "attacker@example.com", "good attacker")
	statuses := map[int]int{}
	for i := range 100 {
		switch i % 4 {
		case 0:
			statuses[attacker.post(enrolPath, enrolment(object{"phone_number": "9123456780", "email": "taken@example.com"})).status]++
		case 1:
			statuses[attacker.post(enrolPath, enrolment(object{"phone_number": "9123456780", "email": "attacker@example.com", "coupon_code": fmt.Sprintf("GUESS%d", i)})).status]++
		case 2:
			statuses[attacker.post(couponPath, object{"coupon_code": fmt.Sprintf("GUESS%d", i)}).status]++
		case 3:
			statuses[attacker.asks(fmt.Sprintf("91234%05d", i), "taken@example.com").status]++
		}
	}
	if statuses[http.StatusTooManyRequests] < 40 {
		t.Errorf("100 asks of one attacker are answered %v", statuses)
	}
	student.enrols(nil)
	want(t, student.post(couponPath, object{"coupon_code": "MGROW500"}), http.StatusOK, "Coupon applied.")
	guardian := student.post(askPath, object{"purpose": "guardian", "email": email, "phone_number": phone, "guardian_phone": "9876543212", "scholarship_code": "KS_Mgrow"})
	want(t, guardian, http.StatusOK, "We sent a code to your mobile number.")
	proves(newcomer, "9876543213", "newcomer@example.com", "good newcomer")
	newcomer.enrols(object{"phone_number": "9876543213", "email": "newcomer@example.com"})

	// What many unverified visitors use up at an address limits only such visitors.
	for i := range 100 {
		want(t, s.browser().passes(fmt.Sprintf("good guess %d", i)).post(couponPath, object{"coupon_code": fmt.Sprintf("GUESS%d", i)}), http.StatusUnprocessableEntity, "Invalid coupon code. Please check and try again.")
	}
	hour := "Many requests came from your network. Please wait 60 minutes and try again."
	want(t, s.browser().passes("good guess").post(couponPath, object{"coupon_code": "MGROW500"}), http.StatusTooManyRequests, hour)
	want(t, student.post(couponPath, object{"coupon_code": "TENPART"}), http.StatusOK, "Coupon applied.")
	for i := range 300 { // some of the attacker's and the newcomers' among them
		s.browser().asksWith(fmt.Sprintf("9%03d54%04d", i, i), fmt.Sprintf("p%d@example.com", i), fmt.Sprintf("good ask %d", i))
	}
	late := s.browser()
	want(t, late.asksWith("9876543214", "late@example.com", "good late"), http.StatusTooManyRequests, hour)
	want(t, late.asksWorking("9876543214", "late@example.com", "good late"), http.StatusOK, "We sent a code to your mobile number.")
	want(t, late.answers("9876543214", "late@example.com", "", s.code("9876543214")), http.StatusOK, "Your mobile number is verified.")
	want(t, student.post(askPath, object{"purpose": "guardian", "email": email, "phone_number": phone, "guardian_phone": "9876543215", "scholarship_code": "KS_Mgrow"}), http.StatusOK, "We sent a code to your mobile number.")
}

func TestOnePhoneInManySessionsIsOnePerson(t *testing.T) {
	storetest.EachURL(t, onOnePhoneInManySessionsIsOnePerson)
}

func onOnePhoneInManySessionsIsOnePerson(t *testing.T, databaseURL string) {
	s := newSiteOn(t, databaseURL, limited)
	var sessions []*browser
	for i := range 4 {
		sessions = append(sessions, s.browser().from(fmt.Sprintf("203.0.113.%d:1", i)).proves(phone, email))
		s.clock.Pass(11 * time.Minute)
	}
	s.clock.Pass(time.Hour)
	let := func(call func(b *browser, i int) reply) (passed int) {
		for i := range 40 {
			if call(sessions[i%len(sessions)], i).status != http.StatusTooManyRequests {
				passed++
			}
		}
		return passed
	}
	if n := let(func(b *browser, i int) reply {
		return b.post(phonePath, object{"email": email, "phone_number": fmt.Sprintf("912345%04d", i), "scholarship_code": "KS_Mgrow"})
	}); n != 5 {
		t.Errorf("%d look-ups in an hour, want 5", n)
	}
	if n := let(func(b *browser, i int) reply { return b.asks(fmt.Sprintf("9%03d543210", i), email) }); n != 30 {
		t.Errorf("%d codes in an hour, want 30", n)
	}
	want(t, s.browser().proves("9876543211", "ravi@example.com").post(phonePath, object{"email": email, "phone_number": "9123450000", "scholarship_code": "KS_Mgrow"}),
		http.StatusOK, "You can continue with this mobile number.")
}

func TestRequestForAnotherPersonsRecordIsLogged(t *testing.T) {
	s := newSite(t)
	id := s.browser().proves(phone, email).enrols(nil)
	thief := s.browser().proves("9876543211", "ravi@example.com")
	for path, call := range map[string]func() reply{
		startPath:  func() reply { return thief.starts(id) },
		resendPath: func() reply { return thief.post(resendPath, object{"request_id": id}) },
		reopenPath: func() reply {
			other := s.browser()
			asked := other.asks("9876543213", "x@example.com")
			if asked.status != http.StatusOK {
				return asked
			}
			return other.post(reopenPath, object{"scholarship_requested_id": id, "phone_otp": s.code("9876543213")})
		},
	} {
		s.logs.Reset()
		if got := call(); got.status != http.StatusNotFound {
			t.Fatalf("%s: %d %s", path, got.status, got.raw)
		}
		line := `"route":"` + path + `","id":"` + id[:8] + `…","session":"`
		if logs := s.logs.String(); strings.Count(logs, "access to another visitor's record denied") != 1 || !strings.Contains(logs, line) || strings.Contains(logs, id) {
			t.Errorf("%s: want once %s in\n%s", path, line, logs)
		}
	}
	s.logs.Reset()
	thief.starts("none")
	if strings.Contains(s.logs.String(), "another's") {
		t.Errorf("what is no id is logged: %s", s.logs.String())
	}
}
