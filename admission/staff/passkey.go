package staff

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"hiresure/admission"
)

// Passkey is a key of a device or a password manager. It counts as both steps of the sign-in, since the device asks for a finger, a face
// or a PIN.
type Passkey struct {
	ID         string // of the credential, base64url
	AccountID  string
	Name       string // "Chrome on Windows"
	Credential webauthn.Credential
	CreatedAt  time.Time
	UsedAt     time.Time // zero for never
}

// Purpose is what a challenge is for. A signature for one purpose serves no other.
type Purpose string

// The purposes.
const (
	ToSignIn  Purpose = "sign in"
	ToConfirm Purpose = "confirm"
	ToAdd     Purpose = "add"
	ToAccept  Purpose = "accept" // an invitation
)

// Challenge is what a passkey must sign. It works once.
type Challenge struct {
	Purpose Purpose
	At      time.Time
	Data    webauthn.SessionData
}

const (
	challengeLife = 5 * time.Minute
	maxPasskeys   = 10
)

const (
	wrongPasskey  = "This passkey was not accepted. Try again, or sign in another way"
	latePasskey   = "The request for your passkey has expired. Try again"
	copiedPasskey = "This passkey was used on another device. Tell an admin, and sign in another way"
	knownPasskey  = "This passkey was added before"
	noPasskeys    = "Passkeys do not work at this address"
)

// holder is an account as the WebAuthn library sees it.
type holder struct {
	*Account
	keys []Passkey
}

func (h holder) WebAuthnID() []byte          { return []byte(h.ID) }
func (h holder) WebAuthnName() string        { return h.Email }
func (h holder) WebAuthnDisplayName() string { return h.Name }

func (h holder) WebAuthnCredentials() (all []webauthn.Credential) {
	for _, key := range h.keys {
		all = append(all, key.Credential)
	}
	return all
}

// HasPasskeys reports whether browsers allow passkeys at the site's address: it must be a name, not a number.
func (s *Service) HasPasskeys() bool {
	_, err := s.party()
	return err == nil
}

func (s *Service) party() (*webauthn.WebAuthn, error) {
	base, err := url.Parse(s.BaseURL)
	if err != nil {
		return nil, err
	}
	party, err := webauthn.New(&webauthn.Config{RPID: base.Hostname(), RPDisplayName: "HireSure staff", RPOrigins: []string{s.BaseURL}})
	if err != nil {
		return nil, &admission.Problem{Kind: admission.Conflict, Message: noPasskeys}
	}
	return party, nil
}

// holder returns an account with its passkeys.
func (s *Service) holder(tx Tx, a *Account) (holder, error) {
	keys, err := tx.StaffPasskeys(a.ID)
	return holder{a, keys}, err
}

// ask stores a challenge in a locked session.
func (s *Service) ask(tx Tx, session *Session, purpose Purpose, data *webauthn.SessionData) error {
	session.Challenge = &Challenge{Purpose: purpose, At: s.Clock(), Data: *data}
	return tx.SaveStaffSession(session)
}

// take removes the challenge of a session and returns it, whether or not the answer to it is right.
func (s *Service) take(ctx context.Context, token string, purpose Purpose) (c Challenge, err error) {
	err = s.Store.Update(ctx, func(tx Tx) error {
		session, err := s.lockSession(tx, token)
		if err != nil {
			return err
		}
		if c = (Challenge{}); session.Challenge != nil {
			c, session.Challenge = *session.Challenge, nil
		}
		return tx.SaveStaffSession(session)
	})
	if err == nil && (c.Purpose != purpose || !s.Clock().Before(c.At.Add(challengeLife))) {
		err = invalid("passkey", latePasskey)
	}
	return c, err
}

// lockSession locks a live session by its token, or returns a Problem.
func (s *Service) lockSession(tx Tx, token string) (*Session, error) {
	found, err := tx.StaffSessionByToken(admission.HashToken(token))
	if err != nil {
		return nil, err
	}
	if found == nil {
		return nil, signInOver()
	}
	session, err := tx.StaffSessionForUpdate(found.ID)
	if err == nil && (session == nil || session.TokenHash != found.TokenHash || !session.IsLive(s.Clock())) {
		err = signInOver()
	}
	return session, err
}

// creation returns what a browser needs to create a passkey of a locked account, and stores the challenge in a session.
func (s *Service) creation(tx Tx, session *Session, a *Account, purpose Purpose) (*protocol.CredentialCreation, error) {
	party, err := s.party()
	if err != nil {
		return nil, err
	}
	h, err := s.holder(tx, a)
	if err != nil {
		return nil, err
	}
	options, data, err := party.BeginRegistration(h,
		webauthn.WithExclusions(webauthn.Credentials(h.WebAuthnCredentials()).CredentialDescriptors()),
		webauthn.WithAuthenticatorSelection(protocol.AuthenticatorSelection{ResidentKey: protocol.ResidentKeyRequirementRequired, UserVerification: protocol.VerificationRequired}),
		webauthn.WithConveyancePreference(protocol.PreferNoAttestation),
	)
	if err != nil {
		return nil, err
	}
	return options, s.ask(tx, session, purpose, data)
}

// AskNewPasskey begins to add a passkey: in an open session that confirmed lately, or in place of the app in a set-up.
func (s *Service) AskNewPasskey(ctx context.Context, token string) (options *protocol.CredentialCreation, err error) {
	err = s.Store.Update(ctx, func(tx Tx) error {
		session, a, err := s.lock(tx, token)
		if err != nil {
			return err
		}
		switch {
		case session.Stage == Open && !session.Confirmed(s.Clock()):
			return invalid("passkey", "Confirm first that it is you")
		case session.Stage == Open && a.Passkeys >= maxPasskeys:
			return invalid("passkey", "You have 10 passkeys. Remove one first")
		case session.Stage != Open && (session.Stage != NeedsSetUp || a.IsSetUp()):
			return signInOver()
		}
		options, err = s.creation(tx, session, a, ToAdd)
		return err
	})
	return options, err
}

// AddPasskey adds the passkey that a browser created, with a name. In a set-up it replaces the password and opens the session.
func (s *Service) AddPasskey(ctx context.Context, v admission.Visitor, token, answer, name, request string) (in SignedIn, err error) {
	err = s.limited(ctx, v, s.tries(v, "passkey", ""), func() error {
		c, err := s.take(ctx, token, ToAdd)
		if err != nil {
			return err
		}
		return s.Store.Update(ctx, func(tx Tx) error {
			session, a, err := s.lock(tx, token)
			if err != nil {
				return err
			}
			switch by := s.actor(v, a, session, request); {
			case session.Stage == Open:
				return s.add(tx, a, c, answer, name, by)
			case session.Stage != NeedsSetUp || a.IsSetUp():
				return signInOver()
			default:
				in, err = s.openWithFirst(tx, session, a, c, answer, name, by)
				return err
			}
		})
	})
	return in, err
}

// openWithFirst adds the first passkey of an account, which then needs no password, and opens a session.
func (s *Service) openWithFirst(tx Tx, session *Session, a *Account, c Challenge, answer, name string, by Actor) (SignedIn, error) {
	a.Password, session.NewSecret, session.NewCodes = "", "", nil
	if err := s.add(tx, a, c, answer, name, by); err != nil {
		return SignedIn{}, err
	}
	in := SignedIn{Token: admission.NewToken(), Browser: s.newBrowser(a), Stage: Open}
	return in, s.openSession(tx, session, a, in.Token, "Passkey", by)
}

// add checks the browser's answer and adds a passkey to a locked account.
func (s *Service) add(tx Tx, a *Account, c Challenge, answer, name string, by Actor) error {
	party, err := s.party()
	if err != nil {
		return err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes([]byte(answer))
	if err != nil {
		return invalid("passkey", wrongPasskey)
	}
	credential, err := party.CreateCredential(holder{Account: a}, c.Data, parsed)
	if err != nil {
		return invalid("passkey", wrongPasskey)
	}
	key := Passkey{ID: base64.RawURLEncoding.EncodeToString(credential.ID), AccountID: a.ID, Name: name, Credential: *credential, CreatedAt: s.Clock()}
	switch known, err := tx.StaffPasskey(key.ID); {
	case err != nil:
		return err
	case known != nil:
		return invalid("passkey", knownPasskey)
	}
	if err := tx.AddStaffPasskey(&key); err != nil {
		return err
	}
	a.Passkeys++
	a.Version++
	if err := tx.SaveStaffAccount(a); err != nil {
		return err
	}
	return tx.LogAct(by.Did(key.CreatedAt, "added a passkey", whom(a), "", name))
}

// AskPasskeyForLink begins to set an account up with a passkey. The link is used up when the passkey is added.
func (s *Service) AskPasskeyForLink(ctx context.Context, v admission.Visitor, link string) (in SignedIn, options *protocol.CredentialCreation, err error) {
	a, _, err := s.Invitation(ctx, link)
	if err != nil {
		return in, nil, err
	}
	err = s.Store.Update(ctx, func(tx Tx) error {
		var session *Session
		if in, session, err = s.start(tx, v, a.ID, Asked); err != nil {
			return err
		}
		options, err = s.creation(tx, session, a, ToAccept)
		return err
	})
	return in, options, err
}

// AcceptWithPasskey uses up a link, adds the passkey that a browser created, and opens the session.
func (s *Service) AcceptWithPasskey(ctx context.Context, v admission.Visitor, token, link, answer, name, request string) (in SignedIn, err error) {
	err = s.limited(ctx, v, s.tries(v, "passkey", ""), func() error {
		c, err := s.take(ctx, token, ToAccept)
		if err != nil {
			return err
		}
		return s.Store.Update(ctx, func(tx Tx) error {
			used, err := s.useLink(tx, link, s.Clock())
			if err != nil {
				return err
			}
			session, a, err := s.lock(tx, token)
			if err != nil {
				return err
			}
			if used.AccountID != a.ID {
				return linkOver()
			}
			in, err = s.openWithFirst(tx, session, a, c, answer, name, s.actor(v, a, session, request))
			return err
		})
	})
	return in, err
}

// Passkeys returns the passkeys of an account, the oldest first.
func (s *Service) Passkeys(ctx context.Context, accountID string) (all []Passkey, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		all, err = tx.StaffPasskeys(accountID)
		return err
	})
	return all, err
}

// RemovePasskey removes a passkey of the person, unless they could not sign in then.
func (s *Service) RemovePasskey(ctx context.Context, p *Person, id string, by Actor) error {
	return s.change(ctx, p.ID, by, func(tx Tx, a *Account, now time.Time) (act Act, err error) {
		key, err := tx.StaffPasskey(id)
		switch {
		case err != nil:
			return act, err
		case key == nil || key.AccountID != a.ID:
			return act, &admission.Problem{Kind: admission.NotFound, Message: "This passkey was removed before"}
		case a.Passkeys == 1 && !a.HasApp():
			return act, &admission.Problem{Kind: admission.Conflict, Message: "This is your only way to sign in. Add another passkey first"}
		}
		a.Passkeys--
		return by.Did(now, "removed a passkey", whom(a), key.Name, ""), tx.DeleteStaffPasskey(id)
	})
}

// dropPasskeys removes all passkeys of a locked account.
func dropPasskeys(tx Tx, a *Account) error {
	keys, err := tx.StaffPasskeys(a.ID)
	for _, key := range keys {
		if err == nil {
			err = tx.DeleteStaffPasskey(key.ID)
		}
	}
	a.Passkeys = 0
	return err
}

// copied logs that the counter of a passkey went back.
func (s *Service) copied(tx Tx, a *Account, key *Passkey, by Actor) error {
	act := by.Did(s.Clock(), "use a copied passkey", whom(a), "", key.Name)
	act.Denied, act.Reason = true, fmt.Sprintf("its counter was %d before", key.Credential.Authenticator.SignCount)
	return tx.LogAct(act)
}
