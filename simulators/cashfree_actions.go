package simulators

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
)

// Actions of payers, banks and staff at Cashfree. They panic for an unknown id.

// Pay pays an order, and returns the payment's id.
func (s *Cashfree) Pay(orderID string) string { return s.try(orderID, 0, "INR", "SUCCESS", true) }

// PayWrong pays an order with a wrong sum, such as after an offer.
func (s *Cashfree) PayWrong(orderID string, minor int64, currency string) string {
	return s.try(orderID, minor, currency, "SUCCESS", true)
}

// Authorise pays an order at an account that captures by hand.
func (s *Cashfree) Authorise(orderID string) string {
	return s.try(orderID, 0, "INR", "SUCCESS", false)
}

// Decline adds an attempt that the bank rejects.
func (s *Cashfree) Decline(orderID string) string { return s.try(orderID, 0, "INR", "FAILED", false) }

// Drop adds an attempt that the payer abandons.
func (s *Cashfree) Drop(orderID string) string {
	return s.try(orderID, 0, "INR", "USER_DROPPED", false)
}

// LeavePending adds an attempt that the bank has not decided yet.
func (s *Cashfree) LeavePending(orderID string) string {
	return s.try(orderID, 0, "INR", "PENDING", false)
}

func (s *Cashfree) try(orderID string, minor int64, currency, status string, captured bool) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	o := s.order(orderID)
	if minor == 0 {
		minor = o.minor
	}
	p := &cashfreePayment{number: s.next(), minor: minor, order: o, currency: currency, at: s.keys.Clock()}
	s.payments = append(s.payments, p)
	s.setStatus(p, status, captured)
	return strconv.FormatInt(p.number, 10)
}

// Late confirms an undecided or failed attempt.
func (s *Cashfree) Late(paymentID string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.setStatus(s.payment(paymentID), "SUCCESS", true)
}

func (s *Cashfree) setStatus(p *cashfreePayment, status string, captured bool) {
	p.status, p.captured, p.at = status, captured, s.keys.Clock()
	if captured {
		p.order.status = "PAID"
	}
	names := map[string]string{"SUCCESS": "PAYMENT_SUCCESS_WEBHOOK", "FAILED": "PAYMENT_FAILED_WEBHOOK", "USER_DROPPED": "PAYMENT_USER_DROPPED_WEBHOOK"}
	if name := names[status]; name != "" {
		s.notify(name, map[string]any{
			"order":   map[string]any{"order_id": p.order.id, "order_amount": inRupees(p.order.minor), "order_currency": p.order.currency, "order_tags": nil},
			"payment": map[string]any{"cf_payment_id": p.number, "payment_status": status, "payment_amount": inRupees(p.minor), "payment_currency": p.currency},
		})
	}
}

func (s *Cashfree) payment(id string) *cashfreePayment {
	return s.payments[slices.IndexFunc(s.payments, func(p *cashfreePayment) bool { return strconv.FormatInt(p.number, 10) == id })]
}

// SlowRefunds keeps refunds pending until FinishRefund.
func (s *Cashfree) SlowRefunds() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.slow = true
}

// RefundThere refunds a payment on the dashboard and returns the refund's id.
func (s *Cashfree) RefundThere(paymentID string, minor int64) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	number := s.next()
	r := &cashfreeRefund{
		id: "dashboard_" + strconv.FormatInt(number, 36), status: "SUCCESS", kind: "MERCHANT_INITIATED", number: number, minor: minor, payment: s.payment(paymentID), at: s.keys.Clock(),
	}
	s.refunds = append(s.refunds, r)
	s.notify("REFUND_STATUS_WEBHOOK", map[string]any{"refund": r.json()})
	return r.id
}

// FinishRefund ends a refund: SUCCESS, CANCELLED or ONHOLD.
func (s *Cashfree) FinishRefund(refundID, status string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	r := s.refunds[slices.IndexFunc(s.refunds, func(r *cashfreeRefund) bool { return r.id == refundID })]
	r.status, r.at = status, s.keys.Clock()
	s.notify("REFUND_STATUS_WEBHOOK", map[string]any{"refund": r.json()})
}

// Dispute opens a dispute of a payment, or changes its status: CHARGEBACK_CREATED, ….
func (s *Cashfree) Dispute(paymentID, status string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	p := s.payment(paymentID)
	i := slices.IndexFunc(s.disputes, func(d *cashfreeDispute) bool { return d.payment == p })
	name := "DISPUTE_UPDATED"
	if i < 0 {
		i, name = len(s.disputes), "DISPUTE_CREATED"
		s.disputes = append(s.disputes, &cashfreeDispute{number: s.next(), minor: p.minor, payment: p})
	}
	d := s.disputes[i]
	d.status, d.at = status, s.keys.Clock()
	s.notify(name, map[string]any{"dispute": d.json(), "order_details": d.order()})
}

// notify adds a signed webhook: base64 of HMAC-SHA256, by the secret key, of the timestamp in milliseconds and the body.
func (s *Cashfree) notify(name string, data map[string]any) {
	body, _ := json.Marshal(idsOf("2023-08-01", map[string]any{"data": data, "event_time": cashfreeAt(s.keys.Clock()), "type": name})) // numbers and text always marshal
	s.events = append(s.events, s.signed(body))
}

// Sign returns an event with any body, signed now.
func (s *Cashfree) Sign(body []byte) Event {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.signed(body)
}

func (s *Cashfree) signed(body []byte) Event {
	at := strconv.FormatInt(s.keys.Clock().UnixMilli(), 10)
	mac := hmac.New(sha256.New, []byte(s.keys.SecretKey))
	_, _ = mac.Write(append([]byte(at), body...))
	header := http.Header{}
	header.Set("Content-Type", "application/json")
	header.Set("X-Webhook-Timestamp", at)
	header.Set("X-Webhook-Signature", base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	return Event{header, body}
}

// Orders returns the number of orders.
func (s *Cashfree) Orders() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.orders)
}

// Captured returns the sum captured in a currency.
func (s *Cashfree) Captured(currency string) (minor int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, p := range s.payments {
		if p.captured && p.currency == currency {
			minor += p.minor
		}
	}
	return minor
}

// Refunded returns the sum refunded in a currency, with lost disputes.
func (s *Cashfree) Refunded(currency string) (minor int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, r := range s.refunds {
		if r.status == "SUCCESS" && r.payment.currency == currency {
			minor += r.minor
		}
	}
	for _, d := range s.disputes {
		if (d.status == "CHARGEBACK_MERCHANT_LOST" || d.status == "CHARGEBACK_MERCHANT_ACCEPTED") && d.payment.currency == currency {
			minor += d.minor
		}
	}
	return minor
}
