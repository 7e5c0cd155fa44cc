// Package demo fills an empty database with invented people in every state, so that a newcomer sees an office at work. Everything goes
// through the services of the business, with a clock that moves from 60 days ago until now. For development only.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/office"
	"hiresure/admission/paper"
	"hiresure/admission/payment"
	"hiresure/admission/receipt"
	"hiresure/admission/status"
	"hiresure/cmd/site/config"
	"hiresure/cmd/site/site"
	"hiresure/integrations/payment/sandbox"
	"hiresure/jobs"
)

const (
	registrations = 300
	days          = 60
)

// demo is a site in the past, with what is going to happen in it.
type demo struct {
	*site.Site
	ctx        context.Context
	clock      *clock
	random     *rand.Rand
	bank       *sandbox.Gateway
	worker     *jobs.Worker
	codes      map[string]string // sent last, by address
	unknown    map[string]bool   // addresses that the mail server does not know
	start, end time.Time
	plan       []event
	people     int
	planned    int // registrations
	uploads    int
	colleagues []colleague
}

// event is something that happens at a time.
type event struct {
	at   time.Time
	what string
	do   func() error // nil: only jobs run
}

// Fill fills the database of c with people whose last actions are just before now, and prints a line. It adds nothing to a database
// that has registrations, and returns an error in production.
func Fill(ctx context.Context, c *config.Config, now time.Time, out io.Writer) error {
	if c.Production() {
		return errors.New("--demo adds invented people and payments: it is refused with APP_ENV=production")
	}
	began := time.Now()
	fmt.Fprint(out, "\n  Demo        adds ") // the rest follows seconds later
	alone := *c                              // calls nobody outside
	alone.Captcha, alone.RateLimits, alone.ChromeURL, alone.ClamdURL = "off", "off", "off", "off"
	alone.SMTPURL, alone.SMSURL, alone.LeadWebhookURL, alone.AccountsIssuer, alone.SentryDSN, alone.OTLPEndpoint = "", "", "", "", "", ""
	now = now.Truncate(time.Millisecond)
	d := &demo{
		ctx: ctx, clock: newClock(now.AddDate(0, 0, -days)), random: rand.New(rand.NewPCG(2026, 12)), codes: map[string]string{}, unknown: map[string]bool{},
		start: now.AddDate(0, 0, -days), end: now,
	}
	var err error
	if d.Site, err = site.Build(ctx, site.Options{Config: &alone, Log: slog.New(slog.DiscardHandler), Clock: d.clock.now}); err != nil {
		return err
	}
	defer d.Close(context.WithoutCancel(ctx))
	has, err := d.Office.CountRegistrations(ctx, office.Query{})
	if err != nil {
		return err
	}
	if has[0].All > 0 {
		_, err := fmt.Fprintln(out, "nothing: the database has registrations")
		return err
	}
	if err := d.fill(); err != nil {
		return fmt.Errorf("--demo: %w", err)
	}
	_, err = fmt.Fprintf(out, "%d people, %d registrations and %d documents in %d s\n", d.people, d.planned, d.uploads, int(time.Since(began).Seconds()))
	return err
}

func (d *demo) fill() error {
	if err := d.open(); err != nil {
		return err
	}
	if err := d.invite(); err != nil {
		return err
	}
	d.planApplications()
	d.planEnrolments()
	d.planLetters()
	slices.SortStableFunc(d.plan, func(a, b event) int { return a.at.Compare(b.at) })
	for _, e := range d.plan {
		if err := d.runUntil(e.at); err != nil {
			return err
		}
		if e.do == nil {
			continue
		}
		if err := e.do(); err != nil {
			return fmt.Errorf("%s: %w", e.what, err)
		}
	}
	if err := d.runUntil(d.end); err != nil {
		return err
	}
	if err := errors.Join(d.Business.Receipts.IssueTickets(d.ctx), d.Store.RenewPhases(d.ctx)); err != nil {
		return err
	}
	return d.takeCases()
}

// open replaces what reaches outside of the process.
func (d *demo) open() error {
	gateways := d.Business.Payment.Gateways
	i := slices.IndexFunc(gateways, func(e payment.Entry) bool { _, is := e.Gateway.(*sandbox.Gateway); return is && e.Offered })
	if i < 0 {
		return errors.New("the payments need the sandbox: name it in GATEWAYS")
	}
	d.bank = gateways[i].Gateway.(*sandbox.Gateway)
	d.bank.Client, d.bank.Log, d.bank.HangFor = d.webhooks(), slog.New(slog.DiscardHandler), time.Millisecond
	d.Business.Messages.Notifier = mailbox{d.Business.Messages.Notifier, d}
	d.Business.Document.Inspector = &inspected{d.Business.Document.Inspector, map[string]verdict{}}
	handlers := map[string]jobs.Handler{}
	for _, w := range d.Workers {
		maps.Copy(handlers, w.Handlers)
	}
	// Periodic work is left to the site that serves; fill does at its end what its pages need.
	maps.DeleteFunc(handlers, func(kind string, _ jobs.Handler) bool {
		return slices.Contains([]string{receipt.JobTickets, status.JobRenew, status.JobRenewAll, paper.JobWaiting, paper.JobPrint, "purge", "reconcile"}, kind)
	})
	var err error
	d.worker, err = jobs.New(jobs.Config{
		Queue: d.Store, Handlers: handlers, Parallel: 8, Clock: d.clock.now, Log: slog.New(slog.DiscardHandler), Alert: func(string) {},
	})
	return err
}

// at plans something, unless it is in the future. do may be nil.
func (d *demo) at(at time.Time, what string, do func() error) {
	if !at.After(d.end) {
		d.plan = append(d.plan, event{at, what, do})
	}
}

// longestGap is how late jobs may run.
const longestGap = 2 * time.Hour

// runUntil moves the clock and runs due jobs on the way.
func (d *demo) runUntil(at time.Time) error {
	for {
		now := d.clock.now()
		next := at
		if at.Sub(now) > longestGap {
			next = now.Add(longestGap)
		}
		d.clock.set(next)
		for n := 1; n > 0; {
			var err error
			if n, err = d.worker.RunDue(d.ctx); err != nil {
				return err
			}
		}
		if next.Equal(at) {
			return d.ctx.Err()
		}
	}
}

// moment returns a time of the day or evening in India between two times; more people come late than early.
func (d *demo) moment(from, to time.Time) (at time.Time) {
	length := to.Sub(from)
	if length <= 0 {
		return to
	}
	for range 30 {
		share := d.random.Float64()
		if d.random.IntN(2) == 0 {
			share = max(share, d.random.Float64())
		}
		at = from.Add(time.Duration(share * float64(length))).Truncate(time.Second)
		if hour := at.In(admission.IST).Hour(); hour >= 7 && hour < 23 && (hour >= 10 || d.random.IntN(3) == 0) {
			break
		}
	}
	return at
}

// soon returns a time after at, of about so much.
func (d *demo) soon(at time.Time, about time.Duration) time.Time {
	return at.Add(about/2 + time.Duration(d.random.Int64N(int64(about)))).Truncate(time.Second)
}

func pick[T any](d *demo, from []T) T { return from[d.random.IntN(len(from))] }

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
