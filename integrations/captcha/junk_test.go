package captcha

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
)

// vendor is a fake check service that accepts one token.
func vendor(t *testing.T) (url string, asked *atomic.Int32) {
	t.Helper()
	asked = &atomic.Int32{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		switch r.FormValue("response") {
		case "down":
			w.WriteHeader(http.StatusInternalServerError)
		case "good":
			fmt.Fprint(w, `{"success":true,"action":"signup"}`)
		default:
			fmt.Fprint(w, `{"success":false}`)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

func wary(t *testing.T, w *watch) (*Service, *atomic.Int32) {
	t.Helper()
	url, asked := vendor(t)
	s, err := NewTurnstile(Remote{Secret: "s3cret", URL: url, Own: newPoW(t, w, 8), Clock: w.time})
	if err != nil {
		t.Fatal(err)
	}
	return s, asked
}

func TestInvalidTokensAreLimited(t *testing.T) {
	w := &watch{noon}
	s, asked := wary(t, w)
	attacker := admission.Visitor{IP: "203.0.113.9"}
	for range 2000 {
		if _, err := s.Check(t.Context(), "junk", attacker); !errors.Is(err, access.ErrNotHuman) {
			t.Fatalf("junk: %v", err)
		}
	}
	if n := asked.Load(); n != 20 {
		t.Errorf("2,000 tokens cost %d calls, want 20", n)
	}

	// Nobody is locked out: the address may do work instead, a session is counted by itself, and other addresses are unaffected.
	neighbour := admission.Visitor{IP: attacker.IP, SessionID: "to be opened", Offered: &admission.NewSession{}}
	if _, err := s.Check(t.Context(), "good", neighbour); !errors.Is(err, access.ErrNotHuman) {
		t.Errorf("the service was asked about a neighbour: %v", err)
	}
	challenge, instead := s.Challenge(neighbour)
	if !instead {
		t.Fatal("a neighbour gets no work")
	}
	token, err := Solve(challenge)
	if err != nil {
		t.Fatal(err)
	}
	if pass, err := s.Check(t.Context(), token, neighbour); err != nil || pass.Once != challenge.Salt || pass.Ticket {
		t.Errorf("a neighbour's work: %v, %v", pass, err)
	}
	neighbour.Form = "/enquiry"
	if _, err := s.Check(t.Context(), s.Own.Ticket(noon.Add(-time.Minute), neighbour), neighbour); err != nil {
		t.Errorf("a neighbour's ticket: %v", err)
	}
	for what, from := range map[string]admission.Visitor{"a session": {IP: attacker.IP, SessionID: "s1"}, "another address": {IP: "203.0.113.10"}} {
		if _, instead := s.Challenge(from); instead {
			t.Errorf("%s has to work", what)
		}
		if _, err := s.Check(t.Context(), "good", from); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	w.now = noon.Add(junkWindow)
	if _, err := s.Check(t.Context(), "good", neighbour); err != nil {
		t.Errorf("in the next window: %v", err)
	}
}

func TestValidTokensAndErrorsAreNotCounted(t *testing.T) {
	s, asked := wary(t, &watch{noon})
	campus := admission.Visitor{IP: "203.0.113.9"}
	for range 50 {
		if _, err := s.Check(t.Context(), "good", campus); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Check(t.Context(), "down", campus); err == nil || errors.Is(err, access.ErrNotHuman) {
			t.Fatalf("a service that is down: %v", err)
		}
	}
	if n := asked.Load(); n != 100 {
		t.Errorf("%d calls, want 100", n)
	}
}

func TestConcurrentChecksAreLimited(t *testing.T) {
	s, asked := wary(t, &watch{noon})
	var group sync.WaitGroup
	for range 1000 {
		group.Go(func() { _, _ = s.Check(t.Context(), "junk", admission.Visitor{IP: "203.0.113.9"}) })
	}
	group.Wait()
	if n := asked.Load(); n < junkMost || n > junkMost+junkUnasked {
		t.Errorf("1,000 tokens at once cost %d calls, want at most %d", n, junkMost+junkUnasked)
	}
}

func TestNumberOfCountsIsLimited(t *testing.T) {
	w := &watch{noon}
	j := newJunk(w.time)
	for i := range 3 * junkSenders {
		who := fmt.Sprint(i)
		if !j.mayAsk(who) {
			t.Fatalf("sender %d may not ask", i)
		}
		j.answered(who, true)
	}
	if n := len(j.counts); n > junkSenders {
		t.Errorf("%d senders are counted", n)
	}
	w.now = noon.Add(junkWindow)
	j.mayAsk("one more")
	if n := len(j.counts); n != 1 {
		t.Errorf("%d senders are counted after the window", n)
	}
}
