package site_test

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hiresure/admission/payment"
	"hiresure/cmd/site/sitetest"
	"hiresure/e2e"
	"hiresure/e2e/money"
	"hiresure/simulators"
	"hiresure/store/storetest"
)

// gatewaySite is a site with simulated providers. Only passes advances the clocks, and only works runs jobs.
type gatewaySite struct {
	*reader
	db    *sql.DB
	banks map[string]*simulator

	people int
	mutex  sync.Mutex
	alerts []string
}

// simulator is a simulated provider of a gatewaySite, with what the test knows of it.
type simulator struct {
	money.Gate
	at     money.Provider
	heard  int          // events delivered to the site
	skewed atomic.Int64 // how far the provider's clock is ahead of ours
}

// retired is the old webhook secret of each provider: the site is rotating secrets.
const retired = "retired"

// openGatewaySite opens a site with providers, offered in this order.
func openGatewaySite(t *testing.T, databaseURL string, providers []money.Provider) *gatewaySite {
	t.Helper()
	storetest.Open(t, databaseURL) // creates the tables
	l := &gatewaySite{banks: map[string]*simulator{}, db: storetest.SQL(t, databaseURL)}
	var opened atomic.Pointer[reader]
	clock := func() time.Time {
		if r := opened.Load(); r != nil {
			return r.Site.Clock()
		}
		return drillNow
	}
	var names []string
	environ := []string{"DATABASE_URL", databaseURL, "RATE_LIMITS", "off", "SECRET_KEY", sitetest.Key}
	for _, p := range providers {
		b := &simulator{at: p}
		server := httptest.NewServer(b)
		t.Cleanup(server.Close)
		var variables map[string]string
		b.Bank, variables = p.Open(server.URL, func() time.Time { return clock().Add(time.Duration(b.skewed.Load())) })
		l.banks[p.Name], names = b, append(names, p.Name)
		for name, value := range variables {
			if name == p.Secret {
				value += "," + retired
			}
			environ = append(environ, name, value)
		}
	}
	l.reader = openSite(t, append(environ, "GATEWAYS", strings.Join(names, ","))...)
	opened.Store(l.reader)
	l.Site.Report = func(fault error, _ string) {
		l.mutex.Lock()
		defer l.mutex.Unlock()
		l.alerts = append(l.alerts, fault.Error())
	}
	return l
}

func (l *gatewaySite) must(err error) {
	l.T.Helper()
	if err != nil {
		l.T.Fatal(err)
	}
}

// count returns the number of a query.
func (l *gatewaySite) count(query string, args ...any) (n int64) {
	l.T.Helper()
	l.must(l.db.QueryRowContext(l.T.Context(), query, args...).Scan(&n))
	return n
}

// texts returns the rows of a query, columns separated by spaces.
func (l *gatewaySite) texts(query string, args ...any) (texts []string) {
	l.T.Helper()
	rows, err := l.db.QueryContext(l.T.Context(), query, args...)
	l.must(err)
	defer rows.Close()
	columns, err := rows.Columns()
	l.must(err)
	for rows.Next() {
		values, targets := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			targets[i] = &values[i]
		}
		l.must(rows.Scan(targets...))
		texts = append(texts, strings.TrimSuffix(fmt.Sprintln(values...), "\n"))
	}
	l.must(rows.Err())
	return texts
}

// payer is an enrolled visitor who has not paid.
type payer struct {
	*e2e.Visitor
	gatewaySite  *gatewaySite
	registration string
}

func (l *gatewaySite) enrol(coupon string) *payer {
	l.T.Helper()
	l.people++
	p := &payer{Visitor: e2e.NewVisitor(l.Base, l.people), gatewaySite: l}
	request, err := p.AskCode()
	l.must(err)
	l.Work()
	code, err := p.ReadCode()
	l.must(err)
	l.must(p.GiveCode(request, code))
	p.registration, err = p.Enrol(coupon)
	l.must(err)
	return p
}

// order is a payment with its id at the provider.
type order struct {
	money.Attempt
	*simulator
	name string
	by   *payer
}

// start starts a payment at a provider.
func (p *payer) start(at money.Provider) *order {
	l := p.gatewaySite
	l.T.Helper()
	attempt, err := money.Start(p.Visitor, p.registration, at.Name)
	l.must(err)
	o := &order{attempt, l.banks[at.Name], "", p}
	o.name, err = o.Enter(o.Txn, o.Fields)
	l.must(err)
	return o
}

// comeBack sends the payer's browser back to the site and returns the redirect.
func (o *order) comeBack(fields url.Values) (location string) {
	o.by.gatewaySite.T.Helper()
	location, err := money.ComeBack(o.by.Visitor, o.Txn, fields)
	o.by.gatewaySite.must(err)
	return location
}

// pay pays at the provider without returning the browser. If the site captures when the browser returns, that response is
// lost. It returns the fields that the browser would send.
func (o *order) pay() (fields url.Values) {
	o.by.gatewaySite.T.Helper()
	if fields = o.Pay(o.name); o.at.ByReturn {
		o.AddFaults("", simulators.ErrorAfter) // the second of two calls
		o.comeBack(fields)
		return nil
	}
	return fields
}

func (o *order) state() payment.State {
	o.by.gatewaySite.T.Helper()
	found, err := o.by.gatewaySite.Site.Business.Payment.Find(o.by.gatewaySite.T.Context(), o.Txn)
	o.by.gatewaySite.must(err)
	return found.Transaction.State
}

// mustBe checks the state of a payment.
func (o *order) mustBe(want payment.State, when string) {
	o.by.gatewaySite.T.Helper()
	if got := o.state(); got != want {
		o.by.gatewaySite.T.Errorf("%s the attempt is %s, want %s", when, got, want)
	}
}

// deliverNew delivers the provider's new events to the site, each signed now and sent times times at once, and returns them. All are
// acknowledged.
func (l *gatewaySite) deliverNew(b *simulator, times int) (events []simulators.Event) {
	l.T.Helper()
	all := b.Events()
	events, b.heard = all[b.heard:], len(all)
	for _, e := range events {
		l.deliver(b, b.Resigned(e, func(body string) string { return body }), times)
	}
	return events
}

// catchUp delivers the provider's new events once and runs the due jobs.
func (l *gatewaySite) catchUp(b *simulator) {
	l.T.Helper()
	l.deliverNew(b, 1)
	l.Work()
}

// deliver delivers an event times times at once.
func (l *gatewaySite) deliver(b *simulator, e simulators.Event, times int) {
	l.T.Helper()
	var calls sync.WaitGroup
	for range times {
		calls.Go(func() {
			if response, err := money.Tell(l.Base, b.at.Name, e); err != nil || response.Status != http.StatusOK {
				l.T.Errorf("a webhook of %s is answered %d %s, %v: %s", b.at.Name, response.Status, response.Body, err, e.Body)
			}
		})
	}
	calls.Wait()
}

// mustReject checks that the site rejects events and stores nothing.
func (l *gatewaySite) mustReject(b *simulator, events map[string]simulators.Event) {
	l.T.Helper()
	kept := l.count("SELECT COUNT(*) FROM inbox")
	for what, e := range events {
		response, err := money.Tell(l.Base, b.at.Name, e)
		if err != nil || response.Status != http.StatusBadRequest || !strings.Contains(response.Body, "The signature does not fit the body.") {
			l.T.Errorf("%s: answered %d %s, %v", what, response.Status, response.Body, err)
		}
	}
	if now := l.count("SELECT COUNT(*) FROM inbox"); now != kept {
		l.T.Errorf("%d events are kept of those that nobody may believe", now-kept)
	}
}

// mustDiffer checks the differences of a reconciliation.
func (l *gatewaySite) mustDiffer(want ...string) {
	l.T.Helper()
	differences, err := l.Site.Business.Payment.Reconcile(l.T.Context(), drillNow, l.Site.Clock().AddDate(0, 0, 1))
	l.must(err)
	var named []string
	for _, d := range differences {
		named = append(named, d.What)
	}
	if !slices.Equal(named, want) {
		l.T.Errorf("reconciliation names %q, want %q", named, want)
	}
}

// settle advances the clock by more than two hours, in which the site polls all open payments.
func (l *gatewaySite) settle() {
	l.T.Helper()
	l.Work()
	for _, d := range []time.Duration{31 * time.Second, 4 * time.Minute, 31 * time.Minute, 90 * time.Minute} {
		l.Passes(d)
		l.Work()
	}
}

// mustBalance checks the books after any mishap, and the alerts, in alphabetical order.
func (l *gatewaySite) mustBalance(alerts ...string) {
	l.T.Helper()
	l.settle()
	l.mustDiffer()
	for _, days := range []int{1, 8} { // late work is a fault by then
		l.Passes(time.Duration(days) * 24 * time.Hour)
		l.Work()
	}
	for _, twice := range l.texts("SELECT registration_id FROM transactions WHERE state IN ('paid', 'disputed') GROUP BY registration_id HAVING COUNT(*) > 1") {
		l.T.Errorf("registration %s is paid twice", twice)
	}
	for _, b := range l.banks {
		for _, currency := range []string{"INR", "USD", "EUR"} {
			held := b.Captured(currency) - b.Refunded(currency)
			owed := l.count("SELECT COALESCE(SUM(charge_minor - refunded_minor), 0) FROM transactions WHERE gateway = $1 AND charge_currency = $2 AND state IN ('paid', 'disputed')", b.at.Name, currency)
			if held != owed {
				l.T.Errorf("%s holds %s %d, and paid registrations owe %d: %q", b.at.Name, currency, held, owed, l.texts("SELECT id, state, charge_minor, refunded_minor FROM transactions"))
			}
		}
	}
	for _, event := range l.texts("SELECT gateway, type, event_id FROM inbox WHERE handled_at = 0") {
		l.T.Errorf("an event has no end: %s", event)
	}
	for _, open := range l.texts("SELECT id, state FROM transactions WHERE state NOT IN ('paid', 'failed', 'expired', 'refunded', 'disputed')") {
		l.T.Errorf("an attempt has no end: %s", open)
	}
	for _, dead := range l.texts("SELECT kind, ref, last_error FROM jobs WHERE kind IN ('poll', 'event', 'refund') OR dead_at <> 0") {
		l.T.Errorf("a job has no end: %s", dead)
	}
	faults, err := l.Site.Store.Verify(l.T.Context(), func(at time.Time) bool { _, invoices := l.Site.Words.Current().SupplierAt(at); return invoices })
	l.must(err)
	for _, fault := range faults {
		l.T.Errorf("site verify: %s", fault)
	}
	slices.Sort(l.alerts)
	if !slices.Equal(l.alerts, alerts) {
		l.T.Errorf("somebody is told %q, want %q", l.alerts, alerts)
	}
	if invoices, receipts := l.count("SELECT COUNT(*) FROM invoices WHERE issue = 1"), l.count("SELECT COUNT(*) FROM messages WHERE cause LIKE 'receipt:%'"); invoices != receipts {
		l.T.Errorf("%d invoices, %d receipts", invoices, receipts)
	}
}

// lockSettlement takes the locks of a settlement in another transaction and returns the function that releases them: on SQLite the write
// lock; on PostgreSQL the registration and then the payment, a deadlock.
func (l *gatewaySite) lockSettlement(o *order) (let func()) {
	l.T.Helper()
	line, err := l.db.Conn(l.T.Context())
	l.must(err)
	begin, then := "BEGIN IMMEDIATE", ""
	if strings.HasPrefix(l.Site.Config.DatabaseURL, "postgres") {
		begin, then = "BEGIN; SELECT 1 FROM registrations WHERE id = '"+o.by.registration+"' FOR UPDATE", "SELECT 1 FROM transactions WHERE id = '"+o.Txn+"' FOR UPDATE"
	}
	_, err = line.ExecContext(l.T.Context(), begin)
	l.must(err)
	return func() {
		_, _ = line.ExecContext(l.T.Context(), then) // may be the victim of the deadlock
		_, _ = line.ExecContext(l.T.Context(), "ROLLBACK")
		l.must(line.Close())
	}
}

var errWrongPage = errors.New("this is no page of ours")

// page returns a page of the site as the payer's browser shows it.
func (p *payer) page(location string) (string, error) {
	answer, err := p.Client.Get(p.Base + location)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%w: %d", errWrongPage, answer.StatusCode)
	}
	return string(body), err
}

// mustSee expects a text on a page.
func (p *payer) mustSee(location, text string) {
	p.gatewaySite.T.Helper()
	if page, err := p.page(location); err != nil || !strings.Contains(page, text) {
		p.gatewaySite.T.Errorf("%s does not say %q: %v", location, text, err)
	}
}
