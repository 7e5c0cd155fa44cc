package access_test

import (
	"testing"
	"time"

	"hiresure/admission/business/businesstest"
)

func TestCheckoutKeyEnds(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Verified()
		opens := func(txn string) bool {
			may, err := w.Access.MayOpenCheckout(w.Ctx, p.Visitor, txn)
			w.Must(err)
			return may
		}
		late, key := w.Access.CheckoutKey("late"), w.Access.CheckoutKey("txn")
		w.Clock.Pass(30*time.Minute - time.Second)
		w.Must(w.Access.RedeemCheckoutKey(w.Ctx, p.Visitor, "txn", key))
		businesstest.Equal(t, "opens its checkout", opens("txn"), true)
		businesstest.Equal(t, "opens another one", opens("late"), false)
		w.Clock.Pass(time.Second)
		w.Must(w.Access.RedeemCheckoutKey(w.Ctx, p.Visitor, "late", late))
		businesstest.Equal(t, "opens one after half an hour", opens("late"), false)
		w.Clock.Pass(30*time.Minute - time.Second)
		businesstest.Equal(t, "still opens its checkout half an hour later", opens("txn"), false)
	})
}
