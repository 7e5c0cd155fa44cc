package site

import (
	"context"
	"slices"
	"time"

	"hiresure/admission/payment"
	"hiresure/integrations/payment/sandbox"
	"hiresure/pages/dev"
)

// sandboxDays is how many days of sandbox charges the developers' page shows.
const sandboxDays = 7

// sandboxProvider returns the sandbox for the developers' page; nil if it is not configured.
func sandboxProvider(catalogue payment.Catalogue, clock func() time.Time) *dev.Provider {
	i := slices.IndexFunc(catalogue, func(e payment.Entry) bool { _, plays := e.Gateway.(*sandbox.Gateway); return plays })
	if i < 0 {
		return nil
	}
	gateway := catalogue[i].Gateway.(*sandbox.Gateway)
	provider := &dev.Provider{
		Charges: func(ctx context.Context) (charges []dev.Charge, err error) {
			seen := map[string]bool{} // a charge is listed on every day on which it changed
			for day := range sandboxDays {
				for moved, err := range gateway.List(ctx, clock().AddDate(0, 0, -day-1).Add(time.Second)) {
					if err != nil {
						return nil, err
					}
					if c := moved.Charge; !seen[c.PaymentID] {
						seen[c.PaymentID] = true
						charges = append(charges, dev.Charge{TxnID: moved.TxnID, Amount: c.Amount, Refunded: c.Refunded, Disputed: c.Disputed, At: c.At})
					}
				}
			}
			slices.SortStableFunc(charges, func(a, b dev.Charge) int { return b.At.Compare(a.At) })
			return charges, nil
		},
		Apply: func(ctx context.Context, txnID, what string) error {
			return gateway.Apply(ctx, txnID, sandbox.ChargeEvent(what))
		},
	}
	for _, h := range sandbox.ChargeEvents {
		provider.Events = append(provider.Events, dev.ChargeEvent{What: string(h.What), Label: h.Label, Note: h.Note})
	}
	return provider
}
