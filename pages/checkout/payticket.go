package checkout

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/india"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
)

// payTicketView is the ticket of a payment page: the enrolment, and the panel with the amount.
type payTicketView struct {
	Title, Lede             string
	Fee                     string // "Exam fee"
	Programme, Name, Course string
	Day, Month, Weekday     string // of the exam; "" if the content no longer has the event
	Steps                   components.StepperProps
	Amount                  string // "₹999"
	AmountNote              string // note on the amount: "All taxes included", "Refunded"
	Struck                  string // list price; "" without a discount, or if another currency is charged
	Less                    string // "less ₹500 with MGROW500"; "" without a discount
	Terms                   *terms // nil when nothing can be paid
	Kept                    string // when an application's fee is not refunded; "" for an enrolment
	Rows                    []payFact
	Failed                  bool   // the last payment failed
	FailedTxn               string // its number; "" for none, or an expired one
	FailedAt                string // when it started
	NotReturned             string // when to ask for missing money
	Returned                string // what happens to the money of a payment that was not accepted; "" for others
	Overdue                 string // what to do if that money does not arrive; "" without a date
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
		Steps: components.EnrolmentSteps(paid, step), Amount: charge.Short(), AmountNote: "All taxes included", Fee: feeOf(r),
		Rows: []payFact{h.payeeRow(), {Name: "For", Value: feeOf(r) + ", " + event.Title}, {Name: "Receipt goes to", Value: r.Email}},
	}
	if r.Product() == enrol.ProductApplication {
		view.Steps = components.ApplicationSteps(components.PaymentStep, paid, "")
		view.Rows[1] = payFact{Name: "For", Value: event.Title, More: event.FeeFor}
		view.Kept = h.Content.Current().Application().FeeKept
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

// returned sets the text of a payment that was not accepted, and what happens to its money.
func (v *payTicketView) returned(t payment.Transaction, refund payment.Refund, now time.Time) {
	came, known := t.Arrived, t.Arrived.Currency != ""
	if !known && refund.ID != "" && refund.Reason != payment.ReasonAtProvider { // refunded while another payment was being checked
		came, known = refund.Amount, true
	}
	v.FailedTxn = t.ID
	switch {
	case known:
		v.Lede = came.String() + " reached us."
		if came != t.Charge {
			v.Lede = came.String() + " reached us; the fee is " + t.Charge.Short() + "."
		}
	case status.MoneyOf(&t, now) == status.MoneyReturned:
		v.Lede = "Your payment of " + t.Charge.String() + " was returned before it reached us."
		if refund.ID != "" {
			v.arrives(t.Charge, refund)
		}
		return
	default:
		v.Lede, v.Returned = "We refund your payment and e-mail you when it is sent.", "The refund goes to the account you paid from."
		return
	}
	switch {
	case refund.Failed():
		refused := " Your bank did not accept our refund."
		if refund.State == method.RefundFailed {
			refused = " The payment provider refused our refund."
		}
		v.Lede += refused + " The money is safe, and it is yours."
		v.Returned = pages.PersonSends(refund.ChangedAt, now)
	case refund.State == method.RefundAccepted, refund.State == method.RefundDone:
		v.Lede += " We refunded it on " + admission.Date(refund.SentAt()) + "."
		v.arrives(came, refund)
	default:
		v.Lede += " We refund it and e-mail you when it is sent."
		v.Returned = "The refund of " + came.String() + " goes to the account you paid from."
	}
}

// arrives sets the day by which a refund should arrive.
func (v *payTicketView) arrives(amount admission.Money, refund payment.Refund) {
	v.Returned = amount.String() + " should arrive by " + admission.DayMonthAndWeekday(refund.ArrivesBy(payment.SurplusDays)) + ", in the account you paid from."
	v.Overdue = "Not there by then? Call or write to us with the payment ID."
}

// addContact adds phone and State for the payer to check.
func (v *payTicketView) addContact(r enrol.Registration) {
	state, _ := india.StateByCode(r.StateCode)
	v.Rows = append(v.Rows, payFact{Name: "You", Value: pages.Mobile(r.Phone), More: state.Name})
}
