// Package money simulates payers, banks and staff at each payment provider by one interface, so that a scenario is written once
// for all providers. The providers are simulators, the site is any process that is configured with their variables.
package money

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"hiresure/e2e"
	"hiresure/simulators"
)

// Provider is a provider with its bank and traits.
type Provider struct {
	Name     string // of the gateway
	Currency string // of an event's fee
	Traits
	wrap func(account simulators.Account, at string, clock func() time.Time) Bank
}

// Traits are differences between providers.
type Traits struct {
	WeTake    bool   // the site's server captures: the payer only approves
	ByReturn  bool   // the server captures only when the browser returns
	OneTry    bool   // a failed attempt ends the order
	Whole     bool   // no partial refunds
	OneMoney  bool   // an order cannot be paid in another currency
	OneCharge bool   // an order is never charged twice
	ByHand    bool   // a second charge can only be refunded on the dashboard
	Final     bool   // a refund cannot bounce
	Starts    string // part of the call that creates an order; "" if there is none
	Takes     string // part of the call that captures; "" if there is none
	Refunds   string // part of the call that refunds
	Secret    string // variable with the webhooks' secret
}

// Providers lists all providers.
var Providers = []Provider{
	{"razorpay", "INR", Traits{Starts: "/v1/orders", Refunds: "/refund", Secret: "RAZORPAY_WEBHOOK_SECRET"}, newRazorpay},
	{"paypal", "USD", Traits{WeTake: true, Takes: "/capture", Starts: "/v2/checkout/orders", Refunds: "/refund", Secret: "PAYPAL_WEBHOOK_ID"}, newPayPal},
	{"cashfree", "INR", Traits{ByHand: true, Final: true, Starts: "/pg/orders", Refunds: "/refunds", Secret: "CASHFREE_SECRET_KEY"}, newCashfree},
	{"payu", "INR", Traits{OneTry: true, OneMoney: true, OneCharge: true, Refunds: "cancel_refund_transaction", Secret: "PAYU_SALT"}, newPayU},
	{"stripe", "INR", Traits{OneCharge: true, Starts: "/v1/payment_intents", Refunds: "/v1/refunds", Secret: "STRIPE_WEBHOOK_SECRET"}, newStripe},
	{"twocheckout", "INR", Traits{WeTake: true, Takes: "/orders/", ByReturn: true, Whole: true, Final: true, Refunds: "/refund/", Secret: "TWOCHECKOUT_SECRET_KEY"}, newTwocheckout},
}

// Bank is an account at a provider with the actions of payers, their banks and staff. Orders are identified by the result of
// Enter. The methods panic for an unknown one.
type Bank interface {
	simulators.Account
	// AddFaults adds faults of the next responses.
	AddFaults(faults ...simulators.Fault)
	// SlowRefunds keeps refunds pending.
	SlowRefunds()
	// Captured and Refunded return the sums captured and refunded in a currency.
	Captured(currency string) (minor int64)
	Refunded(currency string) (minor int64)

	// Enter opens the provider with the fields of a checkout.
	Enter(txn string, fields map[string]any) (order string, err error)
	// Pay, Decline, Leave and LeavePending are a payer's attempts: paid, rejected by the bank, abandoned, and undecided. Each returns the
	// fields of the browser's return to the site, if any.
	Pay(order string) url.Values
	Decline(order string) url.Values
	Leave(order string) url.Values
	LeavePending(order string) url.Values
	// Late confirms an undecided or failed attempt.
	Late(order string)
	// PayWrong pays a wrong sum.
	PayWrong(order string, minor int64, currency string) url.Values
	// Authorise pays at an account where the site's server captures; false if Pay does that already.
	Authorise(order string) (back url.Values, can bool)
	// RefundThere refunds on the dashboard.
	RefundThere(order string, minor int64)
	// DisputeOpens, DisputeWon and DisputeLost open and end a dispute.
	DisputeOpens(order string)
	DisputeWon(order string)
	DisputeLost(order string)
	// PayAgain pays a paid order again, if the provider allows it. RefundThere then refunds this payment.
	PayAgain(order string)
	// RefundEnds ends a pending or completed refund of the site, successfully or not.
	RefundEnds(order, refundID string, done bool)

	// Signed returns an event signed with another secret. Resigned returns a changed event signed by the provider.
	Signed(e simulators.Event, secret string) simulators.Event
	Resigned(e simulators.Event, change func(body string) string) simulators.Event
	// Forgeries returns forged copies of an event by description; another is an event of another order.
	Forgeries(e, another simulators.Event) map[string]simulators.Event
}

// Open creates an account served at an address such as http://127.0.0.1:8091, with a clock, nil for time.Now. It returns the
// environment variables that configure a site to use it, except GATEWAYS.
func (p Provider) Open(at string, clock func() time.Time) (Bank, map[string]string) {
	for _, played := range simulators.Providers {
		if played.Name == p.Name {
			account, variables := played.Open(at, clock)
			return p.wrap(account, at, clock), variables
		}
	}
	panic("there is no simulator of " + p.Name)
}

// Attempt is a payment started by the site.
type Attempt struct {
	Txn    string
	Minor  int64 // the charge
	Fields map[string]any
}

// Start starts a payment of a registration at a gateway. The error is an *e2e.Refused if the site rejects it.
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

// ComeBack returns the payer's browser from a provider, by POST if there are fields, and returns the redirect.
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
		return "", &e2e.Refused{Step: "return of " + txn, Answer: e2e.Answer{Status: answer.StatusCode}}
	}
	return answer.Header.Get("Location"), nil
}

// Told is a site's response to a webhook.
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
