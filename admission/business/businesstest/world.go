package businesstest

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/apply"
	"hiresure/admission/business"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/message"
	"hiresure/admission/mydata"
	"hiresure/admission/payment"
	"hiresure/forms"
	"hiresure/forms/formstest"
	"hiresure/integrations/payment/sandbox"
	"hiresure/jobs"
	"hiresure/store"
	"hiresure/store/storetest"
)

// Each runs a test in a fresh world on SQLite, and in the long tests also on PostgreSQL. In the end the books must balance.
func Each(t *testing.T, test func(*testing.T, *World)) {
	t.Helper()
	if storetest.Long {
		OnBoth(t, test)
	} else {
		OnSQLite(t, test)
	}
}

// OnBoth is Each for concurrency and for the main queries of the business. It always runs on PostgreSQL too, except with
// -short.
func OnBoth(t *testing.T, test func(*testing.T, *World)) {
	t.Helper()
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, NewWorld(t, storetest.SQLite(t)))
	})
	if testing.Short() {
		return
	}
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, NewWorld(t, storetest.Postgres(t)))
	})
}

// OnSQLite runs a test on SQLite alone.
func OnSQLite(t *testing.T, test func(*testing.T, *World)) {
	t.Helper()
	t.Parallel()
	test(t, NewWorld(t, storetest.SQLite(t)))
}

// A World is the business with a real database, two providers, a worker, and a clock that only tests move.
type World struct {
	*business.Services
	T              *testing.T
	Ctx            context.Context // outlives the test by its clean-up
	Database       *store.Store
	Reads          *sql.DB // for what the product itself never asks
	Recorder       *Recorder
	Clock          *Clock
	Catalogue      Catalogue
	Sandbox        *Provider // "sandbox": takes every currency
	Second         *Provider // "second"
	Post           *Post
	Alerts         *Alerts
	Worker         *jobs.Worker
	Supplier       *invoice.Supplier
	Files          *Files
	Inspector      *Inspector
	Scanner        *Scanner
	Config         business.Config
	Notice         string   // version of the privacy notice
	ExpectedFaults []string // sentences of Store.Verify that a test means to cause
	people         int
}

// NewWorld returns a world on a database; its books are checked when the test ends.
func NewWorld(t *testing.T, address string) *World {
	t.Helper()
	w := &World{
		Notice: "2026-11",
		T:      t, Ctx: context.WithoutCancel(t.Context()), Clock: NewClock(Noon), Catalogue: Events(), Post: &Post{t: t}, Alerts: &Alerts{},
		Supplier: Supplier(), Inspector: &Inspector{}, Scanner: &Scanner{},
	}
	w.Database = storetest.Open(t, address, func(c *store.Config) { c.Clock, c.Log = w.Clock.Now, slog.New(slog.DiscardHandler) })
	w.Database.UseEvents(&w.Catalogue)
	w.Reads = storetest.SQL(t, address, "query_only(1)")
	w.Files = w.newFiles()
	w.Recorder = &Recorder{Store: w.Database, Moves: map[[2]payment.State]int{}}
	w.Sandbox, w.Second = w.provider("sandbox"), w.provider("second")
	Seed(t, w.Database)
	w.Open(w.Sandbox, w.Second)
	t.Cleanup(func() {
		if !t.Failed() {
			w.CheckBooks()
		}
	})
	return w
}

// Open starts the process, or restarts it on the same database.
func (w *World) Open(gateways ...*Provider) {
	w.T.Helper()
	config := Config(store.Areas(w.Recorder), w.Clock.Now)
	config.Events, config.Supplier = &w.Catalogue, func(time.Time) *invoice.Supplier { return w.Supplier }
	config.Notifier, config.NoticeVersion, config.Alert = w.Post, func() string { return w.Notice }, w.Alerts.add
	config.Files, config.Inspector, config.Scanner = w.Files, w.Inspector, w.Scanner
	for _, g := range gateways {
		config.Gateways = append(config.Gateways, payment.Entry{Descriptor: g.Descriptor(), Gateway: g, Offered: true})
	}
	var err error
	w.Config = config
	w.Services, err = business.New(config)
	w.Must(err)
	deliver := jobs.ByRef(w.Messages.Deliver)
	w.Worker, err = jobs.New(jobs.Config{
		Queue: w.Database, Clock: w.Clock.Now, Log: config.Log, Alert: w.Alerts.add, Parallel: 4,
		Handlers: map[string]jobs.Handler{
			message.JobSMS: deliver, message.JobMail: deliver,
			mydata.JobExport:   jobs.Once(w.MyData.BuildExport),
			document.JobJudge:  jobs.Once(w.Document.Judge),
			document.JobScan:   jobs.Once(w.Document.ScanAgain),
			document.JobRemove: jobs.Once(w.Document.RemoveObject),
			mydata.JobDelete:   jobs.ByRef(w.MyData.Delete),
			payment.JobPoll:    jobs.ByRef(w.Payment.Poll), apply.JobRemind: jobs.ByRef(w.Apply.Remind), payment.JobEvent: jobs.ByRef(w.Payment.HandleEvent), payment.JobRefund: jobs.ByRef(w.Payment.Refund), payment.JobWait: jobs.Once(w.Payment.Wait),
		},
	})
	w.Must(err)
}

// OpenWithout restarts the process with an unconfigured gateway.
func (w *World) OpenWithout(gone *Provider) {
	w.T.Helper()
	w.Open()
	w.Payment.Gateways = payment.Catalogue{{Descriptor: gone.Descriptor()}}
}

// RefundJob inserts a refund job of a payment.
func RefundJob(txn string, due time.Time) func(store.Tx) error {
	return func(tx store.Tx) error {
		return tx.AddJob(admission.Job{Kind: payment.JobRefund, Ref: txn, DueAt: due})
	}
}

// Must fails the test if there is an error.
func (w *World) Must(err error) {
	w.T.Helper()
	if err != nil {
		w.T.Fatal(err)
	}
}

// RunJobs runs every due job.
func (w *World) RunJobs() {
	w.T.Helper()
	for {
		n, err := w.Worker.RunDue(w.Ctx)
		w.Must(err)
		if n == 0 {
			return
		}
	}
}

// Advance advances the clock and runs the jobs that are due.
func (w *World) Advance(d time.Duration) {
	w.T.Helper()
	w.Clock.Pass(d)
	w.RunJobs()
}

// AddCoupon saves a coupon, of mGrow if it names no event.
func (w *World) AddCoupon(c enrol.Coupon) {
	w.T.Helper()
	c.ID = admission.NewID()
	if c.EventCode == "" {
		c.EventCode = "KS_Mgrow"
	}
	w.Must(w.Database.SaveCoupon(w.Ctx, c))
}

// Texts returns the rows of a query, the columns of each joined by " | ".
func (w *World) Texts(query string, args ...any) []string {
	w.T.Helper()
	rows, err := w.Reads.Query(query, args...)
	w.Must(err)
	defer rows.Close()
	columns, err := rows.Columns()
	w.Must(err)
	found := []string{}
	for rows.Next() {
		values, targets := make([]string, len(columns)), make([]any, len(columns))
		for i := range values {
			targets[i] = &values[i]
		}
		w.Must(rows.Scan(targets...))
		found = append(found, strings.Join(values, " | "))
	}
	w.Must(rows.Err())
	return found
}

// Count counts rows: the query is what follows SELECT COUNT(*) FROM.
func (w *World) Count(query string, args ...any) (n int) {
	w.T.Helper()
	w.Must(w.Reads.QueryRow("SELECT COUNT(*) FROM "+query, args...).Scan(&n))
	return n
}

// CheckBooks compares our records with each other and with the providers'.
func (w *World) CheckBooks() {
	w.T.Helper()
	w.RunJobs()
	w.Must(w.Database.RenewPhases(w.Ctx)) // those that the test has let time end
	found, err := w.Database.Verify(w.Ctx, func(time.Time) bool { return w.Supplier != nil })
	w.Must(err)
	Same(w.T, "faults in the books", found, w.ExpectedFaults)
	Same(w.T, "registrations paid more than once", w.Texts("SELECT registration_id FROM transactions WHERE state = 'paid' GROUP BY registration_id HAVING COUNT(*) > 1"), nil)
	Same(w.T, "webhooks that nobody handled", w.Texts("SELECT event_id FROM inbox WHERE handled_at = 0"), nil)

	kept, earned := map[string]int64{}, map[string]int64{} // minor units by payment and currency
	for body, err := range w.Database.SandboxOrdersOf(w.Ctx, time.Time{}, Noon.AddDate(10, 0, 0)) {
		w.Must(err)
		txn, held, err := sandbox.Held(body)
		w.Must(err)
		for currency, minor := range held {
			kept[txn+" "+currency] += minor
		}
	}
	rows, err := w.Reads.Query(`SELECT t.id, t.charge_currency, t.charge_minor - t.refunded_minor FROM registrations r JOIN transactions t ON t.id = r.paid_txn_id
		UNION ALL SELECT txn_id, currency, -minor FROM refunds WHERE state = 'done' AND reason IN ($1, $2)`, payment.ReasonRefundLoss, payment.ReasonDisputeLoss)
	w.Must(err)
	defer rows.Close()
	for rows.Next() {
		var txn, currency string
		var minor int64
		w.Must(rows.Scan(&txn, &currency, &minor))
		earned[txn+" "+currency] += minor
	}
	w.Must(rows.Err())
	for of := range kept {
		earned[of] += 0
	}
	for of, worth := range earned {
		if kept[of] != worth {
			txn, _, _ := strings.Cut(of, " ")
			w.T.Errorf("the provider keeps %d of payment %s, it is worth %d here less its losses:\n%s", kept[of], of, worth, strings.Join(w.Books(txn), "\n"))
		}
	}
}

// Books returns our and the provider's records of a payment.
func (w *World) Books(txn string) []string {
	w.T.Helper()
	return slices.Concat(
		w.Texts("SELECT state, state_before, payment_id, charge_minor, refunded_minor, disputed_at, created_at, modified_at FROM transactions WHERE id = $1", txn),
		w.Texts("SELECT id, payment_id, minor, state, reason, posted_at, changed_at FROM refunds WHERE txn_id = $1 ORDER BY created_at", txn),
		w.Texts("SELECT kind, ref, due_at, attempts, last_error FROM jobs WHERE ref LIKE $1", txn+"%"),
		w.Texts("SELECT body FROM sandbox_orders WHERE body LIKE $1", "%"+txn+"%"),
	)
}

// Same compares two lists; nil equals empty.
func Same[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

// Equal compares two values.
func Equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// ExpectProblem expects a Problem.
func ExpectProblem(t *testing.T, err error, kind admission.Kind, field, message string) {
	t.Helper()
	problem := admission.AsProblem(err)
	if problem == nil || problem.Kind != kind || problem.Field != field || problem.Message != message {
		t.Errorf("got %#v (%v), want %s at %q: %s", problem, err, kind, field, message)
	}
}

// Concurrently runs work n times concurrently and returns the errors.
func Concurrently(n int, work func(i int) error) []error {
	errs := make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { errs[i] = work(i) })
	}
	group.Wait()
	return errs
}

// AddFields uses forms with more fields than the built-in ones.
func (w *World) AddFields() {
	w.T.Helper()
	w.Config.Forms = formstest.Added(w.T)
	services, err := business.New(w.Config)
	w.Must(err)
	w.Services = services
}

// StoredVersions returns the stored answers of a form: none in the built-in version, then answers in the next one.
func StoredVersions(form, answers string) []string {
	ships := forms.Get(form).Version
	return []string{fmt.Sprintf("none | %d", ships), fmt.Sprintf("%s | %d", answers, ships+1)}
}

// VerifyBooks returns the output of site verify.
func (w *World) VerifyBooks() []string {
	w.T.Helper()
	found, err := w.Database.Verify(w.Ctx, func(time.Time) bool { return true })
	w.Must(err)
	return found
}

// True returns true as the database formats it.
func True(w *World) string {
	w.T.Helper()
	return w.Texts("SELECT 1 = 1")[0]
}

// Losses returns what Store.Verify says of the money that left a charge twice.
func (w *World) Losses() []string {
	w.T.Helper()
	rows, err := w.Reads.Query(`SELECT txn_id, SUM(minor), currency, payment_id, reason FROM refunds
		WHERE state = 'done' AND reason LIKE '% beyond the charge' GROUP BY txn_id, currency, payment_id, reason ORDER BY txn_id, payment_id, reason`)
	w.Must(err)
	defer rows.Close()
	losses := []string{}
	for rows.Next() {
		var txn, charge, reason string
		var lost admission.Money
		w.Must(rows.Scan(&txn, &lost.Minor, &lost.Currency, &charge, &reason))
		losses = append(losses, fmt.Sprintf("payment %s: %s more than was paid has left its charge %s (%s)", txn, lost, charge, reason))
	}
	w.Must(rows.Err())
	return losses
}
