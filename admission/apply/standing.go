package apply

import (
	"cmp"
	"context"
	"slices"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/enrol"
)

// Standing is the state of an account's application, for pages, API and menu.
type Standing struct {
	Account      account.Account
	Registration *enrol.Registration // nil: not started
	Step         enrol.Step
	enrol.StepFact
	Event admission.Event
}

// Allows reports whether a page is accessible at the current step.
func (s Standing) Allows(place enrol.Place) bool {
	return place == s.Lands || slices.Contains(s.Also, place)
}

// RegistrationID returns the application's id; "" if it has not started.
func (s Standing) RegistrationID() string {
	if s.Registration == nil {
		return ""
	}
	return s.Registration.ID
}

// Standing returns the visitor's Standing; NotFound without a sign-in.
func (s *Service) Standing(ctx context.Context, v admission.Visitor) (standing Standing, err error) {
	err = s.Store.View(ctx, func(tx Tx) (err error) {
		standing, err = s.standing(tx, v)
		return err
	})
	return standing, err
}

func (s *Service) standing(tx Tx, v admission.Visitor) (Standing, error) {
	a, r, err := applicant(tx, v)
	if err != nil {
		return Standing{}, err
	}
	event, _ := s.Events.EventByCode(enrol.ApplicationCode)
	return standingOf(*a, r, event), nil
}

func standingOf(a account.Account, r *enrol.Registration, event admission.Event) Standing {
	standing := Standing{Account: a, Registration: r, Step: enrol.StepUnverified, Event: event}
	if r != nil {
		standing.Step = r.Step
	}
	standing.StepFact = standing.Step.Fact()
	return standing
}

// applicant returns the signed-in account and its application (locked, or nil).
func applicant(tx Tx, v admission.Visitor) (*account.Account, *enrol.Registration, error) {
	if v.AccountID == "" {
		return nil, nil, admission.NotFoundProblem("Account")
	}
	a, err := tx.Account(v.AccountID)
	if err != nil {
		return nil, nil, err
	}
	if a == nil {
		return nil, nil, admission.NotFoundProblem("Account")
	}
	r, err := tx.ApplicationOf(a.ID)
	return a, r, err
}

// Begin creates the application of the signed-in account at step 0, or returns the existing one. It requires a verified
// phone: the account's, or tenDigits verified by the visitor's session, which becomes the account's. consents are
// comma-separated purposes that are recorded on creation.
func (s *Service) Begin(ctx context.Context, v admission.Visitor, tenDigits, consents string) (standing Standing, err error) {
	err = s.Store.Update(ctx, func(tx Tx) error {
		session, err := tx.SessionForUpdate(v.SessionID) // always locked first
		if err != nil {
			return err
		}
		a, r, err := applicant(tx, v)
		if err != nil {
			return err
		}
		event, err := admission.KnownEvent(s.Events, enrol.ApplicationCode)
		if err != nil {
			return err
		}
		if r == nil {
			if why := event.Closed(s.Clock()); why != "" {
				return admission.ConflictProblem("", why)
			}
			if err := s.setVerifiedPhone(tx, session, a, tenDigits); err != nil {
				return err
			}
			if r, err = s.open(tx, a, event); err != nil {
				return err
			}
			if err := s.Consents.Record(tx, v, r.Phone, r.ID, consents); err != nil {
				return err
			}
		}
		standing = standingOf(*a, r, event)
		return nil
	})
	return standing, err
}

// setVerifiedPhone sets the account's phone to one that the session has verified, unless the account has a verified
// phone.
func (s *Service) setVerifiedPhone(tx Tx, session *access.Session, a *account.Account, tenDigits string) error {
	if a.PhoneVerified() {
		return nil
	}
	phone := cmp.Or(tenDigits, admission.TenDigits(a.Phone))
	if phone = admission.IndianPhone(phone); session == nil || !session.HasVerified(string(access.ForPhone)+phone) {
		return admission.ConflictProblem(phoneField, verifyByCode)
	}
	other, err := tx.AccountOf(phone)
	if err != nil {
		return err
	}
	if other != nil && other.ID != a.ID {
		return admission.ConflictProblem(phoneField, admission.PhoneTaken)
	}
	a.Phone, a.PhoneProvenAt, a.ModifiedAt = phone, s.Clock(), s.Clock()
	if err := tx.SaveAccount(a); err != nil {
		return err
	}
	return tx.ClaimRegistrations(a.ID, phone)
}

// open creates the registration at step 0 and queues its reminder.
func (s *Service) open(tx Tx, a *account.Account, event admission.Event) (*enrol.Registration, error) {
	r, err := tx.RegistrationOf(event.Code, a.Phone)
	if err != nil {
		return nil, err
	}
	if r != nil { // of a previous owner of the number, or not yet claimed
		if r.AccountID != a.ID {
			return nil, admission.ConflictProblem(phoneField, admission.PhoneTaken)
		}
		return r, nil
	}
	now := s.Clock()
	r = &enrol.Registration{
		ID: admission.NewID(), EventSlug: event.Slug, EventCode: event.Code, AccountID: a.ID, FullName: a.FullName, Email: a.Email, Phone: a.Phone,
		Step: enrol.StepVerified, CreatedAt: now, ModifiedAt: now,
	}
	if err := tx.AddRegistration(r); err != nil {
		return nil, err
	}
	if err := enrol.Note(tx, r, now, enrol.EntryPhoneVerified, ""); err != nil {
		return nil, err
	}
	return r, s.queueReminder(tx, r)
}
