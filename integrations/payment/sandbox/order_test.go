package sandbox

import (
	"fmt"
	"testing"

	"hiresure/admission/payment/method"
	"hiresure/store/storetest"
)

// A copy of that version has taken the money, and the visitor's next request meets this one.
func TestAnOrderOfTheVersionThatKnewOneChargeIsPaid(t *testing.T) {
	const paid = `{"TxnID":"%s","Ref":"sbx_%[1]s","PaymentID":"sbxpay_%[1]s","Asked":{"Minor":149900,"Currency":"INR"},` +
		`"Captured":{"Minor":149900,"Currency":"INR"},%s"State":"paid","TryFailed":false,"Outcome":"paid","Cancelled":false,"Hangs":0,"Errors":0,` +
		`"WebhookURL":"","CreatedAt":"2026-11-22T19:27:43Z","LateAt":"0001-01-01T00:00:00Z","PaidAt":"2026-11-22T19:27:44Z"}`
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		d := newDesk(t, databaseURL)
		for _, c := range []struct{ txnID, refunds, want string }{
			{"t1", "", "paid, ₹1,499.00"},
			{"t2", `"Refunds":{"r2":50000,"r1":49900},`, "paid, ₹1,499.00, ₹999.00 back"},
			{"t3", `"Refunds":{"r1":149900},`, "refunded, ₹1,499.00, ₹1,499.00 back"},
		} {
			if err := d.Orders.SaveSandboxOrder(t.Context(), c.txnID, fmt.Appendf(nil, paid, c.txnID, c.refunds)); err != nil {
				t.Fatal(err)
			}
			s, err := d.Fetch(t.Context(), intent(c.txnID), "")
			if got := answer(s, err); got != c.want {
				t.Errorf("%s: asked: %s, want %s", c.txnID, got, c.want)
			}
			s, err = d.Complete(t.Context(), intent(c.txnID), "", method.Return{Form: d.Press(c.txnID, Paid)})
			if got := answer(s, err); got != c.want || len(s.Charges) != 1 || s.Charges[0].PaymentID != "sbxpay_"+c.txnID {
				t.Errorf("%s: pressed again: %s of %+v, want %s", c.txnID, got, s.Charges, c.want)
			}
			if s, err = d.Fetch(t.Context(), intent(c.txnID), ""); answer(s, err) != c.want || len(s.Charges) != 1 {
				t.Errorf("%s: asked again: %s of %+v, want %s", c.txnID, answer(s, err), s.Charges, c.want)
			}
		}
	})
}
