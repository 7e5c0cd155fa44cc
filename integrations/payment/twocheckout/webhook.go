package twocheckout

import (
	"context"
	"crypto/hmac"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

// ipnDate is the time format of notifications and their receipts.
const ipnDate = "20060102150405"

// signatures are the fields that sign a notification. HASH is MD5 and ignored.
var signatures = []string{"HASH", "SIGNATURE_SHA2_256", "SIGNATURE_SHA3_256"}

// notification is a form with its order of fields. A name with brackets has several values.
type notification struct {
	names  []string
	values map[string][]string
}

// parse reads a form as PHP does, as in 2Checkout's documentation of the signature. It rejects a repeated name without brackets.
func parse(raw []byte) (notification, error) {
	n := notification{values: map[string][]string{}}
	for part := range strings.SplitSeq(string(raw), "&") {
		name, value, _ := strings.Cut(part, "=")
		name, err := url.QueryUnescape(name)
		if err != nil {
			return n, err
		}
		if value, err = url.QueryUnescape(value); err != nil {
			return n, err
		}
		name, _, list := strings.Cut(name, "[")
		known := slices.Contains(n.names, name)
		if known && !list {
			return n, fmt.Errorf("repeated field %s", name)
		}
		if !known {
			n.names = append(n.names, name)
		}
		n.values[name] = append(n.values[name], value)
	}
	return n, nil
}

func (n notification) get(name string) string {
	if values := n.values[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// signed returns the signed values in order.
func (n notification) signed() (values []string) {
	for _, name := range n.names {
		if !slices.Contains(signatures, name) {
			values = append(values, n.values[name]...)
		}
	}
	return values
}

// secretOf returns the secret and scheme that signed a notification; "" for none. It checks the strongest scheme.
func (g *Gateway) secretOf(n notification) (secret string, by signature) {
	given, by := n.get("SIGNATURE_SHA3_256"), sha3Signature
	if given == "" {
		given, by = n.get("SIGNATURE_SHA2_256"), sha2Signature
	}
	for _, candidate := range g.Secrets {
		if hmac.Equal([]byte(by.of(candidate, n.signed()...)), []byte(strings.ToLower(given))) {
			secret = candidate
		}
	}
	return secret, by
}

// Webhook verifies an instant payment notification over its values in order. An event is one order in one state at one time, so
// that a repetition has the same id. 2Checkout retries until it gets the receipt.
func (g *Gateway) Webhook(_ context.Context, _ http.Header, raw []byte, _ url.Values) (method.Event, error) {
	n, err := parse(raw)
	if err != nil {
		return method.Event{}, fmt.Errorf("%w: invalid form: %w", method.ErrSignature, err)
	}
	secret, by := g.secretOf(n)
	if secret == "" || n.get("REFNO") == "" {
		return method.Event{}, method.ErrSignature
	}
	e := method.Event{
		ID: strings.Join([]string{n.get("REFNO"), n.get("ORDERSTATUS"), n.get("IPN_DATE")}, ":"), Type: n.get("ORDERSTATUS"), Kind: method.EventOfCharge,
		TxnID: n.get("REFNOEXT"), Ref: n.get("REFNO"), PaymentID: n.get("REFNO"), Ack: g.receipt(n, secret, by),
	}
	switch resolution := n.get("CHARGEBACK_RESOLUTION"); {
	case !admission.IsID(e.TxnID), n.get("VENDOR_CODE") != "" && n.get("VENDOR_CODE") != g.MerchantCode: // another shop
		return method.Event{ID: e.ID, Type: e.Type, Kind: method.EventIgnored, Ack: e.Ack}, nil
	case resolution != "" && resolution != "NONE":
		e.Kind, e.Dispute, e.ID = method.EventOfDispute, disputeOf(resolution), e.ID+":"+resolution
	case e.Type == refunded:
		e.Kind = method.EventOfRefund
	}
	return e, nil
}

// disputeOf maps a CHARGEBACK_RESOLUTION; ACCEPTED means that the shop did not contest it.
func disputeOf(resolution string) method.Dispute {
	switch resolution {
	case "WON":
		return method.DisputeWon
	case "LOST", "ACCEPTED":
		return method.DisputeLost
	}
	return method.DisputeOpened
}

// receipt returns the response body that 2Checkout requires.
func (g *Gateway) receipt(n notification, secret string, by signature) []byte {
	date := g.Clock().UTC().Format(ipnDate)
	return fmt.Appendf(nil, `<sig algo="%s" date="%s">%s</sig>`, by.name, date, by.of(secret, n.get("IPN_PID"), n.get("IPN_PNAME"), n.get("IPN_DATE"), date))
}
