package account

import (
	"net/http"

	"github.com/labstack/echo/v5"

	"hiresure/web"
)

// askToLogOut shows the page that confirms the log-out.
func (h handlers) askToLogOut(c *echo.Context) error {
	in, err := h.isSignedIn(c)
	if err != nil {
		return err
	}
	if !in {
		return redirect(c, web.HomePath)
	}
	_, me, err := h.Me(c)
	if err != nil {
		return err
	}
	return h.Show(c, http.StatusOK, logOutPage(h.Frame(), me))
}

func (h handlers) logOut(c *echo.Context) error { return h.leave(c) }

// leave ends the session and clears the browser's cache and storage, so that the next person at a shared computer finds
// nothing, not even by the Back button.
func (h handlers) leave(c *echo.Context) error {
	if err := h.Session.End(c); err != nil {
		return err
	}
	c.Response().Header().Set("Clear-Site-Data", `"cache", "storage"`)
	return redirect(c, web.HomePath+"#"+web.SignedOutID)
}
