package admission

import "strings"

// SafeRedirect reports whether a browser that is sent to raw stays on ownOrigin ("https://app.example.in", without a
// slash), and returns where to send it: raw, or "/" when it would leave. It compares text and does not parse: browsers
// read "///evil" and "/\evil" as other hosts, url.Parse does not. Do not decode the answer: "/%2f%2fevil" is safe only as
// it stands.
func SafeRedirect(raw, ownOrigin string) (string, bool) {
	for i := range len(raw) {
		if raw[i] <= ' ' || raw[i] == 0x7f || raw[i] == '\\' {
			return "/", false
		}
	}
	if strings.HasPrefix(raw, "/") && !strings.HasPrefix(raw, "//") {
		return raw, true
	}
	// What follows the origin must end its host, or it is a port, a password or a longer name.
	rest, own := strings.CutPrefix(raw, ownOrigin)
	if own && ownOrigin != "" && (rest == "" || strings.ContainsAny(rest[:1], "/?#")) {
		return raw, true
	}
	return "/", false
}
