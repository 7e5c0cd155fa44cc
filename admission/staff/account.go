package staff

import (
	"slices"
	"time"
)

// Account is somebody who works here.
type Account struct {
	ID        string
	Email     string // lower case, unique
	Name      string
	Roles     []Role
	Password  string   // argon2id hash in PHC format; "" until it is chosen
	Secret    string   // of the authenticator app, base32; "" until it is set up
	LastStep  int64    // time step of the last accepted code of the app, so that no code works twice
	Codes     []string // HMACs of the unused backup codes
	InvitedAt time.Time
	InvitedBy string
	SeenAt    time.Time // last use; zero for never
	EndedAt   time.Time // zero while the account may sign in
	Version   int       // counts changes; a form of an earlier version is refused
	Passkeys  int       // how many there are
}

// Can reports whether the account has a permission.
func (a *Account) Can(p Permission) bool { return Allows(a.Roles, p) }

// IsAdmin reports whether the account has the role Admin.
func (a *Account) IsAdmin() bool { return slices.Contains(a.Roles, Admin) }

// Ended reports whether the account may not sign in any more.
func (a *Account) Ended() bool { return !a.EndedAt.IsZero() }

// HasApp reports whether the account has a password and an authenticator app.
func (a *Account) HasApp() bool { return a.Password != "" && a.Secret != "" }

// IsSetUp reports whether the account can sign in.
func (a *Account) IsSetUp() bool { return a.HasApp() || a.Passkeys > 0 }

// Link is a mailed or printed link to set up an account. It works once.
type Link struct {
	TokenHash string
	AccountID string
	CreatedAt time.Time
	ExpiresAt time.Time
	UsedAt    time.Time // zero: unused
}

// linkLife is how long a link works.
const linkLife = time.Hour

// Stage is how far the sign-in of a session has come.
type Stage string

// The stages.
const (
	NeedsCode  Stage = "code"   // the password was right
	NeedsSetUp Stage = "set up" // the account has no second step yet
	Asked      Stage = "asked"  // a passkey was asked for before anything else; the account may be unknown
	Open       Stage = "open"
)

// Session is a browser that signed in, or is about to.
type Session struct {
	ID          string
	TokenHash   string // of the cookie's token
	AccountID   string
	Stage       Stage
	How         string   // "Password, app" or "Passkey" once open
	NewSecret   string   // of the app that is being set up, base32; "" for none
	NewCodes    []string // backup codes that are being shown, in the clear until they are saved
	IP          string
	UserAgent   string
	StartedAt   time.Time
	SeenAt      time.Time
	ConfirmedAt time.Time  // last confirmation by code or passkey; zero for none
	WrongCodes  int        // since the password was entered
	Challenge   *Challenge // that a passkey must sign; nil for none
}

// Limits of a session.
const (
	IdleLimit     = 30 * time.Minute
	SessionLimit  = 12 * time.Hour
	ConfirmLimit  = 10 * time.Minute // how long a confirmation is valid
	signInLimit   = 10 * time.Minute // for the second step
	maxWrongCodes = 5
)

// IsLive reports whether the session has not ended.
func (s *Session) IsLive(now time.Time) bool {
	if s.Stage != Open {
		return now.Before(s.StartedAt.Add(signInLimit)) || s.Stage == NeedsSetUp && now.Before(s.StartedAt.Add(linkLife))
	}
	return now.Before(s.SeenAt.Add(IdleLimit)) && now.Before(s.StartedAt.Add(SessionLimit))
}

// Confirmed reports whether the person confirmed recently who they are.
func (s *Session) Confirmed(now time.Time) bool { return now.Before(s.ConfirmedAt.Add(ConfirmLimit)) }

// Person is an account with the session that it uses.
type Person struct {
	Account
	Session Session
}
