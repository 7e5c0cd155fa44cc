package hiresure

import (
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

// onceField names the token of the question, which answers yes or no in doField.
const onceField = "once"

// storeToken keeps a valid token of the accounts service for the page that confirms the sign-in, and reports whether it did. It
// ignores other tokens, and visitors who are signed in.
func (h *home) storeToken(c *echo.Context) (stored bool, err error) {
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

// identify returns the identity of a token with a verified address; nil for another token.
func (h *home) identify(c *echo.Context, token string) *account.Identity {
	who, err := h.Issuer.Identify(c.Request().Context(), token)
	if err != nil || who.VerifiedAddress() == "" {
		h.Log.InfoContext(c.Request().Context(), "a token of the accounts service was not taken", "error", err)
		return nil
	}
	return &who
}

// pendingIdentity returns the identity of the token in the cookie; nil for none.
func (h *home) pendingIdentity(c *echo.Context) *account.Identity {
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
	who := h.pendingIdentity(c)
	switch {
	case v.AccountID != "":
		return c.Redirect(http.StatusSeeOther, web.HomePath)
	case who == nil:
		return c.Redirect(http.StatusSeeOther, web.SignInPath)
	}
	return h.Show(c, http.StatusOK, handOverPage(h.Frame(), content.FirstName(who.FullName), pages.Mobile(who.VerifiedAddress()), who.Once))
}

// handOver signs in a visitor who confirms the token's identity, and drops the token of others. If another token has replaced the
// one of the question, it asks again.
func (h *home) handOver(c *echo.Context) error {
	ctx := c.Request().Context()
	v, err := h.Session.VisitorOrNew(c)
	if err != nil {
		return err
	}
	form, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	who := h.pendingIdentity(c)
	if who != nil && form.Get(doField) == "yes" && form.Get(onceField) != who.Once {
		return c.Redirect(http.StatusSeeOther, web.HandOverPath)
	}
	h.setHandOverCookie(c, "", -1)
	switch {
	case v.AccountID != "": // never replaced
		return c.Redirect(http.StatusSeeOther, web.HomePath)
	case who == nil || form.Get(doField) != "yes":
		return c.Redirect(http.StatusSeeOther, web.SignInPath)
	}
	token, err := h.Account.HandOver(ctx, v, *who)
	if admission.AsProblem(err) != nil {
		h.Log.InfoContext(ctx, "whom the accounts service named was not signed in", "error", err)
		return c.Redirect(http.StatusSeeOther, web.SignInPath)
	}
	if err != nil {
		return err
	}
	if err := h.Session.Renew(c, token); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, web.HomePath)
}
