// Package payu implements the PayU India gateway: https://docs.payu.in. A PayU transaction has our MerchantRef as txnid and our
// TxnID as udf1. It begins when the payer's browser posts a form that we signed. Amounts are rupees with two decimals, parsed
// without floats.
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

// Config configures a Gateway.
type Config struct {
	Key       string
	Salts     []string          // current one first; hashes of any are accepted
	BaseURL   string            // of the API; "" means defaultBase
	FormURL   string            // where the payer's browser posts; "" means defaultForm
	Transport http.RoundTripper // nil means http.DefaultTransport
}

// Gateway implements method.Gateway.
type Gateway struct {
	Config
	api call.Client
}

var _ method.Gateway = (*Gateway)(nil)

// New returns a Gateway, or an error for a missing field.
func New(n Config) (*Gateway, error) {
	if n.Key == "" || len(n.Salts) == 0 {
		return nil, errors.New("payu gateway needs Key and Salts")
	}
	n.BaseURL, n.FormURL = cmp.Or(n.BaseURL, defaultBase), cmp.Or(n.FormURL, defaultForm)
	return &Gateway{n, call.Client{Base: n.BaseURL, Transport: n.Transport}}, nil
}

// Start signs the form for the payer's browser. PayU learns of the transaction when the browser posts it.
func (g *Gateway) Start(_ context.Context, in method.Intent) (method.ChargeSession, error) {
	if in.Amount.Currency != currency {
		return method.ChargeSession{}, method.ErrCurrency
	}
	return method.ChargeSession{Ref: in.MerchantRef, Checkout: map[string]any{"details": map[string]any{"initiateTransaction": g.form(in)}}}, nil
}

// PayU's maximum lengths, in characters.
const (
	mostProduct = 100
	mostName    = 60
	mostEmail   = 50
)

// form returns the form's fields, with its address as payUUrl. Values are truncated to PayU's lengths and contain no separator.
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

// fit truncates a text and removes separators.
func fit(text string, most int) string {
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, separator, " ")), " ")
	runes := []rune(text)
	return strings.TrimSpace(string(runes[:min(len(runes), most)]))
}

// email returns the payer's address, or one of ours if PayU would reject it: PayU requires one, and our mails don't depend on it.
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

// Complete verifies the form that PayU has the payer's browser post, and fetches the status: the form may be old.
func (g *Gateway) Complete(ctx context.Context, in method.Intent, ref string, back method.Return) (method.Status, error) {
	if back.Method != http.MethodPost || !g.signed(back.Form) || back.Form.Get("key") != g.Key || back.Form.Get("txnid") != in.MerchantRef {
		return method.Status{}, method.ErrSignature
	}
	return g.Fetch(ctx, in, ref)
}

// Fetch returns a transaction's status. It captures an authorised payment of the whole amount if the payment is wanted.
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
		// Declined: captured concurrently. The response only confirms that the capture is queued.
		if _, err := g.command(ctx, "capture_transaction", string(there.PaymentID), in.MerchantRef, call.Decimal(in.Amount.Minor)); err != nil {
			return method.Status{}, err
		}
		if there, err = g.find(ctx, ref); err != nil {
			return method.Status{}, err
		}
	}
	return g.status(ctx, in, there)
}

// Cancel returns the status: PayU cannot cancel an open transaction, and drops one whose payer leaves its page.
func (g *Gateway) Cancel(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	in.Wanted = false
	return g.Fetch(ctx, in, ref)
}
