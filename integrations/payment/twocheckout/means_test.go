package twocheckout_test

import (
	"testing"

	"hiresure/integrations/payment/paymenttest"
	"hiresure/simulators"
)

func TestChargeHasPaymentMeans(t *testing.T) {
	d, ref := charged(t, simulators.CardPaid)
	if got := paymenttest.Means(d.Fetch(t.Context(), intent(), ref)); got != "Card" {
		t.Error(got)
	}
}
