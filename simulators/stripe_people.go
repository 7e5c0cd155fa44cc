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

// What payers, banks and the academy's staff do at Stripe. An intent is named by its id or by its metadata's txn. Each
// panics for an id that is unknown there: the test is wrong.

// Pay pays an intent, and returns the charge's id.
func (s *Stripe) Pay(intent string) string { return s.PayWrong(intent, 0, "") }

// PayWrong pays an intent whose sum or currency somebody has changed in the dashboard; 0 and "" leave it as it is.
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
	s.tell("payment_intent.amount_capturable_updated", p.json(false))
}

// Decline is a try that the bank refuses, such as after it was processing.
func (s *Stripe) Decline(intent string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.failed(s.intent(intent), "card_declined", "Your card was declined.")
}

// Challenge has the bank ask who pays (3-D Secure); Prove answers it, or fails to.
func (s *Stripe) Challenge(intent string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.becomes(s.intent(intent), "requires_action")
}

// Prove is the payer's answer to a Challenge.
func (s *Stripe) Prove(intent string, good bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.proves(s.intent(intent), good)
}

// Wait is a try of which the bank has said nothing yet; Pay or Decline end it.
func (s *Stripe) Wait(intent string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.becomes(s.intent(intent), "processing")
}

func (s *Stripe) becomes(p *stripeIntent, status string) {
	p.status, p.failure = status, nil
	s.tell("payment_intent."+status, p.json(false))
}

func (s *Stripe) proves(p *stripeIntent, good bool) {
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
	s.tell("payment_intent.payment_failed", p.json(false))
}

func (s *Stripe) capture(p *stripeIntent, minor int64) {
	p.status, p.received, p.capturable, p.failure = "succeeded", minor, 0, nil
	p.charge.captured, p.charge.at = minor, s.keys.Clock()
	s.moves("charge", minor, p.charge.currency, func() any { return p.charge.json(false) })
	s.tell("payment_intent.succeeded", p.json(false))
}

func (s *Stripe) moves(kind string, minor int64, currency string, source func() any) *stripeBalance {
	b := &stripeBalance{id: s.next("txn"), kind: kind, currency: currency, minor: minor, source: source, at: s.keys.Clock()}
	s.balance = append(s.balance, b)
	return b
}

// Foreign is a payment of another shop of the same account; it returns the charge's id.
func (s *Stripe) Foreign() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	p := &stripeIntent{id: s.next("pi"), currency: "inr", minor: 100000, metadata: map[string]string{"order": "7"}, at: s.keys.Clock()}
	s.intents = append(s.intents, p)
	s.capture(s.charged(p), p.minor)
	return p.charge.id
}

// SlowRefunds leaves refunds pending until FinishRefund.
func (s *Stripe) SlowRefunds() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.slow = true
}

// RefundThere is a refund that staff make in the dashboard; it returns the refund's id.
func (s *Stripe) RefundThere(charge string, minor int64) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.goesBack(s.charge(charge), minor, map[string]string{}).id
}

func (s *Stripe) goesBack(c *stripeCharge, minor int64, metadata map[string]string) *stripeRefund {
	r := &stripeRefund{id: s.next("re"), status: "succeeded", minor: minor, charge: c, metadata: metadata, at: s.keys.Clock()}
	if s.slow {
		r.status = "pending"
	}
	c.refunded += minor
	s.refunds = append(s.refunds, r)
	s.moves("refund", -minor, c.currency, func() any { return r.json() })
	s.tell("charge.refunded", c.json(false))
	s.tell("refund.created", r.json())
	return r
}

// FinishRefund ends a refund: succeeded, failed, canceled or requires_action. One that had succeeded may fail later.
func (s *Stripe) FinishRefund(refund, status string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	r := s.refunds[slices.IndexFunc(s.refunds, func(r *stripeRefund) bool { return r.id == refund || r.metadata["refund"] == refund })]
	if r.status = status; status == "failed" || status == "canceled" {
		r.charge.refunded -= r.minor
		s.moves("refund_failure", r.minor, r.charge.currency, func() any { return r.json() })
		s.tell("refund.failed", r.json())
		return
	}
	s.tell("refund.updated", r.json())
}

// Dispute has the payer's bank open a dispute of a charge, or moves the one that is open: needs_response, under_review, won,
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
		d.moved = append(d.moved, s.moves("adjustment", d.minor, c.currency, func() any { return d.json() }))
		name = "charge.dispute.closed"
	case !strings.HasPrefix(status, "warning_") && status != "prevented" && len(d.moved) == 0:
		d.moved = append(d.moved, s.moves("adjustment", -d.minor, c.currency, func() any { return d.json() }))
	case status == "lost" || status == "warning_closed":
		name = "charge.dispute.closed"
	}
	s.tell(name, d.json())
}

// tell writes a webhook and signs it.
func (s *Stripe) tell(name string, object map[string]any) {
	body, _ := json.Marshal(map[string]any{ // numbers and text always marshal
		"id": s.next("evt"), "object": "event", "api_version": "2024-06-20", "created": s.keys.Clock().Unix(), "type": name, "livemode": false,
		"pending_webhooks": 1, "data": map[string]any{"object": object},
	})
	s.events = append(s.events, s.signed(body))
}

// Sign is any body as Stripe would send it now.
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

// Orders is how many intents there are.
func (s *Stripe) Orders() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.intents)
}

// Captured is what was taken from payers.
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

// Refunded is what has gone back to them, disputes that were lost among it.
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
