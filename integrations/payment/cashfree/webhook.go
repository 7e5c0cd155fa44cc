package cashfree

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

const (
	signatureHeader = "X-Webhook-Signature" // base64 of HMAC-SHA256 of timestamp and body
	timestampHeader = "X-Webhook-Timestamp" // milliseconds since 1970
	oldest          = 24 * time.Hour        // Cashfree retries after 2, 10 and 30 minutes, or as configured
	newest          = 10 * time.Minute      // for clock differences
)

// event is the part of a webhook's body that identifies its subject.
type event struct {
	Type string `json:"type"`
	Data struct {
		Order struct {
			ID string `json:"order_id"`
		} `json:"order"`
		Payment struct {
			ID     id     `json:"cf_payment_id"`
			Status string `json:"payment_status"`
		} `json:"payment"`
		Refund     refundTold `json:"refund"`
		AutoRefund refundTold `json:"auto_refund"`
		Dispute    struct {
			ID        id     `json:"dispute_id"`
			Status    string `json:"dispute_status"`
			UpdatedAt string `json:"updated_at"`
		} `json:"dispute"`
		Disputed struct {
			OrderID   string `json:"order_id"`
			PaymentID id     `json:"cf_payment_id"`
		} `json:"order_details"`
	} `json:"data"`
}

type refundTold struct {
	ID        string `json:"refund_id"`
	ThereID   id     `json:"cf_refund_id"`
	OrderID   string `json:"order_id"`
	PaymentID id     `json:"cf_payment_id"`
	Status    string `json:"refund_status"`
}

// Webhook verifies the signature over the raw body. An event is one payment, refund or dispute in one state, so that a repetition
// has the same id whatever its headers.
func (g *Gateway) Webhook(_ context.Context, h http.Header, raw []byte, _ url.Values) (method.Event, error) {
	if !g.signed(h, raw) {
		return method.Event{}, method.ErrSignature
	}
	var e event
	if err := json.Unmarshal(raw, &e); err != nil {
		return method.Event{}, fmt.Errorf("%w: signed body is no event", method.ErrSignature)
	}
	event := method.Event{Type: e.Type, Kind: method.EventIgnored}
	var parts []string
	switch {
	case strings.HasPrefix(e.Type, "PAYMENT_") && e.Data.Payment.ID != "":
		event.Kind, event.Ref, event.PaymentID = method.EventOfCharge, e.Data.Order.ID, string(e.Data.Payment.ID)
		parts = []string{event.PaymentID, e.Data.Payment.Status}
	case strings.Contains(e.Type, "REFUND"):
		r := e.Data.Refund
		if r == (refundTold{}) {
			r = e.Data.AutoRefund
		}
		event.Kind, event.Ref, event.PaymentID, event.RefundID = method.EventOfRefund, r.OrderID, string(r.PaymentID), r.ID
		parts = []string{cmp.Or(string(r.ThereID), r.ID), r.Status}
	case strings.HasPrefix(e.Type, "DISPUTE_"):
		event.Kind, event.Ref, event.PaymentID = method.EventOfDispute, e.Data.Disputed.OrderID, string(e.Data.Disputed.PaymentID)
		parts = []string{string(e.Data.Dispute.ID), e.Data.Dispute.Status, e.Data.Dispute.UpdatedAt}
	}
	if !admission.IsID(event.Ref) { // another shop of the account, or no payment, such as a dashboard test
		sum := sha256.Sum256(raw)
		return method.Event{ID: hex.EncodeToString(sum[:]), Type: e.Type, Kind: method.EventIgnored}, nil
	}
	event.TxnID, event.ID = event.Ref, strings.Join(append([]string{e.Type}, parts...), ":")
	return event, nil
}

func (g *Gateway) signed(h http.Header, raw []byte) bool {
	signatures, timestamps := h.Values(signatureHeader), h.Values(timestampHeader)
	if len(signatures) != 1 || len(timestamps) != 1 {
		return false
	}
	given, err := base64.StdEncoding.Strict().DecodeString(signatures[0])
	milliseconds, timeErr := strconv.ParseInt(timestamps[0], 10, 64)
	age := g.Clock().Sub(time.UnixMilli(milliseconds))
	good := false
	for _, secret := range g.Secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(timestamps[0]))
		mac.Write(raw)
		good = hmac.Equal(given, mac.Sum(nil)) || good
	}
	return good && err == nil && timeErr == nil && age <= oldest && age >= -newest
}
