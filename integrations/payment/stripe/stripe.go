// Package stripe implements the Stripe gateway: https://docs.stripe.com/api. The metadata of a payment intent has our TxnID,
// and that of a refund also our refund id. Amounts are in minor units.
package stripe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v85"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

// Metadata keys.
const (
	txnKey    = "txn"
	refundKey = "refund"
)

// Config configures a Gateway.
type Config struct {
	PublishableKey, SecretKey string
	WebhookSecrets            []string // any is accepted
	BaseURL                   string   // "" means defaultBase
	ScriptURL                 string   // of the checkout; "" means defaultScript
	Clock                     func() time.Time
	Transport                 http.RoundTripper // nil means http.DefaultTransport
}

// Gateway implements method.Gateway.
type Gateway struct {
	Config
	api *stripe.Client
}

const (
	longestLife  = 24 * time.Hour // maximum age of a payable attempt
	clocksDiffer = 10 * time.Minute
)

var _ method.Gateway = (*Gateway)(nil)

// New returns a Gateway, or an error for a missing or invalid field.
func New(n Config) (*Gateway, error) {
	if n.PublishableKey == "" || n.SecretKey == "" || len(n.WebhookSecrets) == 0 || n.Clock == nil {
		return nil, errors.New("stripe gateway needs PublishableKey, SecretKey, WebhookSecrets and Clock")
	}
	n.BaseURL, n.ScriptURL = cmp.Or(n.BaseURL, defaultBase), cmp.Or(n.ScriptURL, defaultScript)
	base, err := url.Parse(n.BaseURL)
	if err != nil {
		return nil, errors.New("stripe gateway: invalid BaseURL")
	}
	sends := sender{call.Client{Base: base.Scheme + "://" + base.Host, Transport: n.Transport}}
	return &Gateway{n, stripe.NewClient(n.SecretKey, stripe.WithBackends(stripe.NewBackendsWithConfig(&stripe.BackendConfig{
		URL: &n.BaseURL, HTTPClient: &http.Client{Transport: sends},
		MaxNetworkRetries: stripe.Int64(0), EnableTelemetry: stripe.Bool(false), LeveledLogger: &stripe.LeveledLogger{Level: stripe.LevelNull}, // its log has bodies
	})))}, nil
}

// Start creates the intent once per TxnID. Stripe repeats its first response to a key, even a failure, so after a lost or bad
// response Start looks the intent up.
func (g *Gateway) Start(ctx context.Context, in method.Intent) (method.ChargeSession, error) {
	if !takes(in.Amount.Currency) {
		return method.ChargeSession{}, method.ErrCurrency
	}
	made, err := g.api.V1PaymentIntents.Create(ctx, newIntent(in))
	err = asGateway(err)
	if (errors.Is(err, method.ErrUnknown) || errors.Is(err, method.ErrDeclined)) && ctx.Err() == nil {
		switch there, findErr := g.find(ctx, in); {
		case findErr == nil:
			made, err = there, nil
		case !errors.Is(findErr, method.ErrNoCharge):
			err = findErr
		}
	}
	if err != nil {
		return method.ChargeSession{}, fmt.Errorf("stripe: create intent: %w", err)
	}
	if asked := sum(made.Amount, made.Currency); made.Metadata[txnKey] != in.TxnID || asked != in.Amount {
		return method.ChargeSession{}, errors.New("stripe: create intent: response has another intent")
	}
	if made.ID == "" || made.ClientSecret == "" {
		return method.ChargeSession{}, fmt.Errorf("%w: stripe: create intent: no secret", method.ErrUnknown)
	}
	return method.ChargeSession{Ref: made.ID, Checkout: map[string]any{
		"script": g.ScriptURL, "publishableKey": g.PublishableKey, "clientSecret": made.ClientSecret,
	}}, nil
}

// newIntent returns the body that creates an intent. It never changes for an attempt: Stripe compares the bodies of one key.
func newIntent(in method.Intent) *stripe.PaymentIntentCreateParams {
	p := &stripe.PaymentIntentCreateParams{
		Params: once(in.TxnID + "-pi"),
		Amount: &in.Amount.Minor, Currency: stripe.String(strings.ToLower(in.Amount.Currency)), Description: &in.Description,
		AutomaticPaymentMethods: &stripe.PaymentIntentCreateAutomaticPaymentMethodsParams{Enabled: stripe.Bool(true)},
		Metadata:                map[string]string{txnKey: in.TxnID},
	}
	if isPlainMail(in.Email) {
		p.ReceiptEmail = &in.Email
	}
	return p
}

// isPlainMail reports whether Stripe accepts an e-mail address; otherwise it would refuse the payment.
func isPlainMail(address string) bool {
	name, host, _ := strings.Cut(address, "@")
	odd := func(r rune) bool { return r <= ' ' || r > '~' || r == '@' }
	return name != "" && strings.Contains(host, ".") && !strings.ContainsFunc(name+host, odd)
}

// once returns the parameters of an idempotent call.
func once(key string) stripe.Params { return stripe.Params{IdempotencyKey: &key} }

// sum converts an amount of Stripe's.
func sum(minor int64, currency stripe.Currency) admission.Money {
	return admission.Money{Minor: minor, Currency: strings.ToUpper(string(currency))}
}

// Complete fetches the status: a browser's return proves nothing.
func (g *Gateway) Complete(ctx context.Context, in method.Intent, ref string, _ method.Return) (method.Status, error) {
	return g.Fetch(ctx, in, ref)
}

// Fetch returns an intent's status. It captures an authorised payment of the whole amount if the payment is wanted.
func (g *Gateway) Fetch(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	status, err := g.fetch(ctx, in, ref)
	if err != nil {
		return method.Status{}, fmt.Errorf("stripe: fetch: %w", err)
	}
	return status, nil
}

func (g *Gateway) fetch(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	there, err := g.findIntent(ctx, in, ref)
	if err != nil {
		return method.Status{}, err
	}
	if in.Wanted && there.Status == stripe.PaymentIntentStatusRequiresCapture && sum(there.AmountCapturable, there.Currency) == in.Amount {
		_, err := g.api.V1PaymentIntents.Capture(ctx, there.ID, &stripe.PaymentIntentCaptureParams{Params: once(in.TxnID + "-capture"), AmountToCapture: &in.Amount.Minor})
		if err = asGateway(err); err != nil && !errors.Is(err, method.ErrDeclined) { // declined: captured concurrently
			return method.Status{}, err
		}
		if there, err = g.findIntent(ctx, in, there.ID); err != nil {
			return method.Status{}, err
		}
	}
	return g.status(ctx, there)
}

// findIntent returns an attempt's intent and charge, by Stripe's id or, if ref is "", by ours.
func (g *Gateway) findIntent(ctx context.Context, in method.Intent, ref string) (*stripe.PaymentIntent, error) {
	if ref == "" {
		return g.find(ctx, in)
	}
	there, err := g.retrieve(ctx, ref)
	if err == nil && there.Metadata[txnKey] != in.TxnID {
		err = fmt.Errorf("%w: response has another attempt's intent", method.ErrUnknown)
	}
	return there, err
}

func (g *Gateway) retrieve(ctx context.Context, ref string) (*stripe.PaymentIntent, error) {
	there, err := g.api.V1PaymentIntents.Retrieve(ctx, ref, &stripe.PaymentIntentRetrieveParams{Expand: stripe.StringSlice([]string{"latest_charge"})})
	if err = call.Unrefused(asGateway(err)); err == nil && there.ID != ref {
		err = fmt.Errorf("%w: response has another intent", method.ErrUnknown)
	}
	return there, err
}

// find searches the intents of an attempt's day: Stripe's search index is delayed, and Indian accounts have none.
func (g *Gateway) find(ctx context.Context, in method.Intent) (*stripe.PaymentIntent, error) {
	made := &stripe.RangeQueryParams{GreaterThanOrEqual: in.Expires.Add(-longestLife).Unix(), LesserThanOrEqual: in.Expires.Add(clocksDiffer).Unix()}
	for there, err := range each(func(at stripe.ListParams) *stripe.V1List[*stripe.PaymentIntent] {
		return g.api.V1PaymentIntents.List(ctx, &stripe.PaymentIntentListParams{ListParams: at, CreatedRange: made, Expand: stripe.StringSlice([]string{"data.latest_charge"})})
	}, func(p *stripe.PaymentIntent) string { return p.ID }) {
		if err != nil || there.Metadata[txnKey] == in.TxnID {
			return there, err
		}
	}
	return nil, method.ErrNoCharge
}

// Cancel cancels an intent and releases an authorisation. A paid, ended or processing intent cannot be cancelled, so Cancel
// returns the fetched status whatever the response.
func (g *Gateway) Cancel(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	in.Wanted = false
	status, err := g.cancel(ctx, in, ref)
	if err != nil {
		return method.Status{}, fmt.Errorf("stripe: cancel: %w", err)
	}
	return status, nil
}

func (g *Gateway) cancel(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	if ref == "" {
		there, err := g.find(ctx, in)
		if err != nil {
			return method.Status{}, err
		}
		ref = there.ID
	}
	// Without an idempotency key: Stripe would repeat a failure for it, and cancelling twice is harmless.
	_, err := g.api.V1PaymentIntents.Cancel(ctx, ref, &stripe.PaymentIntentCancelParams{CancellationReason: stripe.String("abandoned")})
	if err = asGateway(err); err != nil && !errors.Is(err, method.ErrDeclined) && !errors.Is(err, method.ErrUnknown) {
		return method.Status{}, err
	}
	status, askErr := g.fetch(ctx, in, ref)
	if askErr != nil {
		return method.Status{}, askErr
	}
	if status.State == method.ChargePending && errors.Is(err, method.ErrUnknown) { // may still be cancelled
		return method.Status{}, err
	}
	return status, nil
}
