// Package payu takes payments with PayU India: https://docs.payu.in. A transaction there has our MerchantRef as its txnid, and our
// TxnID as its udf1. Nothing is created there before the payer's browser posts a form that we have signed. Amounts are rupees with
// two decimals there, and never pass through a float here.
package payu

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

// Needs is everything that a Gateway works with.
type Needs struct {
	Key       string
	Salts     []string          // the current one first; what an older one has signed is still good
	BaseURL   string            // of its API; "" is defaultBase
	FormURL   string            // where the payer's browser posts; "" is defaultForm
	Transport http.RoundTripper // nil is http.DefaultTransport
}

// Gateway is PayU as admission sees it.
type Gateway struct {
	Needs
	api call.Client
}

var _ method.Gateway = (*Gateway)(nil)

// New refuses needs that are missing.
func New(n Needs) (*Gateway, error) {
	if n.Key == "" || len(n.Salts) == 0 {
		return nil, errors.New("payu gateway needs Key and Salts")
	}
	n.BaseURL, n.FormURL = cmp.Or(n.BaseURL, defaultBase), cmp.Or(n.FormURL, defaultForm)
	return &Gateway{n, call.Client{Base: n.BaseURL, Transport: n.Transport}}, nil
}

// Start signs the form that the payer's browser posts to PayU, which hears of the transaction by that.
func (g *Gateway) Start(_ context.Context, in method.Intent) (method.ChargeSession, error) {
	if in.Amount.Currency != currency {
		return method.ChargeSession{}, method.ErrCurrency
	}
	return method.ChargeSession{Ref: in.MerchantRef, Checkout: map[string]any{"details": map[string]any{"initiateTransaction": g.form(in)}}}, nil
}

// The lengths that PayU takes, in characters.
const (
	mostProduct = 100
	mostName    = 60
	mostEmail   = 50
)

// form is what the browser posts, with the address in payUUrl. What PayU refuses for its length is cut, and nothing has a '|', which
// separates what is signed.
func (g *Gateway) form(in method.Intent) map[string]string {
	fields := map[string]string{
		"key": g.Key, "txnid": in.MerchantRef, "amount": call.Decimal(in.Amount.Minor), "productinfo": fit(in.Description, mostProduct),
		"firstname": fit(in.Name, mostName), "email": email(in), "phone": strings.TrimPrefix(in.Phone, "+91"), "udf1": in.TxnID,
		"surl": in.ReturnURL, "furl": in.ReturnURL, "enforce_paymethod": "", "payUUrl": g.FormURL,
	}
	var parts []string
	for _, name := range signedFields {
		parts = append(parts, fields[name])
	}
	fields["hash"] = forward(parts, g.Salts[0])
	return fields
}

// fit makes a text one that PayU takes.
func fit(text string, most int) string {
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, separator, " ")), " ")
	runes := []rune(text)
	return strings.TrimSpace(string(runes[:min(len(runes), most)]))
}

// email is the payer's, or where PayU cannot take it an address of ours: PayU must have one, and our own mails go to the payer.
func email(in method.Intent) string {
	if len(in.Email) <= mostEmail && !strings.Contains(in.Email, separator) {
		return in.Email
	}
	ours, err := url.Parse(in.ReturnURL)
	if err != nil {
		return ""
	}
	return "payer@" + ours.Hostname()
}

// Complete takes the form that PayU has the payer's browser post, and then asks PayU: the form says what it said at that moment.
func (g *Gateway) Complete(ctx context.Context, in method.Intent, ref string, back method.Return) (method.Status, error) {
	if back.Method != http.MethodPost || !g.signed(back.Form) || back.Form.Get("key") != g.Key || back.Form.Get("txnid") != in.MerchantRef {
		return method.Status{}, method.ErrSignature
	}
	return g.Fetch(ctx, in, ref)
}

// Fetch returns the state of a transaction, and captures what is authorised where it is wanted and is the whole amount.
func (g *Gateway) Fetch(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	status, err := g.fetch(ctx, in, cmp.Or(ref, in.MerchantRef))
	if err != nil {
		return method.Status{}, fmt.Errorf("payu: fetch: %w", err)
	}
	return status, nil
}

func (g *Gateway) fetch(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	there, err := g.find(ctx, ref)
	if err != nil {
		return method.Status{}, err
	}
	if in.Wanted && ref == in.MerchantRef && there.authorised(in.Amount) {
		// Refused: somebody was faster. Its answer says no more than that it is queued.
		if _, err := g.ask(ctx, "capture_transaction", string(there.PaymentID), in.MerchantRef, call.Decimal(in.Amount.Minor)); err != nil {
			return method.Status{}, err
		}
		if there, err = g.find(ctx, ref); err != nil {
			return method.Status{}, err
		}
	}
	return g.status(ctx, in, there)
}

// Cancel says how the transaction stands: PayU has no call that ends one which is open, and forgets by itself who leaves its page.
func (g *Gateway) Cancel(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	in.Wanted = false
	return g.Fetch(ctx, in, ref)
}
