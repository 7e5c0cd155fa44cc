package checkout

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/india"
	"hiresure/admission/payment"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
)

// tornView is a ticket whose stub is torn off to pay: whose it is, and the slip with the money.
type tornView struct {
	Title, Lede             string
	Fee                     string // what is paid: "Registration fee"
	Programme, Name, Course string
	Day, Month, Weekday     string // of the exam; "" where the content no longer has the event
	Knots                   components.KnotsProps
	Amount                  string // "₹999"
	Beside                  string // how the amount is meant: "All taxes included", "Refunded"
	Struck                  string // the price that it was; "" where nothing comes off, or another currency is charged
	Less                    string // "less ₹500 with MGROW500"; "" where nothing comes off
	Terms                   *terms // shown where something is to be paid; nil where nothing can be
	Rows                    []tornRow
	Failed                  bool   // the last payment has
	FailedTxn               string // its number; "" where none was begun, or its time is over
	FailedAt                string // when it began
	NotBack                 string // from when on to ask for money that it took
	Paid                    bool   // nothing can fail any more
	Refunded                bool   // what was paid has gone back
}

// terms are what is to be known before one pays for an event.
type terms struct {
	Tuition  []content.Run // what is paid apart from it, as content.Landing.Tuition says
	Back     string        // what whoever cancels gets back, in a sentence
	Refund   string        // the same, whole
	CancelTo string        // e-mail; "" where it is not returned any more
}

type tornRow struct{ Name, Value, More string }

// torn returns the ticket of a registration, and what it costs. paid and step say how its payment stands.
func (h handlers) torn(r enrol.Registration, event admission.Event, paid components.KnotState, step string, list, discount, charge admission.Money, coupon string) tornView {
	view := tornView{
		Programme: event.Title, Name: r.FullName, Course: enrol.CourseLabel(r.Course),
		Knots: components.PaidKnots(paid, step), Amount: charge.Short(), Beside: "All taxes included", Fee: feeNameOf(r),
		Rows: []tornRow{h.payeeRow(), {Name: "For", Value: "Registration fee, " + event.Title}, {Name: "Receipt goes to", Value: r.Email}},
	}
	if r.Product() == enrol.ProductApplication {
		view.Knots = components.ApplicationKnots(components.PaymentStep, paid, "")
		view.Rows[1] = tornRow{Name: "For", Value: event.Title, More: event.FeeFor}
	}
	if paid == components.KnotDone {
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

func (h handlers) payeeRow() tornRow {
	row := tornRow{Name: "To", Value: h.Payee()}
	if supplier := h.Invoices.Supplier(h.Clock()); supplier != nil && supplier.GSTIN != "" {
		row.More = "GSTIN " + supplier.GSTIN
	}
	return row
}

// openUntilAt is until when a payment can be made: "19:00 today".
func openUntilAt(at, now time.Time) string {
	if admission.Date(at) == admission.Date(now) {
		return admission.TimeOfDay(at) + " today"
	}
	return admission.TimeOfDay(at) + " tomorrow"
}

// failed says what became of the last payment, the zero value where none is known, if it did not go through.
func (v *tornView) failed(has bool, last payment.Transaction, now time.Time) {
	v.Failed, v.NotBack = has, pages.NotReturnedNote(last, now)
	if last.ID != "" {
		v.FailedTxn, v.FailedAt = last.ID, admission.Moment(last.CreatedAt)
	}
}

// checkable adds how a person is reached, and the State that decides the tax: for the one who pays, to check.
func (v *tornView) checkable(r enrol.Registration) {
	state, _ := india.StateByCode(r.StateCode)
	v.Rows = append(v.Rows, tornRow{Name: "You", Value: pages.Mobile(r.Phone), More: state.Name})
}
