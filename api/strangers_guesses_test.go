package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"hiresure/store/storetest"
)

// Five wrong codes end a code. A hundred and twenty codes allowed 600 guesses that nobody noticed.
func TestManyWrongCodesAreNoticedAndCostWork(t *testing.T) {
	storetest.EachURLIfLong(t, onManyWrongCodesAreNoticedAndCostWork)
}

func onManyWrongCodesAreNoticedAndCostWork(t *testing.T, databaseURL string) {
	const alert = "many wrong verification codes: somebody may be guessing"
	var alerts []string
	s := newSiteOn(t, databaseURL, limited, guarded, alerting(&alerts))
	owner := s.browser()
	asked := owner.asksWith(phone, email, "good owner")
	hardest, worked := 0, 0
	for i := range 120 {
		b, phone, email := s.browser(), fmt.Sprintf("9%03d54%04d", i%700, i), fmt.Sprintf("a%d@example.com", i)
		got := b.asksWith(phone, email, fmt.Sprintf("good %d", i))
		if got.status != http.StatusOK {
			want(t, got, http.StatusTooManyRequests, "Many wrong codes came from your network. Please wait 60 minutes and try again.")
			hardest, worked = max(hardest, got.steps()), worked+1
			got = b.asksWith(phone, email, b.token(got))
		}
		want(t, got, http.StatusOK, "We sent a code to your mobile number.")
		for try := range 5 {
			message := "Invalid OTP"
			if try == 4 {
				message = "5 wrong tries: this OTP has ended. Please ask for a new one."
			}
			want(t, b.answers(phone, email, got.text("request_id"), wrong(s.code(phone))), http.StatusUnprocessableEntity, message)
		}
		if i == 18 && len(alerts) > 0 || i == 19 && len(alerts) != 1 {
			t.Errorf("people are told %q after %d wrong codes", alerts, 5*(i+1))
		}
	}
	if worked != 108 || hardest != 8 {
		t.Errorf("%d of 120 codes cost at most %d steps, want 108 and 8", worked, hardest)
	}
	if !slices.Equal(alerts, []string{alert}) {
		t.Errorf("people are told %q, want it once", alerts)
	}
	if line := `"msg":"` + alert + `","network":"198.51.100.7","hits":`; strings.Count(s.logs.String(), line) != 1 {
		t.Errorf("the log does not name the address: want %s once", line)
	}

	// Whoever has a code at that address enters it as ever, and others meet nothing of it.
	want(t, owner.answers(phone, email, asked.text("request_id"), s.code(phone)), http.StatusOK, "Your mobile number is verified.")
	owner.enrols(nil)
	want(t, s.browser().from("203.0.113.9:1").asksWith("9876543219", "b@example.com", "good elsewhere"), http.StatusOK, "We sent a code to your mobile number.")

	// Mistyping raises no alert.
	honest := newSite(t, limited, guarded, alerting(&alerts))
	for i := range 150 {
		b, phone, email := honest.stranger(i), fmt.Sprintf("9%03d54%04d", i, i), fmt.Sprintf("a%d@example.com", i)
		got := b.asksWith(phone, email, fmt.Sprintf("good %d", i))
		if i%5 == 0 {
			b.answers(phone, email, got.text("request_id"), wrong(honest.code(phone)))
		}
		want(t, b.answers(phone, email, got.text("request_id"), honest.code(phone)), http.StatusOK, "Your mobile number is verified.")
	}
	if len(alerts) != 1 {
		t.Errorf("people are told %q of mistyped codes", alerts[1:])
	}
}
