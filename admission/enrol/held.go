package enrol

import (
	"context"
	"slices"

	"hiresure/admission"
	"hiresure/admission/access"
)

// RegistrationOfVisitor returns a registration of the visitor's session or account; otherwise NotFound.
func (s *Service) RegistrationOfVisitor(ctx context.Context, v admission.Visitor, id string) (Registration, error) {
	var r *Registration
	err := s.Store.View(ctx, func(tx Tx) (err error) {
		r, err = RegistrationFor(tx, v, id)
		return err
	})
	if err != nil {
		return Registration{}, err
	}
	return *r, nil
}

// LatestRegistration returns the last changed registration of the visitor's account, or else of the session, for one
// event or, with "", for any enrolment; otherwise NotFound.
func (s *Service) LatestRegistration(ctx context.Context, v admission.Visitor, eventCode string) (Registration, error) {
	var latest *Registration
	err := s.Store.View(ctx, func(tx Tx) error {
		session, err := tx.Session(v.SessionID)
		if err != nil || session == nil {
			return err
		}
		if session.AccountID != "" {
			if latest, err = tx.RegistrationOfAccount(session.AccountID, eventCode); err != nil || latest != nil {
				return err
			}
		}
		for _, id := range slices.Backward(session.Registered) {
			if latest, err = tx.Registration(id); err != nil || latest.HasPerson() && (latest.EventCode == eventCode || eventCode == "" && !latest.IsApplication()) {
				return err
			}
		}
		latest = nil
		return nil
	})
	if err == nil && latest == nil {
		err = admission.NotFoundProblem("Registration")
	}
	if err != nil {
		return Registration{}, err
	}
	return *latest, nil
}

// VerifiedEnrolment returns the latest enrolment of the session whose phone the session has verified, of one phone or, with "",
// of any; nil for none.
func (s *Service) VerifiedEnrolment(ctx context.Context, v admission.Visitor, phone string) (found *Registration, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		found = nil
		session, err := tx.Session(v.SessionID)
		if err != nil || session == nil {
			return err
		}
		for _, id := range slices.Backward(session.Registered) {
			r, err := tx.Registration(id)
			if err != nil {
				return err
			}
			if r.HasPerson() && !r.IsApplication() && (phone == "" || r.Phone == phone) && session.HasVerified(string(access.ForPhone)+r.Phone) {
				found = r
				return nil
			}
		}
		return nil
	})
	return found, err
}

// HasPerson reports whether r is not nil and its person is not deleted.
func (r *Registration) HasPerson() bool { return r != nil && r.ErasedAt.IsZero() }

// Subject names r in the log of staff, which must not name a person.
func (r *Registration) Subject() string { return "registration " + r.ID }

// FindPerson returns a registration whose person is not deleted; otherwise NotFound.
func FindPerson(tx interface {
	Registration(id string) (*Registration, error)
}, id string) (*Registration, error) {
	if !admission.IsID(id) {
		return nil, admission.NotFoundProblem("Registration")
	}
	r, err := tx.Registration(id)
	if err == nil && !r.HasPerson() {
		err = admission.NotFoundProblem("Registration")
	}
	return r, err
}

// RegistrationFor returns a registration of the visitor's session or account; otherwise NotFound.
func RegistrationFor(tx Tx, v admission.Visitor, registrationID string) (*Registration, error) {
	if !admission.IsID(registrationID) {
		return nil, admission.NotFoundProblem("Registration")
	}
	s, err := tx.Session(v.SessionID)
	if err != nil {
		return nil, err
	}
	r, err := tx.Registration(registrationID)
	if err != nil {
		return nil, err
	}
	if !r.HasPerson() || s == nil || !s.Holds(r.ID) && (s.AccountID == "" || s.AccountID != r.AccountID) {
		v.Deny(registrationID)
		return nil, admission.NotFoundProblem("Registration")
	}
	return r, nil
}

// Reopen adds a registration to a session that has verified its phone.
func (s *Service) Reopen(ctx context.Context, v admission.Visitor, registrationID string) error {
	if !admission.IsID(registrationID) {
		return admission.NotFoundProblem("Registration")
	}
	return s.Store.Update(ctx, func(tx Tx) error {
		r, err := tx.Registration(registrationID)
		if err != nil {
			return err
		}
		session, err := tx.SessionForUpdate(v.SessionID)
		if err != nil {
			return err
		}
		if !r.HasPerson() || session == nil || !session.HasVerified(string(access.ForPhone)+r.Phone) {
			v.Deny(registrationID)
			return admission.NotFoundProblem("Registration")
		}
		session.Registered = access.Remember(session.Registered, r.ID)
		return tx.SaveSession(session)
	})
}

// RequestCodeFor sends a verification code to the phone of an existing registration, so that a new session can reopen
// it.
func (s *Service) RequestCodeFor(ctx context.Context, v admission.Visitor, registrationID string) (access.CodeSent, error) {
	var r *Registration
	var passed *access.Passed
	if admission.IsID(registrationID) {
		var err error
		if passed, err = s.Access.CheckHuman(ctx, v); err != nil {
			return access.CodeSent{}, err
		}
		if err := s.Store.View(ctx, func(tx Tx) (err error) {
			r, err = tx.Registration(registrationID)
			return err
		}); err != nil {
			return access.CodeSent{}, err
		}
	}
	if !r.HasPerson() {
		return access.CodeSent{}, admission.NotFoundProblem("Registration")
	}
	return s.Access.RequestCode(ctx, v, access.PhoneCodeInput{Purpose: access.ForPhone, Phone: admission.TenDigits(r.Phone), Email: r.Email, EventCode: r.EventCode, Passed: passed})
}
