package checkout

import (
	"context"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/web"
)

// besideWords say of what was to be paid that another attempt has paid it, and what leads to that one.
type besideWords struct{ arrived, see string }

var (
	enrolmentBeside   = besideWords{"You are enrolled: another payment of yours has arrived.", "Your ticket"}
	applicationBeside = besideWords{"Your application is paid: another payment of yours has arrived.", "Your payment"}
)

// paidBy leads to the attempt that has paid a registration, for its owner.
func (w besideWords) paidBy(r enrol.Registration) components.Link {
	return components.Link{Text: w.see, Href: paymentPathOf(&r, r.PaidTxnID, true)}
}

// beside leads its payer from an attempt that has failed to another one of the same registration, which has paid or is open:
// then none begins beside that.
func (h handlers) beside(ctx context.Context, v admission.Visitor, p payment.Details, view *resultView, words besideWords) error {
	look, r := &view.Look, p.Registration
	if r.Paid() {
		look.Title, look.First, look.Money, look.Knot, look.Knows = "This payment did not go through", words.arrived, "Not paid", components.KnotDone, "by another payment"
		view.Beside = words.paidBy(r)
		return nil
	}
	due, err := h.Payment.Due(ctx, v, r.ID)
	if err != nil {
		return err
	}
	open := due.Open
	if open == nil || open.ID == p.Transaction.ID {
		return nil
	}
	switch status.MoneyOf(open, h.Clock()) {
	case status.MoneyReview:
		look.First, look.Then, look.Money, look.Knot, look.Knows = "Another payment of yours is being checked.", nothingToDo, isChecked.Money, isChecked.Knot, isChecked.Knows
		view.Beside = components.Link{Text: "Your payment", Href: paymentPathOf(&r, open.ID, true)}
	case status.MoneyOpen:
		words := h.Content.Current().Status(string(r.Product()), string(status.PaymentOpen)).Pay
		look.First, look.Then, look.Knot, look.Knows = "Another payment of yours is still open.", words.Text, components.KnotWaiting, words.Step
		view.Beside = components.Link{Text: words.Button, Href: web.CheckoutPath(open.ID)}
	}
	return nil
}
