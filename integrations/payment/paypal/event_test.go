package paypal_test

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/paypal"
	"hiresure/simulators"
)

func TestWebhookEvents(t *testing.T) {
	d := newDesk(t)
	id := d.start(t)
	d.there.Approve(id)
	summary(d.Fetch(t.Context(), intent(), id))
	of := d.there.CaptureOf(id)
	if got := toldRefund(d.Refund(t.Context(), intent(), method.Charge{PaymentID: of}, "refund1", dollars(500))); got != "true done $5.00" {
		t.Fatal(got)
	}
	d.there.RefundThere(of, 100)
	d.there.Dispute(of)
	d.there.Resolve(of, "RESOLVED_BUYER_FAVOUR")
	want := []method.Event{
		{Type: "CHECKOUT.ORDER.APPROVED", Kind: method.EventOfCharge, Ref: id},
		{Type: "PAYMENT.CAPTURE.COMPLETED", Kind: method.EventOfCharge, Ref: id, PaymentID: of},
		{Type: "PAYMENT.CAPTURE.REFUNDED", Kind: method.EventOfRefund, PaymentID: of, RefundID: "refund1"},
		{Type: "PAYMENT.CAPTURE.REFUNDED", Kind: method.EventOfRefund, Ref: id, PaymentID: of}, // which names no attempt; its capture does
		{Type: "CUSTOMER.DISPUTE.CREATED", Kind: method.EventOfDispute, PaymentID: of},
		{Type: "PAYMENT.CAPTURE.REVERSED", Kind: method.EventOfRefund, Ref: id, PaymentID: of},
		{Type: "CUSTOMER.DISPUTE.RESOLVED", Kind: method.EventOfDispute, PaymentID: of},
	}
	events := d.there.Events()
	if len(events) != len(want) {
		t.Fatalf("%d events, want %d", len(events), len(want))
	}
	var ids []string
	for i, sent := range events {
		e, err := d.Webhook(t.Context(), sent.Header, sent.Body, nil)
		want[i].ID, want[i].TxnID = e.ID, txn
		if err != nil || fmt.Sprint(e) != fmt.Sprint(want[i]) {
			t.Errorf("%+v, %v; want %+v", e, err, want[i])
		}
		if !strings.HasPrefix(e.ID, "WH-") || slices.Contains(ids, e.ID) {
			t.Errorf("an event has the id %q", e.ID)
		}
		ids = append(ids, e.ID)
		if again, err := d.Webhook(t.Context(), sent.Header, sent.Body, nil); err != nil || again.ID != e.ID {
			t.Errorf("the second time: %+v, %v", again, err)
		}
		other := events[(i+1)%len(events)]
		if _, err := d.Webhook(t.Context(), other.Header, sent.Body, nil); !errors.Is(err, method.ErrSignature) {
			t.Errorf("with the signature of another event: %v", err)
		}
	}
}

func TestForeignEventsAreIgnored(t *testing.T) {
	d := newDesk(t)
	in := intent()
	in.TxnID = "shop-42"
	session, err := d.Start(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	of := d.there.Pay(session.Ref)
	d.there.RefundThere(of, 100)
	d.there.Dispute(of)
	d.there.Approve(session.Ref)
	bodies := []string{
		`{"id":"WH-1","event_type":"BILLING.PLAN.CREATED","resource":{"id":"P-1","custom_id":"` + txn + `"}}`,
		`{"id":"WH-2","event_type":"PAYMENT.CAPTURE.REFUNDED","resource":{"links":[{"rel":"up","href":"https://api.paypal.com/v2/payments/captures/3C000000000000099"}]}}`, // which nobody knows
		`{"id":"WH-3","event_type":"CHECKOUT.ORDER.APPROVED","resource":{"id":"5O1"}}`,
		`{"id":"WH-4","event_type":"CUSTOMER.DISPUTE.CREATED","resource":{}}`,
	}
	events := d.there.Events()
	for _, body := range bodies {
		events = append(events, d.there.Sign([]byte(body)))
	}
	for _, sent := range events {
		if e, err := d.Webhook(t.Context(), sent.Header, sent.Body, nil); err != nil || e.Kind != method.EventIgnored || e.ID == "" || e.TxnID != "" {
			t.Errorf("%s: %+v, %v", sent.Body, e, err)
		}
	}
	if len(events) != 8 {
		t.Errorf("%d events", len(events))
	}
	for _, body := range []string{"paid!", `["paid"]`, "{}", ""} {
		signed := d.there.Sign([]byte(body))
		if _, err := d.Webhook(t.Context(), signed.Header, signed.Body, nil); !errors.Is(err, method.ErrSignature) {
			t.Errorf("a good signature of %q: %v", body, err)
		}
	}
	t.Run("whose it is can not be asked at the moment", func(t *testing.T) {
		d := newDesk(t)
		d.there.RefundThere(d.paid(t).PaymentID, 100)
		events := d.there.Events()
		sent := events[len(events)-1]
		d.there.AddFaults("", simulators.ErrorBefore, simulators.ErrorBefore) // the certificate, the question
		if e, err := d.Webhook(t.Context(), sent.Header, sent.Body, nil); !errors.Is(err, method.ErrUnknown) {
			t.Errorf("%+v, %v", e, err)
		}
	})
}

// TestSimulatorCertificateUsesConfiguredRoots configures roots for a gateway that calls a simulator.
func TestSimulatorCertificateUsesConfiguredRoots(t *testing.T) {
	d := newDesk(t)
	sent := d.there.Sign([]byte(`{"id":"WH-1"}`))
	trusted, none := x509.NewCertPool(), x509.NewCertPool()
	trusted.AddCert(d.there.Root())
	for sentence, c := range map[string]struct {
		roots *x509.CertPool
		good  bool
	}{"its own root": {trusted, true}, "no root": {none, false}, "none named": {nil, true}} {
		t.Run(sentence, func(t *testing.T) {
			d.open(t, func(n *paypal.Config) { n.Roots = c.roots })
			if _, err := d.Webhook(t.Context(), sent.Header, sent.Body, nil); c.good != (err == nil) || err != nil && !errors.Is(err, method.ErrSignature) {
				t.Error(err)
			}
		})
	}
	t.Run("with what another base is served at", func(t *testing.T) {
		d.open(t, func(n *paypal.Config) { n.BaseURL = "http://127.0.0.1:1" })
		if _, err := d.Webhook(t.Context(), sent.Header, sent.Body, nil); !errors.Is(err, method.ErrSignature) {
			t.Error(err)
		}
		if _, err := d.Webhook(t.Context(), http.Header{}, sent.Body, nil); !errors.Is(err, method.ErrSignature) {
			t.Error(err)
		}
	})
}
