package razorpay

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

const (
	pageOfList = 100  // Razorpay's maximum
	mostPages  = 1000 // stops a list that never ends
	noteOfTxn  = "txn"
)

// collection is a page of a list.
type collection[T any] struct {
	Items []T `json:"items"`
}

// each yields the items of a paginated list.
func each[T any](ctx context.Context, g *Gateway, path string, query url.Values) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		query := maps.Clone(query)
		query.Set("count", strconv.Itoa(pageOfList))
		for page := range mostPages {
			query.Set("skip", strconv.Itoa(page*pageOfList))
			var data collection[T]
			if err := g.get(ctx, path, query, &data); err != nil {
				yield(none, err)
				return
			}
			for _, item := range data.Items {
				if !yield(item, nil) {
					return
				}
			}
			if len(data.Items) < pageOfList {
				return
			}
		}
		yield(none, fmt.Errorf("%w: the list does not end", method.ErrUnknown))
	}
}

// sum returns an amount, or ErrUnknown for an invalid one.
func sum(minor int64, currency string) (admission.Money, error) {
	if minor <= 0 || len(currency) != 3 {
		return admission.Money{}, fmt.Errorf("%w: invalid amount", method.ErrUnknown)
	}
	return admission.Money{Minor: minor, Currency: currency}, nil
}

// order is a Razorpay order.
type order struct {
	ID       string `json:"id"`
	Receipt  string `json:"receipt"`
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
	Status   string `json:"status"` // created, attempted, paid
}

// try is a Razorpay payment: one attempt to pay an order.
type try struct {
	ID        string `json:"id"`
	OrderID   string `json:"order_id"`
	Amount    int64  `json:"amount"`
	Currency  string `json:"currency"`
	Status    string `json:"status"` // created, authorized, captured, refunded, failed
	Captured  bool   `json:"captured"`
	Back      int64  `json:"amount_refunded"` // includes pending refunds
	CreatedAt int64  `json:"created_at"`
	Method    string `json:"method"`

	Acquirer json.RawMessage `json:"acquirer_data"` // an object, or an empty list
}

var meansByMethod = map[string]string{
	"card": method.Card, "cardless_emi": method.EMI, "emi": method.EMI, "netbanking": method.NetBanking, "paylater": method.PayLater,
	"upi": method.UPI, "wallet": method.Wallet,
}

// taken reports whether the payment was captured, even if it was refunded since. An authorised payment that is never captured
// becomes "refunded" without having been captured.
func (t try) taken() bool {
	return t.Captured && (t.Status == "captured" || t.Status == "refunded")
}

// bankReference returns the payer's bank's number for the payment; "" if unknown.
func (t try) bankReference() string {
	var data struct {
		RRN    string `json:"rrn"`
		BankID string `json:"bank_transaction_id"`
	}
	if json.Unmarshal(t.Acquirer, &data) != nil { // optional data
		return ""
	}
	return cmp.Or(data.RRN, data.BankID)
}

// authorised reports whether the bank has reserved this amount and it is not captured yet.
func (t try) authorised(asked admission.Money) bool {
	return t.Status == "authorized" && !t.Captured && t.Amount == asked.Minor && t.Currency == asked.Currency
}

// triesOf returns the payments of an order, oldest first.
func (g *Gateway) triesOf(ctx context.Context, orderID string) ([]try, error) {
	var there collection[try]
	if err := g.get(ctx, "/orders/"+url.PathEscape(orderID)+"/payments", nil, &there); err != nil {
		return nil, err
	}
	for _, t := range there.Items {
		if t.OrderID != orderID || t.ID == "" {
			return nil, fmt.Errorf("%w: response has a payment of another order", method.ErrUnknown)
		}
	}
	slices.SortStableFunc(there.Items, func(a, b try) int { return cmp.Compare(a.CreatedAt, b.CreatedAt) })
	return there.Items, nil
}

// status returns the status of an order and its payments. An order never fails: it stays payable, and a failed payment may be
// authorised days later. For a wanted payment it skips the query for disputes, to save time: nobody disputes so early.
func (g *Gateway) status(ctx context.Context, there order, tries []try, wanted bool) (method.Status, error) {
	s := method.Status{TxnID: there.Receipt, Ref: there.ID, Raw: there.Status, State: method.ChargePending}
	var disputes map[string][]dispute
	for _, t := range tries {
		s.AttemptFailed = t.Status == "failed" || t.Status == "refunded" // of the latest try
		s.AtBank = t.Status == "created"
		if !t.taken() {
			continue
		}
		if disputes == nil && !wanted { // tries are sorted by time
			var err error
			if disputes, err = g.disputesSince(ctx, t.CreatedAt); err != nil {
				return method.Status{}, err
			}
		}
		charge, err := g.charge(ctx, t, disputes)
		if err != nil {
			return method.Status{}, err
		}
		s.Charges = append(s.Charges, charge)
	}
	switch {
	case slices.ContainsFunc(s.Charges, func(c method.Charge) bool { return c.State == method.ChargePaid }):
		s.State, s.AttemptFailed, s.AtBank = method.ChargePaid, false, false
	case len(s.Charges) > 0:
		s.State, s.AttemptFailed, s.AtBank = method.ChargeRefunded, false, false
	}
	return s, nil
}

// charge returns a captured payment with what was returned: processed refunds and lost disputes.
func (g *Gateway) charge(ctx context.Context, t try, disputes map[string][]dispute) (method.Charge, error) {
	taken, err := sum(t.Amount, t.Currency)
	if err != nil {
		return method.Charge{}, err
	}
	c := method.Charge{PaymentID: t.ID, State: method.ChargePaid, Amount: taken, Refunded: admission.Money{Currency: taken.Currency}, At: time.Unix(t.CreatedAt, 0)}
	c.Means = method.MeansOf(meansByMethod[t.Method], t.bankReference())
	if t.Back > 0 {
		for r, err := range g.refundsOf(ctx, t) {
			if err != nil {
				return method.Charge{}, err
			}
			if r.Status == refundProcessed {
				c.Refunded.Minor += r.Amount
			}
		}
	}
	for _, d := range disputes[t.ID] {
		switch d.Status {
		case "won", "closed":
		case "lost":
			if d.Currency != taken.Currency || d.Deducted < 0 {
				return method.Charge{}, fmt.Errorf("%w: dispute in another currency", method.ErrUnknown)
			}
			c.Refunded.Minor += d.Deducted
			c.LostMinor += d.Deducted
		default:
			c.Disputed = true
		}
	}
	if c.Refunded.Minor >= c.Amount.Minor {
		c.State = method.ChargeRefunded
	}
	return c, nil
}

// dispute is a payer's dispute at the bank.
type dispute struct {
	ID        string `json:"id"`
	PaymentID string `json:"payment_id"`
	Currency  string `json:"currency"`
	Deducted  int64  `json:"amount_deducted"` // 0 until it is lost, or if only documents were requested
	Status    string `json:"status"`          // open, under_review, won, lost, closed
	CreatedAt int64  `json:"created_at"`
}

// disputesSince returns the disputes opened since a Unix time, by payment id. The API has no query by payment.
func (g *Gateway) disputesSince(ctx context.Context, since int64) (map[string][]dispute, error) {
	opened := map[string][]dispute{}
	query := url.Values{"from": {strconv.FormatInt(since, 10)}, "to": {strconv.FormatInt(max(since, g.Clock().Unix()+3600), 10)}} // an hour for clock differences; since may be in the future
	for d, err := range each[dispute](ctx, g, "/disputes", query) {
		if err != nil {
			return nil, err
		}
		opened[d.PaymentID] = append(opened[d.PaymentID], d)
	}
	return opened, nil
}
