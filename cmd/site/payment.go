package main

import (
	"context"
	"fmt"
	"io"

	"hiresure/admission"
	"hiresure/store"
)

// tellPayment writes how a payment stands, for support on the phone: it is found by what its payer says of its number, and the
// payer's name is what to ask the caller for.
func tellPayment(ctx context.Context, db *store.Store, said string, out io.Writer) error {
	t, err := db.PaymentBeginning(ctx, said)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "payment %s is %s: %s at %s, begun on %s, by %s for registration %s\n",
		t.ID, t.State, t.Charge, t.Gateway, admission.Moment(t.CreatedAt), t.Payer.Name, t.RegistrationID)
	return err
}
