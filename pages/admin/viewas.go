package admin

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/office"
	"hiresure/components"
	"hiresure/pages"
	"hiresure/web"
)

func viewAsPath(id string) string { return web.StaffRegistrationPath(id) + "/view-as" }
func viewPath(id string) string   { return web.StaffPath + "/view/" + id }

// viewBase is the address below which a view has the applicant's pages.
func viewBase(id string) string { return viewPath(id) + "/page" }

type viewAsView struct {
	dialogView
	Purposes []option
	Reason   string // as typed
	Faults   faults
}

// stripView is the strip above a page of an applicant.
type stripView struct {
	ID, Name, Reason, Ends string
	Start                  string // address of the first page
}

func (h handlers) askToView(c *echo.Context) error {
	return h.showViewAs(c, url.Values{}, nil)
}

// showViewAs shows the dialog with what was typed, and the problem of a refusal.
func (h handlers) showViewAs(c *echo.Context, typed url.Values, problem *admission.Problem) error {
	r, err := h.office.Registration(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	name := cmp.Or(r.FullName, "No name yet")
	p := viewAsView{dialogView: dialogView{ID: r.ID, Name: name, Title: "View as " + name, Line: "You see their pages as they do, for 15 minutes. You can change nothing."}, Reason: typed.Get("reason")}
	for _, purpose := range office.ViewPurposes {
		p.Purposes = append(p.Purposes, option{Value: purpose, Text: purpose, Chosen: purpose == typed.Get("purpose")})
	}
	if problem != nil {
		p.Faults = faultsOf(problem)
	}
	return h.Show(c, pages.StatusOf(c, problem), viewAsPage(frameOf(c, p.Title, web.StaffRegistrationsPath), p))
}

func (h handlers) startView(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	v, err := h.office.StartView(c.Request().Context(), c.Param("id"), typed.Get("purpose"), typed.Get("reason"), web.StaffPerson(c), h.Session.StaffActor(c))
	if problem := h.ProblemOf(c, err); problem != nil && problem.Field != "" {
		return h.showViewAs(c, typed, problem)
	} else if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, viewPath(v.ID))
}

// view shows the applicant's first page in a frame, under the strip. It loads itself anew when the view is over.
func (h handlers) view(c *echo.Context) error {
	v, r, err := h.office.FindView(c.Request().Context(), c.Param("view"), web.StaffPerson(c))
	if err != nil {
		return err
	}
	if now := h.Clock(); !v.Open(now) {
		return h.viewOver(c, v)
	} else {
		c.Response().Header().Set("Refresh", strconv.Itoa(int(v.Until.Sub(now)/time.Second)+1))
	}
	h.Session.Reach(c, web.Origins{Frames: []string{"'self'"}})
	p := stripView{ID: v.ID, Name: cmp.Or(r.FullName, "No name yet"), Reason: v.Reason, Ends: admission.TimeOfDay(v.Until), Start: viewBase(v.ID) + startOf(r)}
	f := frameOf(c, "You see what "+p.Name+" sees", web.StaffRegistrationsPath)
	f.Strip = strip(p)
	return h.Show(c, http.StatusOK, viewPage(f, p))
}

// startOf returns the page on which a view begins: the registration's, or without an account the ticket or the payment.
func startOf(r enrol.Registration) string {
	switch {
	case r.AccountID != "":
		return web.RegistrationPath(r.ID)
	case r.TicketKey != "":
		return web.TicketPath(r.TicketKey)
	}
	return web.PayForPath(r.ID)
}

// viewOver says that a view has ended.
func (h handlers) viewOver(c *echo.Context, v office.View) error {
	p := sayingView{
		Title: "This view has ended", Text: "A view lasts 15 minutes. To look again, start a new one.",
		Link: components.Link{Text: "Back to the registration", Href: web.StaffRegistrationPath(v.RegistrationID)},
	}
	return h.Show(c, http.StatusNotFound, saying(frameOf(c, p.Title, web.StaffRegistrationsPath), p))
}

// viewedPage shows a page of the applicant. Opened outside of the frame it leads to the view.
func (h handlers) viewedPage(c *echo.Context) error {
	v, r, err := h.office.FindView(c.Request().Context(), c.Param("view"), web.StaffPerson(c))
	switch {
	case err != nil:
		return err
	case !v.Open(h.Clock()):
		return h.insteadOfPage(c, insteadView{Title: "This view has ended", Text: "A view lasts 15 minutes."})
	case c.Request().Header.Get("Sec-Fetch-Dest") == "document":
		return c.Redirect(http.StatusSeeOther, viewPath(v.ID))
	}
	base := viewBase(v.ID)
	path := strings.TrimPrefix(c.Request().URL.Path, base)
	err = h.Session.ShowView(c, web.View{Of: admission.Viewed{AccountID: r.AccountID, RegistrationID: r.ID}, Base: base, Path: path})
	if errors.Is(err, echo.ErrNotFound) {
		return h.insteadOfPage(c, insteadView{Title: "Not part of the view", Text: "Staff cannot look at this page as the applicant.", Back: base + startOf(r)})
	}
	return err
}

// insteadView is what the frame shows instead of a page.
type insteadView struct{ Title, Text, Back string }

func (h handlers) insteadOfPage(c *echo.Context, p insteadView) error {
	web.InFrame(c)
	f := frameOf(c, p.Title, "")
	f.Strip = templ.NopComponent
	return h.Show(c, http.StatusNotFound, insteadPage(f, p))
}

func (h handlers) endView(c *echo.Context) error {
	v, err := h.office.EndView(c.Request().Context(), c.Param("view"), web.StaffPerson(c), h.Session.StaffActor(c))
	if err != nil {
		return err
	}
	return h.tellOn(c, v.RegistrationID, "view-ended")
}
