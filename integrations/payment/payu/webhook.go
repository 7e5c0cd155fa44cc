package payu

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

// disputeSignature is the header that signs a dispute; PayU enables it on request.
const disputeSignature = "X-PayU-Dispute-Webhook-Signature-V2"

// dispute is the body of a dispute's webhook.
type dispute struct {
	Event     string `json:"event"`
	ID        text   `json:"cb_id"`
	PaymentID text   `json:"txn_id"` // PayU's id
	Amount    text   `json:"cb_amount"`
	Type      text   `json:"cb_type"`
	Status    text   `json:"cb_status"`
}

// Webhook verifies a payment's form, signed like the browser's return, or a signed dispute. It rejects PayU's webhooks about
// refunds, because they are unsigned; refunds are polled. An event is one payment in one state.
func (g *Gateway) Webhook(_ context.Context, h http.Header, raw []byte, _ url.Values) (method.Event, error) {
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
		return g.disputed(h, raw)
	}
	form, err := url.ParseQuery(string(raw))
	if err != nil || !g.signed(form) {
		return method.Event{}, method.ErrSignature
	}
	event := method.Event{
		ID: form.Get("mihpayid") + ":" + form.Get("status"), Type: "payment " + form.Get("status"), Kind: method.EventOfCharge,
		TxnID: form.Get("udf1"), Ref: form.Get("txnid"), PaymentID: form.Get("mihpayid"),
	}
	if form.Get("key") != g.Key || !admission.IsID(event.TxnID) { // another shop of the account
		sum := sha256.Sum256(raw)
		return method.Event{ID: hex.EncodeToString(sum[:]), Type: event.Type, Kind: method.EventIgnored}, nil
	}
	return event, nil
}

// disputed handles a dispute. It names only PayU's payment, and PayU has no query for disputes.
func (g *Gateway) disputed(h http.Header, raw []byte) (method.Event, error) {
	var d dispute
	signatures := h.Values(disputeSignature)
	if err := json.Unmarshal(raw, &d); err != nil || len(signatures) != 1 || d.Event != "dispute" {
		return method.Event{}, method.ErrSignature
	}
	given, err := hex.DecodeString(signatures[0])
	good := false
	for _, salt := range g.Salts {
		for _, status := range []string{string(d.Status), strings.ReplaceAll(string(d.Status), " ", "")} { // PayU removes the spaces before signing
			good = hmac.Equal(given, digest(g.Key, string(d.PaymentID), string(d.Amount), string(d.ID), string(d.Type), status, salt)) || good
		}
	}
	if joined := strings.Join([]string{string(d.PaymentID), string(d.Amount), string(d.ID), string(d.Type), string(d.Status)}, ""); err != nil || !good || strings.Contains(joined, separator) {
		return method.Event{}, method.ErrSignature
	}
	return method.Event{
		ID: fmt.Sprintf("dispute:%s:%s", d.ID, d.Status), Type: "dispute", Kind: method.EventOfDispute, PaymentID: string(d.PaymentID), Dispute: d.toStatus(),
	}, nil
}

// toStatus maps a dispute's status: won or lost by somebody, else open.
func (d dispute) toStatus() method.Dispute {
	status := strings.ToLower(string(d.Status))
	switch {
	case strings.Contains(status, "merchant fav"):
		return method.DisputeWon
	case strings.Contains(status, "customer fav"):
		return method.DisputeLost
	}
	return method.DisputeOpened
}
