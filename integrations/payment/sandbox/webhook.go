package sandbox

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

const (
	signatureHeader = "X-Sandbox-Signature" // "t=1763680000,v1=…": Unix seconds, HMAC-SHA256 of "t.body" in hex
	tolerance       = 5 * time.Minute
	deliveryWait    = 5 * time.Second
)

// event is the body of a webhook.
type event struct {
	ID    string `json:"id"`
	Type  string `json:"type"` // "payment.paid", …
	TxnID string `json:"txn_id"`
	Ref   string `json:"ref"`
}

// SignedWebhook returns a signed webhook for a new event of a transaction.
func (g *Gateway) SignedWebhook(txnID, eventType string) (http.Header, []byte) {
	body, _ := json.Marshal(event{admission.NewID(), eventType, txnID, refOf(txnID)}) // strings always marshal
	at := strconv.FormatInt(g.Clock().Unix(), 10)
	header := http.Header{"Content-Type": {"application/json"}}
	header.Set(signatureHeader, "t="+at+",v1="+hex.EncodeToString(g.webhookMAC(g.Key, at, body)))
	return header, body
}

func (g *Gateway) webhookMAC(key []byte, at string, body []byte) []byte {
	mac := hmac.New(sha256.New, g.derive(key, "webhook"))
	mac.Write([]byte(at + "."))
	mac.Write(body)
	return mac.Sum(nil)
}

// Webhook verifies the signature over the raw body. Signatures are valid for five minutes before and after their time.
func (g *Gateway) Webhook(_ context.Context, h http.Header, raw []byte, _ url.Values) (method.Event, error) {
	if !g.signed(h, raw) {
		return method.Event{}, method.ErrSignature
	}
	var e event
	if err := json.Unmarshal(raw, &e); err != nil {
		return method.Event{}, fmt.Errorf("%w: signed body is no event: %w", method.ErrSignature, err)
	}
	kind := method.EventOfCharge
	switch what, _, _ := strings.Cut(e.Type, "."); what {
	case "refund":
		kind = method.EventOfRefund
	case "dispute":
		kind = method.EventOfDispute
	}
	return method.Event{ID: e.ID, Type: e.Type, Kind: kind, TxnID: e.TxnID, Ref: e.Ref, Ack: acknowledge(e.ID)}, nil
}

func acknowledge(eventID string) []byte { return []byte("received " + eventID) }

func (g *Gateway) signed(h http.Header, raw []byte) bool {
	values := h.Values(signatureHeader)
	if len(values) != 1 {
		return false
	}
	at, sum, ok := strings.Cut(values[0], ",v1=")
	at, isTime := strings.CutPrefix(at, "t=")
	seconds, err := strconv.ParseInt(at, 10, 64)
	given, hexErr := hex.DecodeString(sum)
	if !ok || !isTime || err != nil || hexErr != nil || g.Clock().Sub(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	good := hmac.Equal(given, g.webhookMAC(g.Key, at, raw))
	if len(g.OldKey) > 0 {
		good = hmac.Equal(given, g.webhookMAC(g.OldKey, at, raw)) || good
	}
	return good
}

// deliver sends the same webhook `times` times. It logs failures and does not retry.
func (g *Gateway) deliver(ctx context.Context, o *order, times int) {
	g.send(ctx, o, "payment.paid", times)
}

func (g *Gateway) send(ctx context.Context, o *order, eventType string, times int) {
	header, body := g.SignedWebhook(o.TxnID, eventType)
	for range times {
		if err := g.post(ctx, o.WebhookURL, header, body); err != nil {
			g.Log.WarnContext(ctx, "sandbox webhook not delivered", "txn", o.TxnID, "error", err)
		}
	}
}

func (g *Gateway) post(ctx context.Context, to string, header http.Header, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, deliveryWait)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header = header.Clone()
	response, err := g.Client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var e event
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	ack, err := io.ReadAll(io.LimitReader(response.Body, 1024))
	if err == nil && (response.StatusCode != http.StatusOK || !bytes.Equal(bytes.TrimSpace(ack), acknowledge(e.ID))) {
		err = fmt.Errorf("got %s without the acknowledgement", response.Status)
	}
	return err
}
