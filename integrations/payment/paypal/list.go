package paypal

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"strconv"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

const (
	pageOfList = 500 // PayPal's maximum
	mostPages  = 100 // PayPal returns at most 10,000 rows per search
)

// row is an account transaction: https://developer.paypal.com/docs/transaction-search. It appears up to three hours after it
// happened.
type row struct {
	ID            string `json:"transaction_id"`
	Code          string `json:"transaction_event_code"` // T0006, …: the kind of movement
	Reference     string `json:"paypal_reference_id"`
	ReferenceType string `json:"paypal_reference_id_type"`
	CustomID      string `json:"custom_field"`
}

// captureID returns the capture that a row pays, refunds or holds; "" for other rows and other shops of the account.
func (r row) captureID() string {
	switch {
	case r.CustomID != "" && !admission.IsID(r.CustomID):
		return ""
	case strings.HasPrefix(r.Code, "T00"):
		return r.ID
	case (strings.HasPrefix(r.Code, "T11") || strings.HasPrefix(r.Code, "T12")) && r.ReferenceType == "TXN":
		return r.Reference
	}
	return ""
}

// List yields charges that were paid, refunded or disputed in the 24 hours from day on.
func (g *Gateway) List(ctx context.Context, day time.Time) iter.Seq2[method.Movement, error] {
	return func(yield func(method.Movement, error) bool) {
		if err := g.list(ctx, day, func(m method.Movement) bool { return yield(m, nil) }); err != nil {
			yield(method.Movement{}, fmt.Errorf("paypal: list: %w", err))
		}
	}
}

func (g *Gateway) list(ctx context.Context, day time.Time, yield func(method.Movement) bool) error {
	asked := map[string]bool{}
	for r, err := range g.rows(ctx, day, day.Add(24*time.Hour-time.Second)) { // both inclusive
		if err != nil {
			return err
		}
		id := r.captureID()
		if id == "" || asked[id] {
			continue
		}
		asked[id] = true
		if goOn, err := g.listCharge(ctx, id, yield); err != nil || !goOn {
			return err
		}
	}
	return nil
}

// listCharge yields a charge's current state.
func (g *Gateway) listCharge(ctx context.Context, captureID string, yield func(method.Movement) bool) (goOn bool, err error) {
	c, err := g.findCapture(ctx, captureID)
	if errors.Is(err, method.ErrNoCharge) || err == nil && !admission.IsID(c.CustomID) { // no capture, or another shop's
		return true, nil
	}
	if err != nil {
		return false, err
	}
	there, err := g.orderOfCapture(ctx, c)
	if err != nil {
		return false, err
	}
	charges, err := g.charges(ctx, there)
	if err != nil {
		return false, err
	}
	for _, charge := range charges {
		if charge.PaymentID == captureID && !yield(method.Movement{TxnID: c.CustomID, Ref: there.ID, Charge: charge}) {
			return false, nil
		}
	}
	return true, nil
}

// rows yields the account's transactions between two moments, up to now.
func (g *Gateway) rows(ctx context.Context, from, to time.Time) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		if now := g.Clock(); to.After(now) {
			to = now
		}
		for page := 1; from.Before(to); page++ {
			var answer struct {
				Pages   int `json:"total_pages"`
				Details []struct {
					Info row `json:"transaction_info"`
				} `json:"transaction_details"`
			}
			query := url.Values{
				"start_date": {from.UTC().Format(time.RFC3339)}, "end_date": {to.UTC().Format(time.RFC3339)}, "fields": {"transaction_info"},
				"balance_affecting_records_only": {"N"}, "page_size": {strconv.Itoa(pageOfList)}, "page": {strconv.Itoa(page)},
			}
			err := g.get(ctx, "/v1/reporting/transactions?"+query.Encode(), &answer)
			if err == nil && answer.Pages > mostPages {
				err = fmt.Errorf("%w: the list does not end", method.ErrUnknown)
			}
			if err != nil {
				yield(row{}, err)
				return
			}
			for _, d := range answer.Details {
				if !yield(d.Info, nil) {
					return
				}
			}
			if page >= answer.Pages {
				return
			}
		}
	}
}

// search finds an attempt's order among the captures made during the attempt.
func (g *Gateway) search(ctx context.Context, in method.Intent) (order, error) {
	for r, err := range g.rows(ctx, in.Expires.Add(-time.Hour), in.Expires.Add(time.Hour)) {
		if err != nil {
			return order{}, err
		}
		if r.CustomID != in.TxnID || !strings.HasPrefix(r.Code, "T00") {
			continue
		}
		c, err := g.findCapture(ctx, r.ID)
		if err != nil {
			return order{}, err
		}
		return g.orderOfCapture(ctx, c)
	}
	return order{}, method.ErrNoCharge
}
