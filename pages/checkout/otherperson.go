package checkout

import (
	"net/http"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/web"
)

// otherPersonView shows an enrolment to a visitor who typed its number with another name or e-mail.
type otherPersonView struct {
	payTicketView
	Home   string
	Number string          // formatted
	Slug   string          // of the event
	First  string          // first name of the owner
	Goes   string          // heading for the owner: "To continue for Asha"
	Text   string          // text for the owner or a helper
	Button string          // label of Pay: "Pay ₹999 for Asha"
	Pay    string          // address
	Desk   content.Contact // phone support
	Change string          // page that changes the details; "" once closed
}

// showOtherPerson shows whose enrolment a number has, and asks whether the visitor is somebody else, the owner, or a helper.
func (h handlers) showOtherPerson(c *echo.Context, v admission.Visitor, registrationID string) error {
	due, err := h.Payment.Due(c.Request().Context(), v, registrationID)
	if err != nil {
		return err
	}
	r, first := due.Registration, content.FirstName(due.Registration.FullName)
	standing := pages.DueStanding(h.Content.Current(), due, h.Clock())
	step, _ := standing.PaymentStep()
	charge, coupon := pages.ChargeOf(due)
	view := otherPersonView{
		payTicketView: h.payTicket(r, due.Event, step, standing.Unpaid.Pay.Step, due.Price.List, due.Price.Discount, charge, coupon),
		Number:        pages.Mobile(r.Phone), Change: h.changeOf(due),
		Desk: h.Content.Current().Site().Support,
		Home: web.ScholarshipPath(due.Event.Slug), Slug: due.Event.Slug, First: first, Pay: web.PayForPath(r.ID),
	}
	view.Name = first // as on a shared picture: the visitor may not be the owner
	words := standing.Another(map[string]string{
		"name": first, "email": web.MaskEmail(r.Email), "amount": charge.Short(),
	}, due.Refusal == "" && charge.Minor > 0 && sameAmount(due))
	view.Title, view.Lede, view.Text, view.Goes, view.Button = words.Title, words.Lead, words.Text, words.First, words.Button
	return h.Show(c, http.StatusOK, otherPersonPage(h.Frame(), view))
}
