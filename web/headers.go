package web

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/static"
)

// header is one line of an answer, kept as net/http wants it so that setting it copies nothing.
type header struct {
	name  string
	value []string
}

// headerClasses are the security headers by kind of route, made once.
type headerClasses struct {
	public   []header // pages, assets
	private  []header // what a payment's or a receipt's address must not leave through
	checkout []header // private, and a provider may open its window
	api      []header
	asset    []header
}

// Origins are the other origins that a page may reach besides ours, by kind.
type Origins struct{ Scripts, Frames, Connect, Images, Forms []string }

// firstStyles is the source of the one style sheet that stands in pages; none before the first build.
var firstStyles = func() []string {
	if _, source := static.Inline("first.css"); source != "" {
		return []string{source}
	}
	return nil
}()

// policy is the Content-Security-Policy: everything comes from our own origin, and from others what a page cannot do without.
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

// Reach lets the page at hand reach other origins, such as a provider's at its own checkout and nowhere else.
func (m *Manager) Reach(c *echo.Context, o Origins) {
	c.Response().Header().Set("Content-Security-Policy", policy(o))
}

// newHeaderClasses makes the classes; scripts are the hosts that a human check loads from, where people type.
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
		asset:    all[1:], // it is no document: nothing runs in it
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
