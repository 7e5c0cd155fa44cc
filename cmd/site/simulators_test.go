package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/simulators"
)

// goldAccount plays the provider of the gateway that stands in the tests.
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
			"": "--simulators is refused in production: whoever pays there is enrolled, and nobody has the money", "APP_ENV": "production", "PAYMENTS_TEST": "1",
		}},
	} {
		providers := []simulators.Provider{goldProvider(&goldAccount{}), {Name: "silverbars", Open: nil}} // of which this program knows no gateway
		played, err := simulate(t.Context(), c.environ, withGold(), providers)
		if err != nil {
			c.environ[""] = err.Error()
		}
		if running := played.running(); !maps.Equal(c.environ, c.want) || len(running) != c.running {
			t.Errorf("%s: %d run, %v, want %d, %v", c.sentence, len(running), c.environ, c.running, c.want)
		}
		for _, p := range played.running() {
			answer, err := http.Get(p.at)
			if err != nil {
				t.Fatal(err)
			}
			if body, _ := io.ReadAll(answer.Body); string(body) != "gold is weighed here" || !strings.HasPrefix(p.at, "http://127.0.0.1:") {
				t.Errorf("%s: %s says %s", c.sentence, p.at, body)
			}
			_ = answer.Body.Close()
		}
		if played != nil {
			played.close()
		}
	}
}

// Each gateway that ships, but for play money, is played; with its simulator's variables it can be configured.
func TestEachGatewayHasASimulator(t *testing.T) {
	environ := map[string]string{"DATA_DIR": t.TempDir()}
	played, err := simulate(t.Context(), environ, gatewayKinds, simulators.Providers)
	if err != nil {
		t.Fatal(err)
	}
	defer played.close()
	for _, kind := range gatewayKinds {
		if !kind.PlayMoney && !slices.ContainsFunc(played.running(), func(p playedAccount) bool { return p.name == kind.Name }) {
			t.Errorf("%s has no simulator", kind.Name)
		}
	}
	config, err := readConfig(environ)
	if err != nil {
		t.Fatal(err)
	}
	for _, gateway := range config.gateways {
		reached := fmt.Sprint(config.reaching(gateway).Checkout)
		for _, p := range played.running() {
			if reaches := strings.Contains(reached, p.at); reaches != (p.name == gateway.Name) {
				t.Errorf("the checkout of %s reaches %s: %t, in %s", gateway.Name, p.at, reaches, reached)
			}
		}
	}
}

func TestACheckoutReachesWhatSettingsSayOutsideOfProduction(t *testing.T) {
	d := method.Descriptor{
		Settings: []method.Setting{{Name: "BASE", Default: "https://api.example.com"}, {Name: "SCRIPT", Default: "https://js.example.com/v1.js"}, {Name: "SHOP"}},
		Checkout: method.Origins{Scripts: []string{"https://js.example.com"}, Forms: []string{"https://api.example.com"}},
	}
	for _, c := range []struct {
		sentence           string
		production, test   bool
		base, script, want string
	}{
		{"the provider's own", false, false, "https://api.example.com", "https://js.example.com/v1.js", "{[https://js.example.com] [] [] [] [https://api.example.com]}"},
		{"a simulator, in the ways in which the provider is reached", false, false, "http://127.0.0.1:9000/pg", "http://127.0.0.1:9000/v1.js",
			"{[https://js.example.com http://127.0.0.1:9000] [] [] [] [https://api.example.com http://127.0.0.1:9000]}"},
		{"in production the provider alone", true, false, "http://127.0.0.1:9000/pg", "https://js.elsewhere.example/v1.js", "{[https://js.example.com] [] [] [] [https://api.example.com]}"},
		{"in production that tests", true, true, "https://api.example.com", "https://test.example.com/v1.js",
			"{[https://js.example.com https://test.example.com] [] [] [] [https://api.example.com https://test.example.com]}"},
	} {
		config := &Config{PaymentsTest: c.test, AppEnv: "development"}
		if c.production {
			config.AppEnv = "production"
		}
		got := config.reaching(chosenGateway{gatewayKind: gatewayKind{Descriptor: d}, settings: method.Settings{"BASE": c.base, "SCRIPT": c.script, "SHOP": "79"}}).Checkout
		if fmt.Sprint(got) != c.want || len(d.Checkout.Scripts) != 1 || len(d.Checkout.Forms) != 1 {
			t.Errorf("%s: %v, want %s", c.sentence, got, c.want)
		}
	}
}

// A webhook is sent until it is acknowledged, as it was written, and a few times at most.
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
		played := &simulated{providers: []playedAccount{{name: "goldbars", account: account, server: &http.Server{}}}, retries: make([]time.Duration, 3), every: time.Hour}
		var log strings.Builder
		played.deliver(context.WithoutCancel(t.Context()), site.URL, slog.New(slog.NewTextHandler(&log, nil)))
		for range times {
			if got, want := <-heard, "/payments/webhook/goldbars signed "+what; got != want {
				t.Errorf("heard %q, want %q", got, want)
			}
		}
		played.close()
		if len(heard) != 0 {
			t.Errorf("%s: heard once more", what)
		}
	}
}
