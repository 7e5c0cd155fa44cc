package account

import (
	"context"
	"net/http"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/enrol"
	"hiresure/admission/registry"
	"hiresure/components"
	"hiresure/pages"
	"hiresure/web"
)

// doBegin starts an application. Any page may post it to web.VerifyPath.
const doBegin = "begin"

// numberQuery asks for the form that verifies an account's phone before the application starts.
const numberQuery = "number"

// doorView is the page that starts an application: what it is, what it costs and what comes back.
type doorView struct {
	pages.Door
	Me     *account.Account // nil for a visitor without an account
	Owner  string           // of the page; "" without an account
	Phone  string           // verified, formatted; "" for none
	Exam   string           // date of the exam that the visitor is enrolled for; "" for none ahead
	Closed string           // why nobody can start; "" if one can
	Failed string           // why the start failed; "" if it did not

	Verified bool // a visitor without an account has verified a phone
}

// verify shows the door. An application that has begun continues. It asks for a verified phone first.
func (h handlers) verify(c *echo.Context) error {
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	if v.AccountID == "" {
		return h.showDoor(c, v, nil, nil)
	}
	_, me, err := h.Me(c)
	if err != nil {
		return err
	}
	standing, err := h.Apply.Standing(c.Request().Context(), v)
	switch {
	case err != nil:
		return err
	case standing.Step != enrol.StepUnverified:
		return redirect(c, pages.ContinuePath(standing))
	case !me.PhoneVerified() && c.QueryParams().Has(numberQuery):
		return h.show(c, h.addressView(addressPages[web.VerifyPath], me, me.Phone), nil)
	}
	return h.showDoor(c, v, &me, nil)
}

// begin starts the application and continues with it.
func (h handlers) begin(c *echo.Context, p posted) error {
	standing, err := h.Apply.Begin(c.Request().Context(), p.visitor, "", "")
	if err == nil {
		return redirect(c, pages.ContinuePath(standing))
	}
	_, me, fault := h.Me(c)
	if fault != nil {
		return fault
	}
	problem := h.ProblemOf(c, err)
	if !me.PhoneVerified() {
		return h.show(c, h.addressView(addressPages[web.VerifyPath], me, me.Phone), problem)
	}
	return h.showDoor(c, p.visitor, &me, problem)
}

func (h handlers) showDoor(c *echo.Context, v admission.Visitor, me *account.Account, refused *admission.Problem) error {
	view := doorView{Door: pages.DoorOf(h.Content.Current()), Me: me}
	if event, known := h.Events.EventByCode(enrol.ApplicationCode); known {
		view.Closed = event.Closed(h.Clock())
	}
	if me != nil {
		view.Owner = pages.Owner(me.ID)
		if me.PhoneVerified() {
			view.Phone = pages.Mobile(me.Phone)
		}
	}
	exam, err := h.examAhead(c, v)
	if err != nil {
		return err
	}
	view.Exam = exam
	if me == nil {
		verified, err := h.Account.VerifiedAddress(c.Request().Context(), v)
		if err != nil {
			return err
		}
		view.Verified = verified != "" && !strings.Contains(verified, "@")
	}
	status := http.StatusOK
	if refused != nil {
		view.Failed, status = refused.Message, pages.StatusOf(c, refused)
	}
	return h.Show(c, status, doorPage(h.Frame(), view))
}

// examAhead returns the date of the exam that the visitor is enrolled for; "" for none.
func (h handlers) examAhead(c *echo.Context, v admission.Visitor) (string, error) {
	if v.SessionID == "" {
		return "", nil
	}
	find := h.Registry.Home
	if v.AccountID == "" {
		find = func(ctx context.Context, v admission.Visitor) (registry.Home, error) {
			return h.Registry.HomeWithoutAccount(ctx, v, "")
		}
	}
	home, err := find(c.Request().Context(), v)
	if err != nil || home.Ticket == nil {
		return "", err
	}
	page, known := h.Content.Current().Landing(home.Ticket.Registration.EventSlug, h.Clock())
	if !known || page.Event.Exam.Over(h.Clock()) {
		return "", nil
	}
	return admission.LongDate(page.Event.Exam.Time), nil
}

// page is the page's head.
func (view doorView) page() components.Page {
	return components.Page{Title: "HireSure application", Main: "account-page", NoIndex: true, Styles: []string{"paid.css", "account.css"}}
}
