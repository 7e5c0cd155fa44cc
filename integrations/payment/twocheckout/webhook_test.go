package twocheckout_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/twocheckout"
	"hiresure/simulators"
)

// A notification and its signature with SECRET_KEY.
const (
	published = "SALEDATE=2026-01-02+03%3A04%3A05&REFNO=1000037&REFNOEXT=T1&ORDERNO=13&ORDERSTATUS=COMPLETE&PAYMETHOD=Visa%2FMasterCard&FIRSTNAME=Zo%C3%AB&LASTNAME=%C5%A0mith&COMPANY=" +
		"&IPN_PID%5B%5D=1&IPN_PNAME%5B%5D=Software+program&IPN_TOTALGENERAL=1499.00&CURRENCY=INR&IPN_DATE=20260102030405&TEST_ORDER=0"
	sha2 = "67e1c74198148ff2499abd8a391119f1d7a3df50dc271d4668b5af594531fa89"
	sha3 = "08d85043957a620188e7784f840eaefe3b34bfead055f17abf5a04c72bb04cdc"

	receipt3 = `<sig algo="sha3-256" date="20260102030406">14d1c1142d8fce1cdc5f514b2d9c34e4948041316d9e36375030fcfe705ff537</sig>`
	receipt2 = `<sig algo="sha256" date="20260102030406">8c423630c574a7baed7a200b6d828b18d8c2747fb37b6a5816970b0aaeea6ac0</sig>`
)

func at(secrets ...string) *twocheckout.Gateway {
	g, err := twocheckout.New(twocheckout.Config{MerchantCode: merchant, Secrets: secrets, Clock: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC) }})
	if err != nil {
		panic(err)
	}
	return g
}

func TestNotificationSignature(t *testing.T) {
	three, two := "&SIGNATURE_SHA3_256="+sha3, "&SIGNATURE_SHA2_256="+sha2
	for _, c := range []struct {
		sentence string
		secrets  []string
		body     string
		ack      string // "" if it is rejected
	}{
		{"with all signatures", []string{secret}, published + "&HASH=1" + two + three, receipt3},
		{"with SHA-3 alone", []string{secret}, published + three, receipt3},
		{"with SHA-2 alone", []string{secret}, published + two, receipt2},
		{"in capitals", []string{secret}, published + "&SIGNATURE_SHA3_256=" + strings.ToUpper(sha3), receipt3},
		{"the signatures first", []string{secret}, "SIGNATURE_SHA3_256=" + sha3 + "&" + published, receipt3},
		{"the older of two secrets", []string{"new", secret}, published + two + three, receipt3},
		{"written otherwise, with the same values", []string{secret}, strings.ReplaceAll(published, "+", "%20") + three, receipt3},
		{"a foreign secret", []string{"new"}, published + two + three, ""},
		{"with MD5 alone", []string{secret}, published + "&HASH=68ca6b208fd204e07b651dacd8a55340", ""},
		{"without a signature", []string{secret}, published, ""},
		{"with an empty signature", []string{secret}, published + "&SIGNATURE_SHA3_256=", ""},
		{"with a bad SHA-3 and a good SHA-2", []string{secret}, published + two + "&SIGNATURE_SHA3_256=" + strings.Repeat("0", 64), ""},
		{"with the signatures exchanged", []string{secret}, published + "&SIGNATURE_SHA3_256=" + sha2 + "&SIGNATURE_SHA2_256=" + sha3, ""},
		{"a bit flipped", []string{secret}, strings.Replace(published, "1499.00", "1498.00", 1) + three, ""},
		{"a value more", []string{secret}, published + "&MORE=1" + three, ""},
		{"an empty value more", []string{secret}, published + "&MORE=" + three, ""},
		{"a value less", []string{secret}, strings.Replace(published, "&COMPANY=", "", 1) + three, ""},
		{"reordered", []string{secret}, strings.Replace(published, "REFNO=1000037&REFNOEXT=T1", "REFNOEXT=T1&REFNO=1000037", 1) + three, ""},
		{"a letter moved to the next value", []string{secret}, strings.Replace(published, "REFNO=1000037&REFNOEXT=T1", "REFNO=100003&REFNOEXT=7T1", 1) + three, ""},
		{"a name twice", []string{secret}, published + three + "&REFNO=1000038", ""},
		{"two signatures", []string{secret}, published + three + three, ""},
		{"a broken escape", []string{secret}, published + three + "&X=%zz", ""},
		{"nothing", []string{secret}, "", ""},
		{"JSON", []string{secret}, `{"REFNO":"1000037"}`, ""},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			e, err := at(c.secrets...).Webhook(t.Context(), http.Header{}, []byte(c.body), nil)
			if c.ack != "" && (err != nil || string(e.Ack) != c.ack || e.ID != "1000037:COMPLETE:20260102030405" || e.Kind != method.EventIgnored) { // T1 is no id of ours
				t.Errorf("%+v %s, %v", e, e.Ack, err)
			}
			if c.ack == "" && (!errors.Is(err, method.ErrSignature) || e.ID != "" || e.Ack != nil) {
				t.Errorf("%+v, %v; want %v", e, err, method.ErrSignature)
			}
		})
	}
}

// Only values are signed, not names. A forger who renames fields can at most name another order, which is then only fetched.
func TestNotificationFieldOrder(t *testing.T) {
	d := newDesk(t)
	sent := d.there.Sign([][2]string{{"A[0]", "1"}, {"REFNO", "7"}, {"A[1]", ""}, {"ORDERSTATUS", "COMPLETE"}})
	if _, err := d.Webhook(t.Context(), sent.Header, sent.Body, nil); !errors.Is(err, method.ErrSignature) {
		t.Errorf("a list that comes in two places is signed in one: %v", err)
	}
	sent = d.there.Sign([][2]string{{"A[0]", "1"}, {"A[1]", ""}, {"REFNO", "7"}, {"ORDERSTATUS", "COMPLETE"}})
	if e, err := d.Webhook(t.Context(), sent.Header, sent.Body, nil); err != nil || e.Kind != method.EventIgnored {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestWebhookEvents(t *testing.T) {
	d, ref := charged(t, simulators.CardReceived)
	d.Pass(time.Second)
	d.there.Become(ref, "COMPLETE")
	d.Pass(time.Second)
	for _, resolution := range []string{"NONE", "OPEN", "WON", "LOST", "ACCEPTED"} {
		d.there.Dispute(ref, resolution) // in the same second
	}
	d.Pass(time.Second)
	d.there.Become(ref, "REFUND")
	want := []method.Event{
		{Type: "AUTHRECEIVED", Kind: method.EventOfCharge}, {Type: "COMPLETE", Kind: method.EventOfCharge},
		{Type: "COMPLETE", Kind: method.EventOfCharge}, {Type: "COMPLETE", Kind: method.EventOfDispute, Dispute: method.DisputeOpened},
		{Type: "COMPLETE", Kind: method.EventOfDispute, Dispute: method.DisputeWon}, {Type: "COMPLETE", Kind: method.EventOfDispute, Dispute: method.DisputeLost},
		{Type: "COMPLETE", Kind: method.EventOfDispute, Dispute: method.DisputeLost}, {Type: "REFUND", Kind: method.EventOfRefund},
	}
	var ids []string
	for i, sent := range d.there.Events() {
		e, err := d.Webhook(t.Context(), sent.Header, sent.Body, nil)
		if err != nil || e.Type != want[i].Type || e.Kind != want[i].Kind || e.Dispute != want[i].Dispute || e.TxnID != txn || e.Ref != ref || e.PaymentID != ref || !d.there.Receives(sent, string(e.Ack)) {
			t.Errorf("%+v, %v; want %+v", e, err, want[i])
		}
		if slices.Contains(ids, e.ID) {
			t.Errorf("two events have the id %s", e.ID)
		}
		ids = append(ids, e.ID)
		d.Pass(time.Hour) // a repetition
		if again, err := d.Webhook(t.Context(), sent.Header, sent.Body, nil); err != nil || again.ID != e.ID || !d.there.Receives(sent, string(again.Ack)) {
			t.Errorf("the second time: %+v, %v", again, err)
		}
	}
	if len(ids) != len(want) {
		t.Errorf("%d events, want %d", len(ids), len(want))
	}
	sent := d.there.Sign([][2]string{{"REFNO", "7"}, {"REFNOEXT", txn}, {"ORDERSTATUS", "COMPLETE"}, {"VENDOR_CODE", "1"}, {"IPN_PID[]", "1"}, {"IPN_PNAME[]", "A fee"}, {"IPN_DATE", "20260102030405"}})
	if e, err := d.Webhook(t.Context(), sent.Header, sent.Body, nil); err != nil || e.Kind != method.EventIgnored || e.TxnID != "" || !d.there.Receives(sent, string(e.Ack)) {
		t.Errorf("another account's: %+v, %v", e, err)
	}
}
