package site

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/api"
	"hiresure/cmd/site/telemetry"
	"hiresure/pages"
	"hiresure/pages/account"
	"hiresure/pages/admin"
	"hiresure/pages/application"
	"hiresure/pages/checkout"
	"hiresure/pages/dev"
	"hiresure/pages/hiresure"
	"hiresure/pages/landing"
	"hiresure/pages/legal"
	"hiresure/static"
	"hiresure/store"
	"hiresure/web"
)

// openRoutes registers all routes. draining reports whether the site is about to stop.
func (p *parts) openRoutes(ctx context.Context, draining func() bool) (http.Handler, error) {
	c := p.Config
	kit := &pages.Kit{Services: p.Business, Forms: p.Forms, Events: p.Events, Content: p.Words, BaseURL: c.BaseURL, DefaultEvent: c.DefaultEvent, Clock: p.Clock, Log: p.Log}
	if p.Papers != nil {
		kit.Draw = p.Papers.Draw
	}
	manager, err := web.New(web.Config{
		Sessions: p.Business.Access, Tokens: p.Business.Tokens, Staff: p.Business.Staff, BaseURL: c.BaseURL, TrustedProxies: c.Proxies, Clock: p.Clock, Log: p.Log,
		RefusalPage: func(c *echo.Context, r web.Refusal) error {
			if web.StaffPerson(c) != nil {
				return admin.Refuse(kit, c, r)
			}
			return kit.RefusalPage(c, r)
		},
		Scripts: captchaScripts[c.Captcha],
		Watch:   telemetry.Watcher{Metrics: p.Metrics, Alerts: p.Alerts, Report: p.Report},
	})
	if err != nil {
		return nil, err
	}
	p.Kit, kit.Session = kit, manager
	if kit.Issuer, err = openIssuer(ctx, c, p.Clock, p.Log); err != nil {
		return nil, err
	}
	if p.Business.Access.Human.Needed() {
		kit.Ticket = p.Tickets.Ticket
	}
	e := echo.New()
	e.Logger = p.Log
	if c.OTLPEndpoint != "" {
		e.Use(telemetry.TraceRequests)
	}
	r := manager.Install(e)
	r.Get("/favicon.ico", web.Public, favicon)
	r.Get("/healthz", web.Private, healthz)
	r.Get("/readyz", web.Private, p.readyz(draining))
	if c.MetricsAddr == "" {
		r.Get("/metrics", web.Private, echo.WrapHandler(p.Metrics.Handler(c.MetricsToken)))
	}
	r.Get(static.Prefix+"*", web.Asset, echo.WrapHandler(static.Handler()))
	landing.Routes(r, kit)
	legal.Routes(r, kit)
	hiresure.Routes(r, kit)
	application.Routes(r, kit)
	checkout.Routes(r, kit)
	account.Routes(r, kit)
	admin.Routes(r, kit, p.Office, !c.Production())
	apiConfig := api.Config{Services: p.Business, Forms: p.Forms, Events: p.Events, BaseURL: c.BaseURL, Clock: p.Clock, Log: p.Log, Sessions: manager, Keys: keyStore{p.Store}, ServiceSecret: c.ServiceSecret}
	if p.Business.Access.Human.Needed() {
		apiConfig.Challenge = challengeOf(p.Business.Access.Human, c)
	}
	if err := api.Routes(r, apiConfig); err != nil {
		return nil, err
	}
	if !c.Production() {
		outbox := outboxStore{p.Store}
		account.SampleRoutes(r, kit)
		if err := dev.Routes(r, dev.Config{Kit: kit, Outbox: outbox.all, OutboxPage: outbox.page, Provider: sandboxProvider(p.Business.Payment.Gateways, p.Clock)}); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// keyStore stores the API's idempotent responses.
type keyStore struct{ *store.Store }

func (b keyStore) ClaimKey(ctx context.Context, key, bodyHash string, now time.Time, lasts time.Duration) (*api.KeyedAnswer, string, error) {
	prior, state, err := b.Store.ClaimKey(ctx, key, bodyHash, now, lasts)
	return (*api.KeyedAnswer)(prior), state, err
}

// favicon redirects browsers that request an icon without having read a page.
func favicon(c *echo.Context) error {
	c.Response().Header().Set("Cache-Control", "no-cache")                          // the icon's path changes with its content
	return c.Redirect(http.StatusFound, static.Path("images/apple-touch-icon.png")) // every browser supports PNG
}

func healthz(c *echo.Context) error { return c.String(http.StatusOK, "ok\n") }

// readyz returns a handler that reports to load balancers whether this copy takes visitors: until it drains. A service that all
// copies share, such as the database, is named if it does not answer, and takes no copy out: pages from memory are still served.
func (p *parts) readyz(draining func() bool) echo.HandlerFunc {
	return func(c *echo.Context) error {
		if draining() {
			return c.String(http.StatusServiceUnavailable, "draining\n")
		}
		var away []string
		for _, s := range p.services(c.Request().Context()) {
			if s.err != nil {
				away = append(away, s.name)
			}
		}
		if len(away) > 0 {
			return c.String(http.StatusOK, "degraded: "+strings.Join(away, ", ")+"\n")
		}
		return c.String(http.StatusOK, "ready\n")
	}
}
