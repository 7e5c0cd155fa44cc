package razorpay_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/razorpay"
)

func TestReturnSignatureCoversOurOrder(t *testing.T) {
	for _, c := range []struct {
		sentence string
		form     func(d *desk, paymentID string) map[string]string
		want     string
	}{
		{"as the checkout returns it", func(d *desk, id string) map[string]string { return d.there.SignedReturn(id) }, paid},
		{"nothing", func(*desk, string) map[string]string { return nil }, paid},
		{"an error", func(*desk, string) map[string]string { return map[string]string{"error[code]": "BAD_REQUEST_ERROR"} }, paid},
		{"a word", func(*desk, string) map[string]string { return map[string]string{"payment_status": "Success"} }, paid},
		{"another order's id, which is ignored", func(d *desk, id string) map[string]string {
			form := d.there.SignedReturn(id)
			form["razorpay_order_id"] = "order_another"
			return form
		}, paid},
		{"a payment without a signature", func(_ *desk, id string) map[string]string { return map[string]string{"razorpay_payment_id": id} }, forged},
		{"a signature without a payment", func(d *desk, id string) map[string]string {
			return map[string]string{"razorpay_signature": d.there.SignedReturn(id)["razorpay_signature"]}
		}, forged},
		{"another payment", func(d *desk, id string) map[string]string {
			form := d.there.SignedReturn(id)
			form["razorpay_payment_id"] = "pay_another"
			return form
		}, forged},
		{"a signature for another order", func(d *desk, _ string) map[string]string {
			return d.there.SignedReturn(d.there.PayElsewhere("another"))
		}, forged},
		{"a bit flipped", func(d *desk, id string) map[string]string {
			form := d.there.SignedReturn(id)
			form["razorpay_signature"] = "z" + form["razorpay_signature"][1:]
			return form
		}, forged},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := started(t)
			form := url.Values{}
			for name, value := range c.form(d, d.there.Pay(txn)) {
				form.Set(name, value)
			}
			for _, ref := range []string{d.ref, ""} { // the response to Start may be lost
				if got := summary(d.Complete(t.Context(), intent(), ref, method.Return{Method: "POST", Form: form})); got != c.want {
					t.Errorf("%s, want %s", got, c.want)
				}
			}
		})
	}
	t.Run("a good signature proves no payment", func(t *testing.T) {
		d := started(t)
		form := url.Values{}
		for name, value := range d.there.SignedReturn(d.there.Decline(txn)) {
			form.Set(name, value)
		}
		if got := summary(d.Complete(t.Context(), intent(), d.ref, method.Return{Form: form})); got != "pending, last try failed" {
			t.Error(got)
		}
	})
	t.Run("an authorisation is captured only while wanted", func(t *testing.T) {
		d := started(t)
		form, in := url.Values{}, intent()
		for name, value := range d.there.SignedReturn(d.there.Authorise(txn)) {
			form.Set(name, value)
		}
		in.Wanted = false
		if got := summary(d.Complete(t.Context(), in, d.ref, method.Return{Form: form})); got != "pending" || d.there.Captured("INR") != 0 {
			t.Errorf("not wanted: %s, captured %d", got, d.there.Captured("INR"))
		}
		if got := summary(d.Complete(t.Context(), intent(), d.ref, method.Return{Form: form})); got != paid {
			t.Errorf("wanted: %s", got)
		}
	})
}

// Test vectors; the third is Razorpay's (razorpay-go, resources/verify_payment_test.go).
func TestReturnSignatureVectors(t *testing.T) {
	for _, c := range []struct{ secret, order, payment, signature string }{
		{"rzp_test_secret_1", "order_IluGWxBm9U8zJ8", "pay_29QQoUBi66xm2f", "eb7fa310e238cf08b5345f2618d822805bbdc96bd54f19dd769b764b36b23d70"},
		{"s3cr3t/ümlaut", "order_DaZlswtdcn9UNV", "pay_G8VQzrPLoAutm6", "71e29f6f9a8b111a204e8590f716ecbebf8d84927f4571a76eb95925b74a0891"},
		{"EnLs21M47BllR3X8PSFtjtbd", "order_IEIaMR65cu6nz3", "pay_IH4NVgf4Dreq1l", "0d4e745a1838664ad6c9c9902212a32d627d68e917290b0ad5f08ff4561bc50f"},
	} {
		for _, secrets := range [][]string{{c.secret}, {"new", c.secret}, {"new"}} {
			server := httptest.NewServer(http.NotFoundHandler()) // answers the query that follows a valid signature
			g, err := razorpay.New(razorpay.Config{KeyID: keyID, KeySecrets: secrets, WebhookSecrets: secrets, BaseURL: server.URL, Clock: time.Now})
			if err != nil {
				t.Fatal(err)
			}
			want := noCharge
			if secrets[len(secrets)-1] != c.secret {
				want = forged
			}
			form := url.Values{"razorpay_payment_id": {c.payment}, "razorpay_signature": {c.signature}}
			if got := summary(g.Complete(t.Context(), intent(), c.order, method.Return{Form: form})); got != want {
				t.Errorf("%s with %q: %s, want %s", c.payment, secrets, got, want)
			}
			server.Close()
		}
	}
}
