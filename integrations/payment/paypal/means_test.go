package paypal_test

import (
	"testing"

	"hiresure/integrations/payment/paymenttest"
)

func TestChargeHasPaymentMeans(t *testing.T) {
	d := newDesk(t)
	id := d.start(t)
	d.there.Pay(id)
	if got := paymenttest.Means(d.Fetch(t.Context(), intent(), id)); got != "PayPal" {
		t.Error(got)
	}
}
