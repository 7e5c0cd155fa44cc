package checkout

import (
	"net/http"

	"github.com/labstack/echo/v5"

	"hiresure/web"
)

// leave ends the session and empties the browser of what is ours, so that the next person at a shared computer finds
// nothing. A receipt's mailed links go on working.
func (h handlers) leave(c *echo.Context) error {
	if err := h.Session.End(c); err != nil {
		return err
	}
	c.Response().Header().Set("Clear-Site-Data", `"cookies", "storage"`)
	return c.Redirect(http.StatusSeeOther, web.ScholarshipPath(h.DefaultEvent))
}
