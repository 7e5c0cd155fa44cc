// Package staff is about the people who work here: their accounts and roles, how they sign in, and the log of what they do.
package staff

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
)

// Tx is what this area needs of a transaction. A look-up returns nil for an unknown key.
type Tx interface {
	access.Tx
	Log

	AddStaffAccount(*Account) error
	StaffAccount(id string) (*Account, error)
	StaffAccountForUpdate(id string) (*Account, error)
	StaffAccountByEmail(email string) (*Account, error)
	// StaffAccounts returns all accounts by name, and locks them if the transaction may change them.
	StaffAccounts() ([]Account, error)
	SaveStaffAccount(*Account) error

	AddStaffSession(*Session) error
	StaffSessionByToken(tokenHash string) (*Session, error)
	StaffSessionForUpdate(id string) (*Session, error)
	SaveStaffSession(*Session) error
	DeleteStaffSession(id string) error
	// StaffSessions returns the sessions of an account, of all accounts for "", those used last first.
	StaffSessions(accountID string) ([]Session, error)

	AddStaffLink(*Link) error
	StaffLink(tokenHash string) (*Link, error)
	StaffLinkForUpdate(tokenHash string) (*Link, error)
	SaveStaffLink(*Link) error
	DeleteStaffLinks(accountID string) error

	// DeleteOwnSavedViews deletes the views of an account that only its owner sees.
	DeleteOwnSavedViews(accountID string) error

	AddStaffPasskey(*Passkey) error
	StaffPasskey(id string) (*Passkey, error)
	// StaffPasskeys returns the passkeys of an account, the oldest first. They change only while the account is locked.
	StaffPasskeys(accountID string) ([]Passkey, error)
	SaveStaffPasskey(*Passkey) error
	DeleteStaffPasskey(id string) error

	// StaffActs returns at most limit rows of the log that fit the filter, newest first, from those before number before
	// (0: from the newest), with their numbers.
	StaffActs(f ActFilter, before int64, limit int) ([]NumberedAct, error)
}

// ActFilter selects rows of the log. Zero fields select all.
type ActFilter struct {
	Account string    // who acted
	Text    string    // part of who, what, whom, values, reason or request
	Since   time.Time // at or after
	Denied  bool
}

// NumberedAct is a row of the log with its number, which counts from 1.
type NumberedAct struct {
	N int64
	Act
}

// Config configures a Service. All fields are required.
type Config struct {
	Store  admission.Store[Tx]
	Access *access.Service // limits
	Clock  func() time.Time
	Key    []byte // 32 bytes, kept outside of the database

	BaseURL string            // origin of the site, to which passkeys are bound
	Alert   func(what string) // raises an alert for operators
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Config }

// mac returns the HMAC of values under the service's key, for a use.
func (s *Service) mac(use string, values ...string) string {
	mac := hmac.New(sha256.New, s.Key)
	mac.Write([]byte(use + "\x00" + strings.Join(values, "\x00")))
	return hex.EncodeToString(mac.Sum(nil))
}

func invalid(field, message string) error {
	return &admission.Problem{Kind: admission.Invalid, Field: field, Message: message}
}

func notFound() error {
	return &admission.Problem{Kind: admission.NotFound, Message: "There is no such account"}
}

var (
	emailPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9._%+-]{0,63}@[a-z0-9-]+(\.[a-z0-9-]+)+$`)
	namePattern  = regexp.MustCompile(`^\pL[\pL\pM .'-]{1,59}$`)
)

// NewAccount is what an account is created from.
type NewAccount struct {
	Email, Name string
	Roles       []string
}

// Add creates an account and returns the token of its link. Problems name the fields email, name and roles.
func (s *Service) Add(ctx context.Context, n NewAccount, by Actor) (token string, err error) {
	a := Account{ID: admission.NewID(), Email: strings.ToLower(strings.TrimSpace(n.Email)), Name: strings.Join(strings.Fields(n.Name), " "), InvitedBy: by.Name}
	roles, unknown := ParseRoles(n.Roles)
	switch a.Roles = roles; {
	case len(a.Email) > 120 || !emailPattern.MatchString(a.Email):
		return "", invalid("email", "Enter an e-mail address, like kavya@academy.in")
	case !namePattern.MatchString(a.Name):
		return "", invalid("name", "Enter a name of 2 to 60 letters")
	case unknown != "":
		return "", invalid("roles", "There is no role "+unknown+": use support, finance, reviewer, content or admin")
	case len(roles) == 0:
		return "", invalid("roles", "Choose at least one role")
	}
	err = s.Store.Update(ctx, func(tx Tx) error {
		now := s.Clock()
		switch known, err := tx.StaffAccountByEmail(a.Email); {
		case err != nil:
			return err
		case known != nil && known.Ended():
			return invalid("email", known.Name+" had this address until "+admission.Date(known.EndedAt)+". Reset that account to let them in again")
		case known != nil:
			return invalid("email", known.Name+" has an account with this address")
		}
		a.InvitedAt = now
		if err := tx.AddStaffAccount(&a); err != nil {
			return err
		}
		if token, err = s.newLink(tx, a.ID, now); err != nil {
			return err
		}
		return tx.LogAct(by.Did(now, "invited a colleague", whom(&a), "", Labels(a.Roles)))
	})
	return token, err
}

// whom returns how the log names an account.
func whom(a *Account) string { return "staff " + a.ID + " " + a.Name }

// newLink replaces the account's links by a new one and returns its token.
func (s *Service) newLink(tx Tx, accountID string, now time.Time) (token string, err error) {
	if err := tx.DeleteStaffLinks(accountID); err != nil {
		return "", err
	}
	token = admission.NewToken()
	return token, tx.AddStaffLink(&Link{TokenHash: admission.HashToken(token), AccountID: accountID, CreatedAt: now, ExpiresAt: now.Add(linkLife)})
}

// Reset removes the password, the second step and the passkeys of an account, ends its sessions, and returns the token of a new link. An ended
// account may sign in again.
func (s *Service) Reset(ctx context.Context, id string, by Actor) (token string, err error) {
	err = s.change(ctx, id, by, func(tx Tx, a *Account, now time.Time) (act Act, err error) {
		was := signInState(a)
		a.Password, a.Secret, a.Codes, a.LastStep, a.EndedAt, a.InvitedAt, a.InvitedBy = "", "", nil, 0, time.Time{}, now, by.Name
		if err := endSessions(tx, a.ID, ""); err != nil {
			return act, err
		}
		if err := dropPasskeys(tx, a); err != nil {
			return act, err
		}
		token, err = s.newLink(tx, a.ID, now)
		return by.Did(now, "reset the sign-in", whom(a), was, signInState(a)), err
	})
	return token, err
}

// signInState describes an account in the log.
func signInState(a *Account) string {
	switch {
	case a.Ended():
		return "ended"
	case a.HasApp() && a.Passkeys > 0:
		return "password and app, passkey"
	case a.HasApp():
		return "password and app"
	case a.Passkeys > 0:
		return "passkey"
	case a.Password != "":
		return "password"
	}
	return "invited"
}

// End ends an account and its sessions, and deletes its views that nobody else sees. The last admin cannot be ended.
func (s *Service) End(ctx context.Context, id string, by Actor) error {
	return s.change(ctx, id, by, func(tx Tx, a *Account, now time.Time) (act Act, err error) {
		if a.Ended() {
			return act, &admission.Problem{Kind: admission.Conflict, Message: a.Name + " cannot sign in since " + admission.Date(a.EndedAt)}
		}
		if err := keepAnAdmin(tx, a, nil); err != nil {
			return act, err
		}
		was := signInState(a)
		a.Password, a.Secret, a.Codes, a.EndedAt = "", "", nil, now
		if err := tx.DeleteStaffLinks(a.ID); err != nil {
			return act, err
		}
		if err := tx.DeleteOwnSavedViews(a.ID); err != nil {
			return act, err
		}
		if err := dropPasskeys(tx, a); err != nil {
			return act, err
		}
		return by.Did(now, "ended an account", whom(a), was, signInState(a)), endSessions(tx, a.ID, "")
	})
}

// SetRoles changes the roles of an account, if nobody changed it since the version that the form shows.
func (s *Service) SetRoles(ctx context.Context, id string, version int, names []string, by Actor) error {
	roles, unknown := ParseRoles(names)
	if unknown != "" || len(roles) == 0 {
		return invalid("roles", "Choose at least one role")
	}
	return s.change(ctx, id, by, func(tx Tx, a *Account, now time.Time) (act Act, err error) {
		if a.Version != version {
			return act, &admission.Problem{Kind: admission.Conflict, Field: "roles", Message: "Somebody changed this account after you opened it. It has these roles now: " + Labels(a.Roles)}
		}
		if err := keepAnAdmin(tx, a, roles); err != nil {
			return act, err
		}
		was := Labels(a.Roles)
		if a.Roles = roles; was == Labels(roles) {
			return act, invalid("roles", "These are the roles already")
		}
		return by.Did(now, "changed roles", whom(a), was, Labels(roles)), nil
	})
}

// keepAnAdmin returns a Problem if no admin would be left once an account has these roles.
func keepAnAdmin(tx Tx, a *Account, roles []Role) error {
	if !a.IsAdmin() || !a.IsSetUp() || slices.Contains(roles, Admin) {
		return nil
	}
	all, err := tx.StaffAccounts()
	if err != nil {
		return err
	}
	for _, other := range all {
		if other.ID != a.ID && other.IsAdmin() && !other.Ended() && other.IsSetUp() {
			return nil
		}
	}
	return &admission.Problem{Kind: admission.Conflict, Field: "roles", Message: a.Name + " is the only admin who can sign in. Make somebody else an admin first"}
}

// change changes an account and logs it in one transaction.
func (s *Service) change(ctx context.Context, id string, by Actor, work func(tx Tx, a *Account, now time.Time) (Act, error)) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		if _, err := tx.StaffAccounts(); err != nil { // locks them: two admins must not end each other
			return err
		}
		a, err := tx.StaffAccountForUpdate(id)
		switch {
		case err != nil:
			return err
		case a == nil:
			return notFound()
		}
		act, err := work(tx, a, s.Clock())
		if err != nil {
			return err
		}
		a.Version++
		if err := tx.SaveStaffAccount(a); err != nil {
			return err
		}
		return tx.LogAct(act)
	})
}

// ByEmail returns the account with an e-mail address.
func (s *Service) ByEmail(ctx context.Context, email string) (a *Account, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		if a, err = tx.StaffAccountByEmail(strings.ToLower(strings.TrimSpace(email))); err == nil && a == nil {
			err = notFound()
		}
		return err
	})
	return a, err
}

// Accounts returns all accounts by name.
func (s *Service) Accounts(ctx context.Context) (all []Account, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		all, err = tx.StaffAccounts()
		return err
	})
	return all, err
}

// Account returns an account with its open sessions.
func (s *Service) Account(ctx context.Context, id string) (a *Account, sessions []Session, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		if a, err = tx.StaffAccount(id); err != nil || a == nil {
			return cmp.Or(err, notFound())
		}
		sessions, err = s.open(tx, id)
		return err
	})
	return a, sessions, err
}

// Acts returns a page of the log, newest first, and the number to continue before; 0 after the last page.
func (s *Service) Acts(ctx context.Context, f ActFilter, before int64, limit int) (acts []NumberedAct, next int64, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		acts, err = tx.StaffActs(f, before, limit+1)
		return err
	})
	if len(acts) > limit {
		acts = acts[:limit]
		next = acts[limit-1].N
	}
	return acts, next, err
}

// Deny logs that somebody asked for what their roles do not allow.
func (s *Service) Deny(ctx context.Context, by Actor, p Permission, address string) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		act := by.Did(s.Clock(), string(p), address, "", "")
		act.Denied = true
		return tx.LogAct(act)
	})
}
