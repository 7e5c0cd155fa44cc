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

// disputeSignature is the header that signs a dispute, where the academy has asked PayU to sign them.
const disputeSignature = "X-PayU-Dispute-Webhook-Signature-V2"

// dispute is a chargeback as its webhook tells it.
type dispute struct {
	Event     string `json:"event"`
	ID        text   `json:"cb_id"`
	PaymentID text   `json:"txn_id"` // PayU's own id
	Amount    text   `json:"cb_amount"`
	Type      text   `json:"cb_type"`
	Status    text   `json:"cb_status"`
}

// Webhook verifies a payment's form, which is signed as the one that the payer's browser brings, or a dispute that is signed. What PayU
// posts of refunds is signed by nothing, and so refused: they are asked about. An event is one payment in one state.
func (g *Gateway) Webhook(_ context.Context, h http.Header, raw []byte, _ url.Values) (method.Event, error) {
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
		return g.disputed(h, raw)
	}
	form, err := url.ParseQuery(string(raw))
	if err != nil || !g.signed(form) {
		return method.Event{}, method.ErrSignature
	}
	told := method.Event{
		ID: form.Get("mihpayid") + ":" + form.Get("status"), Type: "payment " + form.Get("status"), Kind: method.EventOfCharge,
		TxnID: form.Get("udf1"), Ref: form.Get("txnid"), PaymentID: form.Get("mihpayid"),
	}
	if form.Get("key") != g.Key || !admission.IsID(told.TxnID) { // another shop's of this account
		sum := sha256.Sum256(raw)
		return method.Event{ID: hex.EncodeToString(sum[:]), Type: told.Type, Kind: method.EventIgnored}, nil
	}
	return told, nil
}

// disputed takes a dispute. PayU names only its own payment, and can be asked about no dispute.
func (g *Gateway) disputed(h http.Header, raw []byte) (method.Event, error) {
	var d dispute
	signatures := h.Values(disputeSignature)
	if err := json.Unmarshal(raw, &d); err != nil || len(signatures) != 1 || d.Event != "dispute" {
		return method.Event{}, method.ErrSignature
	}
	given, err := hex.DecodeString(signatures[0])
	good := false
	for _, salt := range g.Salts {
		for _, status := range []string{string(d.Status), strings.ReplaceAll(string(d.Status), " ", "")} { // PayU signs it without the spaces
			good = hmac.Equal(given, digest(g.Key, string(d.PaymentID), string(d.Amount), string(d.ID), string(d.Type), status, salt)) || good
		}
	}
	if joined := strings.Join([]string{string(d.PaymentID), string(d.Amount), string(d.ID), string(d.Type), string(d.Status)}, ""); err != nil || !good || strings.Contains(joined, separator) {
		return method.Event{}, method.ErrSignature
	}
	return method.Event{
		ID: fmt.Sprintf("dispute:%s:%s", d.ID, d.Status), Type: "dispute", Kind: method.EventOfDispute, PaymentID: string(d.PaymentID), Dispute: d.told(),
	}, nil
}

// told is what a dispute's status means. Any other than that somebody has won is one on the way.
func (d dispute) told() method.Dispute {
	status := strings.ToLower(string(d.Status))
	switch {
	case strings.Contains(status, "merchant fav"):
		return method.DisputeWon
	case strings.Contains(status, "customer fav"):
		return method.DisputeLost
	}
	return method.DisputeOpened
}
