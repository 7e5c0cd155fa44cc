package checkout

import (
	"net/http"

	"github.com/labstack/echo/v5"

	"hiresure/web"
)

// enrolField names the event in which the next person enrols, who has typed into its form already.
const enrolField = "enrol"

// leave ends the session and empties the browser of what is ours, so that the next person at a shared computer finds
// nothing. A receipt's mailed links go on working. Who stays, to enrol with another number, keeps the draft of the form.
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
