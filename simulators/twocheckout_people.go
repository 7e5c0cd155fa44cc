package simulators

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// What payers, banks and the academy's staff do at 2Checkout. Each panics for an order that is unknown there: the test is wrong.

// The cards that a payer may have: what their bank says to them.
const (
	CardPaid     = "paid"
	CardReceived = "received" // authorised; collected by Finish
	CardWaiting  = "waiting"  // the bank is silent
	CardDeclined = "declined"
	CardSecured  = "secured" // 3-D Secure first
)

// Token is what the card fields give of a card.
func (s *Twocheckout) Token(card string) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.last++
	token := fmt.Sprintf("190f2d9c-0bbc-4ad0-a902-%012d", s.last)
	s.tokens[token] = &twocheckoutToken{card: card, at: s.keys.Clock()}
	return token
}

// Become moves an order, named by its RefNo: COMPLETE, CANCELED, REVERSED, REFUND, ….
func (s *Twocheckout) Become(refNo, status string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.become(s.order(refNo), status)
}

func (s *Twocheckout) become(o *twocheckoutOrder, status string) {
	if o.status = status; status == "COMPLETE" {
		o.captured = true
		o.finished = s.keys.Clock()
	}
	s.tell(o, "NONE")
}

// Ref is the RefNo of the nth order, from 0 on.
func (s *Twocheckout) Ref(n int) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.orders[n].refNo
}

// RefOf is the RefNo of the latest order of a shop's reference, "" where there is none.
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

// IP is the payer's address that came with the nth order; "" for none.
func (s *Twocheckout) IP(n int) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.orders[n].ip
}

// Duplicate has an order paid a second time, and returns the other order's RefNo.
func (s *Twocheckout) Duplicate(refNo string) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.last++
	again := *s.order(refNo)
	again.refNo, again.placed = fmt.Sprint(s.last), s.keys.Clock()
	s.orders = append(s.orders, &again)
	s.become(&again, "COMPLETE")
	return again.refNo
}

// Reprice lets an order be of another sum.
func (s *Twocheckout) Reprice(refNo string, minor int64, currency string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	o := s.order(refNo)
	o.minor, o.currency = minor, currency
}

// PlaceWrong lets the orders of a shop's reference take another sum than they were placed for.
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

// SlowRefunds leaves refunds under way until FinishRefund.
func (s *Twocheckout) SlowRefunds() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.slow = true
}

// FinishRefund ends the refund of an order: it goes back, or, where bounced, stays.
func (s *Twocheckout) FinishRefund(refNo string, bounced bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	o := s.order(refNo)
	o.returning = false
	if !bounced {
		s.become(o, "REFUND")
	}
}

// Dispute has the payer's bank open a dispute of an order, of which only a notification tells: OPEN, WON, LOST, ACCEPTED, ….
func (s *Twocheckout) Dispute(refNo, resolution string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	o := s.order(refNo)
	o.lost = o.lost || resolution == "LOST" || resolution == "ACCEPTED"
	s.tell(o, resolution)
}

// tell writes a notification, its fields in 2Checkout's order.
func (s *Twocheckout) tell(o *twocheckoutOrder, resolution string) {
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

// Sign is any fields as 2Checkout would send them.
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

// Receives reports whether an answer to a notification is the receipt that 2Checkout insists on; it sends it again otherwise.
func (s *Twocheckout) Receives(event Event, answer string) bool {
	form, err := url.ParseQuery(string(event.Body))
	date, rest, found := strings.Cut(strings.TrimPrefix(answer, `<sig algo="sha3-256" date="`), `">`)
	if _, timeErr := time.Parse("20060102150405", date); err != nil || timeErr != nil || !found {
		return false
	}
	return rest == s.hmac("sha3-256", lengthsAnd(form.Get("IPN_PID[]"), form.Get("IPN_PNAME[]"), form.Get("IPN_DATE"), date))+"</sig>"
}

// Orders is how many orders there are.
func (s *Twocheckout) Orders() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.orders)
}

// Captured is what was taken from payers.
func (s *Twocheckout) Captured(currency string) (minor int64) {
	return s.sum(func(o *twocheckoutOrder) bool { return o.captured && o.currency == currency })
}

// Refunded is what has gone back to them, disputes that were lost among it.
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
