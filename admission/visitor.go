package admission

import "time"

// Visitor is who asks, as far as a request tells. SessionID is "" for a browser that has no session yet.
type Visitor struct {
	SessionID    string
	AccountID    string      // who is signed in; "" for nobody
	Opens        *NewSession // SessionID is that of a session to be opened; nil: it stands, or none shall be
	IP           string      // an IPv4 address, or the /64 of an IPv6 address
	UserAgent    string
	Page         string // path that the request came from
	CaptchaToken string
	Audit        Audit // nil: nobody listens
}

// NewSession is the session that a browser without one may get: no row of it is written before a call accepts something
// of the visitor, and then with that.
type NewSession struct {
	TokenHash string    // of the token that its cookie will hold
	API       bool      // it is an API client's: no cookie goes out
	Opened    bool      // set once the row is committed; the cookie goes out with the answer then
	ExpiresAt time.Time // of an opened one
}

// Audit hears of what a person shall look at, besides the answer that the visitor gets.
type Audit interface {
	// Denied tells that the visitor named a record that his session does not hold; once a call is enough.
	Denied(id string)
}

// Deny tells the audit, where there is one, of a record that is not the visitor's.
func (v Visitor) Deny(id string) {
	if v.Audit != nil {
		v.Audit.Denied(id)
	}
}
