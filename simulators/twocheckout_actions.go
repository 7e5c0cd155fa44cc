package simulators

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Actions of payers, banks and staff at 2Checkout. They panic for an unknown order.

// Test cards by the bank's decision.
const (
	CardPaid     = "paid"
	CardReceived = "received" // authorised; captured by Finish
	CardWaiting  = "waiting"  // undecided
	CardDeclined = "declined"
	CardSecured  = "secured" // requires 3-D Secure
)

// Token returns the card fields' token of a card.
func (s *Twocheckout) Token(card string) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.last++
	token := fmt.Sprintf("190f2d9c-0bbc-4ad0-a902-%012d", s.last)
	s.tokens[token] = &twocheckoutToken{card: card, at: s.keys.Clock()}
	return token
}

// Become sets an order's status, by RefNo: COMPLETE, CANCELED, REVERSED, REFUND, ….
func (s *Twocheckout) Become(refNo, status string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.setStatus(s.order(refNo), status)
}

func (s *Twocheckout) setStatus(o *twocheckoutOrder, status string) {
	if o.status = status; status == "COMPLETE" {
		o.captured = true
		o.finished = s.keys.Clock()
	}
	s.notify(o, "NONE")
}

// Ref returns the RefNo of the nth order, from 0.
func (s *Twocheckout) Ref(n int) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.orders[n].refNo
}

// RefOf returns the RefNo of the latest order with an external reference, or "".
func (s *Twocheckout) RefOf(external string) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, o := range slices.Backward(s.orders) {
		if o.external == external {
			return o.refNo
		}
	}
	return ""
}

// IP returns the payer's address of the nth order, or "".
func (s *Twocheckout) IP(n int) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.orders[n].ip
}

// Duplicate pays an order a second time and returns the new order's RefNo.
func (s *Twocheckout) Duplicate(refNo string) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.last++
	again := *s.order(refNo)
	again.refNo, again.placed = fmt.Sprint(s.last), s.keys.Clock()
	s.orders = append(s.orders, &again)
	s.setStatus(&again, "COMPLETE")
	return again.refNo
}

// Reprice changes an order's sum.
func (s *Twocheckout) Reprice(refNo string, minor int64, currency string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	o := s.order(refNo)
	o.minor, o.currency = minor, currency
}

// PlaceWrong charges a wrong sum for new orders with an external reference.
func (s *Twocheckout) PlaceWrong(external string, minor int64, currency string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.wrong[external] = func(o *twocheckoutOrder) { o.minor, o.currency = minor, currency }
}

// Tax adds a tax to each order from now on.
func (s *Twocheckout) Tax(minor int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.tax = minor
}

// SlowRefunds keeps refunds pending until FinishRefund.
func (s *Twocheckout) SlowRefunds() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.slow = true
}

// FinishRefund ends the refund of an order, successfully or bounced.
func (s *Twocheckout) FinishRefund(refNo string, bounced bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	o := s.order(refNo)
	o.returning = false
	if !bounced {
		s.setStatus(o, "REFUND")
	}
}

// Dispute notifies of a dispute of an order: OPEN, WON, LOST, ACCEPTED, …. The API does not contain disputes.
func (s *Twocheckout) Dispute(refNo, resolution string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	o := s.order(refNo)
	o.lost = o.lost || resolution == "LOST" || resolution == "ACCEPTED"
	s.notify(o, resolution)
}

// notify adds a notification, with its fields in 2Checkout's order.
func (s *Twocheckout) notify(o *twocheckoutOrder, resolution string) {
	now := s.keys.Clock().UTC()
	test := "0"
	if o.test {
		test = "1"
	}
	s.events = append(s.events, s.signed([][2]string{
		{"GIFT_ORDER", "0"}, {"SALEDATE", o.placed.UTC().Format(twocheckoutTime)}, {"REFNO", o.refNo}, {"REFNOEXT", o.external}, {"ORDERNO", "13"}, {"ORDERSTATUS", o.status},
		{"PAYMETHOD", "Visa/MasterCard"}, {"FIRSTNAME", "Zoë"}, {"COMPANY", ""}, {"IPN_PID[]", "40898000"}, {"IPN_PNAME[]", o.product}, {"IPN_TOTALGENERAL", fmt.Sprintf("%d.%02d", o.minor/100, o.minor%100)},
		{"CURRENCY", o.currency}, {"CHARGEBACK_RESOLUTION", resolution}, {"TEST_ORDER", test}, {"IPN_DATE", now.Format("20060102150405")}, {"VENDOR_CODE", s.keys.MerchantCode},
	}))
}

// Sign returns a notification with any fields, signed.
func (s *Twocheckout) Sign(fields [][2]string) Event {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.signed(fields)
}

func (s *Twocheckout) signed(fields [][2]string) Event {
	var values, parts []string
	for _, field := range fields {
		values = append(values, field[1])
		parts = append(parts, url.QueryEscape(field[0])+"="+url.QueryEscape(field[1]))
	}
	text := lengthsAnd(values...)
	parts = append(parts, "HASH=68ca6b208fd204e07b651dacd8a55340", "SIGNATURE_SHA2_256="+s.hmac("sha256", text), "SIGNATURE_SHA3_256="+s.hmac("sha3-256", text))
	return Event{http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, []byte(strings.Join(parts, "&"))}
}

// Receives reports whether a response to a notification is the receipt that 2Checkout requires; otherwise it sends it again.
func (s *Twocheckout) Receives(event Event, answer string) bool {
	form, err := url.ParseQuery(string(event.Body))
	date, rest, found := strings.Cut(strings.TrimPrefix(answer, `<sig algo="sha3-256" date="`), `">`)
	if _, timeErr := time.Parse("20060102150405", date); err != nil || timeErr != nil || !found {
		return false
	}
	return rest == s.hmac("sha3-256", lengthsAnd(form.Get("IPN_PID[]"), form.Get("IPN_PNAME[]"), form.Get("IPN_DATE"), date))+"</sig>"
}

// Orders returns the number of orders.
func (s *Twocheckout) Orders() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.orders)
}

// Captured returns the sum captured in a currency.
func (s *Twocheckout) Captured(currency string) (minor int64) {
	return s.sum(func(o *twocheckoutOrder) bool { return o.captured && o.currency == currency })
}

// Refunded returns the sum refunded in a currency, with lost disputes.
func (s *Twocheckout) Refunded(currency string) (minor int64) {
	return s.sum(func(o *twocheckoutOrder) bool {
		return o.captured && o.currency == currency && (o.status == "REFUND" || o.status == "REVERSED" || o.lost)
	})
}

func (s *Twocheckout) sum(counts func(*twocheckoutOrder) bool) (minor int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, o := range s.orders {
		if counts(o) {
			minor += o.minor
		}
	}
	return minor
}
