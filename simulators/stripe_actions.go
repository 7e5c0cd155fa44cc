package simulators

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Actions of payers, banks and staff at Stripe. Intents are identified by id or metadata.txn. They panic for an unknown id.

// Pay pays an intent and returns the charge's id.
func (s *Stripe) Pay(intent string) string { return s.PayWrong(intent, 0, "") }

// PayWrong pays an intent with a changed sum or currency; 0 and "" change nothing.
func (s *Stripe) PayWrong(intent string, minor int64, currency string) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	p := s.intent(intent)
	if minor != 0 {
		p.minor, p.currency = minor, strings.ToLower(currency)
	}
	s.capture(s.charged(p), p.minor)
	return p.charge.id
}

// Authorise pays an intent at an account that captures by hand.
func (s *Stripe) Authorise(intent string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	p := s.charged(s.intent(intent))
	p.status, p.capturable = "requires_capture", p.minor
	s.notify("payment_intent.amount_capturable_updated", p.json(false))
}

// Decline fails an attempt because the bank rejects it, also after LeavePending.
func (s *Stripe) Decline(intent string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.failed(s.intent(intent), "card_declined", "Your card was declined.")
}

// Challenge starts 3-D Secure, which Prove ends.
func (s *Stripe) Challenge(intent string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.setStatus(s.intent(intent), "requires_action")
}

// Prove ends a Challenge: the payer is authenticated or not.
func (s *Stripe) Prove(intent string, good bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.prove(s.intent(intent), good)
}

// LeavePending leaves an attempt undecided by the bank, until Pay or Decline.
func (s *Stripe) LeavePending(intent string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.setStatus(s.intent(intent), "processing")
}

func (s *Stripe) setStatus(p *stripeIntent, status string) {
	p.status, p.failure = status, nil
	s.notify("payment_intent."+status, p.json(false))
}

func (s *Stripe) prove(p *stripeIntent, good bool) {
	if !good {
		s.failed(p, "payment_intent_authentication_failure", "We are unable to authenticate your payment method.")
		return
	}
	s.capture(s.charged(p), p.minor)
}

func (s *Stripe) charged(p *stripeIntent) *stripeIntent {
	p.charge = &stripeCharge{id: s.next("ch"), currency: p.currency, status: "succeeded", minor: p.minor, intent: p, at: s.keys.Clock()}
	s.charges = append(s.charges, p.charge)
	return p
}

func (s *Stripe) failed(p *stripeIntent, code, text string) {
	s.charged(p).charge.status = "failed"
	p.status, p.failure = "requires_payment_method", map[string]any{"type": "card_error", "code": code, "message": text}
	s.notify("payment_intent.payment_failed", p.json(false))
}

func (s *Stripe) capture(p *stripeIntent, minor int64) {
	p.status, p.received, p.capturable, p.failure = "succeeded", minor, 0, nil
	p.charge.captured, p.charge.at = minor, s.keys.Clock()
	s.addBalance("charge", minor, p.charge.currency, func() any { return p.charge.json(false) })
	s.notify("payment_intent.succeeded", p.json(false))
}

func (s *Stripe) addBalance(kind string, minor int64, currency string, source func() any) *stripeBalance {
	b := &stripeBalance{id: s.next("txn"), kind: kind, currency: currency, minor: minor, source: source, at: s.keys.Clock()}
	s.balance = append(s.balance, b)
	return b
}

// Foreign adds a payment of another shop of the account and returns the charge's id.
func (s *Stripe) Foreign() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	p := &stripeIntent{id: s.next("pi"), currency: "inr", minor: 100000, metadata: map[string]string{"order": "7"}, at: s.keys.Clock()}
	s.intents = append(s.intents, p)
	s.capture(s.charged(p), p.minor)
	return p.charge.id
}

// SlowRefunds keeps refunds pending until FinishRefund.
func (s *Stripe) SlowRefunds() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.slow = true
}

// RefundThere refunds a payment on the dashboard and returns the refund's id.
func (s *Stripe) RefundThere(charge string, minor int64) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.addRefund(s.charge(charge), minor, map[string]string{}).id
}

func (s *Stripe) addRefund(c *stripeCharge, minor int64, metadata map[string]string) *stripeRefund {
	r := &stripeRefund{id: s.next("re"), status: "succeeded", minor: minor, charge: c, metadata: metadata, at: s.keys.Clock()}
	if s.slow {
		r.status = "pending"
	}
	c.refunded += minor
	s.refunds = append(s.refunds, r)
	s.addBalance("refund", -minor, c.currency, func() any { return r.json() })
	s.notify("charge.refunded", c.json(false))
	s.notify("refund.created", r.json())
	return r
}

// FinishRefund sets a refund's status: succeeded, failed, canceled or requires_action. A succeeded one may fail later.
func (s *Stripe) FinishRefund(refund, status string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	r := s.refunds[slices.IndexFunc(s.refunds, func(r *stripeRefund) bool { return r.id == refund || r.metadata["refund"] == refund })]
	if r.status = status; status == "failed" || status == "canceled" {
		r.charge.refunded -= r.minor
		s.addBalance("refund_failure", r.minor, r.charge.currency, func() any { return r.json() })
		s.notify("refund.failed", r.json())
		return
	}
	s.notify("refund.updated", r.json())
}

// Dispute opens a dispute of a charge, or changes its status: needs_response, under_review, won,
// lost, warning_needs_response, warning_closed, prevented, ….
func (s *Stripe) Dispute(charge, status string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	c := s.charge(charge)
	i := slices.IndexFunc(s.disputes, func(d *stripeDispute) bool { return d.charge == c })
	name := "charge.dispute.updated"
	if i < 0 {
		i, name = len(s.disputes), "charge.dispute.created"
		s.disputes = append(s.disputes, &stripeDispute{id: s.next("du"), minor: c.captured, charge: c, at: s.keys.Clock()})
	}
	d := s.disputes[i]
	c.disputed, d.status = true, status
	switch {
	case status == "won" && len(d.moved) == 1:
		d.moved = append(d.moved, s.addBalance("adjustment", d.minor, c.currency, func() any { return d.json() }))
		name = "charge.dispute.closed"
	case !strings.HasPrefix(status, "warning_") && status != "prevented" && len(d.moved) == 0:
		d.moved = append(d.moved, s.addBalance("adjustment", -d.minor, c.currency, func() any { return d.json() }))
	case status == "lost" || status == "warning_closed":
		name = "charge.dispute.closed"
	}
	s.notify(name, d.json())
}

// notify adds a signed webhook.
func (s *Stripe) notify(name string, object map[string]any) {
	body, _ := json.Marshal(map[string]any{ // numbers and text always marshal
		"id": s.next("evt"), "object": "event", "api_version": "2024-06-20", "created": s.keys.Clock().Unix(), "type": name, "livemode": false,
		"pending_webhooks": 1, "data": map[string]any{"object": object},
	})
	s.events = append(s.events, s.signed(body))
}

// Sign returns an event with any body, signed now.
func (s *Stripe) Sign(body []byte) Event {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.signed(body)
}

// signed signs a body: hex of HMAC-SHA256, by the endpoint's secret, of the seconds since 1970, a dot and the body.
func (s *Stripe) signed(body []byte) Event {
	at := s.keys.Clock().Unix()
	mac := hmac.New(sha256.New, []byte(s.keys.WebhookSecret))
	_, _ = fmt.Fprintf(mac, "%d.%s", at, body)
	header := http.Header{}
	header.Set("Content-Type", "application/json; charset=utf-8")
	header.Set("Stripe-Signature", fmt.Sprintf("t=%d,v1=%s,v0=%064d", at, hex.EncodeToString(mac.Sum(nil)), 0))
	return Event{header, body}
}

// Orders returns the number of intents.
func (s *Stripe) Orders() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.intents)
}

// Captured returns the sum captured in a currency.
func (s *Stripe) Captured(currency string) (minor int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, c := range s.charges {
		if c.currency == strings.ToLower(currency) {
			minor += c.captured
		}
	}
	return minor
}

// Refunded returns the sum refunded in a currency, with lost disputes.
func (s *Stripe) Refunded(currency string) (minor int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, r := range s.refunds {
		if r.status == "succeeded" && r.charge.currency == strings.ToLower(currency) {
			minor += r.minor
		}
	}
	for _, d := range s.disputes {
		if d.status == "lost" && d.charge.currency == strings.ToLower(currency) {
			minor += d.minor
		}
	}
	return minor
}
