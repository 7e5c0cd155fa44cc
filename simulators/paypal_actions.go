package simulators

import "slices"

// Actions of payers, banks and staff at PayPal. They panic for an unknown id.

// Approve approves an order, which is paid by its capture.
func (s *PayPal) Approve(orderID string) { s.approve(orderID, "good") }

// ApproveWithout approves an order with an instrument that the bank rejects at the capture.
func (s *PayPal) ApproveWithout(orderID string) { s.approve(orderID, "declined") }

// ApproveCheque approves an order with an e-cheque, whose capture is pending until Clear.
func (s *PayPal) ApproveCheque(orderID string) { s.approve(orderID, "cheque") }

func (s *PayPal) approve(orderID, instrument string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	o := s.order(orderID)
	o.status, o.instrument, o.updated = "APPROVED", instrument, s.keys.Clock()
	s.notify("CHECKOUT.ORDER.APPROVED", "checkout-order", s.orderJSON(o))
}

// Void voids an order.
func (s *PayPal) Void(orderID string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.order(orderID).status = "VOIDED"
}

// Pay approves and captures an order without the site and returns the capture's id.
func (s *PayPal) Pay(orderID string) string { return s.PayWrong(orderID, 0, "") }

// PayWrong is Pay with a wrong sum.
func (s *PayPal) PayWrong(orderID string, minor int64, currency string) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	o := s.order(orderID)
	if minor == 0 {
		minor, currency = o.minor, o.currency
	}
	o.instrument = "good"
	return s.addCapture(o, minor, currency).id
}

// Clear decides a pending capture: COMPLETED or DECLINED.
func (s *PayPal) Clear(captureID, status string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	c := s.capture(captureID)
	c.status, c.updated = status, s.keys.Clock()
	s.notifyCapture(c)
}

// CaptureOf returns the id of an order's last capture.
func (s *PayPal) CaptureOf(orderID string) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, c := range slices.Backward(s.captures) {
		if c.order.id == orderID {
			return c.id
		}
	}
	return ""
}

func (s *PayPal) notifyCapture(c *paypalCapture) {
	names := map[string]string{"PENDING": "PAYMENT.CAPTURE.PENDING", "COMPLETED": "PAYMENT.CAPTURE.COMPLETED", "DECLINED": "PAYMENT.CAPTURE.DENIED"}
	s.notify(names[c.status], "capture", s.captureJSON(c, true))
}

func (s *PayPal) capture(id string) *paypalCapture {
	return s.captures[slices.IndexFunc(s.captures, func(c *paypalCapture) bool { return c.id == id })]
}

// SlowRefunds keeps refunds pending until FinishRefund.
func (s *PayPal) SlowRefunds() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.slow = true
}

// FinishRefund ends a refund by the seller's id or PayPal's: COMPLETED, FAILED or CANCELLED. FAILED bounces a completed one.
func (s *PayPal) FinishRefund(id, status string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.setRefundStatus(s.refunds[slices.IndexFunc(s.refunds, func(r *paypalRefund) bool { return r.invoiceID == id || r.id == id })], status)
}

// RefundThere refunds a capture on the dashboard and returns the refund's id.
func (s *PayPal) RefundThere(captureID string, minor int64) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	r := &paypalRefund{id: s.next("1J"), minor: minor, capture: s.capture(captureID), made: s.keys.Clock()}
	s.refunds = append(s.refunds, r)
	s.setRefundStatus(r, "COMPLETED")
	return r.id
}

// Dispute opens a dispute of a capture.
func (s *PayPal) Dispute(captureID string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	now := s.keys.Clock()
	d := &paypalDispute{id: s.next("PP-D-"), status: "WAITING_FOR_SELLER_RESPONSE", capture: s.capture(captureID), made: now, updated: now}
	s.disputes = append(s.disputes, d)
	s.notifyDispute("CUSTOMER.DISPUTE.CREATED", d)
}

// Resolve ends a dispute: RESOLVED_SELLER_FAVOUR, or RESOLVED_BUYER_FAVOUR, which refunds what is left.
func (s *PayPal) Resolve(captureID, outcome string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	d := s.disputes[slices.IndexFunc(s.disputes, func(d *paypalDispute) bool { return d.capture.id == captureID })]
	d.status, d.outcome, d.updated = "RESOLVED", outcome, s.keys.Clock()
	if outcome == "RESOLVED_BUYER_FAVOUR" {
		r := &paypalRefund{id: s.next("1J"), minor: s.remaining(d.capture), capture: d.capture, reversal: true, made: d.updated}
		s.refunds = append(s.refunds, r)
		d.refunded = r.minor
		s.setRefundStatus(r, "COMPLETED")
	}
	s.notifyDispute("CUSTOMER.DISPUTE.RESOLVED", d)
}

func (s *PayPal) notifyDispute(name string, d *paypalDispute) {
	of := map[string]any{"seller_transaction_id": d.capture.id, "gross_amount": paypalSum(d.capture.currency, d.capture.minor)}
	for theirs, ours := range map[string]string{"custom": "custom_id", "invoice_number": "invoice_id"} {
		if text := textOf(d.capture.order.unit[ours]); text != "" {
			of[theirs] = text
		}
	}
	resource := map[string]any{
		"dispute_id": d.id, "create_time": paypalAt(d.made), "update_time": paypalAt(d.updated), "status": d.status, "reason": "UNAUTHORISED",
		"dispute_amount": paypalSum(d.capture.currency, d.capture.minor), "disputed_transactions": []any{of},
	}
	if d.outcome != "" {
		resource["dispute_outcome"] = map[string]any{"outcome_code": d.outcome}
	}
	s.notify(name, "dispute", resource)
}

// EndTokens expires all tokens.
func (s *PayPal) EndTokens() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	clear(s.tokens)
}

// Tokens returns the number of requested tokens.
func (s *PayPal) Tokens() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.asked
}

// Orders returns the number of orders.
func (s *PayPal) Orders() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.orders)
}

// Captured returns the sum captured in a currency.
func (s *PayPal) Captured(currency string) (minor int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, c := range s.captures {
		if c.currency == currency && c.status != "PENDING" && c.status != "DECLINED" {
			minor += c.minor
		}
	}
	return minor
}

// Refunded returns the sum refunded in a currency, with lost disputes.
func (s *PayPal) Refunded(currency string) (minor int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, r := range s.refunds {
		if r.status == "COMPLETED" && r.capture.currency == currency {
			minor += r.minor
		}
	}
	return minor
}
