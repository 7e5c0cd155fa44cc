package money

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"hiresure/simulators"
)

// The Bank implementations.

// payments records the latest payment of each order.
type payments struct {
	mutex sync.Mutex
	last  map[string]string
}

func (p *payments) keep(order, payment string) string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.last[order] = payment
	return payment
}

func (p *payments) of(order string) string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.last[order]
}

func newPayments() *payments { return &payments{last: map[string]string{}} }

// razorpay identifies orders by receipt, our payment id.
type razorpay struct {
	*simulators.Razorpay
	*payments
	jsonSigner
}

func newRazorpay(a simulators.Account, _ string, clock func() time.Time) Bank {
	account := a.(*simulators.Razorpay)
	return razorpay{account, newPayments(), jsonSigner{account.Sign, func(secret string) func([]byte) simulators.Event {
		return simulators.NewRazorpay(simulators.KeysRazorpay{WebhookSecret: secret, Clock: clock}).Sign
	}, "X-Razorpay-Signature", nil}}
}

func (b razorpay) back(payment string) url.Values {
	fields := url.Values{}
	for name, value := range b.SignedReturn(payment) {
		fields.Set(name, value)
	}
	return fields
}

func (b razorpay) Enter(txn string, _ map[string]any) (string, error) { return txn, nil }
func (b razorpay) Pay(order string) url.Values {
	return b.back(b.keep(order, b.Razorpay.Pay(order)))
}
func (b razorpay) Decline(order string) url.Values {
	b.keep(order, b.Razorpay.Decline(order))
	return nil
}
func (b razorpay) Leave(string) url.Values { return nil }
func (b razorpay) LeavePending(order string) url.Values {
	return b.back(b.keep(order, b.Razorpay.LeavePending(order)))
}
func (b razorpay) Late(order string) { b.Razorpay.Late(b.of(order)) }
func (b razorpay) PayWrong(order string, minor int64, currency string) url.Values {
	return b.back(b.keep(order, b.Razorpay.PayWrong(order, minor, currency)))
}
func (b razorpay) Authorise(order string) (url.Values, bool) {
	return b.back(b.keep(order, b.Razorpay.Authorise(order))), true
}
func (b razorpay) RefundThere(order string, minor int64) { b.Razorpay.RefundThere(b.of(order), minor) }
func (b razorpay) DisputeOpens(order string)             { b.Dispute(b.of(order), "open") }
func (b razorpay) DisputeWon(order string)               { b.Dispute(b.of(order), "won") }
func (b razorpay) DisputeLost(order string)              { b.Dispute(b.of(order), "lost") }
func (b razorpay) PayAgain(order string)                 { b.keep(order, b.Razorpay.Pay(order)) }
func (b razorpay) RefundEnds(_, refundID string, done bool) {
	b.FinishRefund(refundID, map[bool]string{true: "processed", false: "failed"}[done])
}

type paypal struct {
	*simulators.PayPal
	jsonSigner
}

func newPayPal(a simulators.Account, at string, clock func() time.Time) Bank {
	account := a.(*simulators.PayPal)
	return paypal{account, jsonSigner{account.Sign, func(webhookID string) func([]byte) simulators.Event {
		another := simulators.NewPayPal(simulators.KeysPayPal{WebhookID: webhookID, Clock: clock})
		another.ServedAt(at)
		return another.Sign
	}, "PAYPAL-TRANSMISSION-SIG", func(e simulators.Event, forged map[string]simulators.Event) {
		forged["a certificate of somebody else"] = withHeader(e, "PAYPAL-CERT-URL", "https://api.paypal.com.example/v1/notifications/certs/CERT-1")
		forged["another algorithm"] = withHeader(e, "PAYPAL-AUTH-ALGO", "SHA1withRSA")
		forged["sent last week"] = withHeader(e, "PAYPAL-TRANSMISSION-TIME", "2026-11-14T06:30:00Z")
	}}}
}

func (b paypal) Enter(txn string, fields map[string]any) (order string, err error) {
	order, _ = fields["providerOrderId"].(string)
	if order == "" {
		err = fmt.Errorf("the checkout of %s has no order: %v", txn, fields)
	}
	return order, err
}
func (b paypal) Pay(order string) url.Values          { b.Approve(order); return nil }
func (b paypal) Decline(order string) url.Values      { b.ApproveWithout(order); return nil }
func (b paypal) Leave(string) url.Values              { return nil }
func (b paypal) LeavePending(order string) url.Values { b.ApproveCheque(order); return nil }
func (b paypal) Late(order string) {
	if waits := b.CaptureOf(order); waits != "" {
		b.Clear(waits, "COMPLETED")
		return
	}
	b.PayPal.Pay(order)
}

// Deny declines a pending capture.
func (b paypal) Deny(order string) { b.Clear(b.CaptureOf(order), "DECLINED") }
func (b paypal) PayWrong(order string, minor int64, currency string) url.Values {
	b.PayPal.PayWrong(order, minor, currency)
	return nil
}
func (b paypal) Authorise(string) (url.Values, bool) { return nil, false }
func (b paypal) RefundThere(order string, minor int64) {
	b.PayPal.RefundThere(b.CaptureOf(order), minor)
}
func (b paypal) DisputeOpens(order string) { b.Dispute(b.CaptureOf(order)) }
func (b paypal) DisputeWon(order string)   { b.Resolve(b.CaptureOf(order), "RESOLVED_SELLER_FAVOUR") }
func (b paypal) DisputeLost(order string)  { b.Resolve(b.CaptureOf(order), "RESOLVED_BUYER_FAVOUR") }
func (b paypal) PayAgain(order string)     { b.PayPal.Pay(order) }
func (b paypal) RefundEnds(_, refundID string, done bool) {
	b.FinishRefund(refundID, map[bool]string{true: "COMPLETED", false: "FAILED"}[done])
}

// cashfree identifies orders by our payment id.
type cashfree struct {
	*simulators.Cashfree
	*payments
	jsonSigner
}

func newCashfree(a simulators.Account, _ string, clock func() time.Time) Bank {
	account := a.(*simulators.Cashfree)
	return cashfree{account, newPayments(), jsonSigner{account.Sign, func(secret string) func([]byte) simulators.Event {
		return simulators.NewCashfree(simulators.KeysCashfree{SecretKey: secret, Clock: clock}).Sign
	}, "X-Webhook-Signature", func(e simulators.Event, forged map[string]simulators.Event) {
		forged["sent at another time"] = withHeader(e, "X-Webhook-Timestamp", "1746427759733")
		forged["no time"] = withHeader(e, "X-Webhook-Timestamp", "")
	}}}
}

func (b cashfree) did(order, payment string) url.Values { b.keep(order, payment); return nil }

func (b cashfree) Enter(txn string, _ map[string]any) (string, error) { return txn, nil }
func (b cashfree) Pay(order string) url.Values                        { return b.did(order, b.Cashfree.Pay(order)) }
func (b cashfree) Decline(order string) url.Values                    { return b.did(order, b.Cashfree.Decline(order)) }
func (b cashfree) Leave(order string) url.Values                      { return b.did(order, b.Drop(order)) }
func (b cashfree) LeavePending(order string) url.Values {
	return b.did(order, b.Cashfree.LeavePending(order))
}
func (b cashfree) Late(order string) { b.Cashfree.Late(b.of(order)) }
func (b cashfree) PayWrong(order string, minor int64, currency string) url.Values {
	return b.did(order, b.Cashfree.PayWrong(order, minor, currency))
}
func (b cashfree) Authorise(order string) (url.Values, bool) {
	return b.did(order, b.Cashfree.Authorise(order)), true
}
func (b cashfree) RefundThere(order string, minor int64) { b.Cashfree.RefundThere(b.of(order), minor) }
func (b cashfree) DisputeOpens(order string)             { b.Dispute(b.of(order), "CHARGEBACK_CREATED") }
func (b cashfree) DisputeWon(order string)               { b.Dispute(b.of(order), "CHARGEBACK_MERCHANT_WON") }
func (b cashfree) DisputeLost(order string)              { b.Dispute(b.of(order), "CHARGEBACK_MERCHANT_LOST") }
func (b cashfree) PayAgain(order string)                 { b.keep(order, b.Cashfree.Pay(order)) }
func (b cashfree) RefundEnds(_, refundID string, done bool) {
	b.FinishRefund(refundID, map[bool]string{true: "SUCCESS", false: "CANCELLED"}[done])
}

// payu creates an order when the browser posts its form.
type payu struct {
	*simulators.PayU
	*payments
	at string
}

func newPayU(a simulators.Account, at string, _ func() time.Time) Bank {
	return payu{a.(*simulators.PayU), newPayments(), at}
}

func (b payu) Enter(txn string, fields map[string]any) (order string, err error) {
	details, _ := fields["details"].(map[string]any)
	form, _ := details["initiateTransaction"].(map[string]any)
	posted := url.Values{}
	for name, value := range form {
		if text, is := value.(string); is {
			posted.Set(name, text)
		}
	}
	answer, err := http.Post(b.at+"/_payment", "application/x-www-form-urlencoded", strings.NewReader(posted.Encode()))
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	if order = posted.Get("txnid"); answer.StatusCode != http.StatusOK || order == "" {
		return "", fmt.Errorf("the form of %s is refused: %d", txn, answer.StatusCode)
	}
	return order, nil
}

func (b payu) did(order, payment string) url.Values {
	b.keep(order, payment)
	return b.Return(order)
}

func (b payu) Pay(order string) url.Values          { return b.did(order, b.PayU.Pay(order)) }
func (b payu) Decline(order string) url.Values      { return b.did(order, b.PayU.Decline(order)) }
func (b payu) Leave(order string) url.Values        { return b.did(order, b.PayU.Leave(order)) }
func (b payu) LeavePending(order string) url.Values { return b.did(order, b.PayU.LeavePending(order)) }
func (b payu) Late(order string)                    { b.did(order, b.PayU.Pay(order)) }
func (b payu) PayWrong(order string, minor int64, _ string) url.Values {
	return b.did(order, b.PayU.PayWrong(order, minor))
}
func (b payu) Authorise(order string) (url.Values, bool) {
	return b.did(order, b.PayU.Authorise(order)), true
}
func (b payu) RefundThere(order string, minor int64) { b.PayU.RefundThere(b.of(order), minor) }
func (b payu) DisputeOpens(order string)             { b.Dispute(b.of(order), "New") }
func (b payu) DisputeWon(order string)               { b.Dispute(b.of(order), "Closed Merchant Favour") }
func (b payu) DisputeLost(order string)              { b.Dispute(b.of(order), "Closed Customer Favour") }
func (b payu) PayAgain(string)                       { panic("an order is never charged twice") }
func (b payu) RefundEnds(_, refundID string, done bool) {
	b.FinishRefund(refundID[:23], map[bool]string{true: "success", false: "failure"}[done]) // the length that PayU accepts
}

// stripe identifies intents by their metadata, our payment id.
type stripe struct {
	*simulators.Stripe
	*payments
	jsonSigner
}

func newStripe(a simulators.Account, _ string, clock func() time.Time) Bank {
	account := a.(*simulators.Stripe)
	return stripe{account, newPayments(), jsonSigner{account.Sign, func(secret string) func([]byte) simulators.Event {
		return simulators.NewStripe(simulators.KeysStripe{WebhookSecret: secret, Clock: clock}).Sign
	}, "Stripe-Signature", func(e simulators.Event, forged map[string]simulators.Event) {
		given := e.Header.Get("Stripe-Signature")
		forged["sent at another time"] = withHeader(e, "Stripe-Signature", strings.Replace(given, "t=1", "t=2", 1))
		forged["another scheme"] = withHeader(e, "Stripe-Signature", strings.Replace(given, ",v1=", ",v2=", 1))
	}}}
}

func (b stripe) did(order, payment string) url.Values { b.keep(order, payment); return nil }

func (b stripe) Enter(txn string, _ map[string]any) (string, error) { return txn, nil }
func (b stripe) Pay(order string) url.Values                        { return b.did(order, b.Stripe.Pay(order)) }
func (b stripe) Decline(order string) url.Values                    { b.Stripe.Decline(order); return nil }
func (b stripe) Leave(string) url.Values                            { return nil }
func (b stripe) LeavePending(order string) url.Values               { b.Stripe.LeavePending(order); return nil }
func (b stripe) Late(order string)                                  { b.did(order, b.Stripe.Pay(order)) }
func (b stripe) PayWrong(order string, minor int64, currency string) url.Values {
	return b.did(order, b.Stripe.PayWrong(order, minor, currency))
}
func (b stripe) Authorise(order string) (url.Values, bool) {
	b.Stripe.Authorise(order)
	return nil, true
}
func (b stripe) RefundThere(order string, minor int64) { b.Stripe.RefundThere(b.of(order), minor) }
func (b stripe) DisputeOpens(order string)             { b.Dispute(b.of(order), "needs_response") }
func (b stripe) DisputeWon(order string)               { b.Dispute(b.of(order), "won") }
func (b stripe) DisputeLost(order string)              { b.Dispute(b.of(order), "lost") }
func (b stripe) PayAgain(string)                       { panic("an order is never charged twice") }
func (b stripe) RefundEnds(_, refundID string, done bool) {
	b.FinishRefund(refundID, map[bool]string{true: "succeeded", false: "failed"}[done])
}

// twocheckout identifies orders by external reference, our payment id. The site's server places an order with the token from
// the browser.
type twocheckout struct{ *simulators.Twocheckout }

func newTwocheckout(a simulators.Account, _ string, _ func() time.Time) Bank {
	return twocheckout{a.(*simulators.Twocheckout)}
}

func (b twocheckout) token(card string) url.Values { return url.Values{"token": {b.Token(card)}} }

func (b twocheckout) Enter(txn string, _ map[string]any) (string, error) { return txn, nil }
func (b twocheckout) Pay(string) url.Values                              { return b.token(simulators.CardPaid) }
func (b twocheckout) Decline(string) url.Values                          { return b.token(simulators.CardDeclined) }
func (b twocheckout) Leave(string) url.Values                            { return nil }
func (b twocheckout) LeavePending(string) url.Values                     { return b.token(simulators.CardWaiting) }
func (b twocheckout) Late(order string)                                  { b.Become(b.RefOf(order), "COMPLETE") }
func (b twocheckout) PayWrong(order string, minor int64, currency string) url.Values {
	b.PlaceWrong(order, minor, currency)
	return b.token(simulators.CardPaid)
}
func (b twocheckout) Authorise(string) (url.Values, bool)   { return nil, false }
func (b twocheckout) RefundThere(order string, _ int64)     { b.Become(b.RefOf(order), "REFUND") }
func (b twocheckout) DisputeOpens(order string)             { b.Dispute(b.RefOf(order), "OPEN") }
func (b twocheckout) DisputeWon(order string)               { b.Dispute(b.RefOf(order), "WON") }
func (b twocheckout) DisputeLost(order string)              { b.Dispute(b.RefOf(order), "LOST") }
func (b twocheckout) PayAgain(order string)                 { b.Duplicate(b.RefOf(order)) }
func (b twocheckout) RefundEnds(order, _ string, done bool) { b.FinishRefund(b.RefOf(order), !done) }
