package payu

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

// row is a transaction of a list.
type row struct {
	Ref    text   `json:"txnid"`
	TxnID  text   `json:"udf1"`
	Status string `json:"status"` // SUCCESS in get_transaction_info, captured in get_Transaction_Details
}

// List yields the current charges of transactions begun in the 24 hours from day on. PayU lists transactions by their
// beginning: a later refund is found when that day is listed again.
func (g *Gateway) List(ctx context.Context, day time.Time) iter.Seq2[method.Movement, error] {
	return func(yield func(method.Movement, error) bool) {
		if err := g.list(ctx, day, func(m method.Movement) bool { return yield(m, nil) }); err != nil {
			yield(method.Movement{}, fmt.Errorf("payu: list: %w", err))
		}
	}
}

func (g *Gateway) list(ctx context.Context, day time.Time, yield func(method.Movement) bool) error {
	first, last := day.In(admission.IST), day.Add(24*time.Hour-time.Second).In(admission.IST) // both inclusive
	answer, err := g.command(ctx, "get_transaction_info", first.Format(time.DateTime), last.Format(time.DateTime))
	if err != nil {
		return err
	}
	var rows []row
	if err := read(answer.Details, &rows); err != nil {
		return err
	}
	if !answer.ok() {
		return fmt.Errorf("%w: no list", method.ErrUnknown)
	}
	seen := map[text]bool{}
	for _, r := range rows {
		ours := admission.IsID(string(r.TxnID)) // else another shop of the account
		if succeeded := strings.EqualFold(r.Status, "success") || strings.EqualFold(r.Status, "captured"); !ours || !succeeded || seen[r.Ref] {
			continue
		}
		seen[r.Ref] = true
		there, err := g.find(ctx, string(r.Ref))
		if errors.Is(err, method.ErrNoCharge) {
			err = fmt.Errorf("%w: listed transaction not found", method.ErrUnknown)
		}
		if err != nil {
			return err
		}
		if !there.taken() {
			continue
		}
		status, err := g.status(ctx, method.Intent{}, there)
		if err != nil {
			return err
		}
		if !yield(method.Movement{TxnID: status.TxnID, Ref: status.Ref, Charge: status.Charges[0]}) {
			return nil
		}
	}
	return nil
}
