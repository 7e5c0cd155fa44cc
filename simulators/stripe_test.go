package simulators

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

func newStripe() *Stripe {
	noon := time.Date(2026, 1, 1, 6, 30, 0, 0, time.UTC)
	return NewStripe(KeysStripe{PublishableKey: "pk", SecretKey: "sk", WebhookSecret: "whsec_test_secret", Clock: func() time.Time { return noon }})
}

// ask sends a call with an API key and an idempotency key or "", and returns status and body of the response.
func (s *Stripe) ask(method, path, form, as, key string) (int, string) {
	r := httptest.NewRequest(method, path, strings.NewReader(form))
	if as != "" {
		r.Header.Set("Authorization", "Bearer "+as)
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

const goodIntent = "amount=149900&currency=inr&metadata[txn]=T1&automatic_payment_methods[enabled]=true"

func TestStripeSignature(t *testing.T) {
	s := NewStripe(KeysStripe{WebhookSecret: "whsec_test_secret", Clock: func() time.Time { return time.Unix(1700000000, 0) }})
	want := "t=1700000000,v1=67da5088c63e080c71bd2bb0cb5c03d85a8fc6a21ce3aaf484df809654745b92,v0="
	if got := s.Sign([]byte(`{"id":"evt_1","object":"event","type":"payment_intent.succeeded"}`)).Header.Get("Stripe-Signature"); !strings.HasPrefix(got, want) {
		t.Error(got)
	}
}

func TestStripeAPI(t *testing.T) {
	set := func(name, value string) string {
		form, _ := url.ParseQuery(goodIntent)
		form.Set(name, value)
		return form.Encode()
	}
	for _, c := range []struct{ sentence, method, path, form, as, want string }{
		{"an intent", "POST", "/v1/payment_intents", goodIntent, "sk", `200 "status":"requires_payment_method"`},
		{"no key", "POST", "/v1/payment_intents", goodIntent, "", `401 "message":"Invalid API Key provided"`},
		{"the key of browsers", "POST", "/v1/payment_intents", goodIntent, "pk", `401 "message":"Invalid API Key provided"`},
		{"no amount", "POST", "/v1/payment_intents", "currency=inr", "sk", `400 "code":"parameter_invalid_integer"`},
		{"rupees with paise", "POST", "/v1/payment_intents", set("amount", "1499.00"), "sk", `400 "code":"parameter_invalid_integer"`},
		{"too little", "POST", "/v1/payment_intents", set("amount", "49"), "sk", `400 "code":"amount_too_small"`},
		{"too much", "POST", "/v1/payment_intents", set("amount", "100000000"), "sk", `400 "code":"amount_too_large"`},
		{"a currency in capitals", "POST", "/v1/payment_intents", set("currency", "INR"), "sk", `400 "message":"Invalid currency: INR"`},
		{"an address that is none", "POST", "/v1/payment_intents", set("receipt_email", "asha"), "sk", `400 "code":"email_invalid"`},
		{"a name that nobody has heard of", "POST", "/v1/payment_intents", set("order_id", "T1"), "sk", `400 "code":"parameter_unknown"`},
		{"metadata that is too long", "POST", "/v1/payment_intents", set("metadata[txn]", strings.Repeat("a", 501)), "sk", `400 "message":"Metadata keys`},
		{"a key of metadata that is too long", "POST", "/v1/payment_intents", set("metadata["+strings.Repeat("a", 41)+"]", "T1"), "sk", `400 "message":"Metadata keys`},
		{"an unknown intent", "GET", "/v1/payment_intents/pi_unknown", "", "sk", `404 "code":"resource_missing"`},
		{"an unknown charge", "GET", "/v1/charges/ch_unknown", "", "sk", `404 "code":"resource_missing"`},
		{"an unknown refund", "GET", "/v1/refunds/re_unknown", "", "sk", `404 "code":"resource_missing"`},
		{"a refund of an unknown charge", "POST", "/v1/refunds", "charge=ch_unknown&amount=1", "sk", `404 "code":"resource_missing"`},
		{"a refund of nothing", "POST", "/v1/refunds", "charge=ch_unknown", "sk", `400 "code":"parameter_invalid_integer"`},
		{"a list that is too long", "GET", "/v1/refunds?limit=101", "", "sk", `400 "message":"limit must be between 1 and 100"`},
		{"a list after nobody", "GET", "/v1/refunds?starting_after=re_unknown", "", "sk", `404 "code":"resource_missing"`},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			s := newStripe()
			code, body := s.ask(c.method, c.path, c.form, c.as, "")
			if status, part, _ := strings.Cut(c.want, " "); fmt.Sprint(code) != status || !strings.Contains(body, part) {
				t.Errorf("%d %s, want %s", code, body, c.want)
			}
			if made := s.Orders(); made != 0 && code != http.StatusOK {
				t.Errorf("%d intents were made", made)
			}
		})
	}
}

func TestStripeStates(t *testing.T) {
	for _, c := range []struct {
		sentence   string
		happens    func(s *Stripe, charge func() string)
		path, form string
		want       string
	}{
		{"to cancel what is paid", func(_ *Stripe, pay func() string) { pay() }, "/v1/payment_intents/{intent}/cancel", "", `400 "code":"payment_intent_unexpected_state"`},
		{"to cancel what the bank has", func(s *Stripe, _ func() string) { s.LeavePending("T1") }, "/v1/payment_intents/{intent}/cancel", "", `400 "code":"payment_intent_unexpected_state"`},
		{"to capture what nobody has authorised", func(*Stripe, func() string) {}, "/v1/payment_intents/{intent}/capture", "amount_to_capture=1", `400 "code":"payment_intent_unexpected_state"`},
		{"to capture more than is authorised", func(s *Stripe, _ func() string) { s.Authorise("T1") }, "/v1/payment_intents/{intent}/capture", "amount_to_capture=149901", `400 "code":"payment_intent_unexpected_state"`},
		{"to refund more than was paid", func(_ *Stripe, pay func() string) { pay() }, "/v1/refunds", "charge={charge}&amount=149901", `400 "message":"Refund amount is greater`},
		{"to refund nothing", func(_ *Stripe, pay func() string) { pay() }, "/v1/refunds", "charge={charge}&amount=0", `400 "message":"Refund amount is greater`},
		{"to refund twice", func(s *Stripe, pay func() string) { s.RefundThere(pay(), 149900) }, "/v1/refunds", "charge={charge}&amount=1", `400 "code":"charge_already_refunded"`},
		{"to refund what is disputed", func(s *Stripe, pay func() string) { s.Dispute(pay(), "needs_response") }, "/v1/refunds", "charge={charge}&amount=1", `400 "code":"charge_disputed"`},
		{"nothing: to refund a part", func(_ *Stripe, pay func() string) { pay() }, "/v1/refunds", "payment_intent={intent}&amount=1", `200 "status":"succeeded"`},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			s := newStripe()
			s.ask("POST", "/v1/payment_intents", goodIntent, "sk", "")
			charge := ""
			c.happens(s, func() string { charge = s.Pay("T1"); return charge })
			captured, refunded := s.Captured("INR"), s.Refunded("INR")
			names := strings.NewReplacer("{intent}", s.intent("T1").id, "{charge}", charge)
			code, body := s.ask("POST", names.Replace(c.path), names.Replace(c.form), "sk", "")
			if status, part, _ := strings.Cut(c.want, " "); fmt.Sprint(code) != status || !strings.Contains(body, part) {
				t.Errorf("%d %s, want %s", code, body, c.want)
			}
			if code != http.StatusOK && (s.Captured("INR") != captured || s.Refunded("INR") != refunded) {
				t.Errorf("captured %d, refunded %d", s.Captured("INR"), s.Refunded("INR"))
			}
		})
	}
}

func TestStripeIdempotency(t *testing.T) {
	s := newStripe()
	_, first := s.ask("POST", "/v1/payment_intents", goodIntent, "sk", "k1")
	if code, again := s.ask("POST", "/v1/payment_intents", goodIntent, "sk", "k1"); code != 200 || again != first || s.Orders() != 1 {
		t.Errorf("again: %d %s, %d intents", code, again, s.Orders())
	}
	if code, body := s.ask("POST", "/v1/payment_intents", goodIntent+"&description=x", "sk", "k1"); code != 400 || !strings.Contains(body, `"idempotency_error"`) || s.Orders() != 1 {
		t.Errorf("the key with other parameters: %d %s, %d intents", code, body, s.Orders())
	}
	if code, _ := s.ask("POST", "/v1/payment_intents", "amount=1&currency=inr", "sk", "k2"); code != 400 {
		t.Error(code)
	}
	if code, _ := s.ask("POST", "/v1/payment_intents", goodIntent, "sk", "k2"); code != 200 {
		t.Errorf("a refusal for its parameters was kept: %d", code)
	}
	s.AddFaults(ErrorAfter)
	for range 2 {
		if code, _ := s.ask("POST", "/v1/payment_intents", goodIntent, "sk", "k3"); code != 500 || s.Orders() != 3 {
			t.Errorf("a failure is kept: %d, %d intents", code, s.Orders())
		}
	}
}

func TestStripeCheckout(t *testing.T) {
	const card = "&payment_method_data[type]=card&payment_method_data[card][number]="
	for _, c := range []struct {
		sentence, card, proof string
		want                  string // status of the last response, then the intent's
		captured              int64
		events                []string
	}{
		{"a card that pays", stripeCardPays, "", "200 succeeded", 149900, []string{"payment_intent.succeeded"}},
		{"a card that is declined", stripeCardDeclined, "", "402 requires_payment_method", 0, []string{"payment_intent.payment_failed"}},
		{"a card that is none", "4242", "", "402 requires_payment_method", 0, nil},
		{"a bank that takes its time", "", "", "200 processing", 0, []string{"payment_intent.processing"}},
		{"a bank that asks", stripeCardAsks, "", "200 requires_action", 0, []string{"payment_intent.requires_action"}},
		{"a bank that asks, and believes", stripeCardAsks, "true", "200 succeeded", 149900, []string{"payment_intent.requires_action", "payment_intent.succeeded"}},
		{"a bank that asks, and does not", stripeCardAsks, "false", "200 requires_payment_method", 0, []string{"payment_intent.requires_action", "payment_intent.payment_failed"}},
		{"a proof that nobody asks for", stripeCardDeclined, "true", "400 requires_payment_method", 0, []string{"payment_intent.payment_failed"}},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			s := newStripe()
			s.ask("POST", "/v1/payment_intents", goodIntent, "sk", "")
			p := s.intent("T1")
			path, form := "/v1/payment_intents/"+p.id, "client_secret="+p.secret()
			if code, body := s.ask("POST", path+"/confirm", "client_secret=guessed"+card+stripeCardPays, "pk", ""); code != 404 || p.charge != nil {
				t.Errorf("without the secret: %d %s", code, body)
			}
			pay := form
			if c.card != "" {
				pay += card + c.card
			}
			code, _ := s.ask("POST", path+"/confirm", pay, "pk", "")
			if c.proof != "" {
				code, _ = s.ask("POST", path+"/proof", form+"&good="+c.proof, "pk", "")
			}
			var events []string
			for _, e := range s.Events()[1:] { // after its creation
				var event struct{ Type string }
				if err := json.Unmarshal(e.Body, &event); err != nil {
					t.Fatal(err)
				}
				events = append(events, event.Type)
			}
			if got := fmt.Sprintf("%d %s", code, p.status); got != c.want || s.Captured("INR") != c.captured || !slices.Equal(events, c.events) {
				t.Errorf("%s, captured %d, %q; want %s, %d, %q", got, s.Captured("INR"), events, c.want, c.captured, c.events)
			}
		})
	}
}

func TestStripeScript(t *testing.T) {
	w := httptest.NewRecorder()
	newStripe().ServeHTTP(w, httptest.NewRequest("GET", "/checkout.js", nil))
	if w.Header().Get("Content-Type") != "text/javascript" || !strings.Contains(w.Body.String(), "window.Stripe = ") {
		t.Errorf("%d %s %s", w.Code, w.Header(), w.Body)
	}
	w = httptest.NewRecorder()
	newStripe().ServeHTTP(w, httptest.NewRequest("OPTIONS", "/v1/payment_intents/pi_1/confirm", nil))
	if w.Code != 200 || w.Header().Get("Access-Control-Allow-Origin") != "*" || w.Header().Get("Access-Control-Allow-Headers") != "Authorization, Content-Type" {
		t.Errorf("%d %s", w.Code, w.Header())
	}
}
