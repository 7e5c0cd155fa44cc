// Package paymenttest has helpers for tests of gateways: an intent, a clock, the idempotency keys of posts, and statuses
// formatted as one line.
package paymenttest

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

// Txn is the transaction id of Intent.
const Txn = "0123456789abcdefghjkmnpqrs"

// Noon is a Clock's initial time: noon of New Year's Day 2026 in Kolkata.
var Noon = time.Date(2026, 1, 1, 6, 30, 0, 0, time.UTC)

// Fee is the amount of Intent.
var Fee = admission.INR(149900)

// Intent returns a payment of an enrolment fee, started at Noon.
func Intent() method.Intent {
	return method.Intent{
		TxnID: Txn, MerchantRef: "abcdefghij0123456789", Amount: Fee, Description: "Enrolment fee", Name: "Asha Rao", Email: "asha@example.com",
		Phone: "+919876543210", StateCode: "29", CustomerIP: "203.0.113.7", ReturnURL: "https://example.com/return", WebhookURL: "https://example.com/hook",
		Expires: Noon.Add(30 * time.Minute), Wanted: true,
	}
}

// Clock shows Noon until it is moved. It is safe for concurrent use.
type Clock struct {
	mutex  sync.Mutex
	passed time.Duration
}

// Now returns the clock's time.
func (c *Clock) Now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return Noon.Add(c.passed)
}

// Pass moves the clock forward.
func (c *Clock) Pass(time time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.passed += time
}

// Posts is a transport that records the idempotency keys of posts. Key is the header that holds them.
type Posts struct {
	Key  string
	seen [][2]string // path and key
}

// RoundTrip records a post and forwards the request.
func (p *Posts) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodPost {
		p.seen = append(p.seen, [2]string{r.URL.Path, r.Header.Get(p.Key)})
	}
	return http.DefaultTransport.RoundTrip(r)
}

// To returns the keys of posts to paths with this suffix, separated by spaces; "none" for a missing key.
func (p *Posts) To(end string) string {
	var keys []string
	for _, post := range p.seen {
		if strings.HasSuffix(post[0], end) {
			keys = append(keys, cmp.Or(post[1], "none"))
		}
	}
	return strings.Join(keys, " ")
}

// Summary formats a status as one line, or a gateway error as its text.
func Summary(s method.Status, err error) string {
	if err != nil {
		return Error(err)
	}
	line := string(s.State)
	if s.AttemptFailed {
		line += ", last try failed"
	}
	if s.AtBank {
		line += ", at the bank"
	}
	for _, c := range s.Charges {
		line += fmt.Sprintf("; %s of %s %s", c.State, c.Amount, c.Amount.Currency)
		if c.Refunded.Minor != 0 {
			line += ", back " + c.Refunded.String()
		}
		if c.RefundsUnknown {
			line += ", refunds unknown"
		}
		if c.LostMinor != 0 {
			line += ", lost " + c.Amount.With(c.LostMinor).String()
		}
		if c.Disputed {
			line += ", disputed"
		}
	}
	return line
}

// Means formats the payment means of a status's charges as one line, or a gateway error as its text.
func Means(s method.Status, err error) string {
	if err != nil {
		return Error(err)
	}
	var line []string
	for _, c := range s.Charges {
		line = append(line, strings.TrimSpace(c.Means.Name+" "+c.Means.Reference))
	}
	return strings.Join(line, "; ")
}

// RefundState returns a refund's state and, in brackets, its reason.
func RefundState(r method.RefundStatus) string {
	if r.Reason == "" {
		return string(r.State)
	}
	return fmt.Sprintf("%s (%s)", r.State, r.Reason)
}

// Error returns the text of the gateway error that err wraps, else err's own; "" for nil.
func Error(err error) string {
	for _, known := range []error{method.ErrSignature, method.ErrUnknown, method.ErrNoCharge, method.ErrCredentials, method.ErrDeclined, method.ErrCurrency} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	if err != nil {
		return err.Error()
	}
	return ""
}
