package office

import (
	"context"
	"slices"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/staff"
)

// View is a look of staff at an applicant's pages, in one staff session. The applicant reads of it in My data.
type View struct {
	ID, RegistrationID string
	AccountID          string // of the colleague
	SessionID          string // of the colleague
	Role               string // the label that the applicant reads
	Purpose            string // one of ViewPurposes
	Reason             string // as the colleague wrote it; not shown to the applicant
	At, Until          time.Time
	EndedAt            time.Time // when the colleague ended it; zero otherwise
}

// ViewLasts is how long a view lasts.
const ViewLasts = 15 * time.Minute

// Open reports whether the view still shows pages.
func (v View) Open(now time.Time) bool { return v.EndedAt.IsZero() && now.Before(v.Until) }

// ViewPurposes are what a view can be for, as the applicant reads it.
var ViewPurposes = []string{"Help with the form", "Help with documents", "Help with a payment", "Answer a complaint", "Look into a fault of the site"}

// StartView lets a colleague look at the pages of a registration's applicant. If one is open in that session, StartView returns it.
// Problems: NotFound, Invalid for the fields purpose and reason.
func (s *Service) StartView(ctx context.Context, registrationID, purpose, reason string, p *staff.Person, by staff.Actor) (v View, err error) {
	if !slices.Contains(ViewPurposes, purpose) {
		return v, &admission.Problem{Kind: admission.Invalid, Field: "purpose", Message: "Choose what it is for"}
	}
	if err := checkReason(reason, "Write what you look for"); err != nil {
		return v, err
	}
	reason = strings.TrimSpace(reason)
	err = s.Store.Update(ctx, func(tx Tx) error {
		v = View{}
		r, err := tx.RegistrationForUpdate(registrationID)
		if err != nil {
			return err
		}
		if !r.HasPerson() {
			return admission.NotFoundProblem("Registration")
		}
		now := s.Clock()
		open, err := tx.OpenStaffView(r.ID, p.Session.ID, now)
		if err != nil {
			return err
		}
		if open != nil {
			v = *open
			return nil
		}
		v = View{ID: admission.NewID(), RegistrationID: r.ID, AccountID: p.ID, SessionID: p.Session.ID, Role: viewRole(p), Purpose: purpose, Reason: reason, At: now, Until: now.Add(ViewLasts)}
		if err := tx.AddStaffView(v); err != nil {
			return err
		}
		if err := tx.AddEntry(enrol.Entry{ID: admission.NewID(), RegistrationID: r.ID, Kind: enrol.EntryViewed, Detail: purpose, Who: by.Name, At: now}); err != nil {
			return err
		}
		return tx.LogAct(by.Did(now, "began to view as the applicant", r.Subject(), "", purpose)) // the reason may name somebody
	})
	return v, err
}

// viewRole returns the role of a colleague that allows views.
func viewRole(p *staff.Person) string {
	for _, role := range p.Roles {
		if staff.Allows([]staff.Role{role}, staff.ViewAs) {
			return role.Label()
		}
	}
	return ""
}

// FindView returns a view of the colleague's session with its registration. Problem: NotFound, also if it is another session's.
func (s *Service) FindView(ctx context.Context, id string, p *staff.Person) (v View, r enrol.Registration, err error) {
	missing := admission.NotFoundProblem("View")
	if !admission.IsID(id) {
		return v, r, missing
	}
	err = s.Store.View(ctx, func(tx Tx) error {
		found, err := tx.StaffView(id)
		if err != nil {
			return err
		}
		if found == nil || found.SessionID != p.Session.ID {
			return missing
		}
		of, err := tx.Registration(found.RegistrationID)
		if err != nil {
			return err
		}
		if !of.HasPerson() {
			return missing
		}
		v, r = *found, *of
		return nil
	})
	return v, r, err
}

// EndView ends a view of the colleague's session, and returns it. Nothing happens if it has ended. Problem: NotFound.
func (s *Service) EndView(ctx context.Context, id string, p *staff.Person, by staff.Actor) (v View, err error) {
	v, r, err := s.FindView(ctx, id, p)
	if err != nil {
		return v, err
	}
	err = s.Store.Update(ctx, func(tx Tx) error {
		now := s.Clock()
		ended, err := tx.EndStaffView(id, now)
		if err != nil || !ended {
			return err
		}
		return tx.LogAct(by.Did(now, "ended a view as the applicant", r.Subject(), "", ""))
	})
	return v, err
}

// Registration returns a registration whose person is not deleted. Problem: NotFound.
func (s *Service) Registration(ctx context.Context, id string) (r enrol.Registration, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		found, err := enrol.FindPerson(tx, id)
		if err == nil {
			r = *found
		}
		return err
	})
	return r, err
}
