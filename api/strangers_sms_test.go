package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"hiresure/admission/business"
	"hiresure/api"
	"hiresure/store/storetest"
)

const blockAlert = "verification codes for one block of phone numbers need a human check"

// inBlock requests a code for a number in a block, from a new browser at another address.
func inBlock(s *site, i int, token string) (*browser, reply) {
	b := s.browser().from(fmt.Sprintf("203.0.%d.%d:1000", 113+i/250, i%250))
	return b, b.asksWith(fmt.Sprintf("987654%04d", i+1000), fmt.Sprintf("a%d@example.com", i), token)
}

func TestPumpingThroughOneBlockOfNumbersIsCapped(t *testing.T) {
	var alerts []string
	s := newSite(t, limited, alerting(&alerts))
	refused := 0
	for i := range 80 {
		if _, got := inBlock(s, i, ""); got.status == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused != 30 {
		t.Errorf("%d of 80 refused, want 30", refused)
	}
	if !slices.Equal(alerts, []string{blockAlert}) {
		t.Errorf("people are told %q, want it once", alerts)
	}
	s.clock.Pass(3600e9)
	for i := range 80 {
		inBlock(s, i+80, "")
	}
	if !slices.Equal(alerts, []string{blockAlert, blockAlert}) {
		t.Errorf("an hour later people have been told %q, want it twice", alerts)
	}
}

func TestLimitedNumberBlockAllowsPassedHumanCheck(t *testing.T) {
	storetest.EachURL(t, onABlockIsLockedForNobodyWhoPassesTheHumanCheck)
}

func onABlockIsLockedForNobodyWhoPassesTheHumanCheck(t *testing.T, databaseURL string) {
	var alerts []string
	s := newSiteOn(t, databaseURL, limited, guarded, alerting(&alerts))
	for i := range 50 {
		_, got := inBlock(s, i, fmt.Sprintf("good %d", i))
		want(t, got, http.StatusOK, "We sent a code to your mobile number.")
	}
	// From here on each code costs a human check, and nothing else changes.
	b, first := inBlock(s, 50, "good 50")
	want(t, first, http.StatusOK, "We sent a code to your mobile number.")
	want(t, b.asks("9876549999", "b@example.com"), http.StatusUnprocessableEntity, "Execute reCAPTCHA is not ready yet.")
	want(t, b.asksWith("9876549999", "b@example.com", "good again"), http.StatusOK, "We sent a code to your mobile number.")
	want(t, b.answers("9876541050", "a50@example.com", first.text("request_id"), s.code("9876541050")), http.StatusOK, "Your mobile number is verified.")

	// The page without scripts ends at 250, other checks at 500; a verified phone has only its own limits.
	for i := 52; i < 250; i++ {
		if _, got := inBlock(s, i, fmt.Sprintf("ticket %d", i)); got.status != http.StatusOK {
			t.Fatalf("code %d of the block, by a ticket: %d", i+1, got.status)
		}
	}
	if _, got := inBlock(s, 250, "ticket 250"); got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") != "3600" {
		t.Errorf("code 251 of the block, by a ticket: %d", got.status)
	}
	for i := 250; i < 500; i++ {
		if _, got := inBlock(s, i, fmt.Sprintf("good %d", i)); got.status != http.StatusOK {
			t.Fatalf("code %d of the block: %d", i+1, got.status)
		}
	}
	if _, got := inBlock(s, 500, "good 500"); got.status != http.StatusTooManyRequests {
		t.Errorf("code 501 of the block: %d", got.status)
	}
	want(t, b.asksWith("9876549998", "b@example.com", "good at last"), http.StatusOK, "We sent a code to your mobile number.")
	want(t, s.browser().asksWith("9123456780", "c@example.com", "good elsewhere"), http.StatusOK, "We sent a code to your mobile number.")
	if !slices.Equal(alerts, []string{blockAlert}) {
		t.Errorf("people are told %q, want it once", alerts)
	}
}

func TestHourlySMSLimit(t *testing.T) {
	storetest.EachURL(t, onAnHourHasACeilingOfSMS)
}

func onAnHourHasACeilingOfSMS(t *testing.T, databaseURL string) {
	var alerts []string
	s := newSiteOn(t, databaseURL, limited, guarded, alerting(&alerts), func(n *business.Config, _ *api.Config) { n.SMSPerHour = 600 })
	ask := func(i int, from string) reply { // in 30 blocks
		b := s.browser().from(from + ":1000")
		return b.asksWith(fmt.Sprintf("98%02d54%04d", i%30, i/30+1000), fmt.Sprintf("a%d@example.com", i), fmt.Sprintf("good %d", i))
	}
	asked := 0
	sends := func(from string) (n int) {
		for range 70 {
			asked++
			switch got := ask(asked, fmt.Sprintf(from, asked%60)); {
			case got.status == http.StatusOK:
				n++
			case got.status != http.StatusTooManyRequests, got.header.Get("Retry-After") != "3600":
				t.Fatalf("code %d: %d %s", asked, got.status, got.raw)
			}
		}
		return n
	}
	known := s.browser().from("203.0.113.0:1000")
	proof := known.asksWith(phone, email, "good known")
	want(t, known.answers(phone, email, proof.text("request_id"), s.code(phone)), http.StatusOK, "Your mobile number is verified.")
	for range 7 {
		sends("203.0.113.%d")
	}
	if n := sends("203.0.113.%d"); n != 540-1-7*70 {
		t.Errorf("%d of the last codes for addresses that have asked before, want %d", n, 540-1-7*70)
	}
	want(t, known.asks("9123456780", "b@example.com"), http.StatusOK, "We sent a code to your mobile number.") // with a verified phone
	if n := sends("203.0.114.%d"); n != 59 {
		t.Errorf("%d codes for addresses that have asked for none, want 59", n)
	}
	if n := sends("203.0.115.%d"); n != 0 {
		t.Errorf("%d codes beyond the ceiling", n)
	}
	if n := storetest.Rows(t, databaseURL)["messages"]; n != 600 {
		t.Errorf("%d messages, want 600", n)
	}
	if !slices.Equal(alerts, []string{"hourly limit of verification codes reached"}) {
		t.Errorf("people are told %q, want it once", alerts)
	}
	s.clock.Pass(3600e9)
	want(t, ask(800, "203.0.113.0"), http.StatusOK, "We sent a code to your mobile number.")
}
