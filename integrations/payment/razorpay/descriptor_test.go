package razorpay_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/paymenttest"
	"hiresure/integrations/payment/razorpay"
)

func TestDescriptorChecksSettings(t *testing.T) {
	keys := func(change map[string]string) map[string]string {
		environ := map[string]string{"RAZORPAY_KEY_ID": "rzp_live_1", "RAZORPAY_KEY_SECRET": "new,old", "RAZORPAY_WEBHOOK_SECRET": "hook"}
		for name, value := range change {
			environ[name] = value
		}
		return environ
	}
	for _, c := range []struct {
		sentence string
		environ  map[string]string
		want     string
		plays    string // the settings recognized as test settings
	}{
		{"only the keys", keys(nil), "[]", ""},
		{"nothing", nil, "[gateway razorpay needs RAZORPAY_KEY_ID gateway razorpay needs RAZORPAY_KEY_SECRET gateway razorpay needs RAZORPAY_WEBHOOK_SECRET]", ""},
		{"three secrets", keys(map[string]string{"RAZORPAY_KEY_SECRET": "a,b,c"}), "[RAZORPAY_KEY_SECRET must be one secret, or two separated by a comma]", ""},
		{"only a comma as secret", keys(map[string]string{"RAZORPAY_WEBHOOK_SECRET": ","}), "[RAZORPAY_WEBHOOK_SECRET must be one secret, or two separated by a comma]", ""},
		{"a base with a trailing slash", keys(map[string]string{"RAZORPAY_BASE_URL": "https://api.razorpay.com/"}), "[RAZORPAY_BASE_URL must be an address such as https://api.razorpay.com, without a trailing slash]", "RAZORPAY_BASE_URL"},
		{"no script", keys(map[string]string{"RAZORPAY_SCRIPT_URL": "checkout.js"}), "[RAZORPAY_SCRIPT_URL must be an address such as https://checkout.razorpay.com/v1/checkout.js]", ""},
		{"test keys", keys(map[string]string{"RAZORPAY_KEY_ID": "rzp_test_1"}), "[]", "RAZORPAY_KEY_ID"},
		{"a simulator", keys(map[string]string{"RAZORPAY_BASE_URL": "http://127.0.0.1:9000", "RAZORPAY_SCRIPT_URL": "http://127.0.0.1:9000/v1/checkout.js"}), "[]", "RAZORPAY_BASE_URL RAZORPAY_SCRIPT_URL"},
	} {
		values, _, faults := razorpay.Descriptor().Configure(c.environ)
		if got := fmt.Sprint(faults); got != c.want {
			t.Errorf("%s: %s, want %s", c.sentence, got, c.want)
		}
		var plays []string
		for _, s := range razorpay.Descriptor().Settings {
			if s.Plays(values[s.Name]) {
				plays = append(plays, s.Name)
			}
		}
		if got := strings.Join(plays, " "); got != c.plays {
			t.Errorf("%s: %q take no real money, want %q", c.sentence, got, c.plays)
		}
		if _, err := razorpay.Open(values, paymenttest.Noon.Local); (err == nil) != (c.environ != nil && values["RAZORPAY_WEBHOOK_SECRET"] != ",") {
			t.Errorf("%s: opened with %v", c.sentence, err)
		}
	}
}

func TestCheckoutPayload(t *testing.T) {
	d := newDesk(t)
	session, err := d.Start(t.Context(), intent())
	if err != nil {
		t.Fatal(err)
	}
	kept, err := json.Marshal(session.Checkout) // as it is kept
	if err != nil {
		t.Fatal(err)
	}
	var checkout map[string]any
	if err := json.Unmarshal(kept, &checkout); err != nil {
		t.Fatal(err)
	}
	payload, err := json.Marshal(razorpay.Descriptor().PayloadOf(checkout))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"amount":"149900","clientId":"rzp_test_1","config":{"display":{"language":"en"}},"currency":"INR","description":"Enrolment fee","name":"HireSure",` +
		`"notes":{"txn":"` + txn + `"},"prefill":{"contact":"+919876543210","email":"asha@example.com","name":"Asha Rao"},"providerOrderId":"` + session.Ref + `",` +
		`"script":"https://checkout.razorpay.com/v1/checkout.js"}`
	if string(payload) != want {
		t.Errorf("%s\nwant\n%s", payload, want)
	}
	for _, key := range []string{secret, webhookSecret, "older"} {
		if strings.Contains(string(kept), key) {
			t.Errorf("a secret is kept with the checkout: %s", kept)
		}
	}
}

func TestFormsOpenRazorpaysHostedPage(t *testing.T) {
	checkout := map[string]any{
		"clientId": "rzp_live_1", "providerOrderId": "order_1", "amount": "149900", "currency": "INR", "name": "HireSure", "description": "Enrolment fee",
		"prefill": map[string]any{"name": "Asha Rao", "email": "asha@example.com", "contact": "+919876543210"}, "notes": map[string]any{"txn": txn},
		"hosted": "https://api.razorpay.com/v1/checkout/embedded", "return": "https://example.com/return",
	}
	forms, err := razorpay.Descriptor().FormsOf(checkout)
	if err != nil || len(forms) != 1 {
		t.Fatal(forms, err)
	}
	want := method.Form{Action: "https://api.razorpay.com/v1/checkout/embedded", Label: "Pay ₹1,499", Look: method.FormFirst, Fields: []method.FormField{
		{Name: "key_id", Value: "rzp_live_1"}, {Name: "order_id", Value: "order_1"}, {Name: "amount", Value: "149900"}, {Name: "currency", Value: "INR"},
		{Name: "name", Value: "HireSure"}, {Name: "description", Value: "Enrolment fee"}, {Name: "prefill[name]", Value: "Asha Rao"},
		{Name: "prefill[email]", Value: "asha@example.com"}, {Name: "prefill[contact]", Value: "+919876543210"}, {Name: "notes[txn]", Value: txn},
		{Name: "callback_url", Value: "https://example.com/return"}, {Name: "cancel_url", Value: "https://example.com/return"},
	}}
	if fmt.Sprint(forms[0]) != fmt.Sprint(want) {
		t.Errorf("%v\nwant\n%v", forms[0], want)
	}
	checkout["hosted"] = "http://127.0.0.1:9000/v1/checkout/embedded"
	if forms, err := razorpay.Descriptor().FormsOf(checkout); err == nil {
		t.Errorf("a form that posts elsewhere: %v", forms)
	}
	if _, err := razorpay.Descriptor().FormsOf(map[string]any{"buttons": nil}); err == nil {
		t.Error("another gateway's checkout has forms")
	}
}
