// Package money plays who pays, who judges and who gives back at each payment provider, in the same words for all of them:
// a scenario is told once, and happens at each provider to which it applies. The providers are simulators, the site is any
// that is reached by HTTP and configured with their variables.
package money

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"hiresure/e2e"
	"hiresure/simulators"
)

// Provider is one at which scenarios happen.
type Provider struct {
	Name     string // of the gateway
	Currency string // that an event's fee is charged in there
	Traits
	wrap func(account simulators.Account, at string, clock func() time.Time) Bank
}

// Traits are what a scenario must know of a provider.
type Traits struct {
	WeTake    bool   // nothing is taken before the site's server takes it: whoever pays has only agreed
	ByReturn  bool   // the server takes it only when the browser comes back, which then must come
	OneTry    bool   // a try that failed ends the order
	Whole     bool   // only all of a charge goes back
	OneMoney  bool   // an order cannot be paid in another currency
	OneCharge bool   // an order is never charged twice
	ByHand    bool   // a second charge of an order goes back by hand alone, on the provider's pages
	Final     bool   // a refund that is done stays done
	Starts    string // in the call that makes an order; "" where a checkout begins without one
	Takes     string // in the call that takes the money; "" where the site takes nothing
	Refunds   string // in the call that sends money back
	Secret    string // variable of what signs webhooks
}

// Providers are all of them, a line each.
var Providers = []Provider{
	{"razorpay", "INR", Traits{Starts: "/v1/orders", Refunds: "/refund", Secret: "RAZORPAY_WEBHOOK_SECRET"}, newRazorpay},
	{"paypal", "USD", Traits{WeTake: true, Takes: "/capture", Starts: "/v2/checkout/orders", Refunds: "/refund", Secret: "PAYPAL_WEBHOOK_ID"}, newPayPal},
	{"cashfree", "INR", Traits{ByHand: true, Final: true, Starts: "/pg/orders", Refunds: "/refunds", Secret: "CASHFREE_SECRET_KEY"}, newCashfree},
	{"payu", "INR", Traits{OneTry: true, OneMoney: true, OneCharge: true, Refunds: "cancel_refund_transaction", Secret: "PAYU_SALT"}, newPayU},
	{"stripe", "INR", Traits{OneCharge: true, Starts: "/v1/payment_intents", Refunds: "/v1/refunds", Secret: "STRIPE_WEBHOOK_SECRET"}, newStripe},
	{"twocheckout", "INR", Traits{WeTake: true, Takes: "/orders/", ByReturn: true, Whole: true, Final: true, Refunds: "/refund/", Secret: "TWOCHECKOUT_SECRET_KEY"}, newTwocheckout},
}

// Bank is an account at a provider, with what payers, their banks and the academy's staff do there. An order is named by
// what Enter has returned. Who names one that is unknown there has a wrong test: it panics.
type Bank interface {
	simulators.Account
	// Suffer lets the next answers go wrong, one each.
	Suffer(faults ...simulators.Fault)
	// SlowRefunds leaves refunds under way.
	SlowRefunds()
	// Captured and Refunded are what was taken from payers in a currency, and what has gone back to them.
	Captured(currency string) (minor int64)
	Refunded(currency string) (minor int64)

	// Enter is a payer's browser that comes to the provider with the fields of a checkout.
	Enter(txn string, fields map[string]any) (order string, err error)
	// Pay, Decline, Leave and Wait are a payer's tries: paid, refused by the bank, given up, and one of which the bank says
	// nothing yet. Each returns the fields that the browser brings back to the site, none where it only comes back.
	Pay(order string) url.Values
	Decline(order string) url.Values
	Leave(order string) url.Values
	Wait(order string) url.Values
	// Late has the bank pay what a try has left open, or has failed.
	Late(order string)
	// PayWrong pays another sum than was asked for.
	PayWrong(order string, minor int64, currency string) url.Values
	// Authorise pays at an account where the site's server takes the money; none where Pay does that already.
	Authorise(order string) (back url.Values, can bool)
	// RefundThere is a refund by staff on the provider's own pages.
	RefundThere(order string, minor int64)
	// DisputeOpens, DisputeWon and DisputeLost are the payer's bank that takes the money back for now, and how that ends.
	DisputeOpens(order string)
	DisputeWon(order string)
	DisputeLost(order string)
	// PayAgain pays an order that is paid, where the provider lets that happen. RefundThere is of this payment then.
	PayAgain(order string)
	// RefundEnds ends a refund that the site has asked for, and that is under way or done: it is done, or it has failed.
	RefundEnds(order, refundID string, done bool)

	// Signed is an event as who has another secret would sign it now. Resigned is one that says something else, signed by
	// the provider.
	Signed(e simulators.Event, secret string) simulators.Event
	Resigned(e simulators.Event, change func(body string) string) simulators.Event
	// Forgeries are an event as nobody may believe it, each with what was done to it; another is an event of another order.
	Forgeries(e, another simulators.Event) map[string]simulators.Event
}

// Open opens an account that is reached at an address such as http://127.0.0.1:8091, and goes by a clock, nil for time.Now.
// It returns the variables that configure a site to use it, GATEWAYS not among them.
func (p Provider) Open(at string, clock func() time.Time) (Bank, map[string]string) {
	for _, played := range simulators.Providers {
		if played.Name == p.Name {
			account, variables := played.Open(at, clock)
			return p.wrap(account, at, clock), variables
		}
	}
	panic("there is no simulator of " + p.Name)
}

// Attempt is one attempt to pay, as the site has started it.
type Attempt struct {
	Txn    string
	Minor  int64 // that is charged
	Fields map[string]any
}

// Start has a visitor choose a gateway for a registration. The error is an *e2e.Refused where the site refuses.
func Start(v *e2e.Visitor, registration, gateway string) (a Attempt, err error) {
	const path = "/payments/v1/initiate-payment"
	answer, err := v.Call(path, map[string]any{"scholarship_requested_id": registration, "redirection_url": "/success", "gateway": gateway})
	if err == nil && answer.Status != http.StatusOK {
		err = &e2e.Refused{Step: path, Answer: answer}
	}
	if err != nil {
		return a, err
	}
	told, _ := answer.Fields["transactionResponse"].(map[string]any)
	a.Txn, _ = told["payment_transaction_id"].(string)
	a.Fields, _ = told["provider"].(map[string]any)
	rupees, _ := told["amount"].(float64)
	a.Minor = int64(rupees*100 + 0.5)
	return a, nil
}

// ComeBack is the payer's browser that comes back from a provider: by a post, where there are fields. It returns where the
// site leads it.
func ComeBack(v *e2e.Visitor, txn string, fields url.Values) (location string, err error) {
	at := v.Base + "/checkout/" + txn + "/return"
	request, err := http.NewRequest(http.MethodGet, at, nil)
	if len(fields) > 0 {
		request, err = http.NewRequest(http.MethodPost, at, strings.NewReader(fields.Encode()))
	}
	if err != nil {
		return "", err
	}
	if len(fields) > 0 {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer, err := v.Client.Do(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusSeeOther {
		return "", fmt.Errorf("return of %s: %d", txn, answer.StatusCode)
	}
	return answer.Header.Get("Location"), nil
}

// Told is what a site answers to a webhook.
type Told struct {
	Status     int
	Body, Type string
}

// Tell delivers a webhook to the site at base, once.
func Tell(base, gateway string, e simulators.Event) (Told, error) {
	request, err := http.NewRequest(http.MethodPost, base+"/payments/webhook/"+gateway, bytes.NewReader(e.Body))
	if err != nil {
		return Told{}, err
	}
	request.Header = e.Header.Clone()
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return Told{}, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return Told{answer.StatusCode, string(body), answer.Header.Get("Content-Type")}, err
}
