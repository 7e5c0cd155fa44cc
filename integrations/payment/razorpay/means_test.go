package razorpay_test

import (
	"testing"

	"hiresure/integrations/payment/paymenttest"
)

func TestChargeHasPaymentMeans(t *testing.T) {
	for _, c := range []struct {
		sentence string
		rewriting
		want string
	}{
		{"by UPI", rewriting{"none", "", ""}, "UPI 767249000000"},
		{"by card", rewriting{"/payments", `"upi"`, `"card"`}, "Card 767249000000"},
		{"by net banking, with the bank's number", rewriting{"/payments", `"method":"upi"`, `"acquirer_data":{"bank_transaction_id":"6416615"},"method":"netbanking"`}, "Net banking 6416615"},
		{"by unknown means", rewriting{"/payments", `"upi"`, `"barter"`}, "767249000000"},
		{"without the bank's number", rewriting{"/payments", `"rrn"`, `"other"`}, "UPI"},
		{"with an invalid number", rewriting{"/payments", `"rrn":"767249000000"`, `"rrn":"<b>1</b>"`}, "UPI"},
		{"with a number of another type", rewriting{"/payments", `"rrn":"767249000000"`, `"rrn":767249000000`}, "UPI"},
		{"with an empty list", rewriting{"/payments", `"method":"upi"`, `"acquirer_data":[],"method":"upi"`}, "UPI"},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := started(t)
			d.there.Pay(txn)
			got := paymenttest.Means(d.through(t, c.rewriting).Fetch(t.Context(), intent(), d.ref))
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
