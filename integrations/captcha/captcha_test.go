package captcha

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
)

var (
	noon = time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)
	key  = bytes.Repeat([]byte{7}, 32)
)

// watch is a settable clock.
type watch struct{ now time.Time }

func (w *watch) time() time.Time { return w.now }

func newPoW(t *testing.T, w *watch, bits int) *PoW {
	t.Helper()
	p, err := NewPoW(Config{Key: key, Clock: w.time, Bits: bits})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// noSolution returns a number that does not solve the challenge; one in 256 would by chance.
func noSolution(c Challenge) (number uint64) {
	for zeroBits(sha256.Sum256([]byte(c.Salt+strconv.FormatUint(number, 10)))) >= c.Difficulty {
		number++
	}
	return number
}

func TestProofOfWork(t *testing.T) {
	w := &watch{noon}
	p := newPoW(t, w, 8)
	challenge := p.Challenge()
	token, err := Solve(challenge)
	if err != nil {
		t.Fatal(err)
	}
	change := func(change func(*Solution)) string {
		body, err := base64.RawURLEncoding.DecodeString(token)
		var s Solution
		if err = errors.Join(err, json.Unmarshal(body, &s)); err != nil {
			t.Fatal(err)
		}
		change(&s)
		body, err = json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return base64.RawURLEncoding.EncodeToString(body)
	}
	other, err := NewPoW(Config{Key: bytes.Repeat([]byte{8}, 32), Clock: w.time, Bits: 8})
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := Solve(other.Challenge())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		sentence, token string
		after           time.Duration
		human           bool
	}{
		{"a solution passes", token, 0, true},
		{"it passes in the last second", token, Life - time.Second, true},
		{"it has expired after two hours", token, Life, false},
		{"another number is no solution", change(func(s *Solution) { s.Number = noSolution(s.Challenge) }), 0, false},
		{"a difficulty of one's own is refused", change(func(s *Solution) { s.Difficulty = 0 }), 0, false},
		{"a salt of one's own is refused", change(func(s *Solution) { s.Salt += "A" }), 0, false},
		{"a later end of one's own is refused", change(func(s *Solution) { s.Expires++ }), 0, false},
		{"a challenge of another key is refused", foreign, 0, false},
		{"words are refused", "hello", 0, false},
		{"nothing is refused", "", 0, false},
		{"a fraction is refused", base64.RawURLEncoding.EncodeToString([]byte(`{"number":1.5}`)), 0, false},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			w.now = noon.Add(c.after)
			pass, err := p.Check(t.Context(), c.token, admission.Visitor{})
			if c.human && (err != nil || pass != access.Pass{Once: challenge.Salt}) {
				t.Errorf("answered %v, %v; want the salt %q", pass, err, challenge.Salt)
			}
			if !c.human && (!errors.Is(err, access.ErrNotHuman) || pass != access.Pass{}) {
				t.Errorf("answered %v, %v; want %v", pass, err, access.ErrNotHuman)
			}
		})
	}
}

func TestTicket(t *testing.T) {
	w := &watch{noon}
	p := newPoW(t, w, 8)
	student := admission.Visitor{IP: "203.0.113.9", Form: "/enquiry"}
	ticket := p.Ticket(noon, student)
	random := strings.Split(ticket, ".")[2]
	for _, c := range []struct {
		sentence, ticket string
		after            time.Duration
		refusal          error
	}{
		{"at once is too fast", ticket, 0, access.ErrTooFast},
		{"within three seconds too", ticket, 3*time.Second - time.Millisecond, access.ErrTooFast},
		{"after three seconds a ticket passes, also one that was too young before", ticket, 3 * time.Second, nil},
		{"until two hours", ticket, Life - time.Millisecond, nil},
		{"a forged ticket is refused as one, however young", ticket + "x", time.Second, access.ErrNotHuman},
		{"and no longer", ticket, Life, access.ErrNotHuman},
		{"a ticket of the future is refused", p.Ticket(noon.Add(time.Hour), student), time.Minute, access.ErrNotHuman},
		{"another time is refused", strings.Replace(ticket, "t.1", "t.0", 1), time.Minute, access.ErrNotHuman},
		{"another random part is refused", strings.Replace(ticket, random, random[1:]+"A", 1), time.Minute, access.ErrNotHuman},
		{"no signature is refused", ticket[:strings.LastIndex(ticket, ".")], time.Minute, access.ErrNotHuman},
		{"a bare prefix is refused", "t.", time.Minute, access.ErrNotHuman},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			w.now = noon.Add(c.after)
			pass, err := p.Check(t.Context(), c.ticket, student)
			if !errors.Is(err, c.refusal) || (pass == access.Pass{Once: random, Ticket: true}) != (c.refusal == nil) {
				t.Errorf("answered %v, %v", pass, err)
			}
		})
	}
	w.now = noon.Add(time.Minute)
	for sentence, from := range map[string]admission.Visitor{
		"at another address": {IP: "203.0.113.10", Form: "/enquiry"}, "for another form": {IP: "203.0.113.9", Form: "/legal/grievance"},
		"with a call of the API": {IP: "203.0.113.9"},
	} {
		if _, err := p.Check(t.Context(), ticket, from); !errors.Is(err, access.ErrNotHuman) {
			t.Errorf("a ticket %s answers %v", sentence, err)
		}
	}
	if forAPI := p.Ticket(noon, admission.Visitor{IP: "203.0.113.9"}); forAPI != "" {
		if _, err := p.Check(t.Context(), forAPI, admission.Visitor{IP: "203.0.113.9"}); !errors.Is(err, access.ErrNotHuman) {
			t.Errorf("a ticket of no form answers %v", err)
		}
	}
	if again := p.Ticket(noon, student); again == ticket {
		t.Error("two tickets of the same moment are equal")
	}
}

var update = flag.Bool("update", false, "write testdata/pow.json anew")

// vector is a challenge with its first solution. islands/runtime/human.test.ts reads the same file, and its solver must find
// the same token.
type vector struct {
	Challenge Challenge `json:"challenge"`
	Token     string    `json:"token"`
}

func TestVectorsAreTheSameInTypeScript(t *testing.T) {
	const file = "testdata/pow.json"
	w := &watch{noon}
	var vectors []vector
	if *update {
		for _, bits := range []int{1, 4, 8, 11, 14} {
			challenge := newPoW(t, w, bits).Challenge()
			token, err := Solve(challenge)
			if err != nil {
				t.Fatal(err)
			}
			vectors = append(vectors, vector{challenge, token})
		}
		body, err := json.MarshalIndent(vectors, "", "  ")
		if err == nil {
			err = os.WriteFile(file, append(body, '\n'), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	body, err := os.ReadFile(file)
	if err = errors.Join(err, json.Unmarshal(body, &vectors)); err != nil {
		t.Fatal(err)
	}
	if len(vectors) == 0 {
		t.Fatal("no vectors")
	}
	for _, v := range vectors {
		if once, err := newPoW(t, w, 8).Check(t.Context(), v.Token, admission.Visitor{}); err != nil || once.Once != v.Challenge.Salt {
			t.Errorf("%d bits: answered %v, %v", v.Challenge.Difficulty, once, err)
		}
		if token, err := Solve(v.Challenge); err != nil || token != v.Token {
			t.Errorf("%d bits: solved as %q, %v; the vector says %q", v.Challenge.Difficulty, token, err, v.Token)
		}
	}
}

func TestServices(t *testing.T) {
	var asked http.Request
	status, answer := 0, ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			t.Error(err)
		}
		asked = *r
		if status == http.StatusFound {
			w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
		}
		w.WriteHeader(status)
		fmt.Fprint(w, answer)
	}))
	defer server.Close()
	work := newPoW(t, &watch{noon.Add(time.Minute)}, 8)
	config := Remote{Secret: "s3cret", URL: server.URL, Hostname: "www.example.in", Own: work, Clock: work.clock}
	recaptcha, err := NewRecaptcha(config)
	if err != nil {
		t.Fatal(err)
	}
	turnstile, err := NewTurnstile(config)
	if err != nil {
		t.Fatal(err)
	}
	const passes, notHuman, silent = "passes", "not human", "does not answer"
	for _, c := range []struct {
		sentence string
		service  *Service
		status   int
		answer   string
		want     string
	}{
		{"a good score passes", recaptcha, 200, `{"success":true,"score":0.5,"action":"signup","hostname":"www.example.in"}`, passes},
		{"a low score does not", recaptcha, 200, `{"success":true,"score":0.4,"action":"signup","hostname":"www.example.in"}`, notHuman},
		{"a token of another action does not", recaptcha, 200, `{"success":true,"score":0.9,"action":"login","hostname":"www.example.in"}`, notHuman},
		{"a token of another site does not", recaptcha, 200, `{"success":true,"score":0.9,"action":"signup","hostname":"evil.example"}`, notHuman},
		{"a used token does not", recaptcha, 200, `{"success":false,"error-codes":["timeout-or-duplicate"]}`, notHuman},
		{"a wrong secret is our fault, not the visitor's", recaptcha, 200, `{"success":false,"error-codes":["invalid-input-secret"]}`, silent},
		{"a 500 is no verdict", recaptcha, 500, `{"success":true,"score":1,"action":"signup","hostname":"www.example.in"}`, silent},
		{"torn JSON is no verdict", recaptcha, 200, `{"success":tr`, silent},
		{"a redirect is not followed", recaptcha, 302, ``, silent},
		{"Turnstile knows no score", turnstile, 200, `{"success":true,"action":"signup","hostname":"www.example.in"}`, passes},
		{"Turnstile refuses with 400", turnstile, 400, `{"success":false,"error-codes":["invalid-input-response"]}`, notHuman},
		{"Turnstile's own error is no verdict", turnstile, 200, `{"success":false,"error-codes":["internal-error"]}`, silent},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			status, answer = c.status, c.answer
			pass, err := c.service.Check(t.Context(), "tok", admission.Visitor{IP: "203.0.113.9"})
			got := silent
			switch {
			case err == nil:
				got = passes
			case errors.Is(err, access.ErrNotHuman):
				got = notHuman
			}
			if got != c.want || (pass != access.Pass{}) {
				t.Errorf("%s (%v, %v); want %s", got, pass, err, c.want)
			}
			if asked.PostForm.Get("secret") != "s3cret" || asked.PostForm.Get("response") != "tok" || asked.PostForm.Get("remoteip") != "203.0.113.9" {
				t.Errorf("asked with %v", asked.PostForm)
			}
		})
	}
	t.Run("a ticket is judged here", func(t *testing.T) {
		asked = http.Request{}
		if _, err := turnstile.Check(t.Context(), work.Ticket(noon, admission.Visitor{Form: "/enquiry"}), admission.Visitor{Form: "/enquiry"}); err != nil || asked.PostForm != nil {
			t.Errorf("answered %v, asked with %v", err, asked.PostForm)
		}
	})
	t.Run("a service that is away is no verdict", func(t *testing.T) {
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := recaptcha.Check(ended, "tok", admission.Visitor{}); err == nil || errors.Is(err, access.ErrNotHuman) {
			t.Errorf("answered %v", err)
		}
	})
}

func TestNewRejectsMissingFields(t *testing.T) {
	for _, c := range []struct{ sentence, want string }{
		{"a short key", fmt.Sprint(refusal(NewPoW(Config{Key: key[:5], Clock: time.Now})))},
		{"no clock", fmt.Sprint(refusal(NewPoW(Config{Key: key})))},
		{"too much work", fmt.Sprint(refusal(NewPoW(Config{Key: key, Clock: time.Now, Bits: 25})))},
		{"no secret", fmt.Sprint(refusal(NewRecaptcha(Remote{})))},
		{"no address", fmt.Sprint(refusal(NewTurnstile(Remote{Secret: "x", URL: "nowhere", Clock: time.Now})))},
		{"a service without a clock", fmt.Sprint(refusal(NewTurnstile(Remote{Secret: "x"})))},
	} {
		if c.want == "<nil>" {
			t.Errorf("%s is taken", c.sentence)
		}
	}
	if (Off{}).Needed() {
		t.Error("Off asks for a check")
	}
}

func refusal[T any](_ T, err error) error { return err }
