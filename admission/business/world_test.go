package business_test

import (
	"context"
	"database/sql"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/apply"
	"hiresure/admission/business"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/message"
	"hiresure/admission/mydata"
	"hiresure/admission/payment"

	"hiresure/integrations/payment/sandbox"
	"hiresure/jobs"
	"hiresure/store"
	"hiresure/store/storetest"
)

var noon = businesstest.Noon

// each runs a test in a fresh world on SQLite, and in the long tests also on PostgreSQL. In the end the books must balance.
func each(t *testing.T, test func(*testing.T, *world)) {
	t.Helper()
	if asksPostgres {
		onBoth(t, test)
	} else {
		onSQLite(t, test)
	}
}

// onBoth is each for concurrency and for the main queries of the business. It always runs on PostgreSQL too, except with
// -short.
func onBoth(t *testing.T, test func(*testing.T, *world)) {
	t.Helper()
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, newWorld(t, storetest.SQLite(t)))
	})
	if testing.Short() {
		return
	}
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, newWorld(t, storetest.Postgres(t)))
	})
}

// onSQLite runs a test on SQLite alone.
func onSQLite(t *testing.T, test func(*testing.T, *world)) {
	t.Helper()
	t.Parallel()
	test(t, newWorld(t, storetest.SQLite(t)))
}

// A world is the business with a real database, two providers, a worker, and a clock that only tests move.
type world struct {
	*business.Services
	t         *testing.T
	ctx       context.Context // outlives the test by its clean-up
	database  *store.Store
	reads     *sql.DB // for what the product itself never asks
	recorder  *recorder
	clock     *businesstest.Clock
	catalogue businesstest.Catalogue
	sandbox   *provider // "sandbox": takes every currency
	other     *provider // "second"
	post      *post
	alerts    *alerts
	worker    *jobs.Worker
	supplier  *invoice.Supplier
	files     *files
	inspector *inspector
	scanner   *scanner
	needs     business.Config
	notice    string   // version of the privacy notice
	faults    []string // sentences of Store.Verify that a test means to cause
	people    int
	heard     lockedLog // what log writes
}

func newWorld(t *testing.T, address string) *world {
	t.Helper()
	w := &world{
		notice: "2026-11",
		t:      t, ctx: context.WithoutCancel(t.Context()), clock: businesstest.NewClock(noon), catalogue: businesstest.Events(), post: &post{t: t}, alerts: &alerts{},
		supplier: businesstest.Supplier(), inspector: &inspector{}, scanner: &scanner{},
	}
	w.database = storetest.Open(t, address, func(c *store.Config) { c.Clock, c.Log = w.clock.Now, slog.New(slog.DiscardHandler) })
	w.database.UseEvents(&w.catalogue)
	w.reads = storetest.SQL(t, address, "query_only(1)")
	w.files = w.newFiles()
	w.recorder = &recorder{Store: w.database, moves: map[[2]payment.State]int{}}
	w.sandbox, w.other = w.provider("sandbox"), w.provider("second")
	businesstest.Seed(t, w.database)
	w.open(w.sandbox, w.other)
	t.Cleanup(func() {
		if !t.Failed() {
			w.checkBooks()
		}
	})
	return w
}

// open starts the process, or restarts it on the same database.
func (w *world) open(gateways ...*provider) {
	w.t.Helper()
	needs := businesstest.Config(store.Areas(w.recorder), w.clock.Now)
	needs.Events, needs.Supplier = &w.catalogue, func(time.Time) *invoice.Supplier { return w.supplier }
	needs.Notifier, needs.NoticeVersion, needs.Alert = w.post, func() string { return w.notice }, w.alerts.add
	needs.Files, needs.Inspector, needs.Scanner = w.files, w.inspector, w.scanner
	for _, g := range gateways {
		needs.Gateways = append(needs.Gateways, payment.Entry{Descriptor: g.Descriptor(), Gateway: g, Offered: true})
	}
	var err error
	w.needs = needs
	w.Services, err = business.New(needs)
	w.must(err)
	deliver := jobs.ByRef(w.Messages.Deliver)
	w.worker, err = jobs.New(jobs.Config{
		Queue: w.database, Clock: w.clock.Now, Log: needs.Log, Alert: w.alerts.add, Parallel: 4,
		Handlers: map[string]jobs.Handler{
			message.JobSMS: deliver, message.JobMail: deliver,
			mydata.JobExport:   jobs.Once(w.MyData.BuildExport),
			document.JobJudge:  jobs.Once(w.Document.Judge),
			document.JobScan:   jobs.Once(w.Document.ScanAgain),
			document.JobRemove: jobs.Once(w.Document.RemoveObject),
			mydata.JobDelete:   jobs.ByRef(w.MyData.Delete),
			payment.JobPoll:    jobs.ByRef(w.Payment.Poll), apply.JobRemind: jobs.ByRef(w.Apply.Remind), payment.JobEvent: jobs.ByRef(w.Payment.HandleEvent), payment.JobRefund: jobs.ByRef(w.Payment.Refund),
		},
	})
	w.must(err)
}

// openWithout restarts the process with an unconfigured gateway.
func (w *world) openWithout(gone *provider) {
	w.t.Helper()
	w.open()
	w.Payment.Gateways = payment.Catalogue{{Descriptor: gone.Descriptor()}}
}

func (w *world) captureLateAt(txn string) { w.sandbox.captureLate(txn) }

// refundJob inserts a refund job of a payment.
func refundJob(txn string, due time.Time) func(store.Tx) error {
	return func(tx store.Tx) error {
		return tx.AddJob(admission.Job{Kind: payment.JobRefund, Ref: txn, DueAt: due})
	}
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// runJobs runs every due job.
func (w *world) runJobs() {
	w.t.Helper()
	for {
		n, err := w.worker.RunDue(w.ctx)
		w.must(err)
		if n == 0 {
			return
		}
	}
}

// advance advances the clock and runs the jobs that are due.
func (w *world) advance(d time.Duration) {
	w.t.Helper()
	w.clock.Pass(d)
	w.runJobs()
}

func (w *world) coupon(c enrol.Coupon) {
	w.t.Helper()
	c.ID = admission.NewID()
	if c.EventCode == "" {
		c.EventCode = "KS_Mgrow"
	}
	w.must(w.database.SaveCoupon(w.ctx, c))
}

// texts returns the rows of a query, the columns of each joined by " | ".
func (w *world) texts(query string, args ...any) []string {
	w.t.Helper()
	rows, err := w.reads.Query(query, args...)
	w.must(err)
	defer rows.Close()
	columns, err := rows.Columns()
	w.must(err)
	found := []string{}
	for rows.Next() {
		values, targets := make([]string, len(columns)), make([]any, len(columns))
		for i := range values {
			targets[i] = &values[i]
		}
		w.must(rows.Scan(targets...))
		found = append(found, strings.Join(values, " | "))
	}
	w.must(rows.Err())
	return found
}

func (w *world) count(query string, args ...any) (n int) {
	w.t.Helper()
	w.must(w.reads.QueryRow("SELECT COUNT(*) FROM "+query, args...).Scan(&n))
	return n
}

// checkBooks compares our records with each other and with the providers'.
func (w *world) checkBooks() {
	w.t.Helper()
	w.runJobs()
	w.must(w.database.RenewPhases(w.ctx)) // those that the test has let time end
	found, err := w.database.Verify(w.ctx, func(time.Time) bool { return w.supplier != nil })
	w.must(err)
	same(w.t, "faults in the books", found, w.faults)
	same(w.t, "registrations paid more than once", w.texts("SELECT registration_id FROM transactions WHERE state = 'paid' GROUP BY registration_id HAVING COUNT(*) > 1"), nil)
	same(w.t, "webhooks that nobody handled", w.texts("SELECT event_id FROM inbox WHERE handled_at = 0"), nil)

	kept := map[string]int64{}
	for body, err := range w.database.SandboxOrdersOf(w.ctx, time.Time{}, noon.AddDate(10, 0, 0)) {
		w.must(err)
		held, err := sandbox.Held(body)
		w.must(err)
		for currency, minor := range held {
			kept[currency] += minor
		}
	}
	earned := map[string]int64{}
	rows, err := w.reads.Query(`SELECT t.charge_currency, t.charge_minor - t.refunded_minor FROM registrations r JOIN transactions t ON t.id = r.paid_txn_id`)
	w.must(err)
	defer rows.Close()
	for rows.Next() {
		var currency string
		var minor int64
		w.must(rows.Scan(&currency, &minor))
		earned[currency] += minor
	}
	isZero := func(_ string, minor int64) bool { return minor == 0 }
	maps.DeleteFunc(kept, isZero)
	maps.DeleteFunc(earned, isZero)
	if !maps.Equal(kept, earned) {
		w.t.Errorf("the providers keep %v, the paid registrations are worth %v", kept, earned)
	}
}

// same compares lists; nil equals empty.
func same[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// expectProblem expects a Problem.
func expectProblem(t *testing.T, err error, kind admission.Kind, field, message string) {
	t.Helper()
	problem := admission.AsProblem(err)
	if problem == nil || problem.Kind != kind || problem.Field != field || problem.Message != message {
		t.Errorf("got %#v (%v), want %s at %q: %s", problem, err, kind, field, message)
	}
}

// concurrently runs work n times concurrently and returns the errors.
func concurrently(n int, work func(i int) error) []error {
	errs := make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { errs[i] = work(i) })
	}
	group.Wait()
	return errs
}
