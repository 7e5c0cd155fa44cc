package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"hiresure/admission/business"
	"hiresure/api"
	"hiresure/store/storetest"
)

const blockAlert = "verification codes for one block of phone numbers need work"

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
	storetest.EachURLIfLong(t, onABlockIsLockedForNobodyWhoPassesTheHumanCheck)
}

func onABlockIsLockedForNobodyWhoPassesTheHumanCheck(t *testing.T, databaseURL string) {
	var alerts []string
	s := newSiteOn(t, databaseURL, limited, guarded, alerting(&alerts))
	for i := range 50 {
		_, got := inBlock(s, i, fmt.Sprintf("good %d", i))
		want(t, got, http.StatusOK, "We sent a code to your mobile number.")
	}
	// From here on each code to the block needs more work, and none is refused for good.
	const busy = "We are sending very many codes at the moment. Please wait 60 minutes and try again."
	hardest := 0
	for i := 50; i < 510; i++ {
		b, got := inBlock(s, i, fmt.Sprintf("good %d", i))
		want(t, got, http.StatusTooManyRequests, busy)
		if got.steps() < hardest || got.steps() < 1 {
			t.Fatalf("code %d of the block needs %d steps, the one before %d", i+1, got.steps(), hardest)
		}
		hardest = got.steps()
		phone, email := fmt.Sprintf("987654%04d", i+1000), fmt.Sprintf("a%d@example.com", i)
		want(t, b.asksWith(phone, email, b.token(got)), http.StatusOK, "We sent a code to your mobile number.")
	}
	if hardest != 8 {
		t.Errorf("the most is %d steps, want 8", hardest)
	}
	victim, _ := inBlock(s, 510, "")
	want(t, victim.asksWorking("9876549998", "v@example.com", "good victim"), http.StatusOK, "We sent a code to your mobile number.")
	want(t, victim.answers("9876549998", "v@example.com", "", s.code("9876549998")), http.StatusOK, "Your mobile number is verified.")
	want(t, victim.asks("9876549997", "v@example.com"), http.StatusOK, "We sent a code to your mobile number.") // with a verified phone
	want(t, s.browser().asksWith("9123456780", "c@example.com", "good elsewhere"), http.StatusOK, "We sent a code to your mobile number.")
	if !slices.Equal(alerts, []string{blockAlert}) {
		t.Errorf("people are told %q, want it once", alerts)
	}
}

func TestHourlySMSLimit(t *testing.T) {
	storetest.EachURLIfLong(t, onAnHourHasACeilingOfSMS)
}

func onAnHourHasACeilingOfSMS(t *testing.T, databaseURL string) {
	var alerts []string
	s := newSiteOn(t, databaseURL, limited, guarded, alerting(&alerts), func(n *business.Config, _ *api.Config) { n.SMSPerHour = 600 })
	asked := 0
	number := func() string { asked++; return fmt.Sprintf("98%02d54%04d", asked%30, asked/30+1000) } // in 30 blocks
	ask := func(from, phone string) reply {
		b := s.browser().from(from + ":1000")
		return b.asksWorking(phone, fmt.Sprintf("a%d@example.com", asked), fmt.Sprintf("good %d", asked))
	}
	sends := func(from string, times int) (n int) {
		for range times {
			switch got := ask(fmt.Sprintf(from, asked%60), number()); {
			case got.status == http.StatusOK:
				n++
			case got.status != http.StatusTooManyRequests, got.header.Get("Retry-After") != "3600", got.body["challenge"] != nil:
				t.Fatalf("code %d: %d %s", asked, got.status, got.raw)
			}
		}
		return n
	}
	known := s.browser().from("203.0.113.0:1000")
	proof := known.asksWith(phone, email, "good known")
	want(t, known.answers(phone, email, proof.text("request_id"), s.code(phone)), http.StatusOK, "Your mobile number is verified.")
	if n := sends("203.0.113.%d", 299); n != 299 || s.solved != 0 {
		t.Errorf("%d codes with %d proofs of work, want the first half of the ceiling without", n, s.solved)
	}
	if n := sends("203.0.113.%d", 300); n != 240 || s.solved != 240 {
		t.Errorf("%d codes with %d proofs of work for addresses that have asked before, want 240 with one each", n, s.solved)
	}
	want(t, ask("203.0.114.200", "9801541000"), http.StatusTooManyRequests, "We are sending very many codes at the moment. Please wait 60 minutes and try again.") // a number that got one today
	if n := sends("203.0.114.%d", 60); n != 30 {
		t.Errorf("%d codes for networks and numbers that have had none, want 30", n)
	}
	for i := range 30 { // kept for browsers with a verified phone
		b := known.from(fmt.Sprintf("203.0.113.%d:1000", i))
		want(t, b.asks(fmt.Sprintf("9123%02d6780", i), "b@example.com"), http.StatusOK, "We sent a code to your mobile number.")
	}
	if n := storetest.Rows(t, databaseURL)["messages"]; n != 600 {
		t.Errorf("%d messages, want 600", n)
	}
	if !slices.Equal(alerts, []string{"hourly limit of verification codes reached"}) {
		t.Errorf("people are told %q, want it once", alerts)
	}
	if s.clock.Pass(3600e9); sends("203.0.113.%d", 1) != 1 {
		t.Error("an hour later nothing is sent")
	}
}

// A /48 has 65,536 /64, each of which used to count as a visitor of its own.
func TestOneNetworkCannotUseUpTheHour(t *testing.T) {
	storetest.EachURLIfLong(t, onOneNetworkCannotUseUpTheHour)
}

func onOneNetworkCannotUseUpTheHour(t *testing.T, databaseURL string) {
	var alerts []string
	s := newSiteOn(t, databaseURL, limited, guarded, alerting(&alerts))
	free, worked, hardest := 0, 0, 0
	for i := range 600 { // of 2,000 in an hour
		b := s.browser().from(fmt.Sprintf("[2001:db8:7:%x::1]:1000", i*31))
		phone, email := fmt.Sprintf("9%03d54%04d", i%700, i), fmt.Sprintf("a%d@example.com", i)
		got := b.asksWith(phone, email, fmt.Sprintf("good %d", i))
		if got.status == http.StatusOK {
			free++
			continue
		}
		if hardest = max(hardest, got.steps()); got.steps() == 0 {
			want(t, got, http.StatusTooManyRequests, "Many requests came from your network. Please wait 60 minutes and try again.")
			continue
		}
		want(t, b.asksWith(phone, email, b.token(got)), http.StatusOK, "We sent a code to your mobile number.")
		worked++
	}
	if free != 120 || worked != 380 || hardest != 8 {
		t.Errorf("%d codes without work and %d with at most %d steps, want 120 and 380 with 8", free, worked, hardest)
	}
	if n := storetest.Rows(t, databaseURL)["messages"]; n != 500 {
		t.Errorf("%d messages, want a quarter of 2,000", n)
	}
	if !slices.Equal(alerts, []string{"one network has used its share of the hourly verification codes"}) {
		t.Errorf("people are told %q, want it once", alerts)
	}
	if line := `"network":"2001:db8:7::/48","hits":499`; strings.Count(s.logs.String(), line) != 1 {
		t.Errorf("the log names no network: want %s once", line)
	}
	for _, from := range []string{"203.0.113.1:1", "[2001:db8:8::1]:1"} { // a person elsewhere meets nothing of this
		b, phone := s.browser().from(from), fmt.Sprintf("98765%05d", len(from))
		want(t, b.asksWith(phone, email, "good "+from), http.StatusOK, "We sent a code to your mobile number.")
		want(t, b.answers(phone, email, "", s.code(phone)), http.StatusOK, "Your mobile number is verified.")
		b.enrols(object{"phone_number": phone, "email": phone + "@example.com"})
	}
}
