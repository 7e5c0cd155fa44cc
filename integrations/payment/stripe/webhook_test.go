package stripe_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v85/webhook"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/stripe"
	"hiresure/simulators"
)

const (
	published = `{"id":"evt_1","object":"event","type":"payment_intent.succeeded"}`
	good      = "67da5088c63e080c71bd2bb0cb5c03d85a8fc6a21ce3aaf484df809654745b92"
	byOther   = "7760e255648e56bc4f3ee9de6c5f6cb88b9a824f2227d1c2316eae207e697713"
)

func TestWebhookSignature(t *testing.T) {
	sent := time.Unix(1700000000, 0)
	header := func(text string) http.Header { return http.Header{"Stripe-Signature": {text}} }
	one, both := []string{"whsec_test_secret"}, []string{"whsec_other", "whsec_test_secret"}
	for _, c := range []struct {
		sentence string
		secrets  []string
		header   http.Header
		body     string
		age      time.Duration
		good     bool
	}{
		{"as it was sent", one, header("t=1700000000,v1=" + good), published, 0, true},
		{"among a wrong one and a scheme of old", one, header("t=1700000000,v1=" + byOther + ",v1=" + good + ",v0=" + byOther), published, 0, true},
		{"the older of two secrets", both, header("t=1700000000,v1=" + good), published, 0, true},
		{"the newer of two secrets", both, header("t=1700000000,v1=" + byOther), published, 0, true},
		{"a foreign secret", one, header("t=1700000000,v1=" + byOther), published, 0, false},
		{"in an unsupported scheme", one, header("t=1700000000,v0=" + good), published, 0, false},
		{"in capitals", one, header("t=1700000000,v1=" + strings.ToUpper(good)), published, 0, true},
		{"cut short", one, header("t=1700000000,v1=" + good[:62]), published, 0, false},
		{"empty", one, header("t=1700000000,v1="), published, 0, false},
		{"a bit flipped", one, header("t=1700000000,v1=" + good), "z" + published[1:], 0, false},
		{"written anew after it was signed", one, header("t=1700000000,v1=" + good), strings.ReplaceAll(published, ":", ": "), 0, false},
		{"the signature of another time", one, header("t=1700000001,v1=" + good), published, 0, false},
		{"two times", one, header("t=1700000001,t=1700000000,v1=" + good), published, 0, false},
		{"no time", one, header("v1=" + good), published, 0, false},
		{"no header", one, http.Header{}, published, 0, false},
		{"two headers", one, http.Header{"Stripe-Signature": {"t=1700000000,v1=" + good, "t=1700000000,v1=" + good}}, published, 0, false},
		{"the signature of another event", one, header("t=1700000301,v1=8cf595b59ede466fe80c427d980b6310d73549752ed42bd6e1b8fd86d97f8777"), published, 0, false},
		{"five minutes later", one, header("t=1700000000,v1=" + good), published, 5 * time.Minute, true},
		{"more than five minutes later", one, header("t=1700000000,v1=" + good), published, 5*time.Minute + time.Second, false},
		{"a clock five minutes behind", one, header("t=1700000000,v1=" + good), published, -5 * time.Minute, true},
		{"a clock ten minutes behind", one, header("t=1700000000,v1=" + good), published, -10 * time.Minute, false},
		{"an empty body", one, header("t=1700000000,v1=" + good), "", 0, false},
		{"signed, and no event", one, header("t=1700000301,v1=8cf595b59ede466fe80c427d980b6310d73549752ed42bd6e1b8fd86d97f8777"), "{}", 301 * time.Second, false},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			with := config("https://api.example.com")
			with.WebhookSecrets, with.Clock = c.secrets, func() time.Time { return sent.Add(c.age) }
			g, err := stripe.New(with)
			if err != nil {
				t.Fatal(err)
			}
			e, err := g.Webhook(t.Context(), c.header, []byte(c.body), nil)
			if c.good && (err != nil || e.Kind != method.EventIgnored || e.ID != "evt_1") { // the event has no payment intent
				t.Errorf("%+v, %v", e, err)
			}
			if !c.good && (!errors.Is(err, method.ErrSignature) || e.ID != "") {
				t.Errorf("%+v, %v; want %v", e, err, method.ErrSignature)
			}
		})
	}
}

func TestStripeLibraryAcceptsSignatures(t *testing.T) {
	d := newDesk(t)
	d.start(t)
	events := d.there.Events()
	for _, e := range events {
		read, err := webhook.ConstructEventWithOptions(e.Body, e.Header.Get("Stripe-Signature"), signs, webhook.ConstructEventOptions{IgnoreTolerance: true, IgnoreAPIVersionMismatch: true})
		if err != nil || read.Type != "payment_intent.created" {
			t.Errorf("what the simulator signs: %v, %v", read.Type, err)
		}
	}
	signed := webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{Payload: events[0].Body, Secret: signs, Timestamp: noon})
	if e, err := d.Webhook(t.Context(), http.Header{"Stripe-Signature": {signed.Header}}, signed.Payload, nil); err != nil || e.TxnID != txn {
		t.Errorf("what the library signs: %+v, %v", e, err)
	}
}

func TestWebhookEvents(t *testing.T) {
	d := newDesk(t)
	d.start(t)
	d.there.Decline(txn)
	d.there.Challenge(txn)
	charge := d.there.Pay(txn)
	d.there.SlowRefunds()
	if _, err := d.Refund(t.Context(), intent(), method.Charge{PaymentID: charge}, "refund1", fee); err != nil {
		t.Fatal(err)
	}
	d.there.FinishRefund("refund1", "failed")
	byHand := d.there.RefundThere(charge, 100)
	d.there.FinishRefund(byHand, "succeeded")
	d.there.Dispute(charge, "needs_response")
	d.there.Dispute(charge, "won")
	want := []string{
		"payment_intent.created charge", "payment_intent.payment_failed charge", "payment_intent.requires_action charge", "payment_intent.succeeded charge",
		"charge.refunded refund", "refund.created refund refund1", "refund.failed refund refund1", "charge.refunded refund", "refund.created refund",
		"refund.updated refund", "charge.dispute.created dispute", "charge.dispute.closed dispute",
	}
	var got, ids []string
	for i, sent := range d.there.Events() {
		e, err := d.Webhook(t.Context(), sent.Header, sent.Body, nil)
		if err != nil || e.TxnID != txn || e.Ref != d.ref || i > 2 && e.PaymentID != charge {
			t.Errorf("%+v, %v", e, err)
		}
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s", e.Type, e.Kind, e.RefundID)))
		if slices.Contains(ids, e.ID) {
			t.Errorf("two events have the id %s", e.ID)
		}
		ids = append(ids, e.ID)
		if again, err := d.Webhook(t.Context(), sent.Header, sent.Body, nil); err != nil || again.ID != e.ID {
			t.Errorf("the second time: %+v, %v", again, err)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestForeignEventsAreIgnored(t *testing.T) {
	d := newDesk(t)
	charge := d.there.Foreign()
	d.there.RefundThere(charge, 100)
	d.there.Dispute(charge, "needs_response")
	sent := d.there.Events()
	if len(sent) != 4 {
		t.Fatalf("%d events", len(sent))
	}
	for _, body := range []string{
		`{"id":"evt_x","object":"event","type":"customer.created","data":{"object":{"id":"cus_1","object":"customer"}}}`,
		`{"id":"evt_x","object":"event","type":"charge.dispute.created","data":{"object":{"id":"du_1","object":"dispute","payment_intent":"pi_unknown"}}}`,
		`{"id":"evt_x","object":"event","type":"charge.succeeded","data":{"object":{"id":"ch_1","object":"charge","payment_intent":null}}}`,
		`{"id":"evt_x","object":"event","type":"payment_intent.succeeded","account":"acct_2","data":{"object":{"id":"pi_1","object":"payment_intent","metadata":{"txn":"` + txn + `"}}}}`,
		`{"id":"evt_x","object":"event","type":"payment_intent.succeeded","data":{"object":{"id":"pi_1","object":"payment_intent","metadata":{"txn":"order 7"}}}}`,
	} {
		sent = append(sent, d.there.Sign([]byte(body)))
	}
	for _, s := range sent {
		if e, err := d.Webhook(t.Context(), s.Header, s.Body, nil); err != nil || e.Kind != method.EventIgnored || e.TxnID != "" || e.Ref != "" || e.ID == "" {
			t.Errorf("%s: %+v, %v", s.Body, e, err)
		}
	}
	t.Run("an event with expanded objects", func(t *testing.T) {
		s := d.there.Sign([]byte(`{"id":"evt_x","object":"event","type":"charge.updated","data":{"object":{"id":"ch_1","object":"charge","payment_intent":{"id":"pi_1"},"metadata":{"txn":"` + txn + `"}}}}`))
		if e, err := d.Webhook(t.Context(), s.Header, s.Body, nil); err != nil || e.Kind != method.EventOfCharge || e.Ref != "pi_1" || e.TxnID != txn {
			t.Errorf("%+v, %v", e, err)
		}
	})
	for _, body := range []string{"paid!", `["paid"]`, `{"object":"event"}`, `{"id":"evt_1","object":"v2.core.event"}`} {
		s := d.there.Sign([]byte(body))
		if _, err := d.Webhook(t.Context(), s.Header, s.Body, nil); !errors.Is(err, method.ErrSignature) {
			t.Errorf("a good signature of %q: %v", body, err)
		}
	}
	t.Run("whose it is cannot be asked: it comes again", func(t *testing.T) {
		dispute := sent[3]
		d.there.AddFaults(simulators.ErrorBefore, simulators.ErrorBefore)
		if e, err := d.Webhook(t.Context(), dispute.Header, dispute.Body, nil); !errors.Is(err, method.ErrUnknown) || e.ID != "" {
			t.Errorf("%+v, %v", e, err)
		}
	})
}

func TestOwnWebhookNeedsNoCall(t *testing.T) {
	d := newDesk(t)
	d.start(t)
	d.there.Pay(txn)
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer server.Close()
	g, err := stripe.New(config(server.URL))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range d.there.Events() {
		if e, err := g.Webhook(t.Context(), s.Header, s.Body, nil); err != nil || e.TxnID != txn || asked != 0 {
			t.Errorf("%+v, %v, %d calls", e, err, asked)
		}
	}
}
