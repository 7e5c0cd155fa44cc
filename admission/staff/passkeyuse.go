package staff

import (
	"context"
	"encoding/base64"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"hiresure/admission"
)

// AskPasskey begins a sign-in by passkey. It keeps a session that waits for a code, so that both ways stay open.
func (s *Service) AskPasskey(ctx context.Context, v admission.Visitor, token string) (in SignedIn, options *protocol.CredentialAssertion, err error) {
	err = s.limited(ctx, v, s.tries(v, "passkey begin", ""), func() error {
		party, err := s.party()
		if err != nil {
			return err
		}
		var data *webauthn.SessionData
		if options, data, err = party.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired)); err != nil {
			return err
		}
		return s.Store.Update(ctx, func(tx Tx) error {
			session, err := s.lockSession(tx, token)
			in = SignedIn{Token: token, Stage: NeedsCode}
			switch problem := admission.AsProblem(err); {
			case err != nil && problem == nil:
				return err
			case problem != nil || session.Stage != NeedsCode:
				if in, session, err = s.start(tx, v, "", Asked); err != nil {
					return err
				}
			}
			return s.ask(tx, session, ToSignIn, data)
		})
	})
	return in, options, err
}

// SignInByPasskey checks a browser's answer and opens the session under a new token.
func (s *Service) SignInByPasskey(ctx context.Context, v admission.Visitor, token, answer, browser, request string) (in SignedIn, err error) {
	known, err := s.claimed(ctx, answer)
	if err != nil {
		return in, err
	}
	err = s.limited(ctx, v, s.tries(v, "passkey", s.knownBrowser(known, browser)), func() error {
		return s.byPasskey(ctx, v, token, answer, request, ToSignIn, func(tx Tx, session *Session, a *Account, by Actor) error {
			session.AccountID = a.ID
			in = SignedIn{Token: admission.NewToken(), Browser: s.newBrowser(a), Stage: Open}
			return s.openSession(tx, session, a, in.Token, "Passkey", by)
		})
	})
	return in, err
}

// claimed returns the account that an answer claims to be of; nil for an unknown passkey.
func (s *Service) claimed(ctx context.Context, answer string) (a *Account, err error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes([]byte(answer))
	if err != nil {
		return nil, nil
	}
	err = s.Store.View(ctx, func(tx Tx) error {
		a = nil
		key, err := tx.StaffPasskey(base64.RawURLEncoding.EncodeToString(parsed.RawID))
		if err == nil && key != nil {
			a, err = tx.StaffAccount(key.AccountID)
		}
		return err
	})
	return a, err
}

// AskPasskeyToConfirm begins a confirmation by one of the person's passkeys.
func (s *Service) AskPasskeyToConfirm(ctx context.Context, token string) (options *protocol.CredentialAssertion, err error) {
	err = s.Store.Update(ctx, func(tx Tx) error {
		session, a, err := s.lock(tx, token)
		if err != nil {
			return err
		}
		if session.Stage != Open || a.Passkeys == 0 {
			return invalid("passkey", wrongPasskey)
		}
		party, err := s.party()
		if err != nil {
			return err
		}
		h, err := s.holder(tx, a)
		if err != nil {
			return err
		}
		var data *webauthn.SessionData
		if options, data, err = party.BeginLogin(h, webauthn.WithUserVerification(protocol.VerificationRequired)); err != nil {
			return err
		}
		return s.ask(tx, session, ToConfirm, data)
	})
	return options, err
}

// ConfirmByPasskey confirms by a browser's answer who the person is.
func (s *Service) ConfirmByPasskey(ctx context.Context, v admission.Visitor, p *Person, token, answer, request string) error {
	return s.limited(ctx, v, s.tries(v, "passkey", p.Session.ID), func() error {
		return s.byPasskey(ctx, v, token, answer, request, ToConfirm, func(tx Tx, session *Session, a *Account, by Actor) error {
			if session.AccountID != a.ID || session.Stage != Open {
				return invalid("passkey", wrongPasskey)
			}
			session.ConfirmedAt, session.WrongCodes = s.Clock(), 0
			if err := tx.SaveStaffSession(session); err != nil {
				return err
			}
			return tx.LogAct(by.Did(s.Clock(), "confirmed who they are", whom(a), "", "passkey"))
		})
	})
}

// byPasskey runs work with the account whose passkey signed the session's challenge, and stores the passkey's new counter.
func (s *Service) byPasskey(ctx context.Context, v admission.Visitor, token, answer, request string, purpose Purpose, work func(tx Tx, session *Session, a *Account, by Actor) error) error {
	c, err := s.take(ctx, token, purpose)
	if err != nil {
		return err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes([]byte(answer))
	if err != nil {
		return invalid("passkey", wrongPasskey)
	}
	var refused error // a copied passkey commits its row of the log
	err = s.Store.Update(ctx, func(tx Tx) error {
		refused = nil
		a, key, err := s.lockPasskey(tx, base64.RawURLEncoding.EncodeToString(parsed.RawID))
		if err != nil {
			return err
		}
		session, err := s.lockSession(tx, token)
		if err != nil {
			return err
		}
		h, err := s.holder(tx, a)
		if err != nil {
			return err
		}
		credential, err := s.signed(h, c, parsed)
		if err != nil {
			return err
		}
		by := s.actor(v, a, session, request)
		if credential.Authenticator.CloneWarning {
			refused = invalid("passkey", copiedPasskey)
			return s.copied(tx, a, key, by)
		}
		key.Credential, key.UsedAt = *credential, s.Clock()
		if err := tx.SaveStaffPasskey(key); err != nil {
			return err
		}
		return work(tx, session, a, by)
	})
	if err != nil {
		return err
	}
	if refused != nil {
		s.Alert("the counter of a passkey of staff went back, so it may have been copied: see the log")
	}
	return refused
}

// lockPasskey locks the account of a passkey, and returns both, or a Problem.
func (s *Service) lockPasskey(tx Tx, id string) (*Account, *Passkey, error) {
	found, err := tx.StaffPasskey(id)
	if err != nil {
		return nil, nil, err
	}
	if found == nil {
		return nil, nil, invalid("passkey", wrongPasskey)
	}
	a, err := tx.StaffAccountForUpdate(found.AccountID)
	if err != nil {
		return nil, nil, err
	}
	key, err := tx.StaffPasskey(id) // again, now that nobody can remove it
	if err == nil && (a == nil || a.Ended() || key == nil) {
		err = invalid("passkey", wrongPasskey)
	}
	return a, key, err
}

// signed returns the credential that signed a challenge, with its new counter, or a Problem.
func (s *Service) signed(h holder, c Challenge, parsed *protocol.ParsedCredentialAssertionData) (*webauthn.Credential, error) {
	party, err := s.party()
	if err != nil {
		return nil, err
	}
	var credential *webauthn.Credential
	if c.Purpose == ToConfirm {
		credential, err = party.ValidateLogin(h, c.Data, parsed)
	} else {
		_, credential, err = party.ValidatePasskeyLogin(func(_, _ []byte) (webauthn.User, error) { return h, nil }, c.Data, parsed)
	}
	if err != nil {
		return nil, invalid("passkey", wrongPasskey)
	}
	return credential, nil
}
