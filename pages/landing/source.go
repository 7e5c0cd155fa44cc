package landing

import (
	"net/url"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
)

// sourceField is the hidden field that takes the source of a visit along.
const sourceField = "source"

// source is where a visit came from, as far as an address with a campaign tells; "" for any other. Pages that are the same for
// everybody know nothing of it: there islands/runtime/source.ts fills the field in.
func (l *Landing) source(c *echo.Context, slug string) string {
	sent := url.Values{}
	for name, values := range c.QueryParams() {
		if strings.HasPrefix(name, "utm_") {
			sent.Set(name, values[0])
		}
	}
	if admission.Source(sent.Encode()) == "" {
		return ""
	}
	sent.Set("landing", slug)
	if from, err := url.Parse(c.Request().Referer()); err == nil && from.Scheme+"://"+from.Host != l.BaseURL {
		sent.Set("referrer", from.Hostname())
	}
	return admission.Source(sent.Encode())
}
