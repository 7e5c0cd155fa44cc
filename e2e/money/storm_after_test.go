package money

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"hiresure/simulators"
)

// Events after payers have left: at banks, at providers, and their webhooks.

// act makes one random event happen to an attempt.
func (s *storm) act(random *rand.Rand, a *attempt) {
	switch random.IntN(10) {
	case 0:
		s.poll(a)
	case 1:
		s.openPages(a)
	case 2:
		s.age(a)
	case 3, 4:
		s.payLate(a)
	default:
		s.decideFate(random, a)
	}
}

// openPages opens the pages of an attempt as its payer.
func (s *storm) openPages(a *attempt) {
	for _, path := range []string{"/checkout/" + a.Txn, "/success?kspay_id=" + a.Txn, "/pay"} {
		answer, err := a.visitor.Client.Get(a.visitor.Base + path)
		s.check("look at a page", err)
		if err == nil {
			_ = answer.Body.Close()
		}
		if err == nil && answer.StatusCode >= http.StatusInternalServerError && answer.StatusCode != http.StatusServiceUnavailable {
			s.Errorf("%s answers %d", path, answer.StatusCode)
		}
	}
}

const older = 31 * time.Minute // more than an attempt's life

// age ages an open attempt beyond its life, so that the poller expires it; it may be paid later.
func (s *storm) age(a *attempt) {
	now := time.Now().UnixMicro()
	s.change("UPDATE transactions SET created_at = created_at - $1, expires_at = expires_at - $1 WHERE id = $2 AND state IN ('created', 'pending')", older.Microseconds(), a.Txn)
	s.change("UPDATE jobs SET due_at = $1 WHERE kind = 'poll' AND ref = $2 AND dead_at = 0 AND due_at > $1", now, a.Txn)
	s.count("an attempt's time is over")
}

// change changes the database directly, with retries while the site writes.
func (s *storm) change(statement string, args ...any) {
	var err error
	for range 5 {
		if _, err = s.db.Exec(statement, args...); err == nil || !strings.Contains(err.Error(), "locked") {
			break
		}
		s.count("the database is busy")
	}
	if err != nil {
		s.Errorf("%s: %v", statement, err)
	}
}

// payLate confirms an undecided attempt at the bank.
func (s *storm) payLate(a *attempt) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if !a.waits || a.ByReturn && s.text("SELECT ref FROM transactions WHERE id = $1", a.Txn) == "" { // its return was lost, so that nothing was begun
		return
	}
	a.waits = false
	a.Late(a.order)
	s.count("the bank confirms late")
}

// text returns one column of one row, or "".
func (s *storm) text(query string, args ...any) (text string) {
	rows, err := s.db.Query(query, args...)
	if err != nil {
		s.Error(err)
		return ""
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&text); err != nil {
			s.Error(err)
		}
	}
	if err := rows.Err(); err != nil {
		s.Error(err)
	}
	return text
}

// pages opens public and developers' pages after the storm.
func (s *storm) pages() {
	client := http.Client{Transport: s.leaks}
	for _, path := range []string{"/", "/apply", "/metrics", "/dev/outbox.json", "/api/openapi.yaml"} {
		answer, err := client.Get("http://" + s.addr + path)
		if err != nil {
			s.Error(err)
			continue
		}
		if _ = answer.Body.Close(); answer.StatusCode != http.StatusOK {
			s.Errorf("%s answers %d", path, answer.StatusCode)
		}
	}
}

// webhookOnly are the providers that report disputes only by webhooks, which a storm may lose.
var webhookOnly = map[string]bool{"payu": true, "twocheckout": true}

// decideFate starts or continues the fate of a paid attempt.
func (s *storm) decideFate(random *rand.Rand, a *attempt) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.fate == "" {
		if s.text("SELECT state FROM transactions WHERE id = $1", a.Txn) != "paid" {
			return
		}
		a.fate, a.left = []string{"nothing", "nothing", "goes back", "goes back in parts", "is charged twice", "is disputed"}[random.IntN(6)], a.Minor
		if a.fate == "goes back in parts" && a.Whole {
			a.fate = "goes back"
		}
	}
	switch {
	case a.fate == "goes back" && a.left > 0:
		a.RefundThere(a.order, a.left)
		a.left = 0
	case a.fate == "goes back in parts" && a.left > 0:
		part := min(a.left, a.Minor/3+1)
		a.RefundThere(a.order, part)
		a.left -= part
	case a.fate == "is charged twice" && a.left > 0:
		a.left = 0
		if !s.chargeAgain(a) {
			return
		}
	case a.fate == "is disputed" && !webhookOnly[a.Name] && a.left == a.Minor:
		a.DisputeOpens(a.order)
		a.left--
	case a.fate == "is disputed" && !webhookOnly[a.Name] && a.left > 0:
		s.endDispute(random, a)
		return
	default:
		return
	}
	s.count(a.fate)
}

// endDispute ends the open dispute of an attempt.
func (s *storm) endDispute(random *rand.Rand, a *attempt) {
	a.left = 0
	if random.IntN(2) == 0 {
		a.DisputeWon(a.order)
		s.count("a dispute is won")
		return
	}
	a.DisputeLost(a.order)
	s.count("a dispute is lost")
}

// chargeAgain charges an order a second time, if the provider can.
func (s *storm) chargeAgain(a *attempt) bool {
	switch b := a.Bank.(type) {
	case razorpay:
		b.Razorpay.Pay(a.order)
	case cashfree:
		b.Cashfree.Pay(a.order)
	case twocheckout:
		b.Duplicate(b.RefOf(a.order))
	default:
		return false
	}
	return true
}

// deliverEvents delivers a provider's webhooks until listens ends: shuffled, late, repeated, or never.
func (s *storm) deliverEvents(listens context.Context, d *desk, random *rand.Rand) {
	ticks := time.NewTicker(50 * time.Millisecond)
	defer ticks.Stop()
	for seen := 0; ; {
		events := d.Events()
		for _, e := range events[seen:] {
			s.leaks.event(e)
			if lost := random.IntN(8) == 0; lost {
				s.count("a webhook is lost")
				continue
			}
			copies, late := 1+random.IntN(3), time.Duration(0)
			if random.IntN(2) == 0 {
				late = rand.N(3 * time.Second)
			}
			for range copies {
				s.posts.Go(func() { s.deliver(listens, d, e, late) })
				late += time.Duration(random.IntN(1000)) * time.Millisecond
			}
		}
		seen = len(events)
		select {
		case <-listens.Done():
			return
		case <-ticks.C:
		}
	}
}

// deliver delivers a copy of a webhook until it is acknowledged.
func (s *storm) deliver(listens context.Context, d *desk, e simulators.Event, late time.Duration) {
	s.unheard.Add(1)
	for wait := late; ; wait = 500 * time.Millisecond {
		select {
		case <-listens.Done():
			return
		case <-time.After(wait):
		}
		response, err := Tell("http://"+s.addr, d.Name, e)
		if err != nil || response.Status != http.StatusOK {
			s.count(fmt.Sprintf("a webhook of %s comes again: %d", d.Name, response.Status))
			continue
		}
		if b, is := d.Bank.(twocheckout); is && !b.Receives(e, response.Body) {
			s.Errorf("%s does not take this for a receipt: %s", d.Name, response.Body)
		}
		s.unheard.Add(-1)
		return
	}
}
