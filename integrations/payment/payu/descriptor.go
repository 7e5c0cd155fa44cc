package payu

import (
	"encoding/json"
	"errors"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

const (
	currency    = "INR"
	defaultBase = "https://info.payu.in"
	defaultForm = "https://secure.payu.in/_payment"
)

// Descriptor returns PayU's entry for the catalogue. Browsers apply form-action to redirects too: secure.payu.in redirects to
// api.payu.in, and test.payu.in to apitest.payu.in. The checkout is PayU's page and needs no script.
func Descriptor() method.Descriptor {
	return method.Descriptor{
		Name: "payu", Label: "UPI or net banking", Provider: "PayU", Icon: method.IconUPI, Note: "Any UPI app, Indian cards and wallets, on PayU’s page.", Currencies: []string{currency}, UPI: true,
		Settings: []method.Setting{
			{Name: "PAYU_KEY", Meaning: "names the account: its merchant key"},
			{Name: "PAYU_SALT", Meaning: "belongs to the key, and signs forms, calls and webhooks; two with a comma while it is changed, the new one first", Secret: true, Check: call.CheckSecrets},
			{Name: "PAYU_BASE_URL", Meaning: "where its API is; https://test.payu.in takes test keys", Default: defaultBase, Check: call.CheckBase(defaultBase), Test: func(base string) bool { return base != defaultBase }},
			{Name: "PAYU_FORM_URL", Meaning: "where the payer's browser posts; https://test.payu.in/_payment takes test keys", Default: defaultForm, Check: call.CheckURL(defaultForm), Test: func(form string) bool { return form != defaultForm }},
		},
		Checkout:        method.Origins{Forms: []string{"https://secure.payu.in", "https://api.payu.in", "https://test.payu.in", "https://apitest.payu.in"}},
		Payload:         []string{"details"},
		Carries:         method.CarriesTxID,
		DisputesByEvent: true,
		Forms:           forms,
	}
}

// Open returns a gateway configured by a site's settings.
func Open(with method.Settings) (*Gateway, error) {
	return New(Config{
		Key: with["PAYU_KEY"], Salts: call.Secrets(with["PAYU_SALT"]), BaseURL: with["PAYU_BASE_URL"], FormURL: with["PAYU_FORM_URL"],
	})
}

// formFields are the form's fields in order; islands/checkout/payu.tsx posts the same.
var formFields = []string{"key", "txnid", "amount", "productinfo", "firstname", "email", "phone", "udf1", "surl", "furl", "enforce_paymethod", "hash"}

// forms returns the form that opens PayU's page.
func forms(checkout map[string]any) ([]method.Form, error) {
	fields, err := posted(checkout)
	if err != nil {
		return nil, err
	}
	form := method.Form{Action: fields["payUUrl"], Label: "Go to the payment page", Look: method.FormFirst}
	for _, name := range formFields {
		if fields[name] != "" {
			form.Fields = append(form.Fields, method.FormField{Name: name, Value: fields[name]})
		}
	}
	return []method.Form{form}, nil
}

// posted returns the form fields of a stored checkout.
func posted(checkout map[string]any) (fields map[string]string, err error) {
	kept, err := json.Marshal(checkout["details"])
	if err != nil {
		return nil, err
	}
	var details struct{ InitiateTransaction map[string]string }
	if err := json.Unmarshal(kept, &details); err != nil {
		return nil, err
	}
	if fields = details.InitiateTransaction; fields["payUUrl"] == "" {
		return nil, errors.New("payu: a checkout without its form")
	}
	return fields, nil
}
