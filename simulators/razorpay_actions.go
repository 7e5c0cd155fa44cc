package simulators

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
)

// Actions of payers, banks and staff at Razorpay. Orders are identified by id or receipt. They panic for an unknown id.

// Pay pays an order and returns the payment's id.
func (s *Razorpay) Pay(order string) string { return s.try(order, 0, "INR", "captured") }

// PayWrong pays an order with a wrong sum or currency, such as after an offer.
func (s *Razorpay) PayWrong(order string, minor int64, currency string) string {
	return s.try(order, minor, currency, "captured")
}

// Authorise pays an order at an account that captures by hand.
func (s *Razorpay) Authorise(order string) string { return s.try(order, 0, "INR", "authorized") }

// AuthoriseWrong authorises a wrong sum or currency.
func (s *Razorpay) AuthoriseWrong(order string, minor int64, currency string) string {
	return s.try(order, minor, currency, "authorized")
}

// Decline adds an attempt that the bank rejects.
func (s *Razorpay) Decline(order string) string { return s.try(order, 0, "INR", "failed") }

// LeavePending adds an attempt that the bank has not decided yet.
func (s *Razorpay) LeavePending(order string) string { return s.try(order, 0, "INR", "created") }

func (s *Razorpay) try(order string, minor int64, currency, status string) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	o := s.order(order)
	if minor == 0 {
		minor = o.minor
	}
	return s.pay(o, minor, currency, status, o.notes).id // our checkout passes the order's notes
}

func (s *Razorpay) pay(o *razorpayOrder, minor int64, currency, status string, notes map[string]any) *razorpayPayment {
	p := &razorpayPayment{id: s.next("pay"), minor: minor, order: o, currency: currency, notes: notes, at: s.keys.Clock()}
	s.payments = append(s.payments, p)
	s.setStatus(p, status)
	return p
}

// PayLink adds a payment by a payment link, without an order.
func (s *Razorpay) PayLink(minor int64) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.pay(nil, minor, "INR", "captured", nil).id
}

// PayElsewhere adds a paid order of another shop of the account.
func (s *Razorpay) PayElsewhere(receipt string) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	o := &razorpayOrder{id: s.next("order"), currency: "INR", receipt: receipt, minor: 99900, at: s.keys.Clock()}
	s.orders = append(s.orders, o)
	return s.pay(o, o.minor, "INR", "captured", nil).id
}

// Late confirms an undecided or failed attempt.
func (s *Razorpay) Late(paymentID string) { s.change(paymentID, "captured") }

// Lapse refunds an authorised payment that was never captured.
func (s *Razorpay) Lapse(paymentID string) { s.change(paymentID, "refunded") }

func (s *Razorpay) change(paymentID, status string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.setStatus(s.payment(paymentID), status)
}

func (s *Razorpay) setStatus(p *razorpayPayment, status string) {
	was := p.status
	if p.status = status; status == "captured" {
		p.captured = true
	}
	about := map[string]any{"payment": razorpayEntity(s.paymentJSON(p))}
	switch status {
	case "authorized", "failed":
		s.notify("payment."+status, about)
	case "captured":
		if was != "authorized" {
			s.notify("payment.authorized", about)
		}
		s.notify("payment.captured", about)
		if p.order != nil {
			s.notify("order.paid", map[string]any{"payment": about["payment"], "order": razorpayEntity(s.orderJSON(p.order))})
		}
	}
}

func (s *Razorpay) payment(id string) *razorpayPayment {
	return s.payments[slices.IndexFunc(s.payments, func(p *razorpayPayment) bool { return p.id == id })]
}

// SlowRefunds keeps refunds pending until FinishRefund.
func (s *Razorpay) SlowRefunds() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.slow = true
}

// RefundThere refunds a payment on the dashboard and returns the refund's id.
func (s *Razorpay) RefundThere(paymentID string, minor int64) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	r := &razorpayRefund{id: s.next("rfnd"), status: "processed", minor: minor, payment: s.payment(paymentID), at: s.keys.Clock()}
	s.refunds = append(s.refunds, r)
	s.notifyRefund("refund.processed", r)
	return r.id
}

// FinishRefund ends a refund by its id or receipt: processed or failed. A processed one that fails bounces.
func (s *Razorpay) FinishRefund(name, status string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	r := s.refunds[slices.IndexFunc(s.refunds, func(r *razorpayRefund) bool { return r.id == name || r.receipt == name })]
	r.status = status
	s.notifyRefund("refund."+status, r)
}

func (s *Razorpay) notifyRefund(name string, r *razorpayRefund) {
	s.notify(name, map[string]any{"refund": razorpayEntity(s.refundJSON(r)), "payment": razorpayEntity(s.paymentJSON(r.payment))})
}

// Dispute opens a dispute of a payment, or changes its status: open, under_review, won, lost, closed.
func (s *Razorpay) Dispute(paymentID, status string) { s.dispute(paymentID, "chargeback", status) }

// AskForPapers is a retrieval request.
func (s *Razorpay) AskForPapers(paymentID, status string) { s.dispute(paymentID, "retrieval", status) }

func (s *Razorpay) dispute(paymentID, phase, status string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	p := s.payment(paymentID)
	i := slices.IndexFunc(s.disputes, func(d *razorpayDispute) bool { return d.payment == p })
	if i < 0 {
		i = len(s.disputes)
		s.disputes = append(s.disputes, &razorpayDispute{id: s.next("disp"), payment: p, phase: phase, at: s.keys.Clock()})
	}
	d := s.disputes[i]
	d.status = status
	name := "payment.dispute." + status
	if status == "open" {
		name = "payment.dispute.created"
	}
	s.notify(name, map[string]any{"dispute": razorpayEntity(d.json()), "payment": razorpayEntity(s.paymentJSON(p))})
}

func razorpayEntity(of any) any { return map[string]any{"entity": of} }

// notify adds a signed webhook: hex of HMAC-SHA256, by the secret of webhooks, of the body.
func (s *Razorpay) notify(name string, about map[string]any) {
	contains := []string{}
	for each := range about {
		contains = append(contains, each)
	}
	slices.Sort(contains)
	body, _ := json.Marshal(map[string]any{ // numbers and text always marshal
		"entity": "event", "account_id": "acc_Simulated", "event": name, "contains": contains, "payload": about, "created_at": s.keys.Clock().Unix(),
	})
	s.events = append(s.events, s.signed(body))
}

// Sign returns an event with any body, signed now.
func (s *Razorpay) Sign(body []byte) Event {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.signed(body)
}

func (s *Razorpay) signed(body []byte) Event {
	header := http.Header{}
	header.Set("Content-Type", "application/json")
	header.Set("X-Razorpay-Event-Id", s.next("evt"))
	header.Set("X-Razorpay-Signature", razorpayMAC(s.keys.WebhookSecret, string(body)))
	return Event{header, body}
}

func razorpayMAC(secret, message string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = mac.Write([]byte(message))
	return hex.EncodeToString(mac.Sum(nil))
}

// SignedReturn returns the fields that the checkout passes to the page.
func (s *Razorpay) SignedReturn(paymentID string) map[string]string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.signedReturn(s.payment(paymentID))
}

func (s *Razorpay) signedReturn(p *razorpayPayment) map[string]string {
	return map[string]string{
		"razorpay_payment_id": p.id, "razorpay_order_id": p.order.id, "razorpay_signature": razorpayMAC(s.keys.KeySecret, p.order.id+"|"+p.id),
	}
}

// Orders returns the number of orders.
func (s *Razorpay) Orders() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.orders)
}

// Captured returns the sum captured in a currency.
func (s *Razorpay) Captured(currency string) (minor int64) {
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
func (s *Razorpay) Refunded(currency string) (minor int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, r := range s.refunds {
		if r.status == "processed" && r.payment.currency == currency {
			minor += r.minor
		}
	}
	for _, d := range s.disputes {
		if d.payment.currency == currency {
			minor += d.deducted()
		}
	}
	return minor
}
