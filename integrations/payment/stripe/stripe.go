// Package stripe takes payments with Stripe: https://docs.stripe.com/api. A payment intent there has our TxnID in its
// metadata, a refund our refund's id too. Amounts are minor units there as here.
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

// Of metadata.
const (
	txnKey    = "txn"
	refundKey = "refund"
)

// Needs is everything that a Gateway works with.
type Needs struct {
	PublishableKey, SecretKey string
	WebhookSecrets            []string // webhooks that either has signed are good
	BaseURL                   string   // "" is defaultBase
	ScriptURL                 string   // of the checkout; "" is defaultScript
	Clock                     func() time.Time
	Transport                 http.RoundTripper // nil is http.DefaultTransport
}

// Gateway is Stripe as admission sees it.
type Gateway struct {
	Needs
	api *stripe.Client
}

const (
	longestLife  = 24 * time.Hour // of an attempt, at most
	clocksDiffer = 10 * time.Minute
)

var _ method.Gateway = (*Gateway)(nil)

// New refuses needs that are missing.
func New(n Needs) (*Gateway, error) {
	if n.PublishableKey == "" || n.SecretKey == "" || len(n.WebhookSecrets) == 0 || n.Clock == nil {
		return nil, errors.New("stripe gateway needs PublishableKey, SecretKey, WebhookSecrets and Clock")
	}
	n.BaseURL, n.ScriptURL = cmp.Or(n.BaseURL, defaultBase), cmp.Or(n.ScriptURL, defaultScript)
	base, err := url.Parse(n.BaseURL)
	if err != nil {
		return nil, errors.New("stripe gateway: BaseURL is no address")
	}
	sends := sender{call.Client{Base: base.Scheme + "://" + base.Host, Transport: n.Transport}}
	return &Gateway{n, stripe.NewClient(n.SecretKey, stripe.WithBackends(stripe.NewBackendsWithConfig(&stripe.BackendConfig{
		URL: &n.BaseURL, HTTPClient: &http.Client{Transport: sends},
		MaxNetworkRetries: stripe.Int64(0), EnableTelemetry: stripe.Bool(false), LeveledLogger: &stripe.LeveledLogger{Level: stripe.LevelNull}, // its log has bodies
	})))}, nil
}

// Start creates the intent, once for a TxnID. Stripe gives a repetition the first answer again, a failure too: where it is
// lost or bad, the intent is asked for.
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
		return method.ChargeSession{}, errors.New("stripe: create intent: the answer is another intent than was asked for")
	}
	if made.ID == "" || made.ClientSecret == "" {
		return method.ChargeSession{}, fmt.Errorf("%w: stripe: create intent: no secret", method.ErrUnknown)
	}
	return method.ChargeSession{Ref: made.ID, Checkout: map[string]any{
		"script": g.ScriptURL, "publishableKey": g.PublishableKey, "clientSecret": made.ClientSecret,
	}}, nil
}

// newIntent is what creates an intent. It is the same whenever it is sent: Stripe compares what comes with one key.
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

// isPlainMail reports whether Stripe takes an address: where it refuses one, it refuses the payment.
func isPlainMail(address string) bool {
	name, host, _ := strings.Cut(address, "@")
	odd := func(r rune) bool { return r <= ' ' || r > '~' || r == '@' }
	return name != "" && strings.Contains(host, ".") && !strings.ContainsFunc(name+host, odd)
}

// once are the parameters of a call that happens once for a key.
func once(key string) stripe.Params { return stripe.Params{IdempotencyKey: &key} }

// sum is money as Stripe writes it.
func sum(minor int64, currency stripe.Currency) admission.Money {
	return admission.Money{Minor: minor, Currency: strings.ToUpper(string(currency))}
}

// Complete asks Stripe: what the browser brings proves nothing.
func (g *Gateway) Complete(ctx context.Context, in method.Intent, ref string, _ method.Return) (method.Status, error) {
	return g.Fetch(ctx, in, ref)
}

// Fetch returns the state of an intent, and captures what is authorised where it is wanted and is the whole amount.
func (g *Gateway) Fetch(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	status, err := g.fetch(ctx, in, ref)
	if err != nil {
		return method.Status{}, fmt.Errorf("stripe: fetch: %w", err)
	}
	return status, nil
}

func (g *Gateway) fetch(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	there, err := g.ask(ctx, in, ref)
	if err != nil {
		return method.Status{}, err
	}
	if in.Wanted && there.Status == stripe.PaymentIntentStatusRequiresCapture && sum(there.AmountCapturable, there.Currency) == in.Amount {
		_, err := g.api.V1PaymentIntents.Capture(ctx, there.ID, &stripe.PaymentIntentCaptureParams{Params: once(in.TxnID + "-capture"), AmountToCapture: &in.Amount.Minor})
		if err = asGateway(err); err != nil && !errors.Is(err, method.ErrDeclined) { // refused: somebody was faster
			return method.Status{}, err
		}
		if there, err = g.ask(ctx, in, there.ID); err != nil {
			return method.Status{}, err
		}
	}
	return g.status(ctx, there)
}

// ask returns an attempt's intent with its charge, by its id there or, when that is "", by ours.
func (g *Gateway) ask(ctx context.Context, in method.Intent, ref string) (*stripe.PaymentIntent, error) {
	if ref == "" {
		return g.find(ctx, in)
	}
	there, err := g.retrieve(ctx, ref)
	if err == nil && there.Metadata[txnKey] != in.TxnID {
		err = fmt.Errorf("%w: the answer is another attempt's intent", method.ErrUnknown)
	}
	return there, err
}

func (g *Gateway) retrieve(ctx context.Context, ref string) (*stripe.PaymentIntent, error) {
	there, err := g.api.V1PaymentIntents.Retrieve(ctx, ref, &stripe.PaymentIntentRetrieveParams{Expand: stripe.StringSlice([]string{"latest_charge"})})
	if err = call.Unrefused(asGateway(err)); err == nil && there.ID != ref {
		err = fmt.Errorf("%w: the answer is another intent", method.ErrUnknown)
	}
	return there, err
}

// find looks for an attempt's intent among those of its day: Stripe's search lags behind, and Indian accounts have none.
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

// Cancel ends an intent, and lets go of what is only authorised. One that is paid, over or at the bank can not be
// cancelled, so its state counts and not the answer.
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
	// Without a key of ours: a failure would be kept under it, and twice cancelled is cancelled.
	_, err := g.api.V1PaymentIntents.Cancel(ctx, ref, &stripe.PaymentIntentCancelParams{CancellationReason: stripe.String("abandoned")})
	if err = asGateway(err); err != nil && !errors.Is(err, method.ErrDeclined) && !errors.Is(err, method.ErrUnknown) {
		return method.Status{}, err
	}
	status, askErr := g.fetch(ctx, in, ref)
	if askErr != nil {
		return method.Status{}, askErr
	}
	if status.State == method.ChargePending && errors.Is(err, method.ErrUnknown) { // nobody knows whether it will be cancelled
		return method.Status{}, err
	}
	return status, nil
}
