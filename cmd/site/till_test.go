package main

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
	"hiresure/e2e"
	"hiresure/e2e/money"
	"hiresure/simulators"
	"hiresure/store/storetest"
)

// till is a site that takes money at providers that are played, with its books. Its clock and theirs stand still unless time
// passes, and nothing is done there unless it works.
type till struct {
	*reader
	db    *sql.DB
	banks map[string]*branch

	people int
	mutex  sync.Mutex
	alerts []string
}

// branch is one provider as the site reaches it.
type branch struct {
	money.Gate
	at     money.Provider
	heard  int          // events that the site was told of
	skewed atomic.Int64 // by which the provider's clock is ahead of ours
}

// retired is the old secret of each provider's webhooks: a till is in the middle of a rotation.
const retired = "retired"

// openTill opens a site on a database with providers, in the order in which it offers them.
func openTill(t *testing.T, databaseURL string, providers []money.Provider) *till {
	t.Helper()
	storetest.Open(t, databaseURL) // with all tables
	l := &till{banks: map[string]*branch{}, db: storetest.SQL(t, databaseURL)}
	var opened atomic.Pointer[reader]
	clock := func() time.Time {
		if r := opened.Load(); r != nil {
			return r.site.clock()
		}
		return drillNow
	}
	var names []string
	environ := []string{"DATABASE_URL", databaseURL, "RATE_LIMITS", "off", "SECRET_KEY", goodKey}
	for _, p := range providers {
		b := &branch{at: p}
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
	l.site.report = func(fault error, _ string) {
		l.mutex.Lock()
		defer l.mutex.Unlock()
		l.alerts = append(l.alerts, fault.Error())
	}
	return l
}

func (l *till) must(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

// count is the number that a query returns.
func (l *till) count(query string, args ...any) (n int64) {
	l.t.Helper()
	l.must(l.db.QueryRowContext(l.t.Context(), query, args...).Scan(&n))
	return n
}

// texts are the rows of a query, each column after the other with a space.
func (l *till) texts(query string, args ...any) (texts []string) {
	l.t.Helper()
	rows, err := l.db.QueryContext(l.t.Context(), query, args...)
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

// payer is somebody who has enrolled, and is to pay.
type payer struct {
	*e2e.Visitor
	till         *till
	registration string
}

func (l *till) enrols(coupon string) *payer {
	l.t.Helper()
	l.people++
	p := &payer{Visitor: e2e.NewVisitor(l.Base, l.people), till: l}
	request, err := p.AskCode()
	l.must(err)
	l.works()
	code, err := p.ReadCode()
	l.must(err)
	l.must(p.GiveCode(request, code))
	p.registration, err = p.Enrol(coupon)
	l.must(err)
	return p
}

// order is an attempt to pay, with its name at the provider.
type order struct {
	money.Attempt
	*branch
	name string
	by   *payer
}

// opens has the payer choose a provider, and come to it.
func (p *payer) opens(at money.Provider) *order {
	l := p.till
	l.t.Helper()
	attempt, err := money.Start(p.Visitor, p.registration, at.Name)
	l.must(err)
	o := &order{attempt, l.banks[at.Name], "", p}
	o.name, err = o.Enter(o.Txn, o.Fields)
	l.must(err)
	return o
}

// returns is the payer's browser that comes back; it is led somewhere.
func (o *order) returns(fields url.Values) (location string) {
	o.by.till.t.Helper()
	location, err := money.ComeBack(o.by.Visitor, o.Txn, fields)
	o.by.till.must(err)
	return location
}

// pays pays there, and nothing of that comes back by the browser. Where the site itself takes the money when the browser
// comes, the answer to that is lost. It returns what the browser would bring.
func (o *order) pays() (fields url.Values) {
	o.by.till.t.Helper()
	if fields = o.Pay(o.name); o.at.ByReturn {
		o.Suffer("", simulators.ErrorAfter) // of two calls the second
		o.returns(fields)
		return nil
	}
	return fields
}

func (o *order) state() payment.State {
	o.by.till.t.Helper()
	found, err := o.by.till.site.business.Payment.Find(o.by.till.t.Context(), o.Txn)
	o.by.till.must(err)
	return found.Transaction.State
}

// is checks how an attempt stands.
func (o *order) is(want payment.State, when string) {
	o.by.till.t.Helper()
	if got := o.state(); got != want {
		o.by.till.t.Errorf("%s the attempt is %s, want %s", when, got, want)
	}
}

// hears tells the site of what has happened at a provider since the last time, each event signed now, so many times at once;
// all are acknowledged. It returns the events.
func (l *till) hears(b *branch, times int) (events []simulators.Event) {
	l.t.Helper()
	all := b.Events()
	events, b.heard = all[b.heard:], len(all)
	for _, e := range events {
		l.tells(b, b.Resigned(e, func(body string) string { return body }), times)
	}
	return events
}

// learns hears once of what has happened at a provider, and does all that is due then.
func (l *till) learns(b *branch) {
	l.t.Helper()
	l.hears(b, 1)
	l.works()
}

// tells delivers an event so many times at once.
func (l *till) tells(b *branch, e simulators.Event, times int) {
	l.t.Helper()
	var calls sync.WaitGroup
	for range times {
		calls.Go(func() {
			if told, err := money.Tell(l.Base, b.at.Name, e); err != nil || told.Status != http.StatusOK {
				l.t.Errorf("a webhook of %s is answered %d %s, %v: %s", b.at.Name, told.Status, told.Body, err, e.Body)
			}
		})
	}
	calls.Wait()
}

// refused checks that the site believes none of some events: it says so, and keeps nothing.
func (l *till) refused(b *branch, events map[string]simulators.Event) {
	l.t.Helper()
	kept := l.count("SELECT COUNT(*) FROM inbox")
	for what, e := range events {
		told, err := money.Tell(l.Base, b.at.Name, e)
		if err != nil || told.Status != http.StatusBadRequest || !strings.Contains(told.Body, "The signature does not fit the body.") {
			l.t.Errorf("%s: answered %d %s, %v", what, told.Status, told.Body, err)
		}
	}
	if now := l.count("SELECT COUNT(*) FROM inbox"); now != kept {
		l.t.Errorf("%d events are kept of those that nobody may believe", now-kept)
	}
}

// differs checks what reconciliation names now.
func (l *till) differs(want ...string) {
	l.t.Helper()
	differences, err := l.site.business.Payment.Reconcile(l.t.Context(), drillNow, l.site.clock().AddDate(0, 0, 1))
	l.must(err)
	var named []string
	for _, d := range differences {
		named = append(named, d.What)
	}
	if !slices.Equal(named, want) {
		l.t.Errorf("reconciliation names %q, want %q", named, want)
	}
}

// calmsDown lets more than two hours pass, in which the site asks about all that it does not know.
func (l *till) calmsDown() {
	l.t.Helper()
	l.works()
	for _, d := range []time.Duration{31 * time.Second, 4 * time.Minute, 31 * time.Minute, 90 * time.Minute} {
		l.passes(d)
		l.works()
	}
}

// balance is what must hold after whatever has happened, with what somebody was told of, in the order of the alphabet.
func (l *till) balance(alerts ...string) {
	l.t.Helper()
	l.calmsDown()
	l.differs()
	for _, days := range []int{1, 8} { // what is late is a fault by then
		l.passes(time.Duration(days) * 24 * time.Hour)
		l.works()
	}
	for _, twice := range l.texts("SELECT registration_id FROM transactions WHERE state IN ('paid', 'disputed') GROUP BY registration_id HAVING COUNT(*) > 1") {
		l.t.Errorf("registration %s is paid twice", twice)
	}
	for _, b := range l.banks {
		for _, currency := range []string{"INR", "USD", "EUR"} {
			held := b.Captured(currency) - b.Refunded(currency)
			owed := l.count("SELECT COALESCE(SUM(charge_minor - refunded_minor), 0) FROM transactions WHERE gateway = $1 AND charge_currency = $2 AND state IN ('paid', 'disputed')", b.at.Name, currency)
			if held != owed {
				l.t.Errorf("%s holds %s %d, and paid registrations owe %d: %q", b.at.Name, currency, held, owed, l.texts("SELECT id, state, charge_minor, refunded_minor FROM transactions"))
			}
		}
	}
	for _, event := range l.texts("SELECT gateway, type, event_id FROM inbox WHERE handled_at = 0") {
		l.t.Errorf("an event has no end: %s", event)
	}
	for _, open := range l.texts("SELECT id, state FROM transactions WHERE state NOT IN ('paid', 'failed', 'expired', 'refunded', 'disputed')") {
		l.t.Errorf("an attempt has no end: %s", open)
	}
	for _, dead := range l.texts("SELECT kind, ref, last_error FROM jobs WHERE kind IN ('poll', 'event', 'refund') OR dead_at <> 0") {
		l.t.Errorf("a job has no end: %s", dead)
	}
	faults, err := l.site.store.Verify(l.t.Context(), func(at time.Time) bool { _, invoices := l.site.words.Current().SupplierAt(at); return invoices })
	l.must(err)
	for _, fault := range faults {
		l.t.Errorf("site verify: %s", fault)
	}
	slices.Sort(l.alerts)
	if !slices.Equal(l.alerts, alerts) {
		l.t.Errorf("somebody is told %q, want %q", l.alerts, alerts)
	}
	if invoices, receipts := l.count("SELECT COUNT(*) FROM invoices WHERE issue = 1"), l.count("SELECT COUNT(*) FROM messages WHERE cause LIKE 'receipt:%'"); invoices != receipts {
		l.t.Errorf("%d invoices, %d receipts", invoices, receipts)
	}
}

// locks takes what a settlement locks, as somebody else would, and returns what lets it go: on SQLite the right to write; on
// PostgreSQL the registration first and then the attempt, so that one of both must give in.
func (l *till) locks(o *order) (let func()) {
	l.t.Helper()
	line, err := l.db.Conn(l.t.Context())
	l.must(err)
	begin, then := "BEGIN IMMEDIATE", ""
	if strings.HasPrefix(l.site.config.DatabaseURL, "postgres") {
		begin, then = "BEGIN; SELECT 1 FROM registrations WHERE id = '"+o.by.registration+"' FOR UPDATE", "SELECT 1 FROM transactions WHERE id = '"+o.Txn+"' FOR UPDATE"
	}
	_, err = line.ExecContext(l.t.Context(), begin)
	l.must(err)
	return func() {
		_, _ = line.ExecContext(l.t.Context(), then) // it may be the one that gives in
		_, _ = line.ExecContext(l.t.Context(), "ROLLBACK")
		l.must(line.Close())
	}
}

var errWrongPage = errors.New("this is no page of ours")

// page is what the payer's browser shows at an address of the site.
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

// sees checks what the payer reads at an address.
func (p *payer) sees(location, text string) {
	p.till.t.Helper()
	if page, err := p.page(location); err != nil || !strings.Contains(page, text) {
		p.till.t.Errorf("%s does not say %q: %v", location, text, err)
	}
}
