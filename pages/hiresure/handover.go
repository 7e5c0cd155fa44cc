package hiresure

import (
	"net/http"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
)

// tokenNames are query parameters that another site may put into the address of the home (spec §2). They are always cleaned
// away: an address with a token in it must not be kept, shared or sent on. An access token counts if the accounts service that
// is configured has made it; a refresh token is of no use to us, since the session is our own from then on.
var tokenNames = []string{accessToken, "refresh_token"}

const accessToken = "access_token"

// handOver signs in whom an accounts service has sent with a good token. Of any other nothing is said: the visitor stays who
// it is.
func (h *home) handOver(c *echo.Context) error {
	given := c.QueryParams()[accessToken]
	if h.Issuer == nil || len(given) != 1 || c.Request().Method != http.MethodGet {
		return nil
	}
	ctx := c.Request().Context()
	v, err := h.Session.VisitorOrNew(c)
	if err != nil || v.AccountID != "" { // nobody takes the place of another person
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
