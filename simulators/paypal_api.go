package simulators

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

// paypalOrderLife is the life of an order without a capture.
const paypalOrderLife = 3 * time.Hour

func (s *PayPal) order(id string) *paypalOrder {
	for _, o := range s.orders {
		if o.id == id && (o.status == "COMPLETED" || s.keys.Clock().Sub(o.made) < paypalOrderLife) {
			return o
		}
	}
	return nil
}

// onOrder returns a handler of calls about one order.
func (s *PayPal) onOrder(handle func(*paypalOrder, paypalCall) (func() any, error)) func(paypalCall) (func() any, error) {
	return func(c paypalCall) (func() any, error) {
		o := s.order(c.r.PathValue("id"))
		if o == nil {
			return nil, errPayPalUnknown
		}
		return handle(o, c)
	}
}

func (s *PayPal) createOrder(c paypalCall) (func() any, error) {
	units, _ := c.body["purchase_units"].([]any)
	intent := textOf(c.body["intent"])
	if intent != "CAPTURE" && intent != "AUTHORIZE" {
		return nil, paypalBad("INVALID_PARAMETER_VALUE", "/intent")
	}
	if len(units) != 1 {
		return nil, paypalBad("INVALID_ARRAY_MAX_ITEMS", "/purchase_units")
	}
	unit, _ := units[0].(map[string]any)
	currency, minor, err := paypalCents(unit["amount"])
	if err == nil {
		err = checkLength(unit, 127, "custom_id", "invoice_id", "description")
	}
	if err != nil {
		return nil, err
	}
	now := s.keys.Clock()
	o := &paypalOrder{id: s.next("5O"), intent: intent, status: "CREATED", unit: unit, currency: currency, minor: minor, made: now, updated: now}
	s.orders = append(s.orders, o)
	return func() any { return s.orderJSON(o) }, nil
}

func (s *PayPal) link(rel, method, path string) any {
	return map[string]any{"href": s.base + path, "rel": rel, "method": method}
}

func (s *PayPal) orderJSON(o *paypalOrder) any {
	unit := map[string]any{"reference_id": "default", "amount": paypalSum(o.currency, o.minor)}
	for _, name := range []string{"custom_id", "invoice_id", "description"} {
		if text := textOf(o.unit[name]); text != "" {
			unit[name] = text
		}
	}
	captures, refunds := []any{}, []any{}
	for _, c := range s.captures {
		if c.order == o {
			captures = append(captures, s.captureJSON(c, false))
		}
	}
	for _, r := range s.refunds {
		if r.capture.order == o {
			refunds = append(refunds, s.refundJSON(r))
		}
	}
	payments := map[string]any{}
	if len(captures) > 0 {
		payments["captures"] = captures
		unit["payments"] = payments
	}
	if len(refunds) > 0 {
		payments["refunds"] = refunds
	}
	return map[string]any{
		"id": o.id, "intent": o.intent, "status": o.status, "purchase_units": []any{unit}, "create_time": paypalAt(o.made), "update_time": paypalAt(o.updated),
		"links": []any{s.link("self", "GET", "/v2/checkout/orders/"+o.id), s.link("capture", "POST", "/v2/checkout/orders/"+o.id+"/capture")},
	}
}

func (s *PayPal) captureOrder(o *paypalOrder, _ paypalCall) (func() any, error) {
	switch {
	case o.intent != "CAPTURE":
		return nil, paypalUnprocessable("ACTION_DOES_NOT_MATCH_INTENT")
	case o.status == "COMPLETED":
		return nil, paypalUnprocessable("ORDER_ALREADY_CAPTURED")
	case o.status != "APPROVED":
		return nil, paypalUnprocessable("ORDER_NOT_APPROVED")
	case o.instrument == "declined":
		return nil, paypalUnprocessable("INSTRUMENT_DECLINED")
	case slices.ContainsFunc(s.captures, func(c *paypalCapture) bool {
		return c.order != o && textOf(o.unit["invoice_id"]) != "" && c.order.unit["invoice_id"] == o.unit["invoice_id"]
	}):
		return nil, paypalUnprocessable("DUPLICATE_INVOICE_ID")
	}
	s.addCapture(o, o.minor, o.currency)
	return func() any { return s.orderJSON(o) }, nil
}

// addCapture captures an approved order.
func (s *PayPal) addCapture(o *paypalOrder, minor int64, currency string) *paypalCapture {
	now := s.keys.Clock()
	c := &paypalCapture{id: s.next("3C"), status: "COMPLETED", minor: minor, currency: currency, order: o, made: now, updated: now}
	if o.instrument == "cheque" {
		c.status = "PENDING"
	}
	o.status, o.updated = "COMPLETED", now
	s.captures = append(s.captures, c)
	s.notifyCapture(c)
	return c
}

func (s *PayPal) captureJSON(c *paypalCapture, alone bool) map[string]any {
	told := map[string]any{
		"id": c.id, "status": c.status, "amount": paypalSum(c.currency, c.minor), "final_capture": true, "create_time": paypalAt(c.made), "update_time": paypalAt(c.updated),
		"links": []any{s.link("self", "GET", "/v2/payments/captures/"+c.id), s.link("refund", "POST", "/v2/payments/captures/"+c.id+"/refund"), s.link("up", "GET", "/v2/checkout/orders/"+c.order.id)},
	}
	if c.status == "PENDING" {
		told["status_details"] = map[string]any{"reason": "ECHECK"}
	}
	for _, name := range []string{"custom_id", "invoice_id"} {
		if text := textOf(c.order.unit[name]); text != "" {
			told[name] = text
		}
	}
	if alone {
		told["supplementary_data"] = map[string]any{"related_ids": map[string]any{"order_id": c.order.id}}
	}
	return told
}

// onCapture returns a handler of calls about one capture.
func (s *PayPal) onCapture(handle func(*paypalCapture, paypalCall) (func() any, error)) func(paypalCall) (func() any, error) {
	return func(c paypalCall) (func() any, error) {
		for _, of := range s.captures {
			if of.id == c.r.PathValue("id") {
				return handle(of, c)
			}
		}
		return nil, errPayPalUnknown
	}
}

// remaining returns what is left of a capture after refunds, with pending ones.
func (s *PayPal) remaining(c *paypalCapture) int64 {
	held := c.minor
	for _, r := range s.refunds {
		if r.capture == c && (r.status == "COMPLETED" || r.status == "PENDING") {
			held -= r.minor
		}
	}
	return held
}

func (s *PayPal) createRefund(c *paypalCapture, call paypalCall) (func() any, error) {
	held := s.remaining(c)
	currency, minor, err := c.currency, held, error(nil)
	if call.body["amount"] != nil {
		currency, minor, err = paypalCents(call.body["amount"])
	}
	if err == nil {
		err = checkLength(call.body, 127, "custom_id", "invoice_id")
	}
	if err == nil {
		err = checkLength(call.body, 255, "note_to_payer")
	}
	switch {
	case err != nil:
		return nil, err
	case currency != c.currency:
		return nil, paypalUnprocessable("REFUND_CAPTURE_CURRENCY_MISMATCH")
	case c.status == "PENDING" || c.status == "DECLINED":
		return nil, paypalUnprocessable("REFUND_NOT_ALLOWED")
	case held == 0:
		return nil, paypalUnprocessable("CAPTURE_FULLY_REFUNDED")
	case minor > held:
		return nil, paypalUnprocessable("REFUND_AMOUNT_EXCEEDED")
	}
	r := &paypalRefund{id: s.next("1J"), invoiceID: textOf(call.body["invoice_id"]), customID: textOf(call.body["custom_id"]), minor: minor, capture: c, made: s.keys.Clock()}
	s.refunds = append(s.refunds, r)
	if s.slow {
		s.setRefundStatus(r, "PENDING")
	} else {
		s.setRefundStatus(r, "COMPLETED")
	}
	return func() any { return s.refundJSON(r) }, nil
}

// setRefundStatus changes the status of a refund and its capture.
func (s *PayPal) setRefundStatus(r *paypalRefund, status string) {
	r.status = status
	c := r.capture
	c.updated = s.keys.Clock()
	switch held := s.remaining(c); {
	case held == 0:
		c.status = "REFUNDED"
	case held < c.minor:
		c.status = "PARTIALLY_REFUNDED"
	default:
		c.status = "COMPLETED"
	}
	if status == "COMPLETED" {
		name := "PAYMENT.CAPTURE.REFUNDED"
		if r.reversal {
			name = "PAYMENT.CAPTURE.REVERSED"
		}
		s.notify(name, "refund", s.refundJSON(r))
	}
}

func (s *PayPal) refundJSON(r *paypalRefund) map[string]any {
	told := map[string]any{
		"id": r.id, "status": r.status, "amount": paypalSum(r.capture.currency, r.minor), "create_time": paypalAt(r.made), "update_time": paypalAt(r.made),
		"links": []any{s.link("self", "GET", "/v2/payments/refunds/"+r.id), s.link("up", "GET", "/v2/payments/captures/"+r.capture.id)},
	}
	if r.status == "PENDING" || r.status == "FAILED" {
		told["status_details"] = map[string]any{"reason": "ECHECK"}
	}
	for name, text := range map[string]string{"invoice_id": r.invoiceID, "custom_id": r.customID} {
		if text != "" {
			told[name] = text
		}
	}
	return told
}

func (s *PayPal) refundOf(c paypalCall) (func() any, error) {
	for _, r := range s.refunds {
		if r.id == c.r.PathValue("id") {
			return func() any { return s.refundJSON(r) }, nil
		}
	}
	return nil, errPayPalUnknown
}

func (s *PayPal) disputesOf(c paypalCall) (func() any, error) {
	of := c.r.URL.Query().Get("disputed_transaction_id")
	if of == "" {
		return nil, paypalBad("MISSING_REQUIRED_PARAMETER", "disputed_transaction_id")
	}
	items := []any{}
	for _, d := range s.disputes {
		if d.capture.id == of {
			items = append(items, map[string]any{
				"dispute_id": d.id, "create_time": paypalAt(d.made), "update_time": paypalAt(d.updated), "reason": "UNAUTHORISED", "status": d.status,
				"dispute_amount": paypalSum(d.capture.currency, d.capture.minor), "dispute_life_cycle_stage": "CHARGEBACK",
			})
		}
	}
	answer := map[string]any{"links": []any{s.link("self", "GET", c.r.URL.RequestURI())}}
	if len(items) > 0 {
		answer["items"] = items
	}
	return func() any { return answer }, nil
}

func (s *PayPal) dispute(c paypalCall) (func() any, error) {
	for _, d := range s.disputes {
		if d.id != c.r.PathValue("id") {
			continue
		}
		answer := map[string]any{
			"dispute_id": d.id, "create_time": paypalAt(d.made), "update_time": paypalAt(d.updated), "reason": "UNAUTHORISED", "status": d.status,
			"dispute_amount": paypalSum(d.capture.currency, d.capture.minor), "dispute_life_cycle_stage": "CHARGEBACK",
		}
		if d.outcome != "" {
			outcome := map[string]any{"outcome_code": d.outcome}
			if d.refunded > 0 {
				outcome["amount_refunded"] = paypalSum(d.capture.currency, d.refunded)
			}
			answer["dispute_outcome"] = outcome
		}
		return func() any { return answer }, nil
	}
	return nil, errPayPalUnknown
}

// transactions lists two rows per page, so that clients must read further pages; more if PayPal's limit of pages would be
// exceeded.
func (s *PayPal) transactions(c paypalCall) (func() any, error) {
	query := c.r.URL.Query()
	from, err := time.Parse(time.RFC3339, query.Get("start_date"))
	until, endErr := time.Parse(time.RFC3339, query.Get("end_date"))
	size, sizeErr := strconv.Atoi(query.Get("page_size"))
	page, pageErr := strconv.Atoi(query.Get("page"))
	if err != nil || endErr != nil || sizeErr != nil || pageErr != nil || until.Before(from) || until.Sub(from) > 31*24*time.Hour || size < 1 || size > 500 || page < 1 {
		return nil, paypalRefusal{http.StatusBadRequest, "INVALID_REQUEST", "INVALID_REQUEST", ""}
	}
	rows := []any{}
	add := func(info map[string]any, at time.Time, c *paypalCapture) {
		if at.Before(from) || at.After(until) {
			return
		}
		info["transaction_initiation_date"], info["transaction_updated_date"] = paypalAt(at), paypalAt(at)
		if custom := textOf(c.order.unit["custom_id"]); custom != "" && info["paypal_reference_id"] == nil {
			info["custom_field"] = custom
		}
		rows = append(rows, map[string]any{"transaction_info": info})
	}
	states := map[string]string{"PENDING": "P", "DECLINED": "D", "REFUNDED": "V"}
	for _, c := range s.captures {
		state := states[c.status]
		if state == "" {
			state = "S"
		}
		add(map[string]any{"transaction_id": c.id, "transaction_event_code": "T0006", "transaction_status": state, "transaction_amount": paypalSum(c.currency, c.minor)}, c.made, c)
	}
	back := func(id, code string, at time.Time, minor int64, c *paypalCapture) {
		add(map[string]any{
			"transaction_id": id, "transaction_event_code": code, "transaction_status": "S", "paypal_reference_id": c.id, "paypal_reference_id_type": "TXN",
			"transaction_amount": map[string]any{"currency_code": c.currency, "value": "-" + textOf(paypalSum(c.currency, minor)["value"])},
		}, at, c)
	}
	for _, r := range s.refunds {
		back(r.id, map[bool]string{false: "T1107", true: "T1106"}[r.reversal], r.made, r.minor, r.capture)
	}
	for _, d := range s.disputes {
		back("H"+d.id[1:], "T1110", d.made, d.capture.minor, d.capture)
	}
	length := perPage(len(rows))
	start := min((page-1)*length, len(rows))
	answer := map[string]any{
		"account_number": "XZXSPECPDZHZU", "page": page, "total_items": len(rows), "total_pages": (len(rows) + length - 1) / length,
		"transaction_details": rows[start:min(start+length, len(rows))],
	}
	return func() any { return answer }, nil
}
