package landing

import (
	"net/url"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
)

// sourceField is the hidden field of the visit's source.
const sourceField = "source"

// source returns the source of a visit with a campaign in its address; "" for others. On cached pages
// islands/runtime/source.ts sets the field.
func (l *Landing) source(c *echo.Context, slug string) string {
	if c.QueryString() == "" { // most visits
		return ""
	}
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
