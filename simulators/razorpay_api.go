package simulators

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// order returns an order by its id or receipt, or nil.
func (s *Razorpay) order(name string) *razorpayOrder {
	for _, o := range s.orders {
		if o.id == name || o.receipt == name && name != "" {
			return o
		}
	}
	return nil
}

func (s *Razorpay) createOrder(_ *http.Request, body map[string]any) (any, error) {
	if err := razorpayKnown(body, "amount", "currency", "receipt", "unique_receipt", "notes", "partial_payment"); err != nil {
		return nil, err
	}
	minor, err := razorpayPaise(body["amount"])
	if err != nil {
		return nil, err
	}
	notes, err := razorpayNotesIn(body["notes"])
	if err != nil {
		return nil, err
	}
	receipt, unique := textOf(body["receipt"]), body["unique_receipt"] == true
	switch {
	case textOf(body["currency"]) == "":
		return nil, razorpayBad("The currency field is required.", "currency")
	case textOf(body["currency"]) != "INR":
		return nil, razorpayBad("Currency is not supported", "currency")
	case len(receipt) > 40:
		return nil, razorpayBad("The receipt may not be greater than 40 characters.", "receipt")
	}
	if there := s.order(receipt); unique && there != nil && there.receipt == receipt {
		return s.orderJSON(there), nil
	}
	o := &razorpayOrder{id: s.next("order"), currency: "INR", receipt: receipt, minor: minor, notes: notes, at: s.keys.Clock()}
	s.orders = append(s.orders, o)
	return s.orderJSON(o), nil
}

func (s *Razorpay) orderJSON(o *razorpayOrder) map[string]any {
	status, attempts, paid := "created", 0, int64(0)
	for _, p := range s.payments {
		if p.order != o {
			continue
		}
		if attempts++; status == "created" {
			status = "attempted"
		}
		if p.captured {
			status, paid = "paid", o.minor
		}
	}
	return map[string]any{
		"id": o.id, "entity": "order", "amount": o.minor, "amount_paid": paid, "amount_due": o.minor - paid, "currency": o.currency, "receipt": razorpayText(o.receipt),
		"offer_id": nil, "status": status, "attempts": attempts, "notes": razorpayNotes(o.notes), "created_at": o.at.Unix(),
	}
}

func (s *Razorpay) oneOrder(r *http.Request, _ map[string]any) (any, error) {
	if o := s.order(r.PathValue("id")); o != nil && o.id == r.PathValue("id") {
		return s.orderJSON(o), nil
	}
	return nil, errRazorpayNotFound
}

func (s *Razorpay) listOrders(r *http.Request, _ map[string]any) (any, error) {
	receipt := r.URL.Query().Get("receipt")
	return razorpayPage(r.URL.Query(), s.orders, func(o *razorpayOrder) (time.Time, any) {
		if receipt != "" && o.receipt != receipt {
			return o.at, nil
		}
		return o.at, s.orderJSON(o)
	})
}

// razorpayPage returns a page of a list, newest first: from and to are inclusive seconds, count is 10 by default and at most 100.
// told returns nil for rows that are not in the list.
func razorpayPage[T any](query url.Values, all []T, convert func(T) (time.Time, any)) (any, error) {
	number := func(name string, otherwise int64) int64 {
		if given, err := strconv.ParseInt(query.Get(name), 10, 64); err == nil {
			return given
		}
		return otherwise
	}
	from, to, count, skip := number("from", 946684800), number("to", 4765046400), number("count", 10), number("skip", 0)
	switch {
	case from < 946684800 || from > 4765046400:
		return nil, razorpayBad("from must be between 946684800 and 4765046400", "from")
	case to < from || to > 4765046400:
		return nil, razorpayBad("to must be between 946684800 and 4765046400", "to")
	case count < 1 || count > 100:
		return nil, razorpayBad("The count may not be greater than 100.", "count")
	}
	items := []any{}
	for _, each := range slices.Backward(all) {
		at, item := convert(each)
		if item != nil && from <= at.Unix() && at.Unix() <= to {
			items = append(items, item)
		}
	}
	items = items[min(skip, int64(len(items))):]
	return razorpayCollection(items[:min(count, int64(len(items)))]), nil
}

func razorpayCollection(items []any) any {
	return map[string]any{"entity": "collection", "count": len(items), "items": items}
}

func (s *Razorpay) paymentsOfOrder(r *http.Request, _ map[string]any) (any, error) {
	o := s.order(r.PathValue("id"))
	if o == nil {
		return nil, errRazorpayNotFound
	}
	items := []any{}
	for _, p := range slices.Backward(s.payments) {
		if p.order == o {
			items = append(items, s.paymentJSON(p))
		}
	}
	return razorpayCollection(items), nil
}

func (s *Razorpay) listPayments(r *http.Request, _ map[string]any) (any, error) {
	return razorpayPage(r.URL.Query(), s.payments, func(p *razorpayPayment) (time.Time, any) { return p.at, s.paymentJSON(p) })
}

// refundedOf returns the sum of a payment's refunds, with pending ones.
func (s *Razorpay) refundedOf(p *razorpayPayment) (minor int64) {
	for _, r := range s.refunds {
		if r.payment == p && r.status != "failed" {
			minor += r.minor
		}
	}
	return minor
}

func (s *Razorpay) paymentJSON(p *razorpayPayment) map[string]any {
	told := map[string]any{
		"id": p.id, "entity": "payment", "amount": p.minor, "currency": p.currency, "status": p.status, "order_id": nil, "invoice_id": nil, "international": false,
		"method": "upi", "amount_refunded": s.refundedOf(p), "refund_status": nil, "captured": p.captured, "email": "asha@example.com", "contact": "+919876543210",
		"notes": razorpayNotes(p.notes), "acquirer_data": map[string]any{"rrn": bankReference(p.at), "upi_transaction_id": "F" + bankReference(p.at)}, "fee": nil, "tax": nil, "error_code": nil, "created_at": p.at.Unix(),
	}
	if p.order != nil {
		told["order_id"] = p.order.id
	}
	switch back := s.refundedOf(p); {
	case p.captured && back >= p.minor:
		told["status"], told["refund_status"] = "refunded", "full"
	case back > 0:
		told["refund_status"] = "partial"
	}
	if p.status == "failed" {
		told["error_code"] = "BAD_REQUEST_ERROR"
	}
	return told
}

// onPayment returns a handler of calls about one payment.
func (s *Razorpay) onPayment(answer func(*razorpayPayment, *http.Request, map[string]any) (any, error)) func(*http.Request, map[string]any) (any, error) {
	return func(r *http.Request, body map[string]any) (any, error) {
		i := slices.IndexFunc(s.payments, func(p *razorpayPayment) bool { return p.id == r.PathValue("id") })
		if i < 0 {
			return nil, errRazorpayNotFound
		}
		return answer(s.payments[i], r, body)
	}
}

func (s *Razorpay) capture(p *razorpayPayment, _ *http.Request, body map[string]any) (any, error) {
	minor, err := razorpayPaise(body["amount"])
	switch {
	case err != nil:
		return nil, err
	case p.captured:
		return nil, razorpayBad("This payment has already been captured", "")
	case p.status != "authorized":
		return nil, razorpayBad("Only payments which have been authorized and not yet captured can be captured", "")
	case minor != p.minor || textOf(body["currency"]) != p.currency:
		return nil, razorpayBad("Capture amount must be equal to the amount authorized", "amount")
	}
	s.setStatus(p, "captured")
	return s.paymentJSON(p), nil
}

var razorpayRefundKey = regexp.MustCompile(`^[A-Za-z0-9_-]{10,}$`)

func (s *Razorpay) createRefund(p *razorpayPayment, r *http.Request, body map[string]any) (any, error) {
	if err := razorpayKnown(body, "amount", "speed", "notes", "receipt"); err != nil {
		return nil, err
	}
	key, written := r.Header.Get("X-Refund-Idempotency"), ""
	if key != "" {
		text, _ := json.Marshal(body) // parsed from JSON
		written = p.id + string(text)
		for _, there := range s.refunds {
			if there.key == key && there.body == written {
				return s.refundJSON(there), nil
			}
			if there.key == key {
				return nil, razorpayBad("Different request with the same idempotency key has already been processed.", "")
			}
		}
	}
	minor, err := razorpayPaise(body["amount"])
	if err != nil {
		return nil, err
	}
	notes, err := razorpayNotesIn(body["notes"])
	if err != nil {
		return nil, err
	}
	switch {
	case key != "" && !razorpayRefundKey.MatchString(key):
		return nil, razorpayBad("The idempotency key must be at least 10 characters.", "")
	case !p.captured:
		return nil, razorpayBad("The payment status should be captured for action to be taken", "")
	case s.refundedOf(p) >= p.minor:
		return nil, razorpayBad("The payment has been fully refunded already", "")
	case minor > p.minor-s.refundedOf(p):
		return nil, razorpayBad("The total refund amount is greater than the refund payment amount", "amount")
	}
	made := &razorpayRefund{id: s.next("rfnd"), receipt: textOf(body["receipt"]), status: "processed", key: key, body: written, minor: minor, payment: p, notes: notes, at: s.keys.Clock()}
	if s.slow {
		made.status = "pending"
	}
	s.refunds = append(s.refunds, made)
	s.notifyRefund("refund.created", made)
	if !s.slow {
		s.notifyRefund("refund.processed", made)
	}
	return s.refundJSON(made), nil
}

func (s *Razorpay) refundJSON(r *razorpayRefund) map[string]any {
	return map[string]any{
		"id": r.id, "entity": "refund", "amount": r.minor, "currency": r.payment.currency, "payment_id": r.payment.id, "notes": razorpayNotes(r.notes), "receipt": razorpayText(r.receipt),
		"acquirer_data": map[string]any{}, "created_at": r.at.Unix(), "batch_id": nil, "status": r.status, "speed_processed": "normal", "speed_requested": "normal",
	}
}

func (s *Razorpay) refundsOfPayment(p *razorpayPayment, r *http.Request, _ map[string]any) (any, error) {
	return razorpayPage(r.URL.Query(), s.refunds, func(each *razorpayRefund) (time.Time, any) {
		if each.payment != p {
			return each.at, nil
		}
		return each.at, s.refundJSON(each)
	})
}

func (s *Razorpay) listRefunds(r *http.Request, _ map[string]any) (any, error) {
	return razorpayPage(r.URL.Query(), s.refunds, func(each *razorpayRefund) (time.Time, any) { return each.at, s.refundJSON(each) })
}

func (s *Razorpay) oneRefund(r *http.Request, _ map[string]any) (any, error) {
	for _, each := range s.refunds {
		if each.id == r.PathValue("id") {
			return s.refundJSON(each), nil
		}
	}
	return nil, errRazorpayNotFound
}

func (d *razorpayDispute) json() map[string]any {
	return map[string]any{
		"id": d.id, "entity": "dispute", "payment_id": d.payment.id, "amount": d.payment.minor, "currency": d.payment.currency, "amount_deducted": d.deducted(),
		"reason_code": "goods_or_services_not_received", "respond_by": d.at.Add(7 * 24 * time.Hour).Unix(), "status": d.status, "phase": d.phase, "created_at": d.at.Unix(),
	}
}

// deducted returns the disputed sum, 0 for a retrieval request.
func (d *razorpayDispute) deducted() int64 {
	if d.status == "lost" && d.phase != "retrieval" {
		return d.payment.minor
	}
	return 0
}

func (s *Razorpay) listDisputes(r *http.Request, _ map[string]any) (any, error) {
	for name := range r.URL.Query() {
		if !slices.Contains([]string{"from", "to", "count", "skip"}, name) {
			return nil, razorpayBad(fmt.Sprintf("%s is/are not required and should not be sent", name), name)
		}
	}
	return razorpayPage(r.URL.Query(), s.disputes, func(d *razorpayDispute) (time.Time, any) { return d.at, d.json() })
}
