package checkout

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/pages"
	"hiresure/web"
)

type feeResultView struct {
	resultView
	Mailed    string // what was sent to Email
	Next      string // next page of a paid application; "" for none
	Stage     string // "Step 5 of 6: waiting for the bank"
	Receipt   string // address, if paid
	Refunded  bool   // the fee was refunded, which ended the application
	Sent      bool   // we sent the refund: no bank took it in a dispute
	Documents []components.DocumentNeeded
}

// feeResult shows the result of an attempt to pay the visitor's application; others are unknown.
func (h handlers) feeResult(c *echo.Context, id string) error {
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	p, err := h.Payment.Find(c.Request().Context(), id)
	if admission.HasKind(err, admission.NotFound) {
		return h.unknownPayment(c)
	}
	if err != nil {
		return err
	}
	owner, err := h.owns(c, v, p.Registration.ID)
	if err != nil {
		return err
	}
	if !owner {
		v.Deny(p.Registration.ID)
		return h.unknownPayment(c)
	}
	if p.Registration.Product() != enrol.ProductApplication {
		return c.Redirect(http.StatusSeeOther, web.PaymentPath(id))
	}
	if p, _, err = h.attempt(c, v, id); err != nil {
		return err
	}
	view, err := h.feeResultOf(c, v, p)
	if err != nil {
		return err
	}
	if r := p.Registration; r.PaidTxnID == id {
		receipt, err := h.Receipts.ReceiptOfVisitor(c.Request().Context(), v, id)
		if err != nil {
			return err
		}
		view.Receipt, view.Notes = web.OwnReceiptPath(id), pages.MoneyNotes(receipt, h.Clock())
		if len(view.Notes) > 0 {
			view.Countdown = 0
		}
		if !r.Refunded {
			return h.Show(c, http.StatusOK, feeResultPage(h.Frame(), view))
		}
		title, back := pages.RefundNotice(receipt, h.Clock())
		view.Look.Title, view.Look.Text, view.Refunded = cmp.Or(title, view.Look.Title), back.Strong+back.Text, true
		view.Sent, view.Pending.Receipt = !receipt.LostInDispute(), view.Receipt
	}
	return h.Show(c, http.StatusOK, feeResultPage(h.Frame(), view))
}

func (h handlers) feeResultOf(c *echo.Context, v admission.Visitor, p payment.Details) (feeResultView, error) {
	t, r := p.Transaction, p.Registration
	view := feeResultView{
		resultView: resultView{
			Txn: t.ID, Here: web.FeePaymentPath(t.ID), Home: web.HomePath, Look: outcomeLooks[t.Outcome()], Support: h.Content.Current().Site().Support,
			Email: r.Email, RegistrationID: r.ID,
		},
	}
	view.Pending = h.ticketOfAttempt(p, h.Taxes(),
		components.Fact{Name: "For", Value: "HireSure application"}, components.Fact{Name: "Phone", Value: pages.Mobile(r.Phone)}, components.Fact{Name: "E-mail", Value: r.Email})
	view.payAgain(p, h.Payment.Gateways.For(p.Event), t.Charge.String())
	look, at := &view.Look, components.PaymentStep
	switch t.Outcome() {
	case payment.OutcomePaid:
		view.paid(p)
		at = view.documentsNext(r)
	case payment.OutcomePending:
		view.setPending(t, h.Clock())
		if view.Poll {
			look.titled("Transaction in pending!")
			look.First, look.Then, look.Text = "Do not pay again. "+look.First, "", look.Text+" You can close this page."
		}
	case payment.OutcomeFailed:
		view.Stage, view.MissingBy = "Step 5 of 6: payment failed", missingBy(t)
		look.First, look.Then = "Only the fee is missing. Your answers are saved.", ""
		if r.Refunded {
			look.First, look.Money = "", "Not paid"
		} else if err := h.otherAttempt(c.Request().Context(), v, p, &view.resultView, applicationPaidElsewhere); err != nil {
			return view, err
		}
		if view.OtherAttempt.Text == "" {
			look.titled("Transaction failed!")
		}
		switch {
		case r.Paid() && !r.Refunded:
			at = view.documentsNext(r)
		case view.OtherAttempt.Text != "":
			view.Stage = "Step 5 of 6: payment " + look.StepText
		}
	}
	if view.Stage == "" {
		view.Stage = "Step 5 of 6: " + look.StepText
	}
	if r.Refunded {
		view.RegistrationID = "" // nothing to try again
	}
	view.Pending.Money = look.Money
	view.Steps = components.ApplicationSteps(at, look.Step, look.StepText)
	return view, nil
}

// documentsNext sets the stage of a paid application and returns its current step.
func (v *feeResultView) documentsNext(r enrol.Registration) (at int) {
	v.Stage = "Step 5 of 6 done"
	v.Look.Step, v.Look.StepText = components.StepCurrent, "is next"
	if r.Step == enrol.StepComplete {
		v.Look.Step, v.Look.StepText = components.StepDone, ""
	}
	return components.UploadStep
}

// titled makes the first sentence of the text the title.
func (l *resultLook) titled(sentence string) {
	l.Title, l.Text = sentence, strings.TrimPrefix(l.Text, sentence+" ")
}

// paid sets the view of a successful payment: the documents follow, unless they are complete.
func (v *feeResultView) paid(p payment.Details) {
	t, r := p.Transaction, p.Registration
	v.Look.Money, v.Pending.Receipt, v.Mailed = "Amount paid", web.OwnReceiptPath(t.ID), "We sent the receipt and tax invoice to"
	if t.Charge.Minor == 0 {
		v.Look.Money, v.Mailed = "Nothing to pay", "We sent the receipt to"
	}
	v.Look.titled("Congratulations! Your registration has been successfully submitted.")
	if !status.Kept(&t) {
		v.Look.Title, v.Look.Text = "Your application is paid", ""
	}
	if r.PaidTxnID != t.ID || r.Step != enrol.StepPaid || r.Refunded {
		return
	}
	v.Look.First, v.Next, v.Countdown = "Last step: three documents.", web.UploadPath, 5
	for _, fact := range document.Kinds {
		v.Documents = append(v.Documents, components.DocumentNeeded{Name: fact.Label, Optional: fact.Required == ""})
	}
}
