package money

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"hiresure/admission"
	"hiresure/e2e"
)

// A desk is a provider with the site's account.
type desk struct {
	Provider
	Bank
	calm atomic.Int64 // successful calls until the next fault is allowed
}

// unsettled selects everything that is not final.
const unsettled = `SELECT 'event ' || event_id || ' of ' || gateway || ' ' || txn_id || ': ' || COALESCE((SELECT failures FROM jobs WHERE kind = 'event' AND ref = inbox.id), 'no job') FROM inbox WHERE handled_at = 0
	UNION ALL SELECT state || ' ' || gateway || ' ' || id FROM transactions WHERE state NOT IN ('paid', 'failed', 'expired', 'refunded')
	UNION ALL SELECT 'refund ' || state || ' of ' || txn_id FROM refunds WHERE state NOT IN ('done', 'failed')`

// finish advances time and does staff's work until everything is final, for at most most.
func (s *storm) finish(most time.Duration) {
	for _, a := range s.attempts {
		a.mutex.Lock()
		if a.fate == "is disputed" && a.left == a.Minor-1 { // every dispute ends
			a.left = 0
			a.DisputeWon(a.order)
		}
		a.mutex.Unlock()
	}
	began := time.Now()
	deadline := began.Add(most)
	var broken error // of the last reconciliation
	for first, silent := true, false; !silent && time.Now().Before(deadline); first = false {
		s.advance(deadline)
		for _, txn := range s.texts("SELECT id FROM transactions WHERE state = 'review' AND state_before = ''") {
			s.command("review", txn, "refund", "--as", "Ravi")
		}
		s.refundByStaff()
		if !first && (len(s.texts(unsettled)) > 0 || s.unheard.Load() > 0) {
			continue
		}
		out, err := s.command("reconcile", time.Now().In(admission.IST).Format(time.DateOnly))
		silent, broken = err == nil && out == "" && len(s.texts(unsettled)) == 0 && s.unheard.Load() == 0, err
		if out != "" {
			s.Logf("reconciled:\n%s", out)
		}
	}
	s.Logf("calm after %s", time.Since(began).Round(time.Second))
	if broken != nil {
		s.Errorf("reconciliation: %v", broken)
	}
	for _, left := range s.texts(unsettled) {
		s.Errorf("not settled: %s", left)
	}
	if n := s.unheard.Load(); n != 0 {
		s.Errorf("%d webhooks are not acknowledged", n)
	}
}

// refundByStaff refunds for staff what no job has refunded: by the command line, or on the dashboard if the provider's API cannot
// refund one of two payments of an order.
func (s *storm) refundByStaff() {
	for _, txn := range s.texts("SELECT id FROM transactions WHERE state = 'refund_due' AND id IN (SELECT txn_id FROM refunds WHERE state = 'failed')") {
		s.command("refund", txn, "--as", "Ravi")
	}
	for _, d := range s.desks {
		b, is := d.Bank.(cashfree)
		if !is {
			continue
		}
		for _, payment := range s.texts("SELECT DISTINCT payment_id FROM refunds WHERE state = 'failed' AND txn_id IN (SELECT id FROM transactions WHERE gateway = $1)", d.Name) {
			if !s.byHand[payment] {
				s.byHand[payment] = true
				var minor int64
				if err := s.db.QueryRow("SELECT minor FROM refunds WHERE payment_id = $1", payment).Scan(&minor); err != nil {
					s.Fatal(err)
				}
				b.Cashfree.RefundThere(payment, minor)
				s.count("staff send a second charge back by hand")
			}
		}
	}
}

// advance ages open payments by half an hour and makes all jobs about money due, until none is open.
func (s *storm) advance(deadline time.Time) {
	now := time.Now()
	s.change("UPDATE transactions SET created_at = created_at - $1, expires_at = expires_at - $1 WHERE state IN ('created', 'pending') AND expires_at > $2", older.Microseconds(), now.UnixMicro())
	s.change("UPDATE jobs SET due_at = $1 WHERE kind IN ('poll', 'event', 'refund') AND dead_at = 0 AND due_at > $1", now.UnixMicro())
	for due := true; due && time.Now().Before(deadline); {
		<-time.After(100 * time.Millisecond)
		due = len(s.texts("SELECT ref FROM jobs WHERE kind IN ('poll', 'event', 'refund') AND dead_at = 0 AND due_at <= $1", now.UnixMicro())) > 0
	}
}

func (s *storm) texts(query string, args ...any) (all []string) {
	rows, err := s.db.Query(query, args...)
	if err != nil {
		s.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			s.Fatal(err)
		}
		all = append(all, text)
	}
	if err := rows.Err(); err != nil {
		s.Fatal(err)
	}
	return all
}

// command runs a command of the site while it serves and returns the output.
func (s *storm) command(args ...string) (out string, err error) {
	binary, err := e2e.Binary()
	if err != nil {
		s.Fatal(err)
	}
	command := exec.Command(binary, args...)
	command.Env = append([]string{"DATA_DIR=" + s.data, "PATH=" + os.Getenv("PATH"), "CHROME_URL=off"}, s.variables...)
	var log strings.Builder
	command.Stderr = &log
	raw, err := command.Output()
	s.leaks.logged(log.String())
	if err != nil {
		err = fmt.Errorf("site %v: %w\n%s%s", args, err, raw, log.String())
	}
	return string(raw), err
}

// mustAgree compares the books of site and providers to the paisa, and with what payers were promised.
func (s *storm) mustAgree() {
	if out, err := s.command("verify"); err != nil || out != "" {
		s.Errorf("site verify: %s %v", out, err)
	}
	for _, twice := range s.texts("SELECT registration_id FROM transactions WHERE state IN ('paid', 'disputed') GROUP BY registration_id HAVING COUNT(*) > 1") {
		s.Errorf("registration %s is paid more than once", twice)
	}
	owed := map[string]int64{} // by gateway and currency
	rows, err := s.db.Query("SELECT gateway, charge_currency, SUM(charge_minor - refunded_minor) FROM transactions WHERE state IN ('paid', 'disputed') GROUP BY gateway, charge_currency")
	if err != nil {
		s.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var gateway, currency string
		var minor int64
		if err := rows.Scan(&gateway, &currency, &minor); err != nil {
			s.Fatal(err)
		}
		owed[gateway+" "+currency] = minor
	}
	if err := rows.Err(); err != nil {
		s.Fatal(err)
	}
	for _, d := range s.desks {
		for _, currency := range []string{"INR", "USD", "EUR"} {
			captured, refunded := d.Captured(currency), d.Refunded(currency)
			if held, books := captured-refunded, owed[d.Name+" "+currency]; held != books {
				s.Errorf("%s holds %d %s, and our books say %d", d.Name, held, currency, books)
			}
			if currency == d.Currency {
				s.Logf("%s: %d %s captured, %d sent back, %d owed", d.Name, captured, currency, refunded, owed[d.Name+" "+currency])
			}
		}
	}
	for _, a := range s.attempts {
		if state := s.text("SELECT state FROM transactions WHERE id = $1", a.Txn); a.promised && state != "paid" && state != "refunded" {
			s.Errorf("payment %s was promised to be paid, and is %s", a.Txn, state)
		}
	}
	for _, of := range []string{"registrations", "transactions", "refunds", "credit_notes", "inbox", "invoices"} {
		s.Logf("%s: %s", of, s.text("SELECT CAST(COUNT(*) AS TEXT) FROM "+of))
	}
	if len(s.texts("SELECT id FROM transactions WHERE state = 'paid'")) == 0 {
		s.Error("nobody has paid")
	}
}
