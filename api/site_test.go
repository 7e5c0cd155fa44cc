package api_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/business"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/api"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
	"hiresure/store/storetest"
	"hiresure/web"
)

const baseURL = "https://www.example.in"

// site is the API over a real database, with a clock that stands still and everything that was written counted.
type site struct {
	t       *testing.T
	url     string // of the database
	echo    *echo.Echo
	office  *business.Services
	ledger  *ledger
	clock   *clock
	human   *human
	gateway *sandbox.Gateway
	logs    *syncBuffer

	document openAPI // what it is held to
}

// setting changes what a site is made of.
type setting func(*business.Needs, *api.Needs)

func limited(n *business.Needs, _ *api.Needs) { n.RateLimitsOff = false }
func guarded(n *business.Needs, _ *api.Needs) { n.Human = &human{needed: true} }
func alerting(alerts *[]string) setting {
	return func(n *business.Needs, _ *api.Needs) { n.Alert = func(what string) { *alerts = append(*alerts, what) } }
}

func withLeads(n *business.Needs, _ *api.Needs) { n.LeadWebhook = true }

func newSite(t *testing.T, settings ...setting) *site {
	t.Helper()
	return newSiteOn(t, storetest.SQLite(t), settings...)
}

func newSiteOn(t *testing.T, databaseURL string, settings ...setting) *site {
	t.Helper()
	database := storetest.Open(t, databaseURL)
	s := &site{t: t, url: databaseURL, ledger: &ledger{Store: database, counts: map[string]int{}}, clock: &clock{now: time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)}, logs: &syncBuffer{}}
	log := slog.New(web.NewLogHandler(slog.NewJSONHandler(s.logs, &slog.HandlerOptions{Level: slog.LevelDebug})))
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, coupon := range []enrol.Coupon{
		{Code: "MGROW500", Terms: enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 500_00}},
		{Code: "TENPART", Terms: enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 10}},
		{Code: "FULLSEAT", Terms: enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 100}},
		{Code: "LASTSEAT", Terms: enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 500_00}, MaxUses: 1},
	} {
		coupon.ID, coupon.EventCode = admission.NewID(), "KS_Mgrow"
		must(database.SaveCoupon(t.Context(), coupon))
	}
	must(database.SaveReferral(t.Context(), enrol.Referral{Code: "SETU2025", OwnerName: "Ishani Bora", OwnerPhone: "+919000000017", CreditMinor: 200_00}))
	var err error
	s.gateway, err = sandbox.New(sandbox.Needs{Orders: database, Key: bytes.Repeat([]byte("g"), 32), Clock: s.clock.Now, Log: log})
	must(err)
	needs := business.Needs{
		Stores: store.Areas(s.ledger), Events: catalogue{}, Supplier: func(time.Time) *invoice.Supplier { return nil }, Gateways: payment.Catalogue{s.gateway.Entry()},
		Human: &human{}, Notifier: nobody{}, Clock: s.clock.Now, Pepper: bytes.Repeat([]byte("p"), 32), BaseURL: baseURL,
		NoticeVersion: func() string { return "2026-11" }, GrievanceEmail: func() string { return "grievance@example.in" }, RateLimitsOff: true, Log: log, Alert: func(string) {},
	}
	of := api.Needs{Keys: keys{database}, ServiceSecret: "service-secret", LogoURL: func(name string) string { return "/static/" + name }}
	for _, set := range settings {
		set(&needs, &of)
	}
	s.human = needs.Human.(*human)
	s.office, err = business.New(needs)
	must(err)
	of.Services, of.Events, of.BaseURL, of.Clock, of.Log = s.office, needs.Events, baseURL, needs.Clock, log
	of.Sessions, err = web.New(web.Needs{
		Sessions: s.office.Access, BaseURL: baseURL, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
		Clock: s.clock.Now, Log: log, Watch: nobody{},
		RefusalPage: func(c *echo.Context, r web.Refusal) error { return c.HTML(r.Status, r.Message) },
	})
	must(err)
	s.echo = echo.New()
	must(api.Routes(of.Sessions.Install(s.echo), of))
	s.document = document(t)
	return s
}

type clock struct {
	mutex sync.Mutex
	now   time.Time
}

func (c *clock) Now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now = c.now.Add(d)
}

type nobody struct{}

func (nobody) Render(*message.Message) error                   { return nil }
func (nobody) Send(context.Context, message.Message) error     { return nil }
func (nobody) Served(string, string, int, time.Duration)       {}
func (nobody) Broke(ctx context.Context, err error, id string) {}

type human struct{ needed bool }

func (h *human) Needed() bool { return h.needed }

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

type catalogue struct{}

var opens, closes = time.Date(2026, 10, 1, 0, 0, 0, 0, admission.IST), time.Date(2027, 3, 11, 0, 0, 0, 0, admission.IST)

var events = []admission.Event{
	{
		Slug: "hiresure-mgrow-2025", Code: "KS_Mgrow", SubeventCode: "KS_Mgrow_2025", Title: "HireSure mGrow Scholarship",
		Subtitle: "Eight months", Courses: []string{"Blockchain", "Artificial_Intelligence"}, Partners: []admission.Partner{{Name: "Meruvia", Logo: "meruvia.svg"}},
		CompanyName: "Meruvia", CompanyLogo: "meruvia.svg", CouponCode: "MGROW500", Fee: admission.INR(1499_00), ListFee: admission.INR(1499_00),
		Published: true, OpensAt: opens, ClosesAt: closes, Terms: admission.Terms{Version: "2026-11-01", Hash: "h"},
	},
	{
		Slug: "hiresure-campus-2026", Code: "KS_Campus", SubeventCode: "KS_Campus_2026", Title: "HireSure Campus Scholarship", Courses: []string{"Blockchain"},
		Fee: admission.INR(1499_50), ListFee: admission.INR(1499_50), Published: true, OpensAt: opens, ClosesAt: closes, Terms: admission.Terms{Version: "1", Hash: "h"},
	},
	{Slug: "closed", Code: "KS_Closed", Courses: []string{"Blockchain"}, Fee: admission.INR(1499_00), Published: false},
}

func (catalogue) EventBySlug(slug string) (admission.Event, bool) {
	return find(func(e admission.Event) bool { return e.Slug == slug })
}

func (catalogue) EventByCode(code string) (admission.Event, bool) {
	return find(func(e admission.Event) bool { return e.Code == code })
}

func find(is func(admission.Event) bool) (admission.Event, bool) {
	if i := slices.IndexFunc(events, is); i >= 0 {
		return events[i], true
	}
	return admission.Event{}, false
}

// keys adapts the store's keys, as cmd does.
type keys struct{ *store.Store }

func (k keys) ClaimKey(ctx context.Context, key, bodyHash string, now time.Time) (*api.KeyedAnswer, string, error) {
	prior, state, err := k.Store.ClaimKey(ctx, key, bodyHash, now)
	return (*api.KeyedAnswer)(prior), state, err
}

// The ways of a visitor, by the product's own calls.

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
