package admission

import "strings"

// SafeRedirect reports whether a redirect to raw stays on ownOrigin ("https://app.example.in", without a slash), and returns
// the target: raw, or "/" if it would leave. It compares text and does not parse: browsers read "///evil" and "/\evil" as
// other hosts, url.Parse does not. Do not decode the result: "/%2f%2fevil" is safe only encoded.
func SafeRedirect(raw, ownOrigin string) (string, bool) {
	for i := range len(raw) {
		if raw[i] <= ' ' || raw[i] == 0x7f || raw[i] == '\\' {
			return "/", false
		}
	}
	if strings.HasPrefix(raw, "/") && !strings.HasPrefix(raw, "//") {
		return raw, true
	}
	// After the origin only /, ? or # may follow: anything else is a port, a password or a longer host.
	rest, own := strings.CutPrefix(raw, ownOrigin)
	if own && ownOrigin != "" && (rest == "" || strings.ContainsAny(rest[:1], "/?#")) {
		return raw, true
	}
	return "/", false
}
