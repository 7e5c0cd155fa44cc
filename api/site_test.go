package api_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/business"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/payment"
	"hiresure/api"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
	"hiresure/store/storetest"
	"hiresure/web"
	"hiresure/web/webtest"
)

const baseURL = "https://www.example.in"

// site is the API over a real database, with a fixed clock, that counts everything written.
type site struct {
	t        *testing.T
	url      string // of the database
	echo     *echo.Echo
	services *business.Services
	ledger   *ledger
	clock    *businesstest.Clock
	human    *human
	gateway  *sandbox.Gateway
	logs     *syncBuffer
	people   int // with applications
	solved   int // proofs of work done

	document openAPI // what it is held to
}

// setting changes the parts of a site.
type setting func(*business.Config, *api.Config)

func limited(n *business.Config, _ *api.Config) { n.RateLimitsOff = false }
func guarded(n *business.Config, _ *api.Config) { n.Human = &human{needed: true} }
func alerting(alerts *[]string) setting {
	return func(n *business.Config, _ *api.Config) {
		n.Alert = func(what string) { *alerts = append(*alerts, what) }
	}
}

func withLeads(n *business.Config, _ *api.Config) { n.LeadWebhook = true }

func newSite(t *testing.T, settings ...setting) *site {
	t.Helper()
	return newSiteOn(t, storetest.SQLite(t), settings...)
}

func newSiteOn(t *testing.T, databaseURL string, settings ...setting) *site {
	t.Helper()
	database := storetest.Open(t, databaseURL)
	s := &site{t: t, url: databaseURL, ledger: &ledger{Store: database, counts: map[string]int{}}, clock: businesstest.NewClock(businesstest.Noon), logs: &syncBuffer{}}
	log := slog.New(web.NewLogHandler(slog.NewJSONHandler(s.logs, &slog.HandlerOptions{Level: slog.LevelDebug}), s.logs))
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	businesstest.Seed(t, database)
	s.gateway = businesstest.Sandbox(t, sandbox.Config{Orders: database, Clock: s.clock.Now, Log: log})
	config := businesstest.Config(store.Areas(s.ledger), s.clock.Now)
	config.Events, config.Human, config.Gateways, config.Log = append(businesstest.Events(), closed), &human{}, payment.Catalogue{s.gateway.Entry()}, log
	of := api.Config{Keys: keys{database}, ServiceSecret: "service-secret"}
	for _, set := range settings {
		set(&config, &of)
	}
	s.human = config.Human.(*human)
	var err error
	s.services, err = business.New(config)
	must(err)
	of.Services, of.Events, of.BaseURL, of.Clock, of.Log = s.services, config.Events, baseURL, config.Clock, log
	of.Sessions, err = web.New(web.Config{
		Sessions: s.services.Access, Tokens: s.services.Tokens, BaseURL: baseURL, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
		Clock: s.clock.Now, Log: log, Watch: webtest.Watch{},
		RefusalPage: func(c *echo.Context, r web.Refusal) error { return c.HTML(r.Status, r.Message) },
	})
	must(err)
	s.echo = echo.New()
	must(api.Routes(of.Sessions.Install(s.echo), of))
	s.document = theDocument(t)
	return s
}

type human struct{ needed bool }

func (h *human) Needed() bool { return h.needed }

func (h *human) NotReady() string { return "Execute reCAPTCHA is not ready yet." }

func (h *human) Work(subject string, steps int) any {
	return map[string]any{"provider": "pow", "subject": subject, "steps": steps}
}

// Worked accepts the token "good work STEPS SUBJECT#…" once.
func (h *human) Worked(token, subject string, steps int) (string, bool) {
	var done int
	if _, err := fmt.Sscanf(token, "good work %d", &done); err != nil || done < steps {
		return "", false
	}
	return token, strings.HasPrefix(token, fmt.Sprintf("good work %d %s#", done, subject))
}

func (h *human) Check(_ context.Context, token string, _ admission.Visitor) (access.Pass, error) {
	switch {
	case token == "down":
		return access.Pass{}, errors.New("no answer")
	case strings.HasPrefix(token, "good"):
		return access.Pass{Once: token}, nil
	case strings.HasPrefix(token, "ticket"):
		return access.Pass{Once: token, Ticket: true}, nil
	}
	return access.Pass{}, access.ErrNotHuman
}

var closed = admission.Event{Slug: "closed", Code: "KS_Closed", Courses: []string{"Blockchain"}, Fee: admission.INR(1499_00)}

// keys adapts the store's keys, as cmd does.
type keys struct{ *store.Store }

func (k keys) ClaimKey(ctx context.Context, key, bodyHash string, now time.Time, lasts time.Duration) (*api.KeyedAnswer, string, error) {
	prior, state, err := k.Store.ClaimKey(ctx, key, bodyHash, now, lasts)
	return (*api.KeyedAnswer)(prior), state, err
}

// Ways of a visitor, by real calls.

type syncBuffer struct {
	mutex sync.Mutex
	bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.Buffer.Write(p)
}

func (b *syncBuffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.Buffer.String()
}
