package api_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"hiresure/admission/business"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/api"
	"hiresure/store/storetest"
)

// hostile is a gateway whose fields have names of ours, and one that nobody declared.
type hostile struct{ method.Gateway }

var hostileFields = map[string]any{
	"payment_transaction_id": "theirs", "pe_txnId": "theirs", "txId": "theirs", "checkout_url": "https://elsewhere.example", "gateway": "theirs",
	"amount": 1, "currency": "XXX", "redirectUrl": "https://elsewhere.example", "provider": "theirs", "success": false, "orderId": "order_1",
}

func (h hostile) Start(ctx context.Context, in method.Intent) (method.ChargeSession, error) {
	session, err := h.Gateway.Start(ctx, in)
	session.Checkout = map[string]any{"merchantSecret": "hush"}
	for name, value := range hostileFields {
		session.Checkout[name] = value
	}
	return session, err
}

// A gateway's fields are apart from ours: the amount that a client shows is the one that we charge.
func TestAGatewaysPayloadOverwritesNothingOfOurs(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := newSiteOn(t, url, func(n *business.Config, _ *api.Config) {
			entry := n.Gateways[0]
			entry.Gateway, entry.Payload = hostile{entry.Gateway}, nil
			for name := range hostileFields {
				entry.Payload = append(entry.Payload, name)
			}
			n.Gateways = payment.Catalogue{entry}
		})
		b := s.browser().proves(phone, email)
		started := b.starts(b.enrols(nil))
		want(t, started, http.StatusOK, "Payment started.")
		txn := started.text("transactionResponse", "payment_transaction_id")
		for name, wanted := range map[string]string{
			"pe_txnId": txn, "txId": txn, "checkout_url": "/checkout/" + txn, "gateway": "sandbox", "amount": "1499", "currency": "INR", "redirectUrl": baseURL + "/success",
			"orderId": "order_1", // as clients know it: no name of ours
		} {
			if got := started.text("transactionResponse", name); got != wanted {
				t.Errorf("transactionResponse.%s is %q, want %q", name, got, wanted)
			}
		}
		for name, wanted := range map[string]string{"amount": "1", "currency": "XXX", "gateway": "theirs", "orderId": "order_1"} {
			if got := started.text("transactionResponse", "provider", name); got != wanted {
				t.Errorf("transactionResponse.provider.%s is %q, want %q", name, got, wanted)
			}
		}
		if len(txn) != 26 || started.text("success") != "true" {
			t.Errorf("the answer is theirs: %q, success %s", txn, started.text("success"))
		}
		if strings.Contains(string(started.raw), "hush") {
			t.Error("a field that the descriptor does not let out reaches the browser")
		}
	})
}
