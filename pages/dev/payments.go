package dev

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/components"
	"hiresure/web"
)

// PaymentsPath is the page that changes a payment at the provider of play money.
const PaymentsPath = "/dev/payments"

func paymentPath(txnID string) string { return PaymentsPath + "/" + txnID }

// Provider controls the provider of play money: its staff, the payers' banks and the network.
type Provider struct {
	Charges func(ctx context.Context) ([]Charge, error) // of the last days, newest first
	Events  []ChargeEvent
	// Apply applies an event to an attempt's charge; method.ErrDeclined if it cannot.
	Apply func(ctx context.Context, txnID, what string) error
}

// Charge is a charge at the provider.
type Charge struct {
	TxnID            string
	Amount, Refunded admission.Money
	Disputed         bool
	At               time.Time
}

// ChargeEvent is an action on a charge.
type ChargeEvent struct {
	What, Label string
	Note        string // consequence
}

// summary describes the state of a charge.
func (c Charge) summary() string {
	text := c.Amount.String() + " charged"
	if c.Refunded.Minor > 0 {
		text += ", " + c.Refunded.String() + " refunded"
	}
	if c.Disputed {
		text += ", disputed"
	}
	return text
}

func (c Charge) when() string { return admission.Moment(c.At) }

// paymentView is an attempt in our records and the provider's.
type paymentView struct {
	Txn     string
	Facts   []components.Fact
	Charged bool   // otherwise nothing can happen
	Done    string // the last action
	Refusal string
	Events  []ChargeEvent
}

func (n Config) paymentsPage(c *echo.Context) error {
	charges, err := n.Provider.Charges(c.Request().Context())
	if err != nil {
		return err
	}
	seen := map[string]bool{} // an order that was charged twice is one payment
	charges = slices.DeleteFunc(slices.Clone(charges), func(c Charge) bool {
		again := seen[c.TxnID]
		seen[c.TxnID] = true
		return again
	})
	return n.Kit.Show(c, http.StatusOK, payments(n.Kit.Frame(), charges))
}

func (n Config) paymentPage(c *echo.Context) error {
	done := ""
	for _, h := range n.Provider.Events {
		if h.What == c.QueryParam("done") {
			done = "Done at the provider: " + h.Label + ". Its webhook has come, and our books follow within seconds."
		}
	}
	return n.showPayment(c, http.StatusOK, paymentView{Done: done})
}

// happen runs an action, then redirects to the page, so that a reload repeats nothing.
func (n Config) happen(c *echo.Context) error {
	ctx, txn, what := c.Request().Context(), c.Param("txn"), c.FormValue("what")
	if _, err := n.Kit.Payment.Find(ctx, txn); err != nil {
		return err
	}
	switch err := n.Provider.Apply(ctx, txn, what); {
	case errors.Is(err, method.ErrDeclined), errors.Is(err, method.ErrNoCharge):
		return n.showPayment(c, http.StatusConflict, paymentView{Refusal: "That cannot happen to this payment as it stands."})
	case err != nil:
		return err
	}
	return c.Redirect(http.StatusSeeOther, web.WithQuery(paymentPath(txn), map[string][]string{"done": {what}}))
}

func (n Config) showPayment(c *echo.Context, status int, view paymentView) error {
	ctx := c.Request().Context()
	found, err := n.Kit.Payment.Find(ctx, c.Param("txn"))
	if err != nil {
		return err
	}
	charges, err := n.Provider.Charges(ctx)
	if err != nil {
		return err
	}
	t := found.Transaction
	view.Txn, view.Events = t.ID, n.Provider.Events
	view.Facts = []components.Fact{
		{Name: "Payment ID", Value: t.ID}, {Name: "Name", Value: found.Registration.FullName},
		{Name: "Our books", Value: string(t.State) + ", " + t.Charge.With(t.RefundedMinor).String() + " refunded of " + t.Charge.String()},
	}
	for _, charge := range charges {
		if charge.TxnID == t.ID {
			view.Charged = true
			view.Facts = append(view.Facts, components.Fact{Name: "Its provider", Value: charge.summary()})
		}
	}
	return n.Kit.Show(c, status, onePayment(n.Kit.Frame(), view))
}
