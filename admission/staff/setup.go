package staff

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"time"

	"hiresure/admission"
)

const backupCodes = 10

// newBackupCodes returns ten codes: "4KQ7-M2XP".
func newBackupCodes() []string {
	codes := make([]string, backupCodes)
	for i := range codes {
		letters := admission.RandomLetters(8)
		codes[i] = letters[:4] + "-" + letters[4:]
	}
	return codes
}

// Invitation returns the account of a link and when the link expires, or a Problem for a used, expired or unknown one.
func (s *Service) Invitation(ctx context.Context, token string) (a *Account, expires time.Time, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		link, err := tx.StaffLink(admission.HashToken(token))
		if err != nil {
			return err
		}
		if err := s.usable(link); err != nil {
			return err
		}
		expires = link.ExpiresAt
		if a, err = tx.StaffAccount(link.AccountID); err == nil && (a == nil || a.Ended()) {
			err = linkOver()
		}
		return err
	})
	return a, expires, err
}

func (s *Service) usable(link *Link) error {
	if link == nil || !link.UsedAt.IsZero() || !s.Clock().Before(link.ExpiresAt) {
		return linkOver()
	}
	return nil
}

// useLink locks a link that works and uses it up.
func (s *Service) useLink(tx Tx, token string, now time.Time) (*Link, error) {
	link, err := tx.StaffLinkForUpdate(admission.HashToken(token))
	if err != nil {
		return nil, err
	}
	if err := s.usable(link); err != nil {
		return nil, err
	}
	link.UsedAt = now
	return link, tx.SaveStaffLink(link)
}

func linkOver() error {
	return &admission.Problem{Kind: admission.NotFound, Message: "This link has been used or has expired. Ask an admin for a new one"}
}

// ChoosePassword uses up a link, sets the account's password, and starts a session that must set up the second step.
func (s *Service) ChoosePassword(ctx context.Context, v admission.Visitor, token, password, request string) (in SignedIn, err error) {
	a, _, err := s.Invitation(ctx, token)
	if err != nil {
		return in, err
	}
	if fault := passwordFault(password, a); fault != "" {
		return in, invalid("password", fault)
	}
	phc, err := HashPassword(ctx, password)
	if err != nil {
		return in, err
	}
	err = s.Store.Update(ctx, func(tx Tx) error {
		now := s.Clock()
		link, err := s.useLink(tx, token, now)
		if err != nil {
			return err
		}
		a, err := tx.StaffAccountForUpdate(link.AccountID)
		if err != nil {
			return err
		}
		if a == nil || a.Ended() {
			return linkOver()
		}
		a.Password = phc
		a.Version++
		if err := tx.SaveStaffAccount(a); err != nil {
			return err
		}
		if in, _, err = s.start(tx, v, a.ID, NeedsSetUp); err != nil {
			return err
		}
		return tx.LogAct(s.actor(v, a, nil, request).Did(now, "chose a password", whom(a), "", ""))
	})
	return in, err
}

// RefuseInvitation uses up a link for somebody who does not expect it.
func (s *Service) RefuseInvitation(ctx context.Context, v admission.Visitor, token, request string) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		now := s.Clock()
		link, err := s.useLink(tx, token, now)
		if err != nil {
			return err
		}
		a, err := tx.StaffAccount(link.AccountID)
		if err != nil {
			return err
		}
		return tx.LogAct(s.actor(v, a, nil, request).Did(now, "said: this is not me", whom(a), "", ""))
	})
}

// SetUp is what the page of the second step shows.
type SetUp struct {
	Secret string // base32
	Codes  []string
}

// PrepareSetUp returns the new secret and backup codes of a session, the same at each call.
func (s *Service) PrepareSetUp(ctx context.Context, token string) (a *Account, set SetUp, err error) {
	err = s.Store.Update(ctx, func(tx Tx) error {
		var session *Session
		if session, a, err = s.lock(tx, token); err != nil {
			return err
		}
		if session.Stage != NeedsSetUp || a.IsSetUp() {
			return signInOver()
		}
		if session.NewSecret == "" {
			raw := make([]byte, 20) // the length of SHA-1, RFC 4226 §4
			rand.Read(raw)
			session.NewSecret, session.NewCodes = base32.StdEncoding.EncodeToString(raw), newBackupCodes()
			if err := tx.SaveStaffSession(session); err != nil {
				return err
			}
		}
		set = SetUp{session.NewSecret, session.NewCodes}
		return nil
	})
	return a, set, err
}

// FinishSetUp turns the second step on if the code is the app's, and opens the session under a new token. saved is the person's word that
// the backup codes are saved.
func (s *Service) FinishSetUp(ctx context.Context, v admission.Visitor, token, code string, saved bool, request string) (in SignedIn, err error) {
	err = s.limited(ctx, v, s.tries(v, "set up", ""), func() error {
		return s.Store.Update(ctx, func(tx Tx) error {
			session, a, err := s.lock(tx, token)
			if err != nil {
				return err
			}
			if session.Stage != NeedsSetUp || session.NewSecret == "" || a.IsSetUp() {
				return signInOver()
			}
			step, err := stepOf(session.NewSecret, code, s.Clock())
			switch {
			case err != nil:
				return err
			case step == 0:
				return invalid("code", "This is not the code that the app shows now. Check the time of your phone")
			case !saved:
				return invalid("saved", "Save the backup codes first")
			}
			a.Secret, a.LastStep, a.Codes = session.NewSecret, step, nil
			for _, code := range session.NewCodes {
				a.Codes = append(a.Codes, s.backupMAC(a.ID, code))
			}
			a.Version++
			session.NewSecret, session.NewCodes = "", nil
			in = SignedIn{Token: admission.NewToken(), Browser: s.newBrowser(a), Stage: Open}
			return s.openSession(tx, session, a, in.Token, "Password, app", s.actor(v, a, session, request))
		})
	})
	return in, err
}
