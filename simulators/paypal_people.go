package simulators

import "slices"

// What payers, banks and the academy's staff do at PayPal. Each panics for an id that is unknown there: the test is wrong.

// Approve is a payer who agrees to pay an order. Nothing is taken until it is captured.
func (s *PayPal) Approve(orderID string) { s.agree(orderID, "good") }

// ApproveWithout is a payer who agrees to pay with what the bank refuses when the order is captured.
func (s *PayPal) ApproveWithout(orderID string) { s.agree(orderID, "declined") }

// ApproveCheque is a payer who agrees to pay by an e-cheque: what is captured waits until Clear.
func (s *PayPal) ApproveCheque(orderID string) { s.agree(orderID, "cheque") }

func (s *PayPal) agree(orderID, instrument string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	o := s.order(orderID)
	o.status, o.instrument, o.updated = "APPROVED", instrument, s.keys.Clock()
	s.tell("CHECKOUT.ORDER.APPROVED", "checkout-order", s.orderJSON(o))
}

// Void ends an order.
func (s *PayPal) Void(orderID string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.order(orderID).status = "VOIDED"
}

// Pay has an order approved and captured by somebody else, such as the payer's own browser, and returns the capture's id.
func (s *PayPal) Pay(orderID string) string { return s.PayWrong(orderID, 0, "") }

// PayWrong is Pay with another sum than was asked for.
func (s *PayPal) PayWrong(orderID string, minor int64, currency string) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	o := s.order(orderID)
	if minor == 0 {
		minor, currency = o.minor, o.currency
	}
	o.instrument = "good"
	return s.take(o, minor, currency).id
}

// Clear ends the wait of a capture: COMPLETED, or DECLINED.
func (s *PayPal) Clear(captureID, status string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	c := s.capture(captureID)
	c.status, c.updated = status, s.keys.Clock()
	s.tellCapture(c)
}

// CaptureOf is the id of what was captured last of an order.
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

func (s *PayPal) tellCapture(c *paypalCapture) {
	names := map[string]string{"PENDING": "PAYMENT.CAPTURE.PENDING", "COMPLETED": "PAYMENT.CAPTURE.COMPLETED", "DECLINED": "PAYMENT.CAPTURE.DENIED"}
	s.tell(names[c.status], "capture", s.captureJSON(c, true))
}

func (s *PayPal) capture(id string) *paypalCapture {
	return s.captures[slices.IndexFunc(s.captures, func(c *paypalCapture) bool { return c.id == id })]
}

// SlowRefunds leaves refunds pending until FinishRefund.
func (s *PayPal) SlowRefunds() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.slow = true
}

// FinishRefund ends a refund, by the seller's id or PayPal's: COMPLETED, FAILED or CANCELLED; one that is done bounces by FAILED.
func (s *PayPal) FinishRefund(id, status string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.turn(s.refunds[slices.IndexFunc(s.refunds, func(r *paypalRefund) bool { return r.invoiceID == id || r.id == id })], status)
}

// RefundThere has staff send money back in PayPal's dashboard, and returns PayPal's id of that.
func (s *PayPal) RefundThere(captureID string, minor int64) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	r := &paypalRefund{id: s.next("1J"), minor: minor, capture: s.capture(captureID), made: s.keys.Clock()}
	s.refunds = append(s.refunds, r)
	s.turn(r, "COMPLETED")
	return r.id
}

// Dispute has a payer open a dispute of a capture.
func (s *PayPal) Dispute(captureID string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	now := s.keys.Clock()
	d := &paypalDispute{id: s.next("PP-D-"), status: "WAITING_FOR_SELLER_RESPONSE", capture: s.capture(captureID), made: now, updated: now}
	s.disputes = append(s.disputes, d)
	s.tellDispute("CUSTOMER.DISPUTE.CREATED", d)
}

// Resolve ends a dispute: RESOLVED_SELLER_FAVOUR, or RESOLVED_BUYER_FAVOUR, by which PayPal gives the payer what is left.
func (s *PayPal) Resolve(captureID, outcome string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	d := s.disputes[slices.IndexFunc(s.disputes, func(d *paypalDispute) bool { return d.capture.id == captureID })]
	d.status, d.outcome, d.updated = "RESOLVED", outcome, s.keys.Clock()
	if outcome == "RESOLVED_BUYER_FAVOUR" {
		r := &paypalRefund{id: s.next("1J"), minor: s.heldOf(d.capture), capture: d.capture, reversal: true, made: d.updated}
		s.refunds = append(s.refunds, r)
		s.turn(r, "COMPLETED")
	}
	s.tellDispute("CUSTOMER.DISPUTE.RESOLVED", d)
}

func (s *PayPal) tellDispute(name string, d *paypalDispute) {
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
	s.tell(name, "dispute", resource)
}

// EndTokens ends every token that was given, before its time.
func (s *PayPal) EndTokens() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	clear(s.tokens)
}

// Tokens is how often a token was asked for.
func (s *PayPal) Tokens() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.asked
}

// Orders is how many orders there are.
func (s *PayPal) Orders() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.orders)
}

// Captured is what was taken from payers.
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

// Refunded is what has gone back to them, disputes that were lost among it.
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
