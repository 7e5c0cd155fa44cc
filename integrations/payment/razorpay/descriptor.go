package razorpay

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

const (
	currency      = "INR" // others need Razorpay's consent for each account
	defaultBase   = "https://api.razorpay.com"
	defaultScript = "https://checkout.razorpay.com/v1/checkout.js"
	hostedPath    = "/v1/checkout/embedded" // Razorpay's page, for browsers without scripts
	shop          = "HireSure"              // as the payment window names it
)

// Descriptor returns Razorpay's entry for the catalogue. The origins are those of Razorpay's plugin for Magento
// (razorpay/razorpay-magento, etc/csp_whitelist.xml), and of its page for browsers without scripts.
func Descriptor() method.Descriptor {
	return method.Descriptor{
		Name: "razorpay", Label: "UPI or net banking", Provider: "Razorpay", Icon: method.IconUPI, Note: "Any UPI app, Indian cards and wallets, in Razorpay’s window.", Currencies: []string{currency}, UPI: true,
		Settings: []method.Setting{
			{Name: "RAZORPAY_KEY_ID", Meaning: "names the API key; one that begins with rzp_test_ takes no real money", Test: func(id string) bool { return strings.HasPrefix(id, "rzp_test_") }},
			{Name: "RAZORPAY_KEY_SECRET", Meaning: "belongs to the key id, and signs what a browser brings back; two with a comma while it is changed, the new one first", Secret: true, Check: call.CheckSecrets},
			{Name: "RAZORPAY_WEBHOOK_SECRET", Meaning: "signs webhooks: order.paid, payment.*, refund.* and payment.dispute.*; two with a comma while it is changed", Secret: true, Check: call.CheckSecrets},
			{Name: "RAZORPAY_BASE_URL", Meaning: "where its API is", Default: defaultBase, Check: call.CheckBase(defaultBase), Test: func(base string) bool { return base != defaultBase }},
			{Name: "RAZORPAY_SCRIPT_URL", Meaning: "where its checkout's script is", Default: defaultScript, Script: true, Check: call.CheckURL(defaultScript)},
		},
		Checkout: method.Origins{
			Scripts: []string{"https://checkout.razorpay.com", "https://cdn.razorpay.com"},
			Frames:  []string{"https://api.razorpay.com"},
			Connect: []string{"https://lumberjack.razorpay.com", "https://lumberjack-metrics.razorpay.com"},
			Images:  []string{"https://cdn.razorpay.com"},
			Forms:   []string{defaultBase},
		},
		Payload: []string{"script", "clientId", "amount", "currency", "providerOrderId", "config", "name", "description", "prefill", "notes"},
		Carries: method.CarriesStatus,
		Forms:   forms,
	}
}

// Open returns a gateway configured by a site's settings.
func Open(with method.Settings, clock func() time.Time) (*Gateway, error) {
	return New(Config{
		KeyID: with["RAZORPAY_KEY_ID"], KeySecrets: call.Secrets(with["RAZORPAY_KEY_SECRET"]), WebhookSecrets: call.Secrets(with["RAZORPAY_WEBHOOK_SECRET"]),
		BaseURL: with["RAZORPAY_BASE_URL"], ScriptURL: with["RAZORPAY_SCRIPT_URL"], Clock: clock,
	})
}

// checkout returns the data of the checkout page. It contains only text and maps of text, because it is stored as JSON.
func (g *Gateway) checkout(in method.Intent, made order) map[string]any {
	return map[string]any{
		"script": g.ScriptURL, "clientId": g.KeyID, "amount": strconv.FormatInt(made.Amount, 10), "currency": made.Currency, "providerOrderId": made.ID,
		"config": map[string]any{"display": map[string]any{"language": "en"}},
		"name":   shop, "description": in.Description, "prefill": map[string]any{"name": in.Name, "email": in.Email, "contact": in.Phone},
		"notes":  map[string]any{noteOfTxn: in.TxnID},
		"hosted": g.BaseURL + hostedPath, "return": in.ReturnURL,
	}
}

// forms returns the form that opens Razorpay's hosted page, for browsers without scripts. Razorpay returns the browser by a
// post, or by a link if the payer cancels.
func forms(checkout map[string]any) ([]method.Form, error) {
	text := func(of map[string]any, name string) string { found, _ := of[name].(string); return found }
	prefill, there := checkout["prefill"].(map[string]any)
	notes, _ := checkout["notes"].(map[string]any)
	paise, err := strconv.ParseInt(text(checkout, "amount"), 10, 64)
	if !there || text(checkout, "providerOrderId") == "" || err != nil {
		return nil, fmt.Errorf("the checkout is none of this gateway")
	}
	return []method.Form{{Action: text(checkout, "hosted"), Label: "Pay " + admission.INR(paise).Short(), Look: method.FormFirst, Fields: []method.FormField{
		{Name: "key_id", Value: text(checkout, "clientId")},
		{Name: "order_id", Value: text(checkout, "providerOrderId")},
		{Name: "amount", Value: text(checkout, "amount")},
		{Name: "currency", Value: text(checkout, "currency")},
		{Name: "name", Value: text(checkout, "name")},
		{Name: "description", Value: text(checkout, "description")},
		{Name: "prefill[name]", Value: text(prefill, "name")},
		{Name: "prefill[email]", Value: text(prefill, "email")},
		{Name: "prefill[contact]", Value: text(prefill, "contact")},
		{Name: "notes[" + noteOfTxn + "]", Value: text(notes, noteOfTxn)},
		{Name: "callback_url", Value: text(checkout, "return")},
		{Name: "cancel_url", Value: text(checkout, "return")},
	}}}, nil
}
