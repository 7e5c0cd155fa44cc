package cashfree_test

import (
	"bytes"
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/cashfree"
)

const published = `{"data":{"order":{"order_id":"T1","order_amount":1499.00,"order_currency":"INR","order_tags":null},"payment":{"cf_payment_id":"1453002795","payment_status":"SUCCESS","payment_amount":1499.00,"payment_currency":"INR"}},"event_time":"2026-01-01T11:16:10+05:30","type":"PAYMENT_SUCCESS_WEBHOOK"}`

func TestWebhookSignature(t *testing.T) {
	const at, good = "1746427759733", "y4XocO2ki1LkVd6ielydljT7tBaokSlDXJAYtyDk9rY="
	sent := time.UnixMilli(1746427759733)
	written := string(bytes.ReplaceAll([]byte(published), []byte("1499.00"), []byte("1499")))
	header := func(signature, at string) http.Header {
		return http.Header{"X-Webhook-Signature": {signature}, "X-Webhook-Timestamp": {at}}
	}
	one, both := []string{"cf_test_secret_1"}, []string{"cf_test_secret_2", "cf_test_secret_1"}
	for _, c := range []struct {
		sentence string
		secrets  []string
		header   http.Header
		body     string
		age      time.Duration
		good     bool
	}{
		{"as it was sent", one, header(good, at), published, 0, true},
		{"the older of two secrets", both, header(good, at), published, 0, true},
		{"the newer of two secrets", both, header("YR/jRvfkdl2VYO7eS9AkkgA/e9gAAEmNUcT5N9Z+Ssw=", "1746427759734"), "{}", 0, true},
		{"written with other numbers, and so signed", one, header("xeu52ZRhojHhamfPxMNWz78kzT4sbYYJno69fmWl9WQ=", at), written, 0, true},
		{"written with other numbers after it was signed", one, header(good, at), written, 0, false},
		{"a foreign secret", []string{"cf_test_secret_2"}, header(good, at), published, 0, false},
		{"a bit flipped", one, header(good, at), "z" + published[1:], 0, false},
		{"the signature of another time", one, header(good, "1746427759734"), published, 0, false},
		{"no header", one, http.Header{}, published, 0, false},
		{"no time", one, http.Header{"X-Webhook-Signature": {good}}, published, 0, false},
		{"two signatures", one, http.Header{"X-Webhook-Signature": {good, good}, "X-Webhook-Timestamp": {at}}, published, 0, false},
		{"a day later", one, header(good, at), published, 24 * time.Hour, true},
		{"more than a day later", one, header(good, at), published, 24*time.Hour + time.Millisecond, false},
		{"a clock ten minutes behind", one, header(good, at), published, -10 * time.Minute, true},
		{"a clock further behind", one, header(good, at), published, -10*time.Minute - time.Millisecond, false},
		{"an empty body", one, header(good, at), "", 0, false},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			g, err := cashfree.New(cashfree.Config{AppID: "TEST1", Secrets: c.secrets, Clock: func() time.Time { return sent.Add(c.age) }})
			if err != nil {
				t.Fatal(err)
			}
			e, err := g.Webhook(t.Context(), c.header, []byte(c.body), nil)
			if c.good && (err != nil || e.Kind != method.EventIgnored || e.ID == "") { // T1 is no id of ours
				t.Errorf("%+v, %v", e, err)
			}
			if !c.good && (!errors.Is(err, method.ErrSignature) || e.ID != "") {
				t.Errorf("%+v, %v; want %v", e, err, method.ErrSignature)
			}
		})
	}
}

func TestWebhookEvents(t *testing.T) {
	d := newDesk(t)
	d.start(t)
	first := d.there.Decline(txn)
	d.there.Late(first)
	d.there.SlowRefunds()
	if _, err := d.Refund(t.Context(), intent(), method.Charge{PaymentID: first}, "refund1", fee); err != nil {
		t.Fatal(err)
	}
	d.there.FinishRefund("refund1", "SUCCESS")
	d.there.Dispute(first, "CHARGEBACK_CREATED")
	want := []method.Event{
		{Type: "PAYMENT_FAILED_WEBHOOK", Kind: method.EventOfCharge}, {Type: "PAYMENT_SUCCESS_WEBHOOK", Kind: method.EventOfCharge},
		{Type: "REFUND_STATUS_WEBHOOK", Kind: method.EventOfRefund, RefundID: "refund1"}, {Type: "DISPUTE_CREATED", Kind: method.EventOfDispute},
	}
	var ids []string
	for i, sent := range d.there.Events() {
		e, err := d.Webhook(t.Context(), sent.Header, sent.Body, nil)
		if err != nil || e.Type != want[i].Type || e.Kind != want[i].Kind || e.RefundID != want[i].RefundID || e.TxnID != txn || e.Ref != txn || e.PaymentID != first {
			t.Errorf("%+v, %v; want %+v", e, err, want[i])
		}
		if slices.Contains(ids, e.ID) {
			t.Errorf("two events have the id %s", e.ID)
		}
		ids = append(ids, e.ID)
		if again, err := d.Webhook(t.Context(), sent.Header, sent.Body, nil); err != nil || again.ID != e.ID {
			t.Errorf("the second time: %+v, %v", again, err)
		}
	}
	if len(ids) != len(want) {
		t.Errorf("%d events, want %d", len(ids), len(want))
	}
	for _, body := range []string{"paid!", `["paid"]`, ""} {
		signed := d.there.Sign([]byte(body))
		if _, err := d.Webhook(t.Context(), signed.Header, signed.Body, nil); !errors.Is(err, method.ErrSignature) {
			t.Errorf("a good signature of %q: %v", body, err)
		}
	}
}
