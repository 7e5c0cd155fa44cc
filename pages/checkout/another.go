package checkout

import (
	"net/http"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
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
	r, first := due.Registration, content.FirstName(due.Registration.FullName)
	standing := pages.DueStanding(h.Content.Current(), due, h.Clock())
	knot, _ := standing.PaymentKnot()
	charge, coupon := pages.ChargeOf(due)
	view := anotherView{
		tornView: h.torn(r, due.Event, knot, standing.Unpaid.Pay.Step, due.Price.List, due.Price.Discount, charge, coupon),
		Number:   pages.Mobile(r.Phone), Change: h.changeOf(due),
		Desk: h.Content.Current().Site().Support,
		Home: web.ScholarshipPath(due.Event.Slug), Slug: due.Event.Slug, First: first, Pay: web.PayForPath(r.ID),
	}
	view.Name = first // as on a shared picture: whoever asks may not be the one who has enrolled
	words := standing.Another(map[string]string{
		"name": first, "email": web.MaskEmail(r.Email), "amount": charge.Short(),
	}, due.Refusal == "" && charge.Minor > 0 && sameAmount(due))
	view.Title, view.Lede, view.Text, view.Goes, view.Button = words.Title, words.Lead, words.Text, words.First, words.Button
	return h.Show(c, http.StatusOK, anotherPage(h.Frame(), view))
}
