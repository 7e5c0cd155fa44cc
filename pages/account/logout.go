package account

import (
	"net/http"

	"github.com/labstack/echo/v5"

	"hiresure/web"
)

// askToLogOut asks before one logs out. Who is not signed in has nothing to log out of.
func (h handlers) askToLogOut(c *echo.Context) error {
	in, err := h.isSignedIn(c)
	if err != nil {
		return err
	}
	if !in {
		return landed(c, web.HomePath)
	}
	_, me, err := h.Me(c)
	if err != nil {
		return err
	}
	return h.Show(c, http.StatusOK, logOutPage(h.Frame(), me))
}

func (h handlers) logOut(c *echo.Context) error { return h.leave(c) }

// leave ends the session, and empties the browser of what it keeps of ours: the next person at a shared computer finds
// nothing, not even by the Back button.
func (h handlers) leave(c *echo.Context) error {
	if err := h.Session.End(c); err != nil {
		return err
	}
	c.Response().Header().Set("Clear-Site-Data", `"cache", "storage"`)
	return landed(c, web.HomePath+"#"+web.SignedOutID)
}
