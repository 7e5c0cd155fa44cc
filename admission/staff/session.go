package staff

import (
	"context"
	"slices"
	"time"

	"hiresure/admission"
)

// seenEvery is how often the last use of a session is stored.
const seenEvery = time.Minute

// Find returns the person of an open session and records its use; nil without a live one.
func (s *Service) Find(ctx context.Context, token string) (*Person, error) {
	p, err := s.find(ctx, token)
	if err != nil || p == nil || p.Session.Stage != Open {
		return nil, err
	}
	now := s.Clock()
	if now.Before(p.Session.SeenAt.Add(seenEvery)) {
		return p, nil
	}
	err = s.Store.Update(ctx, func(tx Tx) error {
		session, a, err := s.lock(tx, token)
		if err != nil {
			return err
		}
		session.SeenAt, a.SeenAt = now, now
		if err := tx.SaveStaffSession(session); err != nil {
			return err
		}
		return tx.SaveStaffAccount(a)
	})
	if admission.AsProblem(err) != nil { // ended meanwhile
		return nil, nil
	}
	return p, err
}

// Pending returns the account of a session that is not open yet, and its stage; nil without one.
func (s *Service) Pending(ctx context.Context, token string) (*Person, error) {
	p, err := s.find(ctx, token)
	if p != nil && p.Session.Stage == Open {
		return nil, err
	}
	return p, err
}

func (s *Service) find(ctx context.Context, token string) (p *Person, err error) {
	if token == "" {
		return nil, nil
	}
	err = s.Store.View(ctx, func(tx Tx) error {
		p = nil
		session, err := tx.StaffSessionByToken(admission.HashToken(token))
		if err != nil || session == nil || !session.IsLive(s.Clock()) {
			return err
		}
		a, err := tx.StaffAccount(session.AccountID)
		if err == nil && a != nil && !a.Ended() {
			p = &Person{*a, *session}
		}
		return err
	})
	return p, err
}

// OpenWithoutProof opens a session for an account without password and code, which it adds if it is missing. For development only.
func (s *Service) OpenWithoutProof(ctx context.Context, v admission.Visitor, n NewAccount, request string) (in SignedIn, err error) {
	if _, err := s.Add(ctx, n, Operator("development")); err != nil && admission.AsProblem(err) == nil {
		return in, err
	}
	a, err := s.ByEmail(ctx, n.Email)
	if err != nil {
		return in, err
	}
	err = s.Store.Update(ctx, func(tx Tx) error {
		if in, _, err = s.start(tx, v, a.ID, Open); err != nil {
			return err
		}
		session, account, err := s.lock(tx, in.Token)
		if err != nil {
			return err
		}
		return s.openSession(tx, session, account, in.Token, "Development", s.actor(v, account, session, request))
	})
	return in, err
}

// actor returns the actor of an account in a browser.
func (s *Service) actor(v admission.Visitor, a *Account, session *Session, request string) Actor {
	by := Actor{Name: a.Name, From: v.IP, Account: a.ID, Request: request}
	if session != nil {
		by.Session = session.ID
	}
	return by
}

// Actor returns who acts in a request.
func (s *Service) Actor(v admission.Visitor, p *Person, request string) Actor {
	return s.actor(v, &p.Account, &p.Session, request)
}

// endSessions ends the sessions of an account but one.
func endSessions(tx Tx, accountID, except string) error {
	sessions, err := tx.StaffSessions(accountID)
	for _, session := range sessions {
		if session.ID != except && err == nil {
			err = tx.DeleteStaffSession(session.ID)
		}
	}
	return err
}

// Sessions returns the open sessions of an account, of all accounts for "", those used last first.
func (s *Service) Sessions(ctx context.Context, accountID string) (open []Session, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		open, err = s.open(tx, accountID)
		return err
	})
	return open, err
}

func (s *Service) open(tx Tx, accountID string) ([]Session, error) {
	all, err := tx.StaffSessions(accountID)
	return slices.DeleteFunc(all, func(session Session) bool { return session.Stage != Open || !session.IsLive(s.Clock()) }), err
}

// EndSession ends a session of the person, or anybody's if the person manages staff.
func (s *Service) EndSession(ctx context.Context, p *Person, id string, by Actor) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		session, err := tx.StaffSessionForUpdate(id)
		if err != nil {
			return err
		}
		if session == nil || session.Stage != Open || session.AccountID != p.ID && !p.Can(ManageStaff) {
			return &admission.Problem{Kind: admission.NotFound, Message: "This session has ended"}
		}
		a, err := tx.StaffAccount(session.AccountID)
		if err != nil {
			return err
		}
		if err := tx.DeleteStaffSession(id); err != nil {
			return err
		}
		what := "ended a session"
		if id == p.Session.ID {
			what = "logged out"
		}
		return tx.LogAct(by.Did(s.Clock(), what, whom(a), "session "+id, ""))
	})
}

// EndOtherSessions ends all sessions of the person but the one in use.
func (s *Service) EndOtherSessions(ctx context.Context, p *Person, by Actor) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		if err := endSessions(tx, p.ID, p.Session.ID); err != nil {
			return err
		}
		return tx.LogAct(by.Did(s.Clock(), "ended all other sessions", whom(&p.Account), "", ""))
	})
}
