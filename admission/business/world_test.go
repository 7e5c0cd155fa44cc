package business_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/business"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/message"
	"hiresure/admission/payment"

	_ "github.com/jackc/pgx/v5/stdlib"

	_ "modernc.org/sqlite"

	"hiresure/integrations/payment/sandbox"
	"hiresure/jobs"
	"hiresure/store"
	"hiresure/store/storetest"
)

var noon = time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)

// each runs a test in a fresh world on each database, with -short on SQLite only. When the test has ended, the books must balance.
func each(t *testing.T, test func(*testing.T, *world)) {
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
		test(t, newSchema(t))
	})
}

var postgres = struct {
	sync.Mutex
	url     string
	schemas int
}{}

// newSchema answers a world in a schema of its own: that is made much faster than a database. One at a time, for who finds
// the lock of the migrations taken waits for whole seconds.
func newSchema(t *testing.T) *world {
	t.Helper()
	postgres.Lock()
	defer postgres.Unlock()
	if postgres.url == "" {
		postgres.url = storetest.Postgres(t)
	}
	postgres.schemas++
	name := fmt.Sprintf("world_%d", postgres.schemas)
	db, err := sql.Open("pgx", postgres.url)
	if err == nil {
		_, err = db.Exec("CREATE SCHEMA " + name)
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return newWorld(t, postgres.url+"&search_path="+name)
}

// once is each for what no database can make a difference to.
func once(t *testing.T, test func(*testing.T, *world)) {
	t.Helper()
	t.Parallel()
	test(t, newWorld(t, storetest.SQLite(t)))
}

// A world is the business with a real database, two providers, a worker, and a clock that stands still.
type world struct {
	*business.Services
	t         *testing.T
	ctx       context.Context // outlives the test by its clean-up
	database  *store.Store
	reads     *sql.DB // for what the product itself never asks
	notary    *notary
	clock     *clock
	catalogue *catalogue
	till      *provider // "sandbox": takes every currency
	other     *provider // "second"
	post      *post
	alerts    *alerts
	worker    *jobs.Worker
	supplier  *invoice.Supplier
	needs     business.Needs
	notice    string   // version of the privacy notice
	faults    []string // sentences of Store.Verify that a test means to cause
	people    int
}

func newWorld(t *testing.T, address string) *world {
	t.Helper()
	w := &world{
		notice: "2026-11",
		t:      t, ctx: context.WithoutCancel(t.Context()), clock: &clock{now: noon}, catalogue: newCatalogue(), post: &post{}, alerts: &alerts{},
		supplier: &invoice.Supplier{Name: "Aksharam", Address: "Bengaluru", GSTIN: "29ABCDE1234F1ZW", SAC: "999293", Series: "KS", CreditSeries: "KSC", RateBP: 1800},
	}
	var err error
	w.database, err = store.Open(t.Context(), store.Config{URL: address, Migrate: true, Secret: storetest.Secret, Clock: w.clock.Now, Log: slog.New(slog.DiscardHandler)})
	w.must(err)
	driver, source := "pgx", address
	if path, isSQLite := strings.CutPrefix(address, "sqlite://"); isSQLite {
		driver, source = "sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?_pragma=busy_timeout(5000)&_pragma=query_only(1)"
	}
	w.reads, err = sql.Open(driver, source)
	w.must(err)
	t.Cleanup(func() { w.must(errors.Join(w.reads.Close(), w.database.Close())) })
	w.notary = &notary{Store: w.database, moves: map[[2]payment.State]int{}}
	w.till, w.other = w.provider("sandbox"), w.provider("second")
	w.coupon(enrol.Coupon{Code: "MGROW500", Terms: enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 500_00}})
	w.coupon(enrol.Coupon{Code: "FULLSEAT", Terms: enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 100}})
	w.coupon(enrol.Coupon{Code: "LASTSEAT", Terms: enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 500_00}, MaxUses: 1})
	w.must(w.database.SaveReferral(t.Context(), enrol.Referral{Code: "SETU2025", OwnerName: "Ishani Bora", OwnerPhone: "+919000000017", CreditMinor: 200_00}))
	w.open(w.till, w.other)
	t.Cleanup(func() {
		if !t.Failed() {
			w.balances()
		}
	})
	return w
}

// open starts the process, anew where it ran before: only the database outlives it.
func (w *world) open(gateways ...*provider) {
	w.t.Helper()
	needs := business.Needs{
		Stores: store.Areas(w.notary), Events: w.catalogue, Supplier: func(time.Time) *invoice.Supplier { return w.supplier }, Human: anybody{}, Notifier: w.post, Clock: w.clock.Now,
		Pepper: bytes.Repeat([]byte("p"), 32), NoticeVersion: func() string { return w.notice }, BaseURL: "https://www.example.in",
		GrievanceEmail: func() string { return "grievance@example.in" }, RateLimitsOff: true, Log: slog.New(slog.DiscardHandler), Alert: w.alerts.add,
	}
	for _, g := range gateways {
		needs.Gateways = append(needs.Gateways, payment.Entry{Descriptor: g.Descriptor(), Gateway: g, Offered: true})
	}
	var err error
	w.needs = needs
	w.Services, err = business.New(needs)
	w.must(err)
	deliver := jobs.ByRef(func(ctx context.Context, id string) (time.Duration, error) { return 0, w.Messages.Deliver(ctx, id) })
	w.worker, err = jobs.New(jobs.Needs{
		Queue: w.database, Clock: w.clock.Now, Log: needs.Log, Alert: w.alerts.add, Parallel: 4,
		Handlers: map[string]jobs.Handler{
			message.JobSMS: deliver, message.JobMail: deliver,
			payment.JobPoll: jobs.ByRef(w.Payment.Poll), payment.JobEvent: jobs.ByRef(w.Payment.HandleEvent), payment.JobRefund: jobs.ByRef(w.Payment.Refund),
		},
	})
	w.must(err)
}

// openWithout starts the process anew with a gateway known and not configured.
func (w *world) openWithout(gone *provider) {
	w.t.Helper()
	w.open()
	w.Payment.Gateways = payment.Catalogue{{Descriptor: gone.Descriptor()}}
}

// captureLateAt is captureLate at the first provider.
func (w *world) captureLateAt(txn string) { w.till.captureLate(txn) }

// refundJob plants the job that sends a payment back.
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

// work does every job that is due.
func (w *world) work() {
	w.t.Helper()
	for {
		n, err := w.worker.RunDue(w.ctx)
		w.must(err)
		if n == 0 {
			return
		}
	}
}

// pass lets time go by, then does what has become due.
func (w *world) pass(d time.Duration) {
	w.t.Helper()
	w.clock.pass(d)
	w.work()
}

func (w *world) coupon(c enrol.Coupon) {
	w.t.Helper()
	c.ID = admission.NewID()
	if c.EventCode == "" {
		c.EventCode = "KS_Mgrow"
	}
	w.must(w.database.SaveCoupon(w.ctx, c))
}

// texts answers the rows of a query, the columns of each joined by " | ".
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

// balances holds the books to each other, and to those of the providers.
func (w *world) balances() {
	w.t.Helper()
	w.work()
	found, err := w.database.Verify(w.ctx, func(time.Time) bool { return w.supplier != nil })
	w.must(err)
	same(w.t, "faults in the books", found, w.faults)
	same(w.t, "registrations paid more than once", w.texts("SELECT registration_id FROM transactions WHERE state = 'paid' GROUP BY registration_id HAVING COUNT(*) > 1"), nil)
	same(w.t, "webhooks that nobody handled", w.texts("SELECT event_id FROM inbox WHERE handled_at = 0"), nil)

	kept := map[string]int64{}
	bodies, err := w.database.SandboxOrdersOf(w.ctx, time.Time{}, noon.AddDate(10, 0, 0))
	w.must(err)
	for _, body := range bodies {
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

// same compares lists; nil and empty are one.
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

// refused wants a Problem.
func refused(t *testing.T, err error, kind admission.Kind, field, message string) {
	t.Helper()
	problem := admission.AsProblem(err)
	if problem == nil || problem.Kind != kind || problem.Field != field || problem.Message != message {
		t.Errorf("got %#v (%v), want %s at %q: %s", problem, err, kind, field, message)
	}
}

// together runs work side by side and answers what each answered.
func together(n int, work func(i int) error) []error {
	errs := make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { errs[i] = work(i) })
	}
	group.Wait()
	return errs
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

func (c *clock) set(now time.Time) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now = now
}

type anybody struct{}

func (anybody) Needed() bool                                          { return false }
func (anybody) Check(context.Context, string, string) (string, error) { return "", nil }

type alerts struct {
	mutex sync.Mutex
	heard []string
}

func (a *alerts) add(what string) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.heard = append(a.heard, what)
}

func (a *alerts) all() []string {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return slices.Clone(a.heard)
}

// post is where messages end up.
type post struct {
	mutex     sync.Mutex
	down      error
	delivered []message.Message
}

func (p *post) Render(*message.Message) error { return nil }

func (p *post) Send(_ context.Context, m message.Message) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.down == nil {
		p.delivered = append(p.delivered, m)
	}
	return p.down
}

func (p *post) setDown(err error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.down = err
}

// to answers what somebody got, codes left out.
func (p *post) to(email string) []message.Message {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return slices.DeleteFunc(slices.Clone(p.delivered), func(m message.Message) bool { return m.To != email })
}

type catalogue struct{ events []admission.Event }

func newCatalogue() *catalogue {
	opens, closes := time.Date(2026, 10, 1, 0, 0, 0, 0, admission.IST), time.Date(2028, 3, 11, 0, 0, 0, 0, admission.IST)
	terms := admission.Terms{Version: "2026-11-01", Hash: "5e5f"}
	return &catalogue{[]admission.Event{
		{
			Slug: "hiresure-mgrow-2025", Code: "KS_Mgrow", SubeventCode: "KS_Mgrow_2025", Title: "HireSure mGrow Scholarship", Courses: []string{"Blockchain", "Artificial_Intelligence"},
			Fee: admission.INR(1499_00), ListFee: admission.INR(1499_00), Prices: map[string]admission.Money{"USD": {Minor: 19_00, Currency: "USD"}}, Published: true, OpensAt: opens, ClosesAt: closes, Terms: terms,
		},
		{
			Slug: "hiresure-campus-2026", Code: "KS_Campus", SubeventCode: "KS_Campus_2026", Title: "HireSure Campus Scholarship", Courses: []string{"Blockchain"},
			Fee: admission.INR(1499_50), ListFee: admission.INR(1499_50), Published: true, OpensAt: opens, ClosesAt: closes, Terms: terms,
		},
	}}
}

func (c *catalogue) EventBySlug(slug string) (admission.Event, bool) {
	return c.find(func(e admission.Event) bool { return e.Slug == slug })
}

func (c *catalogue) EventByCode(code string) (admission.Event, bool) {
	return c.find(func(e admission.Event) bool { return e.Code == code })
}

func (c *catalogue) find(is func(admission.Event) bool) (admission.Event, bool) {
	if i := slices.IndexFunc(c.events, is); i >= 0 {
		return c.events[i], true
	}
	return admission.Event{}, false
}

// A notary is the real store. It writes down which moves of payments were committed, and lets a test come in between.
type notary struct {
	admission.Store[store.Tx]
	mutex  sync.Mutex
	moves  map[[2]payment.State]int
	codes  map[string]string // by phone, the one sent last
	before func()            // once, ahead of the next change
	finish func(*witness) error
}

// beforeNext runs ahead of the next change, once.
func (n *notary) beforeNext(do func()) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.before = do
}

// atTheEnd stands at the end of every change, before its commit; its error rolls the change back.
func (n *notary) atTheEnd(finish func(*witness) error) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.finish = finish
}

func (n *notary) Update(ctx context.Context, work func(store.Tx) error) error {
	n.mutex.Lock()
	before, finish := n.before, n.finish
	n.before = nil
	n.mutex.Unlock()
	if before != nil {
		before()
	}
	var seen *witness
	err := n.Store.Update(ctx, func(tx store.Tx) error {
		seen = &witness{Tx: tx, states: map[string]payment.State{}}
		if err := work(seen); err != nil || finish == nil {
			return err
		}
		return finish(seen)
	})
	if err != nil {
		return err
	}
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for _, move := range seen.moves {
		n.moves[move]++
	}
	for _, m := range seen.messages {
		if code, isCode := m.Params["Code"]; isCode {
			if n.codes == nil {
				n.codes = map[string]string{}
			}
			n.codes[m.To] = code
		}
	}
	return nil
}

func (n *notary) code(phone string) string {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	return n.codes[phone]
}

// A witness sees what one change does.
type witness struct {
	store.Tx
	states   map[string]payment.State
	moves    [][2]payment.State
	messages []message.Message
	invoices int
}

func (x *witness) TransactionForUpdate(id string) (*payment.Transaction, error) {
	t, err := x.Tx.TransactionForUpdate(id)
	if t != nil {
		x.states[id] = t.State
	}
	return t, err
}

func (x *witness) AddTransaction(t *payment.Transaction) error {
	x.moves, x.states[t.ID] = append(x.moves, [2]payment.State{"", t.State}), t.State
	return x.Tx.AddTransaction(t)
}

func (x *witness) SaveTransaction(t *payment.Transaction) error {
	x.moves, x.states[t.ID] = append(x.moves, [2]payment.State{x.states[t.ID], t.State}), t.State
	return x.Tx.SaveTransaction(t)
}

func (x *witness) AddMessage(m *message.Message) error {
	x.messages = append(x.messages, *m)
	return x.Tx.AddMessage(m)
}

func (x *witness) AddInvoice(i *invoice.Invoice) error {
	x.invoices++
	return x.Tx.AddInvoice(i)
}

// A provider is the sandbox gateway, with a test between its books and us.
type provider struct {
	*sandbox.Gateway
	bank  *sandbox.Gateway // the same books, reached by the customer, and by no fault
	world *world

	mutex  sync.Mutex
	calls  []string
	before map[string]func(context.Context) error
	after  map[string]func(*payment.Status) error
	deaf   bool                                         // its webhooks do not reach us
	refund map[string]func(*payment.RefundStatus) error // as after, for the answers about refunds
	down   error
}

func (w *world) provider(name string) *provider {
	w.t.Helper()
	p := &provider{world: w, before: map[string]func(context.Context) error{}, after: map[string]func(*payment.Status) error{}, refund: map[string]func(*payment.RefundStatus) error{}}
	needs := sandbox.Needs{
		Orders: w.database, Key: bytes.Repeat([]byte("g"), 32), Clock: w.clock.Now, Name: name, HangFor: time.Millisecond, Log: slog.New(slog.DiscardHandler),
		Client: &http.Client{Transport: p},
	}
	var err error
	p.bank, err = sandbox.New(needs)
	w.must(err)
	needs.Faults = sandbox.Faults{Before: p.onCall, After: p.onAnswer, AfterRefund: p.onRefund}
	p.Gateway, err = sandbox.New(needs)
	w.must(err)
	return p
}

// RoundTrip delivers a webhook to the office.
func (p *provider) RoundTrip(r *http.Request) (*http.Response, error) {
	if p.deaf {
		return nil, errNoWebhook
	}
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	ack, _, err := p.world.Payment.TakeWebhook(r.Context(), p.Name, payment.Webhook{Header: r.Header, Body: raw})
	answer := &http.Response{StatusCode: http.StatusOK, Status: "200 OK", Body: io.NopCloser(bytes.NewReader(ack)), Request: r}
	if err != nil {
		answer.StatusCode, answer.Status = http.StatusServiceUnavailable, err.Error()
	}
	return answer, nil
}

// beforeNext runs ahead of the next such call; its error is the answer, and nothing has happened.
func (p *provider) beforeNext(call string, do func(context.Context) error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.before[call] = do
}

// afterNext may change the next answer to such a call, or lose it; what was asked has happened.
func (p *provider) afterNext(call string, do func(*payment.Status) error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.after[call] = do
}

// setDown makes every call fail.
func (p *provider) setDown(err error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.down = err
}

// asked answers the calls since it was last asked.
func (p *provider) asked() []string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	calls := p.calls
	p.calls = nil
	return calls
}

func (p *provider) onCall(ctx context.Context, call, _ string) error {
	p.mutex.Lock()
	p.calls = append(p.calls, call)
	do, err := p.before[call], p.down
	delete(p.before, call)
	p.mutex.Unlock()
	if do != nil {
		err = errors.Join(err, do(ctx))
	}
	return err
}

func (p *provider) onAnswer(call string, s *payment.Status) error {
	p.mutex.Lock()
	do := p.after[call]
	delete(p.after, call)
	p.mutex.Unlock()
	if do != nil {
		return do(s)
	}
	return nil
}

// afterRefund is afterNext for the answers about refunds.
func (p *provider) afterRefund(call string, do func(*payment.RefundStatus) error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.refund[call] = do
}

func (p *provider) onRefund(call string, s *payment.RefundStatus) error {
	p.mutex.Lock()
	do := p.refund[call]
	delete(p.refund, call)
	p.mutex.Unlock()
	if do != nil {
		return do(s)
	}
	return nil
}

// happens lets something happen to a paid order at the provider, which tells us by webhook.
func (p *provider) happens(txn string, what sandbox.Afterwards) {
	p.world.t.Helper()
	p.world.must(p.bank.Happen(p.world.ctx, txn, what))
}

// press is the customer at the provider's page; the browser's return is lost.
func (p *provider) press(txn string, outcome sandbox.Outcome) {
	p.world.t.Helper()
	_, err := p.bank.Complete(p.world.ctx, payment.Intent{TxnID: txn, Wanted: true}, "", payment.Return{Form: p.bank.Press(txn, outcome)})
	if err != nil && !errors.Is(err, payment.ErrUnknown) {
		p.world.t.Fatal(err)
	}
}

// captureLate is a bank that has taken the money although the order was cancelled meanwhile.
func (p *provider) captureLate(txn string) {
	p.world.t.Helper()
	p.world.must(p.world.database.ChangeSandboxOrder(p.world.ctx, txn, func(body []byte) ([]byte, error) {
		var order map[string]any
		if err := json.Unmarshal(body, &order); err != nil {
			return nil, err
		}
		order["State"] = payment.ChargePaid
		order["Charges"] = []any{map[string]any{"PaymentID": "sbxpay_" + txn, "Amount": order["Asked"], "At": p.world.clock.Now(), "MovedAt": p.world.clock.Now()}}
		return json.Marshal(order)
	}))
}

// webhook sends one event about a payment.
func (p *provider) webhook(txn, eventType string) error {
	header, body := p.bank.SignedWebhook(txn, eventType)
	_, _, err := p.world.Payment.TakeWebhook(p.world.ctx, p.Name, payment.Webhook{Header: header, Body: body})
	return err
}

// A person comes with a browser and a phone.
type person struct {
	*world
	admission.Visitor
	phone, email string // phone as typed: ten digits
	registration string
	txn          string
}

func (w *world) somebody() *person {
	w.t.Helper()
	w.people++
	p := &person{world: w, phone: fmt.Sprintf("98%08d", w.people), email: fmt.Sprintf("asha%d@example.com", w.people)}
	p.newBrowser()
	return p
}

func (p *person) newBrowser() {
	p.t.Helper()
	_, session, err := p.Access.OpenSession(p.ctx)
	p.must(err)
	p.Visitor = admission.Visitor{SessionID: session.ID, IP: "198.51.100.7", UserAgent: "test"}
}

// verified has proven the phone.
func (w *world) verified() *person {
	w.t.Helper()
	return w.somebody().verify()
}

func (p *person) verify() *person {
	p.t.Helper()
	p.must(p.prove(access.ForPhone, p.phone))
	return p
}

func (p *person) prove(purpose access.Purpose, phone string) error {
	ask := access.CodeAsk{Purpose: purpose, Phone: phone, Email: p.email, EventCode: "KS_Mgrow", SubeventCode: "KS_Mgrow_2025"}
	if purpose == access.ForGuardian {
		ask.GuardianOf = p.phone
	}
	sent, err := p.Access.RequestCode(p.ctx, p.Visitor, ask)
	if err == nil {
		_, err = p.Access.VerifyCode(p.ctx, p.Visitor, access.CodeAnswer{Purpose: purpose, RequestID: sent.RequestID, Phone: phone, Code: p.notary.code("+91" + phone)})
	}
	return err
}

type fields map[string]string

// enrol sends the enrolment form with changes to what everybody types.
func (p *person) enrol(changes fields) (enrol.Registration, error) {
	code, in := "KS_Mgrow", map[string]string{
		"fullname": "Asha Rao", "email": p.email, "phone_number": p.phone, "selected_course": "Blockchain", "state": "Karnataka", "adult": "true", "agreed_terms_conditions": "true",
	}
	for name, value := range changes {
		if name == "event" {
			code = value
			continue
		}
		in[name] = value
	}
	r, err := p.Enrol.Enrol(p.ctx, p.Visitor, code, "", in)
	if err == nil {
		p.registration = r.ID
	}
	return r, err
}

// enrolled has sent the form.
func (w *world) enrolled(changes fields) *person {
	w.t.Helper()
	p := w.verified()
	_, err := p.enrol(changes)
	p.must(err)
	return p
}

// start starts a payment with a gateway, "" for the first.
func (p *person) start(gateway string) (payment.Transaction, error) {
	t, err := p.Payment.Start(p.ctx, p.Visitor, payment.Ask{RegistrationID: p.registration, Gateway: gateway})
	if err == nil {
		p.txn = t.ID
	}
	return t, err
}

// paying has an open attempt.
func (w *world) paying(changes fields) *person {
	w.t.Helper()
	p := w.enrolled(changes)
	p.starts("")
	return p
}

func (p *person) starts(gateway string) payment.Transaction {
	p.t.Helper()
	t, err := p.start(gateway)
	p.must(err)
	return t
}

// paid has paid, and come back.
func (w *world) paid(changes fields) *person {
	w.t.Helper()
	p := w.paying(changes)
	p.returns(sandbox.Paid)
	return p
}

// returns presses a button of the first provider's page, whose browser returns to us.
func (p *person) returns(outcome sandbox.Outcome) payment.Transaction {
	p.t.Helper()
	t, err := p.Payment.Complete(p.ctx, p.txn, payment.Return{Form: p.till.Press(p.txn, outcome)})
	p.must(err)
	return t
}

func (p *person) verifies() payment.Transaction {
	p.t.Helper()
	t, err := p.Payment.Verify(p.ctx, p.txn)
	p.must(err)
	return t
}

// polls is what the worker does for a payment when its time comes; it answers the wait until the next time.
func (w *world) polls(txn string) time.Duration {
	w.t.Helper()
	again, err := w.Payment.Poll(w.ctx, txn)
	w.must(err)
	return again
}

// at is where a person stands: what every test of a payment looks at, and so also what did not happen.
type at struct {
	State    payment.State // of the payment that is looked at
	Outcome  payment.Outcome
	Step     enrol.Step
	Coupon   enrol.UseState // of that payment; "" where none was used
	Invoices int            // of that payment
	Mails    string         // to the person, by template
	Timeline string         // of the registration, by name
}

func (p *person) stands(txn string) at {
	p.t.Helper()
	p.work()
	payment, err := p.Payment.Find(p.ctx, txn)
	p.must(err)
	joined := func(query string, args ...any) string { return strings.Join(p.texts(query, args...), ", ") }
	return at{
		State: payment.Transaction.State, Outcome: payment.Transaction.Outcome(), Step: payment.Registration.Step,
		Coupon:   enrol.UseState(joined("SELECT state FROM coupon_uses WHERE txn_id = $1", txn)),
		Invoices: p.count("invoices WHERE txn_id = $1", txn),
		Mails:    p.mails(),
		Timeline: joined("SELECT what FROM entries WHERE registration_id = $1 ORDER BY what", p.registration),
	}
}

// mails are the templates of what the person got by e-mail.
func (p *person) mails() string {
	var templates []string
	for _, m := range p.post.to(p.email) {
		templates = append(templates, m.Template)
	}
	slices.Sort(templates)
	return strings.Join(templates, ", ")
}

// stand wants a payment's state and all that follows from it.
func (p *person) stand(txn string, want at) {
	p.t.Helper()
	if got := p.stands(txn); got != want {
		p.t.Errorf("\n got %+v\nwant %+v", got, want)
	}
}
