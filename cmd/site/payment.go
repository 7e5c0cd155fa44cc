package main

import (
	"context"
	"fmt"
	"io"

	"hiresure/admission"
	"hiresure/admission/payment"
	"hiresure/store"
)

// tellPayment writes how a payment stands, for support on the phone: it is found by what its payer says of its number, and the
// payer's name is what to ask the caller for. What went back of it, or should, follows, a line a refund, the oldest first.
func tellPayment(ctx context.Context, db *store.Store, said string, out io.Writer) error {
	t, err := db.PaymentBeginning(ctx, said)
	if err != nil {
		return err
	}
	var refunds []payment.Refund
	if err := db.View(ctx, func(tx store.Tx) (err error) {
		refunds, err = tx.RefundsOf(t.ID)
		return err
	}); err != nil {
		return err
	}
	told := fmt.Sprintf("payment %s is %s: %s at %s, begun on %s, by %s for registration %s\n",
		t.ID, t.State, t.Charge, t.Gateway, admission.Moment(t.CreatedAt), t.Payer.Name, t.RegistrationID)
	for _, refund := range refunds {
		told += fmt.Sprintf("  refund of %s is %s: %s, of %s", refund.Amount, refund.State, refund.Reason, admission.Moment(refund.CreatedAt))
		if refund.PaymentID != t.PaymentID { // of a second charge
			told += ", of the charge " + refund.PaymentID
		}
		told += "\n"
	}
	_, err = io.WriteString(out, told)
	return err
}
