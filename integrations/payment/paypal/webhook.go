package paypal

import (
	"context"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"net/http"
	"net/url"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

const (
	oldest = 4 * 24 * time.Hour // PayPal retries up to 25 times in three days
	newest = 10 * time.Minute   // for clock differences

	webhookWait = 8 * time.Second // for the certificate and the look-up; PayPal retries
)

// event is the part of a webhook's body that identifies its subject. The type decides what resource is.
type event struct {
	ID       string `json:"id"`
	Type     string `json:"event_type"`
	Resource struct {
		ID       string `json:"id"`
		CustomID string `json:"custom_id"` // of a capture or a refund
		Units    []unit `json:"purchase_units"`
		Related  struct {
			IDs struct {
				OrderID string `json:"order_id"`
			} `json:"related_ids"`
		} `json:"supplementary_data"`
		InvoiceID string `json:"invoice_id"`
		Links     []link `json:"links"`
		Disputed  []struct {
			CaptureID string `json:"seller_transaction_id"`
			CustomID  string `json:"custom"`
		} `json:"disputed_transactions"`
	} `json:"resource"`
}

// Webhook verifies the signature. It covers only the body's CRC32, so the body is trusted to name what to fetch and nothing
// else.
func (g *Gateway) Webhook(ctx context.Context, h http.Header, raw []byte, _ url.Values) (method.Event, error) {
	ctx, cancel := context.WithTimeout(ctx, webhookWait)
	defer cancel()
	if err := g.verify(ctx, h, raw); err != nil {
		return method.Event{}, err
	}
	var e event
	if err := json.Unmarshal(raw, &e); err != nil || e.ID == "" {
		return method.Event{}, fmt.Errorf("%w: signed body is no event", method.ErrSignature)
	}
	found := e.toEvent()
	if found.Kind != method.EventIgnored && found.TxnID == "" && found.PaymentID != "" { // such as a dashboard refund
		of, err := g.findCapture(ctx, found.PaymentID)
		if err != nil && !errors.Is(err, method.ErrNoCharge) {
			return method.Event{}, fmt.Errorf("paypal: webhook of a capture: %w", err)
		}
		found.TxnID, found.Ref = of.CustomID, of.Related.IDs.OrderID
	}
	if found.Kind == method.EventIgnored || !admission.IsID(found.TxnID) { // another shop of the account, or no payment
		return method.Event{ID: e.ID, Type: e.Type, Kind: method.EventIgnored}, nil
	}
	return found, nil
}

// toEvent returns what an event is about.
func (e event) toEvent() method.Event {
	r := e.Resource
	found := method.Event{ID: e.ID, Type: e.Type, Kind: method.EventIgnored, TxnID: r.CustomID}
	switch {
	case e.Type == "PAYMENT.CAPTURE.REFUNDED", e.Type == "PAYMENT.CAPTURE.REVERSED", strings.HasPrefix(e.Type, "PAYMENT.REFUND."):
		found.Kind, found.PaymentID, found.RefundID = method.EventOfRefund, up(r.Links), r.InvoiceID
	case strings.HasPrefix(e.Type, "PAYMENT.CAPTURE."):
		found.Kind, found.PaymentID, found.Ref = method.EventOfCharge, r.ID, r.Related.IDs.OrderID
	case strings.HasPrefix(e.Type, "CHECKOUT.ORDER.") && len(r.Units) == 1:
		found.Kind, found.Ref, found.TxnID = method.EventOfCharge, r.ID, r.Units[0].CustomID
	case strings.HasPrefix(e.Type, "CUSTOMER.DISPUTE.") && len(r.Disputed) > 0:
		found.Kind, found.PaymentID, found.TxnID = method.EventOfDispute, r.Disputed[0].CaptureID, r.Disputed[0].CustomID
	}
	return found
}

// verify checks the signature: RSA with SHA-256 over the transmission's id and time, our webhook id, and the body's CRC32, with
// the key of PayPal's certificate. It returns ErrSignature for a wrong signature, other errors if it could not check.
func (g *Gateway) verify(ctx context.Context, h http.Header, raw []byte) error {
	one := func(name string) string {
		if values := h.Values(name); len(values) == 1 {
			return values[0]
		}
		return ""
	}
	id, at := one("Paypal-Transmission-Id"), one("Paypal-Transmission-Time")
	signature, err := base64.StdEncoding.Strict().DecodeString(one("Paypal-Transmission-Sig"))
	sent, timeErr := time.Parse(time.RFC3339, at)
	age := g.Clock().Sub(sent)
	if err != nil || timeErr != nil || id == "" || strings.Contains(id, "|") || len(signature) == 0 || one("Paypal-Auth-Algo") != "SHA256withRSA" || age > oldest || age < -newest {
		return method.ErrSignature
	}
	key, err := g.certificates.key(ctx, one("Paypal-Cert-Url"))
	if err != nil {
		return err
	}
	for _, webhookID := range g.WebhookIDs {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s|%s|%s|%d", id, at, webhookID, crc32.ChecksumIEEE(raw)))
		if rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], signature) == nil {
			return nil
		}
	}
	return method.ErrSignature
}
