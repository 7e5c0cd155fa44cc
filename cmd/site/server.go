package main

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/apply"
	"hiresure/admission/business"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/admission/mydata"
	"hiresure/admission/office"
	"hiresure/admission/paper"
	"hiresure/admission/payment"
	"hiresure/admission/receipt"
	"hiresure/admission/status"
	"hiresure/api"
	"hiresure/content"
	"hiresure/forms"
	"hiresure/inspect"
	"hiresure/integrations/captcha"
	"hiresure/integrations/lead"
	"hiresure/integrations/objects"
	"hiresure/integrations/scan"
	"hiresure/jobs"
	"hiresure/pages"
	"hiresure/pages/account"
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

// site is the whole program.
type site struct {
	config   *Config
	log      *slog.Logger
	clock    func() time.Time
	store    *store.Store
	words    *content.Source
	business *business.Services
	office   *office.Service
	events   *catalogue
	workers  []*jobs.Worker
	metrics  *metrics
	tickets  *captcha.Tickets
	vault    *objects.Vault
	storage  *probe[struct{}] // fails if the vault cannot be read and written
	clamd    *scan.Clamd      // nil if uploads are not scanned
	scanner  *probe[struct{}] // fails if clamd does not respond
	papers   *papers          // nil if nothing is printed
	kit      *pages.Kit
	handler  http.Handler
	report   func(fault error, requestID string)
	draining atomic.Bool
	budget   stopBudget
	closers  []func(context.Context)
}

// build opens and connects every part. The caller must close the site.
func build(ctx context.Context, c *Config, log *slog.Logger, clock func() time.Time) (_ *site, err error) {
	s := &site{config: c, log: log, clock: clock, budget: defaultBudget}
	defer func() {
		if err != nil {
			s.close(context.WithoutCancel(ctx))
		}
	}()
	if err := forms.Load(); err != nil {
		return nil, fmt.Errorf("forms: %w", err)
	}
	words, err := content.LoadFor(c.captchaVendor())
	if err != nil {
		return nil, fmt.Errorf("content: %w", err)
	}
	if s.words, err = content.NewSource(words, checkContent(c.DefaultEvent)); err != nil {
		return nil, err
	}
	if c.Production() && !static.Built() {
		return nil, errors.New("static: the front end is not built (go run ./cmd/build)")
	}
	stopTracing, err := startTracing(ctx, c.OTLPEndpoint)
	if err != nil {
		return nil, fmt.Errorf("tracing: %w", err)
	}
	s.onClose(func(ctx context.Context) { _ = stopTracing(ctx) }) // losing the last spans is acceptable
	report, flush, err := startSentry(c.SentryDSN, c.AppEnv)
	if err != nil {
		return nil, fmt.Errorf("SENTRY_DSN: %w", err)
	}
	s.report = report
	s.onClose(func(context.Context) { flush() })

	if s.store, err = store.Open(ctx, store.Config{URL: c.DatabaseURL, Secret: s.key("store"), Pool: c.DatabasePool, Log: log, Clock: clock, Migrate: true}); err != nil {
		return nil, err
	}
	s.onClose(func(context.Context) {
		if err := s.store.Close(); err != nil {
			log.Error("store did not close", "error", err)
		}
	})
	s.metrics = newMetrics(newGauges(s.store, c, clock))
	if !c.Production() {
		if err := seed(ctx, s.store, words, s.clock()); err != nil {
			return nil, err
		}
	}
	if err := s.buildBusiness(ctx); err != nil {
		return nil, err
	}
	return s, s.buildHandler()
}

// key derives a key for one use from the configured secret.
func (s *site) key(use string) []byte {
	key, err := hkdf.Key(sha256.New, s.config.secret, nil, "hiresure "+use, 32)
	if err != nil {
		panic(err) // only for lengths beyond SHA-256's
	}
	return key
}

func (s *site) buildBusiness(ctx context.Context) error {
	c := s.config
	s.events = &catalogue{words: s.words}
	s.store.UseEvents(s.events)
	human, err := s.humanCheck()
	if err != nil {
		return err
	}
	notifier, err := s.notifier()
	if err != nil {
		return err
	}
	if err := s.openFiles(); err != nil {
		return err
	}
	if err := s.openPrinter(); err != nil {
		return err
	}
	s.store.Wake(s.wake)
	config := business.Config{
		Forms:  c.forms,
		Stores: s.store.Areas(), Events: s.events, Supplier: supplierAt(s.words), Human: human, Notifier: notifier, Clock: s.clock,
		Pepper: s.key("one-time codes"), TokenKey: s.key("access tokens"), NoticeVersion: s.noticeVersion, BaseURL: c.BaseURL, GrievanceEmail: s.grievanceEmail, RateLimitsOff: c.RateLimits == "off", SMSPerHour: c.SMSPerHour,
		LeadWebhook: c.LeadWebhookURL != "", Log: s.log, Alert: s.alert,
		Files: s.vault, Inspector: inspector{inspect.New(inspect.Options{})}, Scanner: s.documentScanner(),
	}
	if s.papers != nil {
		config.Printer = s.papers
	}
	if config.Gateways, err = s.openGateways(); err != nil {
		return err
	}
	if s.business, err = business.New(config); err != nil {
		return err
	}
	if s.office, err = office.New(office.Config{
		Store: s.store.Office(), Books: s.store, Storage: s.vault.Bucket, Events: s.events, Supplier: supplierAt(s.words), Papers: s.business.Papers, Payment: s.business.Payment,
		Printers: printers, Clock: s.clock,
	}); err != nil {
		return err
	}
	return s.buildWorker(ctx)
}

// alert counts a fault that an operator must handle, and reports it in the log and to the error tracker.
func (s *site) alert(what string) {
	s.metrics.alert(what)
	s.report(errors.New(what), "")
	s.log.Error("alert: "+what, "what_to_do", "docs/operating.md, Alerts")
}

func (s *site) buildWorker(ctx context.Context) (err error) {
	deliver := jobs.ByRef(s.business.Messages.Deliver)
	rest := map[string]jobs.Handler{
		payment.JobPoll:    jobs.ByRef(s.business.Payment.Poll),
		payment.JobEvent:   jobs.ByRef(s.business.Payment.HandleEvent),
		payment.JobRefund:  jobs.ByRef(s.business.Payment.Refund),
		enrol.JobRemind:    jobs.Once(s.business.Enrol.Remind),
		mydata.JobExport:   jobs.Once(s.business.MyData.BuildExport),
		mydata.JobDelete:   jobs.ByRef(s.business.MyData.Delete),
		apply.JobRemind:    jobs.ByRef(s.business.Apply.Remind),
		receipt.JobTickets: jobs.Every(time.Minute, s.business.Receipts.IssueTickets),
		status.JobRenew:    jobs.Every(time.Minute, s.store.RenewPhases),
		status.JobRenewAll: s.renewEveryPhase,
		jobPurge:           s.purge(30 * time.Second),
		jobReconcile:       jobs.Daily(reconcileAt, admission.IST, s.clock, s.reconcile),
	}
	maps.Copy(rest, s.documentJobs())
	if s.config.LeadWebhookURL != "" {
		webhook, err := lead.New(lead.Config{URL: s.config.LeadWebhookURL, Secret: []byte(s.config.LeadSecret), Clock: s.clock, Leads: s.business.Enrol.LeadByID})
		if err != nil {
			return err
		}
		rest[enrol.JobLead] = jobs.ByRef(webhook.Forward)
	}
	// Verification codes are urgent: their worker handles nothing slow. Its timeout is short because a killed process's jobs
	// are claimed again 15 s after it. Mails are limited to 80 a second, more than a relay accepts, in favour of visitors.
	for _, w := range []struct {
		handlers map[string]jobs.Handler
		timeout  time.Duration
		parallel int
		pace     time.Duration
	}{
		{map[string]jobs.Handler{message.JobSMS: deliver, message.JobText: deliver}, 10 * time.Second, 8, 0},
		{map[string]jobs.Handler{message.JobMail: deliver, message.JobDeliver: deliver}, 45 * time.Second, 8, 100 * time.Millisecond},
		{rest, 45 * time.Second, 8, 0},
		{map[string]jobs.Handler{paper.JobPrint: jobs.ByRef(s.business.Papers.Print)}, time.Minute, printers, 0},
	} {
		worker, err := jobs.New(jobs.Config{
			Queue: s.store, Handlers: w.handlers, Timeout: w.timeout, Parallel: w.parallel, Pace: w.pace, Clock: s.clock, Log: s.log, Alert: s.alert,
			Done: s.metrics.jobDone, Drain: s.budget.jobs, Mask: web.Mask, MaxDelay: maxDelays,
		})
		if err != nil {
			return err
		}
		s.workers = append(s.workers, worker)
	}
	return s.store.Update(ctx, func(tx store.Tx) error {
		now := s.clock()
		for _, job := range []admission.Job{ // in one order, as another process may start too
			{Kind: jobPurge, DueAt: now.Add(purgeEvery)},
			{Kind: receipt.JobTickets, DueAt: now},
			{Kind: status.JobRenew, DueAt: now},
			{Kind: status.JobRenewAll, DueAt: now},
			{Kind: jobReconcile, DueAt: jobs.NextDaily(reconcileAt, admission.IST, now)},
		} {
			job.Ref = everything
			if err := tx.AddJob(job); err != nil {
				return err
			}
		}
		return nil
	})
}

// maxDelays is how far in the future urgent jobs are ever due, so that they survive a clock that is set back. The delays
// of other jobs depend on the age of a payment or on the time of day.
var maxDelays = map[string]time.Duration{
	message.JobSMS: 0, message.JobText: 0, message.JobMail: 0, message.JobDeliver: 0, enrol.JobLead: 0, mydata.JobExport: 0,
	payment.JobEvent:  time.Minute, // retries while its payment is not stored yet
	document.JobJudge: time.Minute, // unless the request with the last piece does it
	document.JobScan:  scanRetry,
}

func (s *site) wake(kind string) {
	for _, worker := range s.workers {
		worker.Wake(kind)
	}
}

// renewAllEvery is the time between two renewals of all phases, because another version of the program, or of the content, may
// have decided them. Each start renews them too.
const renewAllEvery = time.Hour

// everything is the ref of a periodic job. The next jobs of status.JobRenewAll have the ids to continue after.
const everything = "all"

// renewEveryPhase renews the phases of some thousand registrations and adds the job for the next ones.
func (s *site) renewEveryPhase(ctx context.Context, job admission.Job) (again time.Duration, err error) {
	after := job.Ref
	if after == everything {
		after = ""
	}
	next, err := s.store.RenewEveryPhase(ctx, after)
	if err != nil {
		return 0, err
	}
	now := s.clock()
	if next != "" {
		if err := s.store.Update(ctx, func(tx store.Tx) error {
			return tx.AddJob(admission.Job{Kind: status.JobRenewAll, Ref: next, DueAt: now})
		}); err != nil {
			return 0, err
		}
	}
	if job.Ref == everything {
		again = renewAllEvery
	}
	return again, nil
}

// buildHandler registers the routes.
func (s *site) buildHandler() error {
	c := s.config
	kit := &pages.Kit{Services: s.business, Forms: c.forms, Events: s.events, Content: s.words, BaseURL: c.BaseURL, DefaultEvent: c.DefaultEvent, Clock: s.clock, Log: s.log}
	if s.papers != nil {
		kit.Draw = s.papers.Draw
	}
	manager, err := web.New(web.Config{
		Sessions: s.business.Access, Tokens: s.business.Tokens, BaseURL: c.BaseURL, TrustedProxies: c.proxies, RefusalPage: kit.RefusalPage, Clock: s.clock, Log: s.log,
		Scripts: captchaScripts[c.Captcha],
		Watch:   watcher{s.metrics, s.report},
	})
	if err != nil {
		return err
	}
	s.kit, kit.Session = kit, manager
	if kit.Issuer, err = s.issuer(); err != nil {
		return err
	}
	if s.business.Access.Human.Needed() {
		kit.Ticket = s.tickets.Ticket
	}
	e := echo.New()
	e.Logger = s.log
	if c.OTLPEndpoint != "" {
		e.Use(traceRequests)
	}
	r := manager.Install(e)
	r.Get("/favicon.ico", web.Public, favicon)
	r.Get("/healthz", web.Private, healthz)
	r.Get("/readyz", web.Private, s.readyz)
	if c.MetricsAddr == "" {
		r.Get("/metrics", web.Private, echo.WrapHandler(s.metrics.handler(c.MetricsToken)))
	}
	r.Get(static.Prefix+"*", web.Asset, echo.WrapHandler(static.Handler()))
	landing.Routes(r, kit)
	legal.Routes(r, kit)
	hiresure.Routes(r, kit)
	application.Routes(r, kit)
	checkout.Routes(r, kit)
	account.Routes(r, kit)
	apiConfig := api.Config{Services: s.business, Forms: c.forms, Events: s.events, BaseURL: c.BaseURL, Clock: s.clock, Log: s.log, Sessions: manager, Keys: keyStore{s.store}, ServiceSecret: c.ServiceSecret}
	if s.business.Access.Human.Needed() {
		apiConfig.Challenge = s.challenge
	}
	if err := api.Routes(r, apiConfig); err != nil {
		return err
	}
	if !c.Production() {
		account.SampleRoutes(r, kit)
		if err := dev.Routes(r, dev.Config{Kit: kit, Outbox: s.outbox, OutboxPage: s.outboxPage, Provider: s.sandboxProvider()}); err != nil {
			return err
		}
	}
	s.handler = e
	return nil
}

// favicon redirects browsers that request an icon without having read a page.
func favicon(c *echo.Context) error {
	c.Response().Header().Set("Cache-Control", "no-cache")                          // the icon's path changes with its content
	return c.Redirect(http.StatusFound, static.Path("images/apple-touch-icon.png")) // every browser supports PNG
}

func healthz(c *echo.Context) error { return c.String(http.StatusOK, "ok\n") }

// readyz reports to load balancers whether the site can serve.
func (s *site) readyz(c *echo.Context) error {
	ctx, cancel := context.WithTimeout(c.Request().Context(), 2*time.Second)
	defer cancel()
	if err := s.store.Ping(ctx); err != nil || s.draining.Load() {
		return c.String(http.StatusServiceUnavailable, "not ready\n")
	}
	if _, err := s.storage.get(); err != nil {
		return c.String(http.StatusServiceUnavailable, "not ready: storage\n")
	}
	return c.String(http.StatusOK, strings.Join(append([]string{"ready"}, s.unavailable()...), ", but for ")+"\n")
}

// unavailable lists unavailable services that delay jobs but not visitors.
func (s *site) unavailable() (away []string) {
	if s.scanner != nil {
		if _, err := s.scanner.get(); err != nil { // uploads wait
			away = append(away, "clamd")
		}
	}
	if s.papers != nil && s.papers.Away() {
		away = append(away, "papers")
	}
	return away
}

func (s *site) onClose(f func(context.Context)) { s.closers = append(s.closers, f) }

// close closes what build has opened, last first.
func (s *site) close(ctx context.Context) {
	for i := len(s.closers) - 1; i >= 0; i-- {
		s.closers[i](ctx)
	}
	s.closers = nil
}
