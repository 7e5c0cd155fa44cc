package payu_test

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/payu"
	"hiresure/simulators"
)

func TestWebhookEvents(t *testing.T) {
	d := newDesk(t)
	d.start(t)
	id := d.there.Decline(ref)
	d.there.Pay(ref) // late
	d.there.Dispute(id, "Pending Response")
	d.there.Dispute(id, "Closed Customer Favour")
	d.there.Dispute(id, "Closed Merchant Favour")
	want := []method.Event{
		{ID: id + ":failure", Type: "payment failure", Kind: method.EventOfCharge, TxnID: txn, Ref: ref, PaymentID: id},
		{ID: id + ":success", Type: "payment success", Kind: method.EventOfCharge, TxnID: txn, Ref: ref, PaymentID: id},
		{ID: "dispute:1761758:Pending Response", Type: "dispute", Kind: method.EventOfDispute, PaymentID: id, Dispute: method.DisputeOpened},
		{ID: "dispute:1761758:Closed Customer Favour", Type: "dispute", Kind: method.EventOfDispute, PaymentID: id, Dispute: method.DisputeLost},
		{ID: "dispute:1761758:Closed Merchant Favour", Type: "dispute", Kind: method.EventOfDispute, PaymentID: id, Dispute: method.DisputeWon},
	}
	var got []method.Event
	for _, sent := range d.there.Events() {
		for range 2 { // a repetition has the same id
			e, err := d.Webhook(t.Context(), sent.Header, sent.Body, nil)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, e)
		}
	}
	if len(got) != 2*len(want) {
		t.Fatalf("%d events, want %d", len(got), 2*len(want))
	}
	for i, w := range want {
		for _, e := range got[2*i : 2*i+2] {
			if e.ID != w.ID || e.Type != w.Type || e.Kind != w.Kind || e.TxnID != w.TxnID || e.Ref != w.Ref || e.PaymentID != w.PaymentID {
				t.Errorf("%+v, want %+v", e, w)
			}
		}
	}
}

func TestWebhookSignature(t *testing.T) {
	d := newDesk(t)
	d.start(t)
	id := d.there.Pay(ref)
	d.there.Dispute(id, "Pending Response")
	d.there.NotifyRefunds()
	d.there.RefundThere(id, 100)
	events := d.there.Events()
	paid, disputed, refunded := events[0], events[1], events[2]
	body := string(paid.Body)
	fields, err := url.ParseQuery(body)
	if err != nil {
		t.Fatal(err)
	}
	with := func(name, value string) string {
		changed := url.Values{}
		for n, v := range fields {
			changed[n] = slices.Clone(v)
		}
		changed.Set(name, value)
		return changed.Encode()
	}
	const signature = "X-Payu-Dispute-Webhook-Signature-V2"
	signed := func(text string) http.Header { return http.Header{signature: {text}} }
	hash := disputed.Header.Get(signature)
	for _, c := range []struct {
		sentence string
		salts    []string
		header   http.Header
		body     string
		good     bool
	}{
		{"as it was sent", []string{salt}, nil, body, true},
		{"its fields in another order", []string{salt}, nil, reordered(body), true},
		{"the older of two salts", []string{"newer", salt}, nil, body, true},
		{"a foreign salt", []string{"newer"}, nil, body, false},
		{"a failure made of a success", []string{salt}, nil, with("status", "failure"), false},
		{"another sum", []string{salt}, nil, with("amount", "1.00"), false},
		{"another transaction's signature", []string{salt}, nil, with("txnid", "another"), false},
		{"another attempt", []string{salt}, nil, with("udf1", "z"+txn[1:]), false},
		{"a bit flipped", []string{salt}, nil, strings.Replace(body, "Enrolment", "Dnrolment", 1), false},
		{"a field twice", []string{salt}, nil, body + "&txnid=another", false},
		{"a field that cannot be read", []string{salt}, nil, body + "&email=%zz", false},
		{"no hash", []string{salt}, nil, with("hash", ""), false},
		{"an empty body", []string{salt}, nil, "", false},
		{"a dispute", []string{salt}, signed(hash), string(disputed.Body), true},
		{"a dispute by the older of two salts", []string{"newer", salt}, signed(hash), string(disputed.Body), true},
		{"a dispute by a foreign salt", []string{"newer"}, signed(hash), string(disputed.Body), false},
		{"a dispute that is not signed", []string{salt}, nil, string(disputed.Body), false},
		{"a dispute that is signed twice", []string{salt}, http.Header{signature: {hash, hash}}, string(disputed.Body), false},
		{"a dispute of another sum", []string{salt}, signed(hash), strings.Replace(string(disputed.Body), "1499.00", "1.00", 1), false},
		{"a dispute of another payment", []string{salt}, signed(hash), strings.Replace(string(disputed.Body), id, "1", 1), false},
		{"a dispute that is over", []string{salt}, signed(hash), strings.Replace(string(disputed.Body), "Pending Response", "Closed Customer Favour", 1), false},
		{"a refund, which nothing signs", []string{salt}, refunded.Header, string(refunded.Body), false},
		{"a refund with a dispute's signature", []string{salt}, signed(hash), string(refunded.Body), false},
		{"half an object", []string{salt}, signed(hash), "{", false},
	} {
		g, err := payu.New(payu.Config{Key: key, Salts: c.salts})
		if err != nil {
			t.Fatal(err)
		}
		e, err := g.Webhook(t.Context(), c.header, []byte(c.body), nil)
		if c.good && (err != nil || e.ID == "" || e.Kind == method.EventIgnored) {
			t.Errorf("%s: %+v, %v", c.sentence, e, err)
		}
		if !c.good && (!errors.Is(err, method.ErrSignature) || e.ID != "") {
			t.Errorf("%s: %+v, %v; want %v", c.sentence, e, err, method.ErrSignature)
		}
	}
}

func reordered(body string) string {
	parts := strings.Split(body, "&")
	slices.Reverse(parts)
	return strings.Join(parts, "&")
}

func TestForeignEventsAreIgnored(t *testing.T) {
	d := newDesk(t)
	other := simulators.NewPayU(simulators.KeysPayU{Key: "TESTKEY2", Salt: salt, Clock: d.Now})
	for sentence, form := range map[string]url.Values{
		"of this account":           d.there.Sign(url.Values{"key": {key}, "txnid": {"B17"}, "status": {"success"}, "mihpayid": {"1"}}),
		"of this account, with ids": d.there.Sign(url.Values{"key": {key}, "txnid": {"B17"}, "status": {"success"}, "mihpayid": {"1"}, "udf1": {"customer 4"}}),
		"of another account":        other.Sign(url.Values{"key": {"TESTKEY2"}, "txnid": {ref}, "status": {"success"}, "mihpayid": {"1"}, "udf1": {txn}}),
	} {
		e, err := d.Webhook(t.Context(), nil, []byte(form.Encode()), nil)
		if err != nil || e.Kind != method.EventIgnored || e.TxnID != "" || e.Ref != "" || e.ID == "" {
			t.Errorf("%s: %+v, %v", sentence, e, err)
		}
	}
}

func TestReturnMustBeSigned(t *testing.T) {
	d := newDesk(t)
	d.start(t)
	other := intent()
	other.TxnID, other.MerchantRef = "z"+txn[1:], "z"+ref[1:]
	if status, page := d.arrive(t, other); status != http.StatusOK {
		t.Fatal(page)
	}
	d.there.Pay(other.MerchantRef)
	d.there.Pay(ref)
	good := d.there.Return(ref)
	with := func(name, value string) url.Values {
		changed := url.Values{}
		for n, v := range good {
			changed[n] = v
		}
		changed.Set(name, value)
		return changed
	}
	for _, c := range []struct {
		sentence string
		back     method.Return
		want     string
	}{
		{"as PayU has it posted", posted(good), "paid; paid of ₹1,499.00 INR"},
		{"without a signature", posted(with("hash", "")), "payment: bad signature"},
		{"a failure made of a success", posted(with("status", "failure")), "payment: bad signature"},
		{"with something added", posted(with("additional_charges", "1.00")), "payment: bad signature"},
		{"of another transaction, rightly signed", posted(d.there.Return(other.MerchantRef)), "payment: bad signature"},
		{"of another key, rightly signed", posted(d.there.Sign(with("key", "TESTKEY2"))), "payment: bad signature"},
		{"asked for, not posted", method.Return{Method: http.MethodGet, Form: good}, "payment: bad signature"},
		{"the parameters of a success", posted(url.Values{"payment_status": {"Success"}, "txnid": {ref}, "key": {key}}), "payment: bad signature"},
		{"nothing", posted(nil), "payment: bad signature"},
	} {
		if got := summary(d.Complete(t.Context(), intent(), ref, c.back)); got != c.want {
			t.Errorf("%s: %s, want %s", c.sentence, got, c.want)
		}
	}
	t.Run("a signed success does not override PayU's status", func(t *testing.T) {
		d := newDesk(t)
		d.start(t)
		d.there.Decline(ref)
		if got := summary(d.Complete(t.Context(), intent(), ref, posted(d.there.Sign(good)))); got != "failed" {
			t.Error(got)
		}
	})
	t.Run("and a failure neither", func(t *testing.T) {
		d := newDesk(t)
		d.start(t)
		d.there.Decline(ref)
		early := d.there.Return(ref)
		d.there.Pay(ref)
		if got := summary(d.Complete(t.Context(), intent(), ref, posted(early))); got != "paid; paid of ₹1,499.00 INR" {
			t.Error(got)
		}
	})
	t.Run("with what PayU has added for itself", func(t *testing.T) {
		d := newDesk(t)
		d.start(t)
		d.there.PayMore(ref, 1234)
		back := d.there.Return(ref)
		if got := summary(d.Complete(t.Context(), intent(), ref, posted(back))); back.Get("additionalCharges") != "12.34" || got != "paid; paid of ₹1,499.00 INR" {
			t.Error(got)
		}
	})
}
