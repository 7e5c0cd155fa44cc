package site

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/business"
	"hiresure/admission/office"
	"hiresure/cmd/site/config"
	"hiresure/cmd/site/gateways"
	"hiresure/cmd/site/server"
	"hiresure/cmd/site/telemetry"
	"hiresure/content"
	"hiresure/forms"
	"hiresure/inspect"
	"hiresure/integrations/captcha"
	"hiresure/integrations/pdf"
	"hiresure/pages"
	"hiresure/static"
	"hiresure/store"
)

// parts are the parts of a site that its pages, API and jobs share. Commands use Office, and tests the others.
type parts struct {
	Config   *config.Config
	Forms    *forms.Set // nil: the embedded forms
	Log      *slog.Logger
	Clock    func() time.Time
	Store    *store.Store
	Words    *content.Source
	Business *business.Services
	Office   *office.Service
	Events   *catalogue
	Metrics  *telemetry.Metrics
	Alerts   *telemetry.Alerts
	Tickets  *captcha.Tickets
	Files    *files
	Papers   *papers // nil if nothing is printed
	Kit      *pages.Kit
	Report   func(fault error, requestID string)
	closers  []func(context.Context)
}

// open opens everything up to the business.
func (p *parts) open(ctx context.Context) error {
	c := p.Config
	if err := forms.Load(); err != nil {
		return fmt.Errorf("forms: %w", err)
	}
	words, err := content.LoadFor(c.CaptchaVendor())
	if err != nil {
		return fmt.Errorf("content: %w", err)
	}
	if p.Words, err = content.NewSource(words, checkContent(c.DefaultEvent)); err != nil {
		return err
	}
	if c.Production() && !static.Built() {
		return errors.New("static: the front end is not built (go run ./cmd/build)")
	}
	stopTracing, err := telemetry.StartTracing(ctx, c.OTLPEndpoint)
	if err != nil {
		return fmt.Errorf("tracing: %w", err)
	}
	p.onClose(func(ctx context.Context) { _ = stopTracing(ctx) }) // losing the last spans is acceptable
	report, flush, err := telemetry.StartSentry(c.SentryDSN, c.AppEnv)
	if err != nil {
		return fmt.Errorf("SENTRY_DSN: %w", err)
	}
	p.Report = report
	p.onClose(func(context.Context) { flush(server.CloseTimeout) })

	if err := p.openStore(ctx); err != nil {
		return err
	}
	p.onClose(func(context.Context) {
		if err := p.Store.Close(); err != nil {
			p.Log.Error("store did not close", "error", err)
		}
	})
	p.Alerts = telemetry.NewAlerts(func(ctx context.Context, raised map[string]int64, ended []string) (map[string]int64, error) {
		return p.Store.RenewAlerts(ctx, raised, ended, p.Clock())
	}, p.Clock, p.Log)
	p.onClose(func(ctx context.Context) {
		if err := p.Alerts.Close(ctx); err != nil {
			p.Log.Error("alerts were not stored", "error", err)
		}
	})
	p.Metrics = telemetry.NewMetrics(telemetry.NewGauges(p.Store, c.DataDir, c.DatabaseURL, p.Clock), telemetry.NewServiceGauge(p.serviceUp), p.Alerts)
	if err := Seed(ctx, p.Store, words); err != nil {
		return err
	}
	return p.openBusiness(ctx)
}

// openStore opens the database. It waits for a PostgreSQL that does not answer, until ctx ends.
func (p *parts) openStore(ctx context.Context) (err error) {
	c := p.Config
	for waiting := false; ; waiting = true {
		p.Store, err = store.Open(ctx, store.Config{URL: c.DatabaseURL, Secret: c.Key("store"), Pool: c.DatabasePool, Log: p.Log, Clock: p.Clock, Migrate: true})
		if !errors.Is(err, admission.ErrUnavailable) || strings.HasPrefix(c.DatabaseURL, "sqlite:") {
			return err
		}
		if !waiting {
			p.Log.Warn("waiting for the database", "error", err)
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Second):
		}
	}
}

func (p *parts) openBusiness(ctx context.Context) error {
	c := p.Config
	p.Events = &catalogue{words: p.Words, clock: p.Clock}
	p.Store.UseEvents(p.Events)
	human, err := openHumanCheck(c, p.Clock)
	if err != nil {
		return err
	}
	if p.Tickets, err = captcha.NewTickets(c.Key("human check"), p.Clock); err != nil {
		return err
	}
	notifier, err := openNotifier(c, p.Words, p.Store, p.Clock, p.Log)
	if err != nil {
		return err
	}
	if p.Files, err = openFiles(c, p.Clock); err != nil {
		return err
	}
	if p.Papers, err = openPapers(c, func() *pages.Kit { return p.Kit }, p.Log, p.alert, p.Clock); err != nil {
		return err
	}
	if p.Papers != nil {
		p.onClose(func(context.Context) { p.Papers.close() })
	}
	needs := business.Config{
		Forms:  p.Forms,
		Stores: p.Store.Areas(), Events: p.Events, Supplier: supplierAt(p.Words), Human: human, Notifier: notifier, Clock: p.Clock,
		Pepper: c.Key("one-time codes"), TokenKey: c.Key("access tokens"), StaffKey: c.Key("staff"), NoticeVersion: func() string { return noticeVersion(p.Words) }, BaseURL: c.BaseURL, GrievanceEmail: func() string { return p.Words.Current().Site().Grievance.Email }, RateLimitsOff: c.RateLimits == "off", SMSPerHour: c.SMSPerHour, RefundLimit: c.RefundLimit * 100,
		LeadWebhook: c.LeadWebhookURL != "", Log: p.Log, Alert: p.alert,
		Files: p.Files.vault, Inspector: inspector{inspect.New(inspect.Options{})}, Scanner: p.Files.documentScanner(),
	}
	if p.Papers != nil {
		needs.Printer = p.Papers
	}
	if needs.Gateways, err = gateways.Open(c.Chosen, gateways.Options{
		Orders: p.Store, Key: c.Key, Clock: p.Clock, Production: c.Production(), Alert: p.alert, EndAlert: p.Alerts.End, Observe: p.Metrics.GatewayCalled, Log: p.Log,
	}); err != nil {
		return err
	}
	if p.Business, err = business.New(needs); err != nil {
		return err
	}
	p.Office, err = office.New(office.Config{
		Store: p.Store.Office(), Books: p.Store, Storage: p.Files.vault.Bucket, Events: p.Events, Supplier: supplierAt(p.Words), Papers: p.Business.Papers, Payment: p.Business.Payment, Registry: p.Business.Registry,
		Printers: printers, NewStack: func(to io.Writer) office.Stack { return pdf.NewStack(to) }, Clock: p.Clock,
	})
	return err
}

// alert opens an alert of a fault that an operator must handle, and reports it in the log and to the error tracker.
func (p *parts) alert(what string) {
	p.Alerts.Alert(what)
	p.Report(errors.New(what), "")
	p.Log.Error("alert: "+what, "what_to_do", "docs/operating.md, Alerts")
}

func (p *parts) onClose(f func(context.Context)) { p.closers = append(p.closers, f) }

// close closes what was opened, last first.
func (p *parts) close(ctx context.Context) {
	for i := len(p.closers) - 1; i >= 0; i-- {
		p.closers[i](ctx)
	}
	p.closers = nil
}
