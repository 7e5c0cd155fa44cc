package hiresure

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/web"
)

// tokenNames are query parameters with which another site may link to the home page (spec §2). They are always removed,
// because a URL with a token must not be stored or shared. Only an access token of the configured accounts service counts; a
// refresh token is not needed, because the session is ours.
var tokenNames = []string{accessToken, "refresh_token"}

const accessToken = "access_token"

// handOverCookie holds a valid token until its visitor confirms the sign-in. Without the confirmation, a link with another
// person's token would sign the visitor in to that person's account.
const handOverCookie = "hand_over"

const handOverSeconds = 300

// takeToken keeps a valid token of the accounts service for the page that confirms the sign-in, and reports whether it did. It
// ignores other tokens, and visitors who are signed in.
func (h *home) takeToken(c *echo.Context) (taken bool, err error) {
	given := c.QueryParams()[accessToken]
	if h.Issuer == nil || len(given) != 1 || c.Request().Method != http.MethodGet {
		return false, nil
	}
	v, err := h.Session.Visitor(c)
	if err != nil || v.AccountID != "" || h.identify(c, given[0]) == nil {
		return false, err
	}
	h.setHandOverCookie(c, given[0], handOverSeconds)
	return true, nil
}

func (h *home) setHandOverCookie(c *echo.Context, token string, seconds int) {
	c.SetCookie(&http.Cookie{
		Name: handOverCookie, Value: token, Path: web.HandOverPath, MaxAge: seconds, HttpOnly: true,
		Secure: strings.HasPrefix(h.BaseURL, "https:"), SameSite: http.SameSiteLaxMode,
	})
}

// identify returns the identity of a token; nil for a bad one.
func (h *home) identify(c *echo.Context, token string) *account.Identity {
	who, err := h.Issuer.Identify(c.Request().Context(), token)
	if err != nil {
		h.Log.InfoContext(c.Request().Context(), "a token of the accounts service was not taken", "error", err)
		return nil
	}
	return &who
}

// kept returns the identity of the token in the cookie; nil for none.
func (h *home) kept(c *echo.Context) *account.Identity {
	cookie, err := c.Cookie(handOverCookie)
	if err != nil || h.Issuer == nil {
		return nil
	}
	return h.identify(c, cookie.Value)
}

// askHandOver asks whether the identity of the token is the visitor.
func (h *home) askHandOver(c *echo.Context) error {
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	who := h.kept(c)
	if who == nil || v.AccountID != "" {
		return c.Redirect(http.StatusSeeOther, web.HomePath)
	}
	return h.Show(c, http.StatusOK, handOverPage(h.Frame(), content.FirstName(who.FullName), cmp.Or(pages.Mobile(who.Phone), who.Email)))
}

// handOver signs in the visitor, who has confirmed to be the identity of the token.
func (h *home) handOver(c *echo.Context) error {
	ctx := c.Request().Context()
	v, err := h.Session.VisitorOrNew(c)
	if err != nil {
		return err
	}
	who := h.kept(c)
	h.setHandOverCookie(c, "", -1)
	if who == nil || v.AccountID != "" { // never replaces a signed-in account
		return c.Redirect(http.StatusSeeOther, web.HomePath)
	}
	token, err := h.Account.HandOver(ctx, v, *who)
	switch {
	case admission.AsProblem(err) != nil:
		h.Log.InfoContext(ctx, "whom the accounts service named was not signed in", "error", err)
	case err != nil:
		return err
	default:
		if err := h.Session.Renew(c, token); err != nil {
			return err
		}
	}
	return c.Redirect(http.StatusSeeOther, web.HomePath)
}
