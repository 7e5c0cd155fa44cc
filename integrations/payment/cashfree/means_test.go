package cashfree_test

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
		{"by debit card", rewriting{"/payments", `"upi"`, `"debit_card"`}, "Debit card 767249000000"},
		{"in capitals", rewriting{"/payments", `"upi"`, `"NET_BANKING"`}, "Net banking 767249000000"},
		{"by unknown means", rewriting{"/payments", `"upi"`, `"barter"`}, "767249000000"},
		{"without the bank's number", rewriting{"/payments", `"767249000000"`, `null`}, "UPI"},
		{"with a bank's number as a number", rewriting{"/payments", `"767249000000"`, `767249000000`}, "UPI 767249000000"},
		{"with an invalid number", rewriting{"/payments", `"767249000000"`, `"a\nb"`}, "UPI"},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			d.start(t)
			d.there.Pay(txn)
			got := paymenttest.Means(d.through(t, c.rewriting).Fetch(t.Context(), intent(), txn))
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
