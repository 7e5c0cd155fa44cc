package admission

import "time"

// Visitor identifies the client of a request. SessionID is "" for a browser without a session.
type Visitor struct {
	SessionID    string
	AccountID    string      // signed-in account, or ""
	Offered      *NewSession // set if SessionID is of a session that may be opened; nil: it exists, or none may be opened
	IP           string      // an IPv4 address, or the /64 of an IPv6 address
	UserAgent    string
	Page         string // path of the page that sent the request
	CaptchaToken string
	Form         string // path that a form was posted to; "" for a call of the API
	Audit        Audit  // may be nil
}

// NewSession is a session offered to a browser without one. Its row is written with the first accepted data of the
// visitor.
type NewSession struct {
	TokenHash string    // of the cookie's token
	API       bool      // for an API client: without a cookie
	Opened    bool      // set once the row is committed; the response then sets the cookie
	ExpiresAt time.Time // set together with Opened
}

// Audit records events for staff.
type Audit interface {
	// Denied records that the visitor requested a record of another person.
	Denied(id string)
}

// Deny records access to another person's record.
func (v Visitor) Deny(id string) {
	if v.Audit != nil {
		v.Audit.Denied(id)
	}
}
