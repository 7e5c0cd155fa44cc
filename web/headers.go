package web

import (
	"net/http"
	"strings"
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
}

// policy is the Content-Security-Policy: everything comes from our own origin, and from others scripts, frames and calls.
func policy(others ...string) string {
	hosts, frames := "", ""
	if len(others) > 0 {
		hosts = " " + strings.Join(others, " ")
		frames = "frame-src" + hosts + "; "
	}
	return "default-src 'none'; script-src 'self'" + hosts + "; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'" + hosts + "; " + frames +
		"media-src 'self'; manifest-src 'self'; form-action 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
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
	own, open := line(security, policy()), line(security, policy(scripts...))
	return headerClasses{
		public:   with(open, line(referrer, ownSiteOnly), line(opener, "same-origin")),
		private:  with(own, line(referrer, noReferrer), line(opener, "same-origin"), noIndex, noStore),
		checkout: with(own, line(referrer, noReferrer), line(opener, "same-origin-allow-popups"), noIndex, noStore),
		api:      with(open, line(referrer, ownSiteOnly), line(opener, "same-origin"), noIndex, noStore),
	}
}

func line(name, value string) header { return header{http.CanonicalHeaderKey(name), []string{value}} }

// of answers the headers for a path.
func (h *headerClasses) of(path string) []header {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch first {
	case "checkout":
		return h.checkout
	case "pay", "success", "receipt", "invoice", "leave":
		return h.private
	}
	if IsAPI(path) {
		return h.api
	}
	return h.public
}
