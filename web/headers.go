package web

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/static"
)

// header is a response header in the form net/http stores, so that setting it allocates nothing.
type header struct {
	name  string
	value []string
}

// headerClasses holds the security headers of each route class, built once.
type headerClasses struct {
	public   []header // pages, assets
	private  []header // no-referrer: addresses of payments and receipts must not leak
	checkout []header // private, but the provider may open a window
	api      []header
	asset    []header
}

// Origins are the foreign origins that a page may use, by kind.
type Origins struct{ Scripts, Frames, Connect, Images, Forms []string }

// firstStyles is the CSP source of the inlined style sheet; nil before the first front-end build.
var firstStyles = func() []string {
	if _, source := static.Inline("first.css"); source != "" {
		return []string{source}
	}
	return nil
}()

// policy builds a Content-Security-Policy that allows our own origin and o.
func policy(o Origins) string {
	from := func(directive string, own []string, others []string) string {
		return directive + " " + strings.Join(append(own, others...), " ") + "; "
	}
	self := []string{"'self'"}
	frames := ""
	if len(o.Frames) > 0 {
		frames = from("frame-src", nil, o.Frames)
	}
	return "default-src 'none'; " + from("script-src", self, o.Scripts) + from("style-src", self, firstStyles) + from("img-src", []string{"'self'", "data:"}, o.Images) +
		"font-src 'self'; " + from("connect-src", self, o.Connect) + frames + "media-src 'self'; manifest-src 'self'; " + from("form-action", self, o.Forms) +
		"object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
}

// Reach allows the current page to use further origins, such as the provider's on its own checkout.
func (m *Manager) Reach(c *echo.Context, o Origins) {
	c.Response().Header().Set("Content-Security-Policy", policy(o))
}

// newHeaderClasses builds the headers; scripts are the hosts of the human check.
func newHeaderClasses(secure bool, scripts []string) headerClasses {
	const (
		referrer    = "Referrer-Policy"
		opener      = "Cross-Origin-Opener-Policy"
		noReferrer  = "no-referrer"
		ownSiteOnly = "strict-origin-when-cross-origin"
		security    = "Content-Security-Policy"
	)
	all := []header{
		line("Permissions-Policy", "accelerometer=(), autoplay=(self), browsing-topics=(), camera=(), display-capture=(), fullscreen=(self), geolocation=(), "+
			"gyroscope=(), magnetometer=(), microphone=(), midi=(), usb=(), otp-credentials=(self), payment=(self)"),
		line("X-Content-Type-Options", "nosniff"),
	}
	if secure {
		all = append(all, line("Strict-Transport-Security", "max-age=63072000; includeSubDomains"))
	}
	with := func(more ...header) []header { return append(append([]header{}, all...), more...) }
	noIndex, noStore := line("X-Robots-Tag", "noindex"), line("Cache-Control", "private, no-store")
	own, open := line(security, policy(Origins{})), line(security, policy(Origins{Scripts: scripts, Frames: scripts, Connect: scripts}))
	return headerClasses{
		public:   with(open, line(referrer, ownSiteOnly), line(opener, "same-origin")),
		private:  with(own, line(referrer, noReferrer), line(opener, "same-origin"), noIndex, noStore),
		checkout: with(own, line(referrer, noReferrer), line(opener, "same-origin-allow-popups"), noIndex, noStore),
		api:      with(open, line(referrer, ownSiteOnly), line(opener, "same-origin"), noIndex, noStore),
		asset:    all[1:], // not a document, so Permissions-Policy has no effect
	}
}

func line(name, value string) header { return header{http.CanonicalHeaderKey(name), []string{value}} }

// of returns the headers of a class.
func (h *headerClasses) of(class Class) []header {
	switch class {
	case ClassPublic:
		return h.public
	case ClassCheckout:
		return h.checkout
	case ClassAPI:
		return h.api
	case ClassAsset:
		return h.asset
	}
	return h.private
}
