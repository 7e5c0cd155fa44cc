package hiresure

import (
	"net/http"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
)

// tokenNames are query parameters with which another site may link to the home page (spec §2). They are always removed,
// because a URL with a token must not be stored or shared. Only an access token of the configured accounts service counts; a
// refresh token is not needed, because the session is ours.
var tokenNames = []string{accessToken, "refresh_token"}

const accessToken = "access_token"

// handOver signs in a visitor with a valid token of the accounts service. It ignores other tokens.
func (h *home) handOver(c *echo.Context) error {
	given := c.QueryParams()[accessToken]
	if h.Issuer == nil || len(given) != 1 || c.Request().Method != http.MethodGet {
		return nil
	}
	ctx := c.Request().Context()
	v, err := h.Session.VisitorOrNew(c)
	if err != nil || v.AccountID != "" { // never replaces a signed-in account
		return err
	}
	who, err := h.Issuer.Identify(ctx, given[0])
	if err != nil {
		h.Log.InfoContext(ctx, "a token of the accounts service was not taken", "error", err)
		return nil
	}
	token, err := h.Account.HandOver(ctx, v, who)
	if admission.AsProblem(err) != nil {
		h.Log.InfoContext(ctx, "whom the accounts service named was not signed in", "error", err)
		return nil
	}
	if err != nil {
		return err
	}
	return h.Session.Renew(c, token)
}
