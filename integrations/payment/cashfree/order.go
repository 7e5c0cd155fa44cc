package cashfree

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

// id is a Cashfree id: a number in old versions and some webhooks, else a string.
type id string

// UnmarshalJSON accepts numbers, strings and null.
func (i *id) UnmarshalJSON(raw []byte) error {
	raw = bytes.TrimSpace(raw)
	if bytes.Equal(raw, []byte("null")) {
		return nil
	}
	if len(raw) > 0 && raw[0] == '"' {
		return json.Unmarshal(raw, (*string)(i))
	}
	var number json.Number
	if err := json.Unmarshal(raw, &number); err != nil {
		return err
	}
	*i = id(number)
	return nil
}

// rupees formats paise as a JSON number with two decimals.
func rupees(minor int64) json.Number {
	return json.Number(call.Decimal(minor))
}

// order is a Cashfree order.
type order struct {
	ID       string      `json:"order_id"`
	Amount   call.Digits `json:"order_amount"`
	Currency string      `json:"order_currency"`
	Status   string      `json:"order_status"` // ACTIVE, PAID, EXPIRED, TERMINATED, TERMINATION_REQUESTED
	Session  string      `json:"payment_session_id"`
}

// try is a Cashfree payment: one attempt to pay an order.
type try struct {
	ID          id          `json:"cf_payment_id"`
	OrderID     string      `json:"order_id"`
	Amount      call.Digits `json:"payment_amount"`
	Currency    string      `json:"payment_currency"`
	Status      string      `json:"payment_status"` // SUCCESS, NOT_ATTEMPTED, FAILED, USER_DROPPED, VOID, CANCELLED, PENDING
	Captured    bool        `json:"is_captured"`
	StartedAt   string      `json:"payment_time"`
	CompletedAt string      `json:"payment_completion_time"`
	Group       string      `json:"payment_group"`
	Reference   id          `json:"bank_reference"`
}

var meansByGroup = map[string]string{
	"bank_transfer": method.BankTransfer, "cardless_emi": method.EMI, "credit_card": method.CreditCard, "credit_card_emi": method.EMI, "debit_card": method.DebitCard,
	"debit_card_emi": method.EMI, "net_banking": method.NetBanking, "pay_later": method.PayLater, "paylater": method.PayLater, "prepaid_card": method.Card,
	"upi": method.UPI, "wallet": method.Wallet,
}

func (t try) taken() bool { return t.Status == "SUCCESS" && t.Captured }

// authorised reports whether the bank has reserved this amount and it is not captured yet.
func (t try) authorised(sum admission.Money) bool {
	kept, err := t.Amount.In(t.Currency)
	return err == nil && t.Status == "SUCCESS" && !t.Captured && kept == sum
}

// failed reports whether a try has failed, as far as known: the bank may still report it as paid.
func (t try) failed() bool {
	return slices.Contains([]string{"FAILED", "USER_DROPPED", "CANCELLED", "VOID"}, t.Status)
}

func (t try) at() time.Time {
	at, err := time.Parse(time.RFC3339, cmp.Or(t.CompletedAt, t.StartedAt))
	if err != nil {
		return time.Time{}
	}
	return at
}

// triesOf returns the payments of an order, oldest first.
func (g *Gateway) triesOf(ctx context.Context, orderID string) (tries []try, err error) {
	if err := g.get(ctx, orderPath(orderID)+"/payments", &tries); err != nil {
		return nil, err
	}
	for _, t := range tries {
		if t.OrderID != orderID || t.ID == "" {
			return nil, fmt.Errorf("%w: response has a payment of another order", method.ErrUnknown)
		}
	}
	slices.SortStableFunc(tries, func(a, b try) int { return a.at().Compare(b.at()) })
	return tries, nil
}

// status returns the status of an order and its payments. An ended order has failed only if nobody tried to pay it: the bank may
// still report a failed or dropped try as paid.
func (g *Gateway) status(ctx context.Context, there order, tries []try) (method.Status, error) {
	s := method.Status{TxnID: there.ID, Ref: there.ID, Raw: there.Status, State: method.ChargePending}
	untried := true
	for _, t := range tries {
		if t.Status == "NOT_ATTEMPTED" {
			continue
		}
		untried, s.AttemptFailed, s.AtBank = false, t.failed(), t.Status == "PENDING" // of the latest try
	}
	var err error
	if s.Charges, err = g.charges(ctx, there.ID, tries); err != nil {
		return method.Status{}, err
	}
	switch {
	case slices.ContainsFunc(s.Charges, func(c method.Charge) bool { return c.State == method.ChargePaid }):
		s.State, s.AttemptFailed, s.AtBank = method.ChargePaid, false, false
	case len(s.Charges) > 0:
		s.State, s.AttemptFailed, s.AtBank = method.ChargeRefunded, false, false
	case untried && (there.Status == "EXPIRED" || there.Status == "TERMINATED"):
		s.State = method.ChargeFailed
	}
	return s, nil
}

// charges returns an order's captured payments with what was returned. The amount is what the payer paid: after an offer of our
// Cashfree account it is less than the order's, and a person decides.
func (g *Gateway) charges(ctx context.Context, orderID string, tries []try) (charges []method.Charge, err error) {
	for _, t := range tries {
		if !t.taken() {
			continue
		}
		sum, err := t.Amount.In(t.Currency)
		if err != nil {
			return nil, err
		}
		charges = append(charges, method.Charge{
			PaymentID: string(t.ID), State: method.ChargePaid, Amount: sum, Refunded: admission.Money{Currency: sum.Currency}, At: t.at(),
			Means: method.MeansOf(meansByGroup[strings.ToLower(t.Group)], string(t.Reference)),
		})
	}
	if len(charges) == 0 {
		return nil, nil
	}
	if err := g.addRefunds(ctx, orderID, charges); err != nil {
		return nil, err
	}
	if err := g.addDisputes(ctx, orderID, charges); err != nil {
		return nil, err
	}
	for i, c := range charges {
		if c.Refunded.Minor >= c.Amount.Minor {
			charges[i].State = method.ChargeRefunded
		}
	}
	return charges, nil
}

// back adds a returned amount to its charge, and returns the charge.
func back(charges []method.Charge, paymentID id, sum admission.Money) (*method.Charge, error) {
	i := slices.IndexFunc(charges, func(c method.Charge) bool { return c.PaymentID == string(paymentID) })
	if i < 0 || charges[i].Amount.Currency != sum.Currency {
		return nil, fmt.Errorf("%w: refund of another payment", method.ErrUnknown)
	}
	charges[i].Refunded.Minor += sum.Minor
	return &charges[i], nil
}

// addRefunds adds finished refunds.
func (g *Gateway) addRefunds(ctx context.Context, orderID string, charges []method.Charge) error {
	var refunds []refund
	if err := g.get(ctx, orderPath(orderID)+"/refunds", &refunds); err != nil && !errors.Is(err, method.ErrNoCharge) {
		return err
	}
	for _, r := range refunds {
		if r.Status != "SUCCESS" {
			continue
		}
		sum, err := r.Amount.In(r.Currency)
		if err != nil {
			return err
		}
		if r.OrderID != orderID {
			return fmt.Errorf("%w: response has a refund of another order", method.ErrUnknown)
		}
		if _, err := back(charges, r.PaymentID, sum); err != nil {
			return err
		}
	}
	return nil
}

// dispute is a payer's dispute at the bank.
type dispute struct {
	Amount call.Digits `json:"dispute_amount"`
	Status string      `json:"dispute_status"` // stage and state: CHARGEBACK_CREATED, PRE_ARBITRATION_MERCHANT_LOST, …
	Order  struct {
		PaymentID id     `json:"cf_payment_id"`
		Currency  string `json:"payment_currency"`
	} `json:"order_details"`
}

// addDisputes marks charges with an open dispute and adds lost amounts. A retrieval only requests documents and moves no money.
func (g *Gateway) addDisputes(ctx context.Context, orderID string, charges []method.Charge) error {
	var disputes []dispute
	if err := g.get(ctx, orderPath(orderID)+"/disputes", &disputes); err != nil && !errors.Is(err, method.ErrNoCharge) {
		return err
	}
	for _, d := range disputes {
		switch stands := strings.HasSuffix; {
		case stands(d.Status, "_MERCHANT_WON"):
			continue
		case stands(d.Status, "_MERCHANT_LOST"), stands(d.Status, "_MERCHANT_ACCEPTED"):
			if strings.HasPrefix(d.Status, "RETRIEVAL_") {
				continue
			}
			sum, err := d.Amount.In(d.Order.Currency)
			if err != nil {
				return err
			}
			of, err := back(charges, d.Order.PaymentID, sum)
			if err != nil {
				return err
			}
			of.LostMinor += sum.Minor
		default:
			i := slices.IndexFunc(charges, func(c method.Charge) bool { return c.PaymentID == string(d.Order.PaymentID) })
			if i < 0 {
				return fmt.Errorf("%w: dispute of another payment", method.ErrUnknown)
			}
			charges[i].Disputed = true
		}
	}
	return nil
}
