package razorpay

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

const signatureHeader = "X-Razorpay-Signature" // hex of HMAC-SHA256 of the body

// event is the part of a webhook's body that identifies its subject.
type event struct {
	Name    string `json:"event"`
	At      int64  `json:"created_at"`
	Payload struct {
		Order, Payment, Refund, Dispute struct{ Entity entity }
	} `json:"payload"`
}

// entity is an order, a payment, a refund or a dispute of an event.
type entity struct {
	ID      string `json:"id"`
	Status  string `json:"status"`
	OrderID string `json:"order_id"`
	Receipt string `json:"receipt"`
	Notes   notes  `json:"notes"`
}

// notes are our notes on a Razorpay object; Razorpay sends an empty list if there are none.
type notes map[string]string

// UnmarshalJSON ignores anything but an object of strings.
func (n *notes) UnmarshalJSON(raw []byte) error {
	var written map[string]string
	if json.Unmarshal(raw, &written) != nil {
		written = nil
	}
	*n = written
	return nil
}

// Webhook verifies the signature over the raw body. The event's id is made of signed values, so that a repetition has the same
// id whatever its headers. Only we write an order's receipt. The note on a payment passes through the payer's browser: it only
// distinguishes our payments from those of other shops of the account, and is never used for a look-up.
func (g *Gateway) Webhook(_ context.Context, h http.Header, raw []byte, _ url.Values) (method.Event, error) {
	if given := h.Values(signatureHeader); len(given) != 1 || !signed(g.WebhookSecrets, raw, given[0]) {
		return method.Event{}, method.ErrSignature
	}
	var e event
	if err := json.Unmarshal(raw, &e); err != nil {
		return method.Event{}, fmt.Errorf("%w: signed body is no event", method.ErrSignature)
	}
	order, paid, back, disputed := e.Payload.Order.Entity, e.Payload.Payment.Entity, e.Payload.Refund.Entity, e.Payload.Dispute.Entity
	about := method.Event{Type: e.Name, Kind: method.EventIgnored, TxnID: order.Receipt, Ref: paid.OrderID, PaymentID: paid.ID}
	of := paid
	switch {
	case strings.HasPrefix(e.Name, "refund."):
		about.Kind, about.RefundID, of = method.EventOfRefund, back.Receipt, back
	case strings.HasPrefix(e.Name, "payment.dispute."):
		about.Kind, of = method.EventOfDispute, disputed
	case strings.HasPrefix(e.Name, "payment."), strings.HasPrefix(e.Name, "order."):
		about.Kind = method.EventOfCharge
	}
	ours := admission.IsID(cmp.Or(order.Receipt, paid.Notes[noteOfTxn], back.Notes[noteOfTxn]))
	if !ours || about.Ref == "" || about.Kind == method.EventIgnored {
		sum := sha256.Sum256(raw)
		return method.Event{ID: hex.EncodeToString(sum[:]), Type: e.Name, Kind: method.EventIgnored}, nil
	}
	about.ID = strings.Join([]string{e.Name, of.ID, of.Status, strconv.FormatInt(e.At, 10)}, ":")
	return about, nil
}

// signed reports whether one of the secrets signed the message.
func signed(secrets []string, message []byte, signature string) bool {
	given, err := hex.DecodeString(signature)
	good := false
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(message)
		good = hmac.Equal(given, mac.Sum(nil)) || good
	}
	return good && err == nil
}
