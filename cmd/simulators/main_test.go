package main

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"time"

	"hiresure/simulators"
)

// goldAccount simulates a provider that sells gold bars.
type goldAccount struct{ events []simulators.Event }

func (a *goldAccount) Events() []simulators.Event { return a.events }

func (a *goldAccount) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, "gold is weighed here")
}

func goldProvider(a *goldAccount) simulators.Provider {
	return simulators.Provider{Name: "goldbars", Open: func(at string, _ func() time.Time) (simulators.Account, map[string]string) {
		return a, map[string]string{"GOLDBARS_SHOP": "0", "GOLDBARS_SECRET": "simulated"}
	}}
}

func TestSimulatorsConfigureTheirGateways(t *testing.T) {
	for _, c := range []struct {
		sentence string
		environ  map[string]string
		running  int
		want     map[string]string // the environment afterwards, or "" the refusal
	}{
		{"all are offered, play money last", map[string]string{}, 1, map[string]string{"GATEWAYS": "goldbars,sandbox", "GOLDBARS_SHOP": "0", "GOLDBARS_SECRET": "simulated"}},
		{"GATEWAYS stays", map[string]string{"GATEWAYS": "goldbars"}, 1, map[string]string{"GATEWAYS": "goldbars", "GOLDBARS_SHOP": "0", "GOLDBARS_SECRET": "simulated"}},
		{"what is configured stays", map[string]string{"GOLDBARS_SHOP": "79"}, 0, map[string]string{"GATEWAYS": "goldbars,sandbox", "GOLDBARS_SHOP": "79"}},
		{"never in production", map[string]string{"APP_ENV": "production", "PAYMENTS_TEST": "1"}, 0, map[string]string{
			"": "simulators are refused in production: whoever pays there is enrolled, and nobody has the money", "APP_ENV": "production", "PAYMENTS_TEST": "1",
		}},
	} {
		s, err := start(t.Context(), c.environ, []simulators.Provider{goldProvider(&goldAccount{})})
		if err != nil {
			c.environ[""], s = err.Error(), &simulation{}
		}
		if !maps.Equal(c.environ, c.want) || len(s.providers) != c.running {
			t.Errorf("%s: %d run, %v, want %d, %v", c.sentence, len(s.providers), c.environ, c.running, c.want)
		}
		for _, p := range s.providers {
			answer, err := http.Get(p.url)
			if err != nil {
				t.Fatal(err)
			}
			if body, _ := io.ReadAll(answer.Body); string(body) != "gold is weighed here" || !strings.HasPrefix(p.url, "http://127.0.0.1:") {
				t.Errorf("%s: %s says %s", c.sentence, p.url, body)
			}
			_ = answer.Body.Close()
		}
		s.close()
	}
}

// The site's program gets the variables and is sent webhooks where it says that it serves, each as it was written, until it
// acknowledges it, and a few times at most.
func TestSimulatorsDeliverTheirWebhooks(t *testing.T) {
	heard := make(chan string, 100)
	refuse := map[string]int{"late": 2, "never": 100}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		what := string(body)
		if refuse[what]--; refuse[what] >= 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		heard <- r.URL.Path + " " + r.Header.Get("X-Gold") + " " + what
	}))
	defer site.Close()
	for what, times := range map[string]int{"at once": 1, "late": 3, "never": 4} {
		account := &goldAccount{events: []simulators.Event{{Header: http.Header{"X-Gold": {"signed"}}, Body: []byte(what)}}}
		s := &simulation{providers: []provider{{name: "goldbars", url: "http://127.0.0.1:1", account: account, server: &http.Server{}}}, retries: make([]time.Duration, 3), every: time.Hour}
		program := exec.Command("sh", "-c", `echo; echo "  HireSure    $SITE"; echo "  Gateways    $GATEWAYS"; read -r _; exit 3`)
		input, err := program.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		ended, out := make(chan error), new(strings.Builder)
		go func() { ended <- s.runSite(program, map[string]string{"SITE": site.URL, "GATEWAYS": "goldbars"}, out) }()
		for range times {
			if got, want := <-heard, "/payments/webhook/goldbars signed "+what; got != want {
				t.Errorf("heard %q, want %q", got, want)
			}
		}
		if err := input.Close(); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; err == nil || err.Error() != "exit status 3" {
			t.Errorf("the site ended with %v", err)
		}
		s.close()
		if want := "\n  HireSure    " + site.URL + "\n  Simulator   http://127.0.0.1:1   (goldbars)\n  Gateways    goldbars\n"; out.String() != want {
			t.Errorf("said %q, want %q", out, want)
		}
		if len(heard) != 0 {
			t.Errorf("%s: heard once more", what)
		}
	}
}
