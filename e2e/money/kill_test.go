package money_test

import (
	"database/sql"
	"fmt"
	"net"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"hiresure/e2e"
	"hiresure/e2e/money"
	"hiresure/store/storetest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if err := e2e.RemoveBinary(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// desk is a site process that can be killed, with all providers.
type desk struct {
	t         *testing.T
	db        *sql.DB
	addr      string
	data      string
	variables []string
	site      *e2e.Site
	gates     []*money.Gate // in the order of money.Providers
	people    int
}

func openDesk(t *testing.T, databaseURL string) *desk {
	t.Helper()
	storetest.Open(t, databaseURL) // creates the tables
	d := &desk{t: t, db: storetest.SQL(t, databaseURL), addr: e2e.AnyPort, data: t.TempDir()}
	var names []string
	for _, p := range money.Providers {
		gate := &money.Gate{}
		server := httptest.NewServer(gate)
		t.Cleanup(server.Close)
		var variables map[string]string
		gate.Bank, variables = p.Open(server.URL, nil)
		for name, value := range variables {
			d.variables = append(d.variables, name+"="+value)
		}
		d.gates, names = append(d.gates, gate), append(names, p.Name)
	}
	d.variables = append(d.variables, "DATABASE_URL="+databaseURL, "GATEWAYS="+strings.Join(names, ","), "CAPTCHA=off", "RATE_LIMITS=off",
		"SECRET_KEY=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff")
	return d
}

func (d *desk) start(more ...string) {
	d.t.Helper()
	d.site = e2e.Start(d.t, d.addr, d.data, append(more, d.variables...)...)
	d.addr = d.site.Addr
}

func (d *desk) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// waitFor waits until a query counts want. It makes postponed jobs due.
func (d *desk) waitFor(want int, what, query string, args ...any) {
	d.t.Helper()
	got := -1
	for began, tries := time.Now(), 1; got != want && time.Since(began) < 30*time.Second; tries++ {
		d.must(d.db.QueryRowContext(d.t.Context(), query, args...).Scan(&got))
		if got == want {
			return
		}
		if <-time.After(20 * time.Millisecond); tries%50 == 0 {
			d.makeJobsDue()
		}
	}
	if got != want {
		d.t.Fatalf("%d %s, want %d:\n%s", got, what, want, d.site.Logs)
	}
}

// makeJobsDue makes the jobs of a killed process due before their leases expire.
func (d *desk) makeJobsDue() {
	d.t.Helper()
	_, err := d.db.ExecContext(d.t.Context(), "UPDATE jobs SET due_at = 1 WHERE kind NOT IN ('purge', 'reconcile')")
	d.must(err)
}

func (d *desk) enrol() (v *e2e.Visitor, registration string) {
	d.t.Helper()
	d.people++
	v = e2e.NewVisitor("http://"+d.addr, d.people)
	request, err := v.AskCode()
	d.must(err)
	code := ""
	for deadline := time.Now().Add(30 * time.Second); code == "" && time.Now().Before(deadline); <-time.After(20 * time.Millisecond) {
		code, err = v.ReadCode()
		d.must(err)
	}
	d.must(v.GiveCode(request, code))
	registration, err = v.Enrol("")
	d.must(err)
	return v, registration
}

// opened is a payment at a provider.
type opened struct {
	money.Attempt
	by   *e2e.Visitor
	name string
	gate *money.Gate
}

func (d *desk) open(v *e2e.Visitor, registration string, at int) *opened {
	d.t.Helper()
	attempt, err := money.Start(v, registration, money.Providers[at].Name)
	d.must(err)
	name, err := d.gates[at].Enter(attempt.Txn, attempt.Fields)
	d.must(err)
	return &opened{attempt, v, name, d.gates[at]}
}

func (d *desk) comeBack(o *opened, fields url.Values) {
	d.t.Helper()
	_, err := money.ComeBack(o.by, o.Txn, fields)
	d.must(err)
}

// killDuring kills the site while all providers delay the response to a call that has had its effect.
func (d *desk) killDuring(call func(p money.Provider) string, happens func(at int)) {
	d.t.Helper()
	arrived, killed := make(chan string, len(d.gates)), make(chan struct{})
	for i, gate := range d.gates {
		gate.WhileAnswering(call(money.Providers[i]), func(string) { arrived <- money.Providers[i].Name; <-killed })
	}
	var all sync.WaitGroup
	for i := range d.gates {
		all.Go(func() { happens(i) })
	}
	var came []string
	for late := time.After(30 * time.Second); len(came) < len(d.gates); {
		select {
		case name := <-arrived:
			came = append(came, name)
		case <-late:
			d.t.Errorf("only %q were asked:\n%s", came, d.site.Logs)
			came = make([]string, len(d.gates))
		}
	}
	d.site.Kill()
	close(killed)
	all.Wait()
}

// Killed between two steps of each kind, the site recovers the state from the providers. The long tests use PostgreSQL.
func TestKill(t *testing.T) { testKill(t, storetest.SQLite(t)) }

func testKill(t *testing.T, databaseURL string) {
	d := openDesk(t, databaseURL)
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts connections and does not respond
	d.must(err)
	t.Cleanup(func() { silent.Close() })

	// Between a payment's row and its mail.
	d.start("SMTP_URL=smtp://" + silent.Addr().String() + "?tls=none&from=hello@example.in")
	for at := range money.Providers {
		v, registration := d.enrol()
		o := d.open(v, registration, at)
		d.comeBack(o, o.gate.Pay(o.name))
	}
	d.waitFor(len(d.gates), "are paid", "SELECT COUNT(*) FROM transactions WHERE state = 'paid'")
	d.site.Kill()
	d.start()
	d.makeJobsDue()
	d.waitFor(len(d.gates), "receipts are sent", "SELECT COUNT(*) FROM messages WHERE cause LIKE 'receipt:%' AND sent_at <> 0")

	// Between a charge and its row.
	charges := make([]*opened, len(d.gates))
	for at := range money.Providers {
		v, registration := d.enrol()
		charges[at] = d.open(v, registration, at)
	}
	d.killDuring(func(p money.Provider) string { return p.Takes }, func(at int) {
		o := charges[at]
		fields := o.gate.Pay(o.name)
		_, _ = money.ComeBack(o.by, o.Txn, fields) // the site is killed meanwhile
	})
	d.start()
	d.makeJobsDue()
	d.waitFor(2*len(d.gates), "are paid", "SELECT COUNT(*) FROM transactions WHERE state = 'paid'")
	d.waitFor(2*len(d.gates), "receipts are sent", "SELECT COUNT(*) FROM messages WHERE cause LIKE 'receipt:%' AND sent_at <> 0")

	// Between a refund and its row.
	late := make([]*opened, len(d.gates))
	for at := range money.Providers {
		v, registration := d.enrol()
		late[at] = d.open(v, registration, at)
		d.comeBack(late[at], late[at].gate.LeavePending(late[at].name))
		faster := d.open(v, registration, (at+1)%len(d.gates))
		d.comeBack(faster, faster.gate.Pay(faster.name))
	}
	d.waitFor(3*len(d.gates), "are paid", "SELECT COUNT(*) FROM transactions WHERE state = 'paid'")
	d.killDuring(func(p money.Provider) string { return p.Refunds }, func(at int) {
		o := late[at]
		before := len(o.gate.Events())
		o.gate.Late(o.name)
		for _, e := range o.gate.Events()[before:] {
			if response, err := money.Tell("http://"+d.addr, money.Providers[at].Name, e); err != nil || response.Status != 200 {
				d.t.Errorf("a webhook of %s: %d, %v", money.Providers[at].Name, response.Status, err)
			}
		}
	})
	d.start()
	_, err = d.db.ExecContext(t.Context(), "UPDATE refunds SET posted_at = posted_at - 120000000") // later than another process could need
	d.must(err)
	d.makeJobsDue()
	d.waitFor(len(d.gates), "have gone back", "SELECT COUNT(*) FROM transactions WHERE state = 'refunded'")
	for i, gate := range d.gates {
		p := money.Providers[i]
		d.waitFor(int(gate.Captured(p.Currency)-gate.Refunded(p.Currency)), p.Currency+" minor units are owed to "+p.Name,
			"SELECT COALESCE(SUM(charge_minor - refunded_minor), 0) FROM transactions WHERE gateway = $1 AND state = 'paid'", p.Name)
		if back := gate.Refunded(p.Currency); back != late[i].Minor {
			t.Errorf("%d went back at %s, want %d", back, p.Name, late[i].Minor)
		}
	}
	d.waitFor(0, "events have no end", "SELECT COUNT(*) FROM inbox WHERE handled_at = 0")
}
