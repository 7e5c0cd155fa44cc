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

// otherPaymentWords point from an attempt to another one that has paid.
type otherPaymentWords struct{ arrived, see string }

var (
	enrolmentPaidElsewhere   = otherPaymentWords{"You are enrolled: another payment of yours went through.", "Your ticket"}
	applicationPaidElsewhere = otherPaymentWords{"Your application is paid: another payment of yours went through.", "Your payment"}
)

// paidBy returns the link to the attempt that paid a registration, for its owner.
func (w otherPaymentWords) paidBy(r enrol.Registration) components.Link {
	return components.Link{Text: w.see, Href: paymentPathOf(&r, r.PaidTxnID, true)}
}

// otherAttempt links a failed attempt to another one of its registration that has paid or is open, so that the payer starts no
// third.
func (h handlers) otherAttempt(ctx context.Context, v admission.Visitor, p payment.Details, view *resultView, words otherPaymentWords) error {
	look, r := &view.Look, p.Registration
	if r.Paid() {
		look.Title, look.First, look.Then, look.Money, look.Step, look.StepText = "This payment did not go through", words.arrived, "", "Not paid", components.StepDone, "by another payment"
		view.OtherAttempt = words.paidBy(r)
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
		look.First, look.Then, look.Money, look.Step, look.StepText = "Another payment of yours is being checked.", noActionNeeded, underReview.Money, underReview.Step, underReview.StepText
		view.OtherAttempt = components.Link{Text: "Your payment", Href: paymentPathOf(&r, open.ID, true)}
	case status.MoneyOpen:
		words := h.Content.Current().Status(string(r.Product()), string(status.PaymentOpen)).Pay
		look.First, look.Then, look.Step, look.StepText = "Another payment of yours is still open.", words.Text, components.StepWaiting, words.Step
		view.OtherAttempt = components.Link{Text: words.Button, Href: web.CheckoutPath(open.ID)}
	}
	return nil
}
