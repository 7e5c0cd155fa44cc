package payu_test

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
		{"by credit card", rewriting{"verify_payment", `"mode":"UPI"`, `"mode":"CC"`}, "Credit card 767249000000"},
		{"by unknown means", rewriting{"verify_payment", `"mode":"UPI"`, `"mode":null`}, "767249000000"},
		{"without the bank's number", rewriting{"verify_payment", `"767249000000"`, `null`}, "UPI"},
		{"with a bank's number as a number", rewriting{"verify_payment", `"767249000000"`, `767249000000`}, "UPI 767249000000"},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			d.start(t)
			d.there.Pay(ref)
			got := paymenttest.Means(d.through(t, c.rewriting).Fetch(t.Context(), intent(), ref))
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
