package simulators

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

var cashfreeTime = time.FixedZone("IST", 19800)

func cashfreeAt(at time.Time) string { return at.In(cashfreeTime).Format(time.RFC3339) }

func (s *Cashfree) order(id string) *cashfreeOrder {
	for _, o := range s.orders {
		if o.id == id {
			return o
		}
	}
	return nil
}

// onOrder returns a handler of calls about one order.
func (s *Cashfree) onOrder(answer func(*cashfreeOrder, *http.Request, map[string]any) (any, error)) func(*http.Request, map[string]any) (any, error) {
	return func(r *http.Request, body map[string]any) (any, error) {
		o := s.order(r.PathValue("id"))
		if o == nil {
			return nil, cashfreeRefusal{http.StatusNotFound, "order_not_found", "Order Reference Id does not exist"}
		}
		if expires, err := time.Parse(time.RFC3339, o.expires); err == nil && o.status == "ACTIVE" && s.keys.Clock().After(expires) {
			o.status = "EXPIRED"
		}
		return answer(o, r, body)
	}
}

func (s *Cashfree) createOrder(_ *http.Request, body map[string]any) (any, error) {
	id := textOf(body["order_id"])
	minor, ok := paiseOf(body["order_amount"])
	customer, _ := body["customer_details"].(map[string]any)
	meta, _ := body["order_meta"].(map[string]any)
	expires, err := time.Parse(time.RFC3339, textOf(body["order_expiry_time"]))
	until := expires.Sub(s.keys.Clock())
	switch {
	case len(id) < 3 || len(id) > 45:
		return nil, cashfreeBad("order_id")
	case s.order(id) != nil:
		return nil, cashfreeRefusal{http.StatusConflict, "order_already_exists", "order with same id is already present"}
	case !ok:
		return nil, cashfreeBad("order_amount")
	case textOf(body["order_currency"]) != "INR":
		return nil, cashfreeBad("order_currency")
	case len(textOf(customer["customer_id"])) < 3 || len(textOf(customer["customer_phone"])) < 10:
		return nil, cashfreeBad("customer_details")
	case err != nil || until < 15*time.Minute || until > 30*24*time.Hour:
		return nil, cashfreeBad("order_expiry_time")
	}
	number := s.next()
	o := &cashfreeOrder{
		id: id, number: number, minor: minor, currency: "INR", status: "ACTIVE", session: "session_" + strconv.FormatInt(number, 36) + "payment",
		customer: customer, meta: meta, expires: textOf(body["order_expiry_time"]), created: cashfreeAt(s.keys.Clock()),
	}
	s.orders = append(s.orders, o)
	return o.json(), nil
}

func (o *cashfreeOrder) json() map[string]any {
	return map[string]any{
		"cf_order_id": o.number, "order_id": o.id, "entity": "order", "order_currency": o.currency, "order_amount": inRupees(o.minor),
		"order_status": o.status, "payment_session_id": o.session, "order_expiry_time": o.expires, "created_at": o.created,
		"customer_details": o.customer, "order_meta": o.meta,
	}
}

func (s *Cashfree) terminate(o *cashfreeOrder, _ *http.Request, body map[string]any) (any, error) {
	if textOf(body["order_status"]) != "TERMINATED" || o.status != "ACTIVE" {
		return nil, cashfreeBad("order_status")
	}
	o.status = "TERMINATED"
	if slices.ContainsFunc(s.payments, func(p *cashfreePayment) bool { return p.order == o && p.status == "PENDING" }) {
		o.status = "TERMINATION_REQUESTED"
	}
	return o.json(), nil
}

func (p *cashfreePayment) json() any {
	return map[string]any{
		"cf_payment_id": p.number, "order_id": p.order.id, "entity": "payment", "is_captured": p.captured, "order_amount": inRupees(p.order.minor),
		"payment_currency": p.currency, "payment_amount": inRupees(p.minor), "payment_time": cashfreeAt(p.at), "payment_completion_time": cashfreeAt(p.at),
		"payment_status": p.status, "payment_group": "upi", "bank_reference": bankReference(p.at),
	}
}

func (s *Cashfree) paymentsOf(o *cashfreeOrder, _ *http.Request, _ map[string]any) (any, error) {
	told := []any{}
	for _, p := range slices.Backward(s.payments) { // newest first
		if p.order == o {
			told = append(told, p.json())
		}
	}
	return told, nil
}

func (s *Cashfree) capture(o *cashfreeOrder, _ *http.Request, body map[string]any) (any, error) {
	minor, ok := paiseOf(body["amount"])
	for _, p := range s.payments {
		if ok && p.order == o && p.status == "SUCCESS" && !p.captured && textOf(body["action"]) == "CAPTURE" && minor <= p.minor {
			p.captured, p.minor, o.status = true, minor, "PAID"
			return p.json(), nil
		}
	}
	return nil, cashfreeBad("action")
}

// remaining returns what is left of a payment after refunds, with pending ones.
func (s *Cashfree) remaining(p *cashfreePayment) int64 {
	held := p.minor
	for _, r := range s.refunds {
		if r.payment == p && r.status != "CANCELLED" {
			held -= r.minor
		}
	}
	return held
}

func (s *Cashfree) createRefund(o *cashfreeOrder, _ *http.Request, body map[string]any) (any, error) {
	id := textOf(body["refund_id"])
	minor, ok := paiseOf(body["refund_amount"])
	if len(id) < 3 || len(id) > 40 || !ok {
		return nil, cashfreeBad("refund_id")
	}
	if s.refund(o, id) != nil {
		return nil, cashfreeRefusal{http.StatusConflict, "refund_already_exists", "Refund id already exists"}
	}
	for _, p := range s.payments {
		if p.order == o && p.captured && minor <= s.remaining(p) {
			r := &cashfreeRefund{id: id, note: textOf(body["refund_note"]), status: "SUCCESS", kind: "MERCHANT_INITIATED", number: s.next(), minor: minor, payment: p, at: s.keys.Clock()}
			if s.slow {
				r.status = "PENDING"
			}
			s.refunds = append(s.refunds, r)
			return r.json(), nil
		}
	}
	return nil, cashfreeRefusal{http.StatusBadRequest, "refund_amount_invalid", "Refund amount is more than the amount left"}
}

func (r *cashfreeRefund) json() map[string]any {
	return map[string]any{
		"cf_payment_id": r.payment.number, "cf_refund_id": r.number, "order_id": r.payment.order.id, "refund_id": r.id, "entity": "refund",
		"refund_amount": inRupees(r.minor), "refund_currency": r.payment.currency, "refund_note": r.note, "refund_status": r.status,
		"refund_type": r.kind, "refund_mode": "STANDARD", "created_at": cashfreeAt(r.at),
	}
}

func (s *Cashfree) refund(o *cashfreeOrder, id string) *cashfreeRefund {
	for _, r := range s.refunds {
		if r.payment.order == o && r.id == id {
			return r
		}
	}
	return nil
}

func (s *Cashfree) refundsOf(o *cashfreeOrder, _ *http.Request, _ map[string]any) (any, error) {
	told := []any{}
	for _, r := range s.refunds {
		if r.payment.order == o {
			told = append(told, r.json())
		}
	}
	return told, nil
}

func (s *Cashfree) refundOf(o *cashfreeOrder, r *http.Request, _ map[string]any) (any, error) {
	if found := s.refund(o, r.PathValue("refund")); found != nil {
		return found.json(), nil
	}
	return nil, cashfreeRefusal{http.StatusNotFound, "refund_not_found", "Refund does not exist"}
}

func (d *cashfreeDispute) json() map[string]any {
	return map[string]any{
		"dispute_id": d.number, "dispute_type": "CHARGEBACK", "dispute_amount": inRupees(d.minor), "dispute_status": d.status, "updated_at": cashfreeAt(d.at),
	}
}

func (d *cashfreeDispute) order() map[string]any {
	p := d.payment
	return map[string]any{
		"order_id": p.order.id, "order_currency": p.order.currency, "order_amount": inRupees(p.order.minor),
		"cf_payment_id": p.number, "payment_currency": p.currency, "payment_amount": inRupees(p.minor),
	}
}

func (s *Cashfree) disputesOf(o *cashfreeOrder, _ *http.Request, _ map[string]any) (any, error) {
	told := []any{}
	for _, d := range s.disputes {
		if d.payment.order == o {
			row := d.json()
			row["order_details"] = d.order()
			told = append(told, row)
		}
	}
	return told, nil
}

// recon lists two events per page, so that clients must use the cursor; more if a day would have more than 20 pages.
func (s *Cashfree) recon(_ *http.Request, body map[string]any) (any, error) {
	filters, _ := body["filters"].(map[string]any)
	page, _ := body["pagination"].(map[string]any)
	from, err := time.Parse(time.RFC3339, textOf(filters["start_date"]))
	until, endErr := time.Parse(time.RFC3339, textOf(filters["end_date"]))
	if err != nil || endErr != nil || page["limit"] == nil {
		return nil, cashfreeBad("filters")
	}
	rows := []any{}
	add := func(kind, status string, at time.Time, p *cashfreePayment) {
		if at = at.Truncate(time.Second); !at.Before(from) && !at.After(until) {
			rows = append(rows, map[string]any{
				"event_type": kind, "event_status": status, "event_time": cashfreeAt(at), "entity": "recon", "event_currency": p.currency,
				"order_id": p.order.id, "order_amount": inRupees(p.order.minor), "cf_payment_id": p.number, "payment_amount": inRupees(p.minor),
			})
		}
	}
	for _, p := range s.payments {
		add("PAYMENT", p.status, p.at, p)
	}
	for _, r := range s.refunds {
		add("REFUND", r.status, r.at, r.payment)
	}
	for _, d := range s.disputes {
		add("DISPUTE", d.status, d.at, d.payment)
	}
	start, _ := strconv.Atoi(textOf(page["cursor"])) // "" is the first page
	size := perPage(len(rows))
	end := min(start+size, len(rows))
	answer := map[string]any{"limit": size, "data": rows[min(start, end):end]}
	if end < len(rows) {
		answer["cursor"] = strconv.Itoa(end)
	}
	return answer, nil
}
