package account

import (
	"context"
	"slices"

	"hiresure/admission"
	"hiresure/admission/access"
)

// Profile returns the visitor's account; NotFound if the visitor is signed out.
func (s *Service) Profile(ctx context.Context, v admission.Visitor) (Account, error) {
	var a *Account
	err := s.Store.View(ctx, func(tx Tx) (err error) {
		if v.AccountID != "" {
			a, err = tx.Account(v.AccountID)
		}
		return err
	})
	if err == nil && a == nil {
		err = admission.NotFoundProblem("Account")
	}
	if err != nil {
		return Account{}, err
	}
	return *a, nil
}

// Sessions returns the sessions of the visitor's account, latest first.
func (s *Service) Sessions(ctx context.Context, v admission.Visitor) (sessions []access.Session, err error) {
	err = s.Store.View(ctx, func(tx Tx) (err error) {
		sessions, err = tx.SessionsOf(v.AccountID)
		return err
	})
	now := s.Clock()
	return slices.DeleteFunc(sessions, func(session access.Session) bool { return !session.IsLive(now) }), err
}

// SignOut ends one session of the visitor's account; NotFound for any other or an ended one.
func (s *Service) SignOut(ctx context.Context, v admission.Visitor, sessionID string) error {
	if !admission.IsID(sessionID) {
		return admission.NotFoundProblem("Session")
	}
	return s.Store.Update(ctx, func(tx Tx) error {
		session, err := tx.SessionForUpdate(sessionID)
		if err != nil {
			return err
		}
		if session == nil || v.AccountID == "" || session.AccountID != v.AccountID {
			v.Deny(sessionID)
			return admission.NotFoundProblem("Session")
		}
		return tx.DeleteSession(sessionID)
	})
}

// SignOutEverywhere ends all sessions of the visitor's account, including the current one, and the access of browsers that verified
// its phone or enrolled it without signing in.
func (s *Service) SignOutEverywhere(ctx context.Context, v admission.Visitor) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		a, err := visitorAccount(tx, v)
		if err != nil {
			return err
		}
		return tx.RevokeAccess(a)
	})
}
