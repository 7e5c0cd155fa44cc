package razorpay_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/razorpay"
	"hiresure/simulators"
)

const (
	orderPaid = `{"entity":"event","account_id":"acc_TEST","event":"order.paid","contains":["payment","order"],"payload":{"payment":{"entity":{"id":"pay_29QQoUBi66xm2f","amount":149900,"currency":"INR","status":"captured","order_id":"order_IluGWxBm9U8zJ8"}},"order":{"entity":{"id":"order_IluGWxBm9U8zJ8","amount":149900,"amount_paid":149900,"status":"paid"}}},"created_at":1700000000}`
	// official is Razorpay's (razorpay-go, resources/verify_payment_test.go), with its secret and its signature.
	official          = `{"entity":"event","account_id":"acc_HVFD0PFnHPAzKj","event":"payment.authorized","contains":["payment"],"payload":{"payment":{"entity":{"id":"pay_JUEM4c0pSLpFEW","entity":"payment","amount":12300,"currency":"INR","status":"authorized","order_id":"order_JUELuT6cFaHkvd","invoice_id":null,"international":false,"method":"netbanking","amount_refunded":0,"refund_status":null,"captured":false,"description":"#JUELZ1z1EC0pwi","card_id":null,"bank":"SBIN","wallet":null,"vpa":null,"email":"prathmesh.bijjargi@razorpay.com","contact":"+917411714931","notes":[],"fee":null,"tax":null,"error_code":null,"error_description":null,"error_source":null,"error_step":null,"error_reason":null,"acquirer_data":{"bank_transaction_id":"6416615"},"created_at":1652339804}}},"created_at":1652339806}`
	officialSecret    = "123456"
	officialSignature = "ea962f3a2a8090aa14ef10fc178306edcb46ee7ccadae8afe2275cda26f3d2a6"
)

func TestWebhookSignature(t *testing.T) {
	const good = "88ba9251bcd9297ab1ed741cc96f61229cef18507b90850a6e53685c7201dce3"
	header := func(signatures ...string) http.Header { return http.Header{"X-Razorpay-Signature": signatures} }
	one, both := []string{webhookSecret}, []string{"new", webhookSecret}
	for _, c := range []struct {
		sentence string
		secrets  []string
		header   http.Header
		body     string
		good     bool
	}{
		{"as it was sent", one, header(good), orderPaid, true},
		{"Razorpay's own", []string{officialSecret}, header(officialSignature), official, true},
		{"the older of two secrets", both, header(good), orderPaid, true},
		{"the newer of two secrets", []string{webhookSecret, "old"}, header(good), orderPaid, true},
		{"a foreign secret", []string{"new"}, header(good), orderPaid, false},
		{"the secret of the key", []string{officialSecret}, header(good), orderPaid, false},
		{"a bit flipped", one, header(good), "z" + orderPaid[1:], false},
		{"a bit of the signature flipped", one, header("9" + good[1:]), orderPaid, false},
		{"reformatted", one, header(good), strings.ReplaceAll(orderPaid, ":", ": "), false},
		{"with another line", one, header(good), orderPaid + "\n", false},
		{"the signature of another event", one, header(officialSignature), orderPaid, false},
		{"half of a signature", one, header(good[:32]), orderPaid, false},
		{"a signature and more", one, header(good + "00"), orderPaid, false},
		{"no header", one, http.Header{}, orderPaid, false},
		{"an empty signature", one, header(""), orderPaid, false},
		{"two signatures", one, header(good, good), orderPaid, false},
		{"an empty body", one, header(good), "", false},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			g, err := razorpay.New(razorpay.Config{KeyID: keyID, KeySecrets: []string{secret}, WebhookSecrets: c.secrets, Clock: time.Now})
			if err != nil {
				t.Fatal(err)
			}
			e, err := g.Webhook(t.Context(), c.header, []byte(c.body), nil)
			if c.good && (err != nil || e.Kind != method.EventIgnored || e.ID == "") { // none of these orders has an id of ours
				t.Errorf("%+v, %v", e, err)
			}
			if !c.good && (!errors.Is(err, method.ErrSignature) || e.ID != "") {
				t.Errorf("%+v, %v; want %v", e, err, method.ErrSignature)
			}
		})
	}
}

func TestWebhookEvents(t *testing.T) {
	d := started(t)
	first := d.there.Decline(txn)
	d.Pass(time.Minute)
	d.there.Late(first)
	d.there.SlowRefunds()
	if _, err := d.Refund(t.Context(), intent(), method.Charge{PaymentID: first}, refundID, fee); err != nil {
		t.Fatal(err)
	}
	d.there.FinishRefund(refundID, "processed")
	d.there.FinishRefund(refundID, "failed")
	d.there.RefundThere(first, 100)
	d.there.Dispute(first, "open")
	d.there.Dispute(first, "won")
	want := []method.Event{
		{Type: "payment.failed", Kind: method.EventOfCharge},
		{Type: "payment.authorized", Kind: method.EventOfCharge},
		{Type: "payment.captured", Kind: method.EventOfCharge},
		{Type: "order.paid", Kind: method.EventOfCharge, TxnID: txn},
		{Type: "refund.created", Kind: method.EventOfRefund, RefundID: refundID},
		{Type: "refund.processed", Kind: method.EventOfRefund, RefundID: refundID},
		{Type: "refund.failed", Kind: method.EventOfRefund, RefundID: refundID},
		{Type: "refund.processed", Kind: method.EventOfRefund},
		{Type: "payment.dispute.created", Kind: method.EventOfDispute},
		{Type: "payment.dispute.won", Kind: method.EventOfDispute},
	}
	seen := map[string]bool{}
	events := d.there.Events()
	if len(events) != len(want) {
		t.Fatalf("%d events, want %d", len(events), len(want))
	}
	for i, sent := range events {
		want[i].Ref, want[i].PaymentID = d.ref, first
		got, err := d.Webhook(t.Context(), sent.Header, sent.Body, nil)
		again := sent.Header.Clone()
		again.Set("X-Razorpay-Event-Id", "evt_another")
		repeated, againErr := d.Webhook(t.Context(), again, sent.Body, nil)
		if err != nil || againErr != nil || repeated.ID != got.ID || got.ID == "" || seen[got.ID] {
			t.Errorf("%s: %+v, %v; the second time %+v, %v", want[i].Type, got, err, repeated, againErr)
		}
		seen[got.ID] = true
		if got.ID = ""; !same(got, want[i]) {
			t.Errorf("%+v, want %+v", got, want[i])
		}
	}
}

func same(a, b method.Event) bool {
	return a.Type == b.Type && a.Kind == b.Kind && a.TxnID == b.TxnID && a.Ref == b.Ref && a.PaymentID == b.PaymentID && a.RefundID == b.RefundID && a.Ack == nil
}

func TestForeignEventsAreIgnored(t *testing.T) {
	d := started(t)
	d.there.PayElsewhere("shop-2-order-7")
	link := d.there.PayLink(99900)
	d.there.RefundThere(link, 99900)
	d.there.Dispute(link, "open")
	events := d.there.Events()
	for _, body := range []string{
		`{"event":"settlement.processed","payload":{"settlement":{"entity":{"id":"setl_1","amount":9973635}}},"created_at":1}`,
		`{"event":"invoice.paid","payload":{"order":{"entity":{"receipt":"` + txn + `"}},"payment":{"entity":{"order_id":"order_1"}}},"created_at":1}`,
		`{"event":"payment.captured","payload":{"payment":{"entity":{"id":"pay_1","order_id":"order_1","notes":{"txn":"another shop's"}}}},"created_at":1}`,
		`{"event":"payment.captured","payload":{"payment":{"entity":{"id":"pay_1","order_id":"order_1","notes":{"txn":7}}}},"created_at":1}`,
		`{"event":"order.paid","payload":{"order":{"entity":{"receipt":"shop-2"}},"payment":{"entity":{"order_id":"order_1","notes":{"txn":"` + txn + `"}}}},"created_at":1}`,
		`{}`,
	} {
		events = append(events, d.there.Sign([]byte(body)))
	}
	for _, sent := range events {
		if e, err := d.Webhook(t.Context(), sent.Header, sent.Body, nil); err != nil || e.Kind != method.EventIgnored || e.ID == "" || e.TxnID+e.Ref != "" {
			t.Errorf("%s: %+v, %v", sent.Body, e, err)
		}
	}
	for _, body := range []string{"paid!", `["paid"]`, ""} {
		signed := d.there.Sign([]byte(body))
		if _, err := d.Webhook(t.Context(), signed.Header, signed.Body, nil); !errors.Is(err, method.ErrSignature) {
			t.Errorf("a good signature of %q: %v", body, err)
		}
	}
	t.Run("another account's signature is rejected", func(t *testing.T) {
		other := simulators.NewRazorpay(simulators.KeysRazorpay{KeyID: keyID, KeySecret: secret, WebhookSecret: secret, Clock: d.Now})
		signed := other.Sign(d.there.Events()[0].Body)
		if _, err := d.Webhook(t.Context(), signed.Header, signed.Body, nil); !errors.Is(err, method.ErrSignature) {
			t.Error(err)
		}
	})
}
