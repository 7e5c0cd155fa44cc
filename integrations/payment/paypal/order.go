package paypal

import (
	"context"
	"fmt"
	"net/url"
	"path"
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

// money is an amount as PayPal writes it: "18.00".
type money struct {
	Currency string `json:"currency_code"`
	Value    string `json:"value"`
}

// in returns the exact amount.
func (m money) in() (admission.Money, error) { return call.Digits(m.Value).In(m.Currency) }

// order is a PayPal order.
type order struct {
	ID     string `json:"id"`
	Intent string `json:"intent"`
	Status string `json:"status"` // CREATED, SAVED, APPROVED, VOIDED, COMPLETED, PAYER_ACTION_REQUIRED
	Units  []unit `json:"purchase_units"`
}

// unit is a purchase unit. Our orders have one.
type unit struct {
	CustomID string `json:"custom_id"` // our TxnID
	Amount   money  `json:"amount"`
	Payments struct {
		Captures []capture `json:"captures"`
		Refunds  []refund  `json:"refunds"`
	} `json:"payments"`
}

// amount returns the unit's price; zero if it is invalid.
func (u unit) amount() admission.Money {
	sum, _ := u.Amount.in()
	return sum
}

func (o order) unit() (unit, error) {
	if len(o.Units) != 1 {
		return unit{}, fmt.Errorf("%w: order has %d purchase units", method.ErrUnknown, len(o.Units))
	}
	return o.Units[0], nil
}

// approved reports whether the payer approved exactly this amount for this attempt and it is not captured yet.
func (o order) approved(txnID string, sum admission.Money) bool {
	u, err := o.unit()
	return err == nil && o.Status == "APPROVED" && o.Intent == "CAPTURE" && u.CustomID == txnID && u.amount() == sum && len(u.Payments.Captures) == 0
}

// capture is a captured payment. custom_id and order are set only if it was fetched by itself.
type capture struct {
	ID        string `json:"id"`
	Status    string `json:"status"` // COMPLETED, DECLINED, PARTIALLY_REFUNDED, PENDING, REFUNDED, FAILED
	Amount    money  `json:"amount"`
	CustomID  string `json:"custom_id"`
	CreatedAt string `json:"create_time"`
	Related   struct {
		IDs struct {
			OrderID string `json:"order_id"`
		} `json:"related_ids"`
	} `json:"supplementary_data"`
}

// taken reports whether the money arrived, even if it was refunded since.
func (c capture) taken() bool {
	return slices.Contains([]string{"COMPLETED", "PARTIALLY_REFUNDED", "REFUNDED"}, c.Status)
}

func (c capture) refused() bool { return c.Status == "DECLINED" || c.Status == "FAILED" }

// status returns an order's status. A pending capture (an e-cheque, or a review by PayPal) is neither paid nor final.
func (g *Gateway) status(ctx context.Context, there order) (method.Status, error) {
	u, err := there.unit()
	if err != nil {
		return method.Status{}, err
	}
	s := method.Status{TxnID: u.CustomID, Ref: there.ID, Raw: there.Status, State: method.ChargePending}
	if s.Charges, err = g.charges(ctx, there); err != nil {
		return method.Status{}, err
	}
	captures := u.Payments.Captures
	waits := slices.ContainsFunc(captures, func(c capture) bool { return !c.taken() && !c.refused() })
	switch {
	case slices.ContainsFunc(s.Charges, func(c method.Charge) bool { return c.State == method.ChargePaid }):
		s.State = method.ChargePaid
	case len(s.Charges) > 0 && !waits:
		s.State = method.ChargeRefunded
	case there.Status == "VOIDED", there.Status == "COMPLETED" && len(captures) > 0 && !waits:
		s.State = method.ChargeFailed // a completed order allows no further capture
	}
	s.AtBank = s.State == method.ChargePending && waits
	return s, nil
}

// charges returns an order's captures with what was returned and whether they are disputed.
func (g *Gateway) charges(ctx context.Context, there order) (charges []method.Charge, err error) {
	u, err := there.unit()
	if err != nil {
		return nil, err
	}
	whole := map[string]bool{} // captures that PayPal marks as fully refunded
	for _, c := range u.Payments.Captures {
		if !c.taken() {
			continue
		}
		sum, err := c.Amount.in()
		if err != nil {
			return nil, err
		}
		if c.ID == "" || there.Status != "COMPLETED" {
			return nil, fmt.Errorf("%w: capture of an order that is not completed", method.ErrUnknown)
		}
		at, err := time.Parse(time.RFC3339, c.CreatedAt)
		if err != nil { // the time decides which of two charges belongs to the attempt
			return nil, fmt.Errorf("%w: no time", method.ErrUnknown)
		}
		charges = append(charges, method.Charge{PaymentID: c.ID, State: method.ChargePaid, Amount: sum, Refunded: admission.Money{Currency: sum.Currency}, At: at, Means: method.Means{Name: "PayPal"}})
		whole[c.ID] = c.Status == "REFUNDED"
	}
	for _, r := range u.Payments.Refunds {
		if err := r.count(charges, whole); err != nil {
			return nil, err
		}
	}
	for i, c := range charges {
		if whole[c.PaymentID] { // for instance by PayPal or a bank, when the order lists no refund
			charges[i].Refunded = c.Amount
		}
		if charges[i].Refunded.Minor >= c.Amount.Minor {
			charges[i].State = method.ChargeRefunded
		}
		if err := g.addDisputes(ctx, &charges[i]); err != nil {
			return nil, err
		}
	}
	return charges, nil
}

// count adds a finished refund to its charge. A pending one does not count, even if PayPal's status includes it.
func (r refund) count(charges []method.Charge, whole map[string]bool) error {
	if r.Status != "COMPLETED" && r.Status != "PENDING" {
		return nil
	}
	of := r.captureID()
	if of == "" && len(charges) == 1 {
		of = charges[0].PaymentID
	}
	i := slices.IndexFunc(charges, func(c method.Charge) bool { return c.PaymentID == of })
	sum, err := r.Amount.in()
	if err != nil || i < 0 || charges[i].Amount.Currency != sum.Currency {
		return fmt.Errorf("%w: refund of another payment", method.ErrUnknown)
	}
	if r.Status == "PENDING" {
		whole[of] = false
		return nil
	}
	charges[i].Refunded.Minor += sum.Minor
	return nil
}

// addDisputes marks a charge with an open dispute, and says what lost ones took of the refunds.
func (g *Gateway) addDisputes(ctx context.Context, of *method.Charge) error {
	var answer struct {
		Items []struct {
			ID     string `json:"dispute_id"`
			Status string `json:"status"` // OPEN, WAITING_FOR_BUYER_RESPONSE, …, RESOLVED
		} `json:"items"`
	}
	if err := g.get(ctx, "/v1/customer/disputes?disputed_transaction_id="+url.QueryEscape(of.PaymentID), &answer); err != nil {
		return fmt.Errorf("disputes: %w", err)
	}
	for _, d := range answer.Items {
		if d.Status != "RESOLVED" {
			of.Disputed = true
			continue
		}
		if of.Refunded.Minor == 0 {
			continue
		}
		var told struct {
			Outcome struct {
				Refunded *money `json:"amount_refunded"` // missing if PayPal decided for us
			} `json:"dispute_outcome"`
		}
		if err := g.get(ctx, "/v1/customer/disputes/"+url.PathEscape(d.ID), &told); err != nil {
			return fmt.Errorf("dispute: %w", err)
		}
		if told.Outcome.Refunded == nil {
			continue
		}
		lost, err := told.Outcome.Refunded.in()
		if err != nil || lost.Currency != of.Amount.Currency {
			return fmt.Errorf("%w: dispute in another currency", method.ErrUnknown)
		}
		of.LostMinor = min(of.LostMinor+lost.Minor, of.Refunded.Minor)
	}
	return nil
}

// findCapture returns a capture; ErrNoCharge for an unknown one.
func (g *Gateway) findCapture(ctx context.Context, captureID string) (found capture, err error) {
	if err = g.get(ctx, "/v2/payments/captures/"+url.PathEscape(captureID), &found); err == nil && found.ID != captureID {
		err = fmt.Errorf("%w: response has another capture", method.ErrUnknown)
	}
	return found, err
}

// orderOfCapture returns the order of a capture.
func (g *Gateway) orderOfCapture(ctx context.Context, c capture) (order, error) {
	there, err := g.find(ctx, c.Related.IDs.OrderID)
	if err != nil {
		return order{}, fmt.Errorf("order of a capture: %w", err)
	}
	u, err := there.unit()
	if err == nil && (u.CustomID != c.CustomID || !slices.ContainsFunc(u.Payments.Captures, func(of capture) bool { return of.ID == c.ID })) {
		err = fmt.Errorf("%w: order does not have the capture", method.ErrUnknown)
	}
	return there, err
}

// link is a link in a PayPal response.
type link struct {
	Href string `json:"href"`
	Rel  string `json:"rel"`
}

// up returns the id of a resource's parent; "" if unknown.
func up(links []link) string {
	for _, l := range links {
		if l.Rel == "up" {
			return path.Base(l.Href)
		}
	}
	return ""
}
