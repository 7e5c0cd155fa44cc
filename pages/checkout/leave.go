package checkout

import (
	"net/http"

	"github.com/labstack/echo/v5"

	"hiresure/web"
)

// enrolField names the event in which the next person enrols; its form has a draft.
const enrolField = "enrol"

// leave ends the session and clears the browser, so that the next person at a shared computer finds nothing. Mailed receipt
// links still work. A visitor who enrols with another number keeps the form's draft.
func (h handlers) leave(c *echo.Context) error {
	form, err := read(c)
	if err != nil {
		return err
	}
	if err := h.Session.End(c); err != nil {
		return err
	}
	if event, known := h.Events.EventBySlug(form.Get(enrolField)); known {
		c.Response().Header().Set("Clear-Site-Data", `"cookies"`)
		return c.Redirect(http.StatusSeeOther, web.ScholarshipPath(event.Slug)+"#enrol")
	}
	c.Response().Header().Set("Clear-Site-Data", `"cookies", "storage"`)
	return c.Redirect(http.StatusSeeOther, web.ScholarshipPath(h.DefaultEvent))
}
