package checkout

import (
	"net/http"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/web"
)

// anotherView is a number that has enrolled already, to somebody who typed another name or e-mail with it.
type anotherView struct {
	tornView
	Home   string
	Number string          // as people read it
	Slug   string          // of the event
	First  string          // whose enrolment it is, by the first name
	Goes   string          // what to do for the owner: "To continue for Asha"
	Text   string          // what its owner, or who helps, is to know, in sentences
	Button string          // leads there: "Pay ₹999 for Asha"
	Pay    string          // address
	Desk   content.Contact // whom to call
	Change string          // where its details can still be changed; "" where they cannot
}

// showAnothers says whose the enrolment is that a number has led to, and asks whether the visitor is somebody else, or its
// owner, or who helps the owner.
func (h handlers) showAnothers(c *echo.Context, v admission.Visitor, registrationID string) error {
	due, err := h.Payment.Due(c.Request().Context(), v, registrationID)
	if err != nil {
		return err
	}
	r := due.Registration
	step := stepOf(due)
	charge, coupon := pages.ChargeOf(due)
	view := anotherView{
		tornView: h.torn(r, due.Event, states[step].paid, due.Price.List, due.Price.Discount, charge, coupon),
		Number:   pages.Mobile(r.Phone), Change: h.changeOf(due),
		Desk: h.Content.Current().Site().Support,
		Home: web.ScholarshipPath(due.Event.Slug), Slug: due.Event.Slug, First: content.FirstName(r.FullName), Pay: web.PayForPath(r.ID),
	}
	view.Name = view.First // as on a shared picture: whoever asks may not be the one who has enrolled
	view.Title = view.First + " has started to enrol with this number"
	stands := "fee is not paid yet"
	view.Text = "Ticket and receipt go to " + web.MaskEmail(r.Email) + "."
	view.Goes, view.Button = "To continue for "+view.First, "See the payment of "+view.First
	switch {
	case r.Paid():
		view.Goes = view.First + "’s ticket"
		view.Title = view.First + " is enrolled with this number"
		stands, view.Text, view.Button = "fee is paid", "There is nothing more to pay.", "See ticket and receipt"
	case due.Open != nil && due.Open.State == payment.Review:
		view.Goes, stands, view.Text = view.First+"’s payment", "payment is being checked", "Do not pay again. "+nothingToDo
		view.Knots = components.PaidKnots(states[step].paid, "is being checked")
	case step == enrol.StepUnpaid:
		stands = "payment did not go through"
		view.Text = enrol.LookFirst + ". " + view.Text
	case step == enrol.StepPaying:
		stands = "payment is still open"
		view.Text = "If " + view.First + " has paid already, do not pay again: we ask the bank. " + view.Text
	case step == enrol.StepVerified && due.Refusal == "" && charge.Minor > 0 && sameAmount(due):
		view.Text, view.Button = charge.Short()+", all taxes included. "+view.Text, "Pay "+charge.Short()+" for "+view.First
	}
	view.Lede = view.First + "’s " + stands + ". Each number can enrol one person."
	return h.Show(c, http.StatusOK, anotherPage(h.Kit, view))
}
