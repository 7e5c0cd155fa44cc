package stripe

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
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
	signatureHeader = "Stripe-Signature" // t=Unix seconds,v1=hex of HMAC-SHA256 of "t.body"; several v1 during a rotation
	tolerance       = 5 * time.Minute    // Stripe signs each retry anew
)

// event is the part of a webhook's body that identifies its subject, in any API version.
type event struct {
	ID      string
	Object  string
	Type    string
	Account string // a connected account; "" for ours
	Data    struct {
		Object struct {
			ID, Object    string
			PaymentIntent id                `json:"payment_intent"`
			LatestCharge  id                `json:"latest_charge"`
			Charge        id                `json:"charge"`
			Metadata      map[string]string `json:"metadata"`
		}
	}
}

// id is the id of an object, which may be expanded; "" for none.
type id string

// UnmarshalJSON accepts a string, an object with an id, and null.
func (i *id) UnmarshalJSON(raw []byte) error {
	var whole struct{ ID string }
	if err := json.Unmarshal(raw, (*string)(i)); err == nil {
		return nil
	}
	err := json.Unmarshal(raw, &whole)
	*i = id(whole.ID)
	return err
}

// Webhook verifies the signature over the raw body.
func (g *Gateway) Webhook(ctx context.Context, h http.Header, raw []byte, _ url.Values) (method.Event, error) {
	if !g.signed(h, raw) {
		return method.Event{}, method.ErrSignature
	}
	var e event
	if err := json.Unmarshal(raw, &e); err != nil || e.Object != "event" || e.ID == "" {
		return method.Event{}, fmt.Errorf("%w: signed body is no event", method.ErrSignature)
	}
	result, about := method.Event{ID: e.ID, Type: e.Type, Kind: method.EventIgnored}, e.Data.Object
	ref, paymentID, refundID := string(about.PaymentIntent), string(about.Charge), ""
	kind := method.EventIgnored
	switch about.Object {
	case "payment_intent":
		kind, ref, paymentID = method.EventOfCharge, about.ID, string(about.LatestCharge)
	case "charge":
		if kind, paymentID = method.EventOfCharge, about.ID; strings.HasPrefix(e.Type, "charge.refund") {
			kind = method.EventOfRefund
		}
	case "refund":
		kind, refundID = method.EventOfRefund, about.Metadata[refundKey]
	case "dispute":
		kind = method.EventOfDispute
	}
	if kind == method.EventIgnored || ref == "" || e.Account != "" {
		return result, nil
	}
	txnID := about.Metadata[txnKey]
	if !admission.IsID(txnID) && about.Object != "payment_intent" { // disputes and dashboard refunds lack our id
		var err error
		if txnID, err = g.txnOf(ctx, ref); err != nil {
			return method.Event{}, fmt.Errorf("stripe: intent of event: %w", err)
		}
	}
	if !admission.IsID(txnID) { // it belongs to another shop on this account, or is no payment, such as a dashboard test
		return result, nil
	}
	result.Kind, result.TxnID, result.Ref, result.PaymentID, result.RefundID = kind, txnID, ref, paymentID, refundID
	return result, nil
}

// txnOf returns the TxnID of an intent; "" if it is not ours.
func (g *Gateway) txnOf(ctx context.Context, ref string) (string, error) {
	there, err := g.retrieve(ctx, ref)
	if errors.Is(err, method.ErrNoCharge) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return there.Metadata[txnKey], nil
}

func (g *Gateway) signed(h http.Header, raw []byte) bool {
	if len(h.Values(signatureHeader)) != 1 {
		return false
	}
	at, signatures := "", [][]byte(nil)
	for part := range strings.SplitSeq(h.Get(signatureHeader), ",") {
		switch scheme, value, _ := strings.Cut(part, "="); scheme {
		case "t":
			if at != "" {
				return false
			}
			at = value
		case "v1": // other schemes are ignored
			if signature, err := hex.DecodeString(value); err == nil {
				signatures = append(signatures, signature)
			}
		}
	}
	seconds, err := strconv.ParseInt(at, 10, 64)
	age, good := g.Clock().Sub(time.Unix(seconds, 0)), false
	for _, secret := range g.WebhookSecrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(at + "."))
		mac.Write(raw)
		for _, signature := range signatures {
			good = hmac.Equal(signature, mac.Sum(nil)) || good
		}
	}
	return good && err == nil && age <= tolerance && age >= -tolerance
}
