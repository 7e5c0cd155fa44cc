package simulators

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// The objects of an account and the handlers of its API.

type stripeIntent struct {
	id, currency, status, description, email string
	minor, capturable, received              int64
	metadata                                 map[string]string
	failure                                  map[string]any // of the last attempt
	charge                                   *stripeCharge  // the latest
	at                                       time.Time
}

type stripeCharge struct {
	id, currency, status      string
	minor, captured, refunded int64
	intent                    *stripeIntent
	disputed                  bool
	at                        time.Time
}

type stripeRefund struct {
	id, status string
	minor      int64
	charge     *stripeCharge
	metadata   map[string]string
	at         time.Time
}

type stripeDispute struct {
	id, status string
	minor      int64
	charge     *stripeCharge
	moved      []*stripeBalance
	at         time.Time
}

// stripeBalance is a balance transaction.
type stripeBalance struct {
	id, kind, currency string
	minor              int64 // negative for outgoing sums
	source             func() any
	at                 time.Time
}

func (s *Stripe) intent(id string) *stripeIntent {
	i := slices.IndexFunc(s.intents, func(p *stripeIntent) bool { return p.id == id || p.metadata["txn"] == id })
	if i < 0 {
		return nil
	}
	return s.intents[i]
}

// onIntent returns a handler of calls about one intent, by the account's server or by a browser with its secret.
func (s *Stripe) onIntent(answer func(*stripeIntent, *stripeRequest) (any, error)) func(*stripeRequest) (any, error) {
	return func(asked *stripeRequest) (any, error) {
		id := asked.PathValue("id")
		p := s.intent(id)
		byBrowser := asked.Header.Get("Authorization") == "Bearer "+s.keys.PublishableKey
		if p == nil || p.id != id || byBrowser && asked.form.Get("client_secret") != p.secret() {
			return nil, stripeMissing("payment_intent", id)
		}
		return answer(p, asked)
	}
}

func (p *stripeIntent) secret() string {
	sum := sha256.Sum256([]byte("secret of " + p.id))
	return p.id + "_secret_" + hex.EncodeToString(sum[:12])
}

func (s *Stripe) createIntent(asked *stripeRequest) (any, error) {
	minor, err := asked.number("amount")
	if err != nil {
		return nil, err
	}
	metadata, err := asked.metadata()
	if err != nil {
		return nil, err
	}
	currency, email := asked.form.Get("currency"), asked.form.Get("receipt_email")
	switch {
	case !slices.Contains([]string{"inr", "usd", "eur"}, currency):
		return nil, stripeBad("", "Invalid currency: "+currency)
	case minor < 50:
		return nil, stripeBad("amount_too_small", "Amount must be at least 50 in the smallest unit")
	case minor > 99999999:
		return nil, stripeBad("amount_too_large", "Amount must be no more than 99999999")
	case email != "" && (strings.Count(email, "@") != 1 || strings.ContainsFunc(email, func(r rune) bool { return r > '~' || r <= ' ' })):
		return nil, stripeBad("email_invalid", "Invalid email address: "+email)
	}
	p := &stripeIntent{
		id: s.next("pi"), currency: currency, minor: minor, status: "requires_payment_method", metadata: metadata,
		description: asked.form.Get("description"), email: email, at: s.keys.Clock(),
	}
	s.intents = append(s.intents, p)
	s.notify("payment_intent.created", p.json(false))
	return p.json(false), nil
}

func (p *stripeIntent) json(expanded bool) map[string]any {
	told := map[string]any{
		"id": p.id, "object": "payment_intent", "amount": p.minor, "amount_capturable": p.capturable, "amount_received": p.received, "currency": p.currency,
		"status": p.status, "client_secret": p.secret(), "created": p.at.Unix(), "description": p.description, "livemode": false, "metadata": maps.Clone(p.metadata),
		"last_payment_error": nil, "latest_charge": nil, "next_action": nil, "receipt_email": nil, "capture_method": "automatic_async", "payment_method_types": []any{"card"},
	}
	if p.email != "" {
		told["receipt_email"] = p.email
	}
	if p.failure != nil {
		told["last_payment_error"] = p.failure
	}
	if p.status == "requires_action" {
		told["next_action"] = map[string]any{"type": "use_stripe_sdk", "use_stripe_sdk": map[string]any{"type": "stripe_3ds2_fingerprint"}}
	}
	if p.charge != nil {
		told["latest_charge"] = p.charge.id
		if expanded {
			told["latest_charge"] = p.charge.json(false)
		}
	}
	return told
}

func (s *Stripe) listIntents(asked *stripeRequest) (any, error) {
	return stripePage(asked, s.intents, func(p *stripeIntent) string { return p.id }, func(p *stripeIntent) time.Time { return p.at },
		func(p *stripeIntent) any { return p.json(asked.expands("data.latest_charge")) })
}

func stripeState(p *stripeIntent) error {
	return stripeRefusal{http.StatusBadRequest, "invalid_request_error", "payment_intent_unexpected_state", "This PaymentIntent's status is " + p.status + ".", p.json(false)}
}

func (s *Stripe) cancelIntent(p *stripeIntent, _ *stripeRequest) (any, error) {
	if !slices.Contains([]string{"requires_payment_method", "requires_confirmation", "requires_action", "requires_capture"}, p.status) {
		return nil, stripeState(p)
	}
	p.status, p.capturable = "canceled", 0
	s.notify("payment_intent.canceled", p.json(false))
	return p.json(false), nil
}

func (s *Stripe) captureIntent(p *stripeIntent, asked *stripeRequest) (any, error) {
	minor, err := asked.number("amount_to_capture")
	if err != nil {
		return nil, err
	}
	if p.status != "requires_capture" || minor > p.capturable || minor < 1 {
		return nil, stripeState(p)
	}
	s.capture(p, minor)
	return p.json(false), nil
}

func (c *stripeCharge) json(expanded bool) map[string]any {
	told := map[string]any{
		"id": c.id, "object": "charge", "amount": c.minor, "amount_captured": c.captured, "amount_refunded": c.refunded, "captured": c.captured > 0, "currency": c.currency,
		"created": c.at.Unix(), "disputed": c.disputed, "metadata": maps.Clone(c.intent.metadata), "paid": c.status == "succeeded", "payment_intent": c.intent.id,
		"refunded": c.captured > 0 && c.refunded == c.captured, "status": c.status, "payment_method_details": map[string]any{"type": "card"},
	}
	if expanded {
		told["payment_intent"] = c.intent.json(false)
	}
	return told
}

func (s *Stripe) charge(id string) *stripeCharge {
	i := slices.IndexFunc(s.charges, func(c *stripeCharge) bool { return c.id == id })
	if i < 0 {
		return nil
	}
	return s.charges[i]
}

func (s *Stripe) chargeOf(asked *stripeRequest) (any, error) {
	c := s.charge(asked.PathValue("id"))
	if c == nil {
		return nil, stripeMissing("charge", asked.PathValue("id"))
	}
	return c.json(asked.expands("payment_intent")), nil
}

func (s *Stripe) createRefund(asked *stripeRequest) (any, error) {
	c := s.charge(asked.form.Get("charge"))
	if p := s.intent(asked.form.Get("payment_intent")); c == nil && p != nil {
		c = p.charge
	}
	minor, err := asked.number("amount")
	if err != nil {
		return nil, err
	}
	metadata, err := asked.metadata()
	switch {
	case err != nil:
		return nil, err
	case c == nil:
		return nil, stripeMissing("charge", asked.form.Get("charge"))
	case c.disputed:
		return nil, stripeBad("charge_disputed", "Charge "+c.id+" has been charged back; cannot issue a refund.")
	case c.captured == c.refunded:
		return nil, stripeBad("charge_already_refunded", "Charge "+c.id+" has already been refunded.")
	case minor < 1 || minor > c.captured-c.refunded:
		return nil, stripeBad("", "Refund amount is greater than unrefunded amount on charge")
	}
	return s.addRefund(c, minor, metadata).json(), nil
}

func (r *stripeRefund) json() map[string]any {
	told := map[string]any{
		"id": r.id, "object": "refund", "amount": r.minor, "charge": r.charge.id, "created": r.at.Unix(), "currency": r.charge.currency,
		"metadata": maps.Clone(r.metadata), "payment_intent": r.charge.intent.id, "status": r.status,
	}
	if r.status == "failed" {
		told["failure_reason"] = "expired_or_canceled_card"
	}
	return told
}

func (s *Stripe) listRefunds(asked *stripeRequest) (any, error) {
	of := slices.DeleteFunc(slices.Clone(s.refunds), func(r *stripeRefund) bool { return !asked.isOf(r.charge) })
	return stripePage(asked, of, func(r *stripeRefund) string { return r.id }, func(r *stripeRefund) time.Time { return r.at }, func(r *stripeRefund) any { return r.json() })
}

// isOf reports whether a list includes a charge: all charges, or this one.
func (a *stripeRequest) isOf(c *stripeCharge) bool {
	charge, intent := a.form.Get("charge"), a.form.Get("payment_intent")
	return (charge == "" || charge == c.id) && (intent == "" || intent == c.intent.id)
}

func (s *Stripe) refundOf(asked *stripeRequest) (any, error) {
	for _, r := range s.refunds {
		if r.id == asked.PathValue("id") {
			return r.json(), nil
		}
	}
	return nil, stripeMissing("refund", asked.PathValue("id"))
}

func (d *stripeDispute) json() map[string]any {
	moved := []any{}
	for _, b := range d.moved {
		moved = append(moved, b.json(false))
	}
	return map[string]any{
		"id": d.id, "object": "dispute", "amount": d.minor, "balance_transactions": moved, "charge": d.charge.id, "created": d.at.Unix(), "currency": d.charge.currency,
		"metadata": map[string]string{}, "payment_intent": d.charge.intent.id, "reason": "fraudulent", "status": d.status,
	}
}

func (s *Stripe) listDisputes(asked *stripeRequest) (any, error) {
	of := slices.DeleteFunc(slices.Clone(s.disputes), func(d *stripeDispute) bool { return !asked.isOf(d.charge) })
	return stripePage(asked, of, func(d *stripeDispute) string { return d.id }, func(d *stripeDispute) time.Time { return d.at }, func(d *stripeDispute) any { return d.json() })
}

func (b *stripeBalance) json(expanded bool) map[string]any {
	told := map[string]any{"id": b.id, "object": "balance_transaction", "amount": b.minor, "created": b.at.Unix(), "currency": b.currency, "type": b.kind, "source": nil}
	if expanded {
		told["source"] = b.source()
	}
	return told
}

func (s *Stripe) listBalance(asked *stripeRequest) (any, error) {
	return stripePage(asked, s.balance, func(b *stripeBalance) string { return b.id }, func(b *stripeBalance) time.Time { return b.at },
		func(b *stripeBalance) any { return b.json(asked.expands("data.source")) })
}
