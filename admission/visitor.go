package admission

// Visitor is who asks, as far as a request tells. SessionID is "" for a browser that has no session yet.
type Visitor struct {
	SessionID    string
	IP           string // an IPv4 address, or the /64 of an IPv6 address
	UserAgent    string
	Page         string // path that the request came from
	CaptchaToken string
}
