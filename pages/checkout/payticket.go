package checkout

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/india"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
)

// payTicketView is the ticket of a payment page: the enrolment, and the panel with the amount.
type payTicketView struct {
	Title, Lede             string
	Fee                     string // "Registration fee"
	Programme, Name, Course string
	Day, Month, Weekday     string // of the exam; "" if the content no longer has the event
	Steps                   components.StepperProps
	Amount                  string // "₹999"
	AmountNote              string // note on the amount: "All taxes included", "Refunded"
	Struck                  string // list price; "" without a discount, or if another currency is charged
	Less                    string // "less ₹500 with MGROW500"; "" without a discount
	Terms                   *terms // nil when nothing can be paid
	Rows                    []payFact
	Failed                  bool   // the last payment failed
	FailedTxn               string // its number; "" for none, or an expired one
	FailedAt                string // when it started
	NotReturned             string // when to ask for missing money
	Returned                string // when the money of a payment that was not accepted should arrive; "" for others
	Checked                 bool   // a person checks a payment
	Paid                    bool   // no payment is open
	Refunded                bool   // the payment was refunded
}

// terms are the conditions shown before a payment.
type terms struct {
	Tuition  []content.Span // what the fee does not cover, see content.Landing.Tuition
	Back     string         // refund on cancellation, in a sentence
	Refund   string         // the same in full
	CancelTo string         // e-mail; "" after the deadline
}

type payFact struct{ Name, Value, More string }

// payTicket returns the ticket of a registration with its price. paid and step are the state of its payment.
func (h handlers) payTicket(r enrol.Registration, event admission.Event, paid components.StepState, step string, list, discount, charge admission.Money, coupon string) payTicketView {
	view := payTicketView{
		Programme: event.Title, Name: r.FullName, Course: enrol.CourseLabel(r.Course),
		Steps: components.EnrolmentSteps(paid, step), Amount: charge.Short(), AmountNote: "All taxes included", Fee: feeNameOf(r),
		Rows: []payFact{h.payeeRow(), {Name: "For", Value: "Registration fee, " + event.Title}, {Name: "Receipt goes to", Value: r.Email}},
	}
	if r.Product() == enrol.ProductApplication {
		view.Steps = components.ApplicationSteps(components.PaymentStep, paid, "")
		view.Rows[1] = payFact{Name: "For", Value: event.Title, More: event.FeeFor}
	}
	if paid == components.StepDone {
		view.Rows[2].Name = "Receipt went to"
	}
	if discount.Minor > 0 {
		view.Less = "with " + coupon
		if charge.Currency == list.Currency {
			view.Struck, view.Less = list.Short(), "less "+discount.Short()+" "+view.Less
		}
	}
	if page, known := h.Content.Current().Landing(event.Slug, h.Clock()); known {
		exam := page.Event.Exam
		view.Day, view.Month, view.Weekday = exam.Parts()
		view.Rows[1].More = "Exam on " + exam.Long()
		view.Terms = &terms{Tuition: page.Tuition(), Back: "No refund any more, but one free move to the next exam.", Refund: h.Refund(page.Event)}
		if until := page.Event.RefundUntil(); !until.Over(h.Clock()) {
			view.Terms.Back = "Full refund if you cancel by " + until.Short() + ", then one free move."
			view.Terms.CancelTo = page.Site.Support.Email
		}
	}
	return view
}

func (h handlers) payeeRow() payFact {
	row := payFact{Name: "To", Value: h.Payee()}
	if supplier := h.Invoices.Supplier(h.Clock()); supplier != nil && supplier.GSTIN != "" {
		row.More = "GSTIN " + supplier.GSTIN
	}
	return row
}

// openUntilAt formats an attempt's expiry: "19:00 today".
func openUntilAt(at, now time.Time) string {
	if admission.Date(at) == admission.Date(now) {
		return admission.TimeOfDay(at) + " today"
	}
	return admission.TimeOfDay(at) + " tomorrow"
}

// failed sets the details of the last payment, if has; last is zero if it is unknown.
func (v *payTicketView) failed(has bool, last payment.Transaction) {
	v.Failed, v.NotReturned = has, pages.NotReturnedNote(last)
	if last.ID != "" {
		v.FailedTxn, v.FailedAt = last.ID, admission.Moment(last.CreatedAt)
	}
}

// returned sets the details of a payment that was not accepted.
func (v *payTicketView) returned(t payment.Transaction, refund payment.Refund) {
	came := refund.Amount
	if t.Arrived.Currency != "" {
		came = t.Arrived
	}
	v.Lede, v.FailedTxn, v.Returned = came.String()+" reached us; the fee is "+t.Charge.Short()+". We refund it and e-mail you when it is sent.", t.ID, came.String()+" goes back to the account you paid from."
	if refund.State == method.RefundAccepted || refund.State == method.RefundDone {
		v.Lede = came.String() + " reached us; the fee is " + t.Charge.Short() + ". We sent it back on " + admission.Date(refund.SentAt()) + "."
		v.Returned = came.String() + " should arrive by " + admission.DayMonthAndWeekday(refund.ArrivesBy(payment.SurplusDays)) + ", in the account you paid from."
	}
}

// addContact adds phone and State for the payer to check.
func (v *payTicketView) addContact(r enrol.Registration) {
	state, _ := india.StateByCode(r.StateCode)
	v.Rows = append(v.Rows, payFact{Name: "You", Value: pages.Mobile(r.Phone), More: state.Name})
}
