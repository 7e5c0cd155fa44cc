package stripe_test

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
		{"by card", rewriting{"none", "", ""}, "Card"},
		{"by UPI", rewriting{"", `"type":"card"`, `"type":"upi"`}, "UPI"},
		{"by unknown means", rewriting{"", `"type":"card"`, `"type":"barter"`}, ""},
		{"untold", rewriting{"", `"payment_method_details"`, `"other"`}, ""},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			d.start(t)
			d.there.Pay(txn)
			got := paymenttest.Means(d.through(t, c.rewriting).Fetch(t.Context(), intent(), d.ref))
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
