package apply

import (
	"context"
	"maps"
	"slices"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/enrol"
	"hiresure/forms"
)

// editing is a change of an application whose answers may still change. It holds the registration's lock.
type editing struct {
	*Service
	tx      Tx
	visitor admission.Visitor
	session *access.Session
	a       *account.Account
	r       *enrol.Registration
	event   admission.Event
}

func (s *Service) edit(tx Tx, v admission.Visitor) (*editing, error) {
	session, err := tx.SessionForUpdate(v.SessionID) // first, as everywhere
	if err != nil {
		return nil, err
	}
	a, r, err := applicant(tx, v)
	switch {
	case err != nil:
		return nil, err
	case session == nil: // signed out meanwhile, as who is deleted
		return nil, admission.NotFoundProblem("Account")
	case r == nil:
		return nil, admission.ConflictProblem("", VerifyFirst)
	case r.Step >= enrol.StepAgreed:
		return nil, admission.ConflictProblem("", standsNow)
	}
	event, err := admission.KnownEvent(s.Events, enrol.ApplicationCode)
	if err != nil {
		return nil, err
	}
	if why := event.Closed(s.Clock()); why != "" {
		return nil, admission.ConflictProblem("", why)
	}
	return &editing{s, tx, v, session, a, r, event}, nil
}

// at is the place of a step of the form among those that are saved; a refusal where it is none, or comes too early.
func at(step string, r *enrol.Registration) (int, error) {
	i := slices.IndexFunc(saved, func(one savedStep) bool { return string(one.place) == step })
	switch {
	case i < 0:
		return i, admission.NotFoundProblem("Step")
	case r.Step < saved[i].to-1:
		return i, admission.ConflictProblem("", stepsBefore)
	}
	return i, nil
}

// envOf is env with the guardian whom a form names, if that phone is proven: here, or when the application was saved before.
func (e *editing) envOf(in map[string]string) forms.Env {
	guardian, _ := e.form().CheckField(guardianPhoneField, in, e.env(e.r.Phone, ""))
	phone := admission.IndianPhone(guardian)
	if phone != e.r.GuardianPhone && !e.session.HasVerified(string(access.ForGuardian)+phone) {
		phone = ""
	}
	return e.env(e.r.Phone, phone)
}

// SaveStep saves one step of the form: personal, academic or scholarship. It brings the application to the next step, and one
// that is further already stays where it is. seen is the version of the page that was sent (Draft): where another tab was
// faster, and says something else, the refusal is a *Stale. Of who is under 18 nothing is saved before a guardian's code.
func (s *Service) SaveStep(ctx context.Context, v admission.Visitor, step string, in map[string]string, seen int) (standing Standing, err error) {
	var refusal error
	err = s.Store.Update(ctx, func(tx Tx) error {
		refusal = nil
		e, err := s.edit(tx, v)
		if err != nil {
			return err
		}
		i, err := at(step, e.r)
		if err != nil {
			return err
		}
		draft, err := tx.Draft(e.r.ID, step)
		if err != nil {
			return err
		}
		env := e.envOf(in)
		clean, faults := s.form().CheckStep(step, in, env)
		if problem := admission.FormProblem(faults); problem != nil {
			refusal = problem
			if e.awaitsGuardian(step, in) { // what was typed before the date of birth said so
				return e.keepOnlyGuardian(draft)
			}
			return nil
		}
		if stale := e.stale(draft, step, clean, seen); stale != nil {
			return stale
		}
		if err := e.save(i, step, clean); err != nil {
			return err
		}
		standing = standingOf(*e.a, e.r, e.event)
		return e.putDraft(draft, step, nil, "")
	})
	if err == nil {
		err = refusal
	}
	return standing, err
}

// save writes what a step says, once: the same again changes nothing.
func (e *editing) save(i int, step string, clean map[string]string) error {
	r, form, now := e.r, e.form(), e.Clock()
	before, guardian := *r, r.GuardianPhone
	before.Answers = maps.Clone(r.Answers)
	r.FillStep(form, step, clean)
	if _, asked := clean[bornField]; asked {
		r.Adult = !forms.Under(adultAge, clean[bornField], admission.ISODate(now))
	}
	r.FullName, r.Email = e.a.FullName, e.a.Email
	if r.GuardianPhone != "" && r.GuardianPhone != guardian {
		if err := enrol.Note(e.tx, r, now, enrol.EntryGuardianAgreed, ""); err != nil {
			return err
		}
	}
	next := saved[i]
	if r.Step < next.to {
		return e.move(next.to, next.noted)
	}
	if maps.Equal(before.Typed(form, ""), r.Typed(form, "")) && before.FullName == r.FullName && before.Email == r.Email {
		return nil
	}
	if err := e.Access.Take(e.tx, e.visitor, access.RecordedActionLimit("application", r.ID)); err != nil {
		return err
	}
	if err := enrol.Note(e.tx, r, now, next.changed, ""); err != nil {
		return err
	}
	r.ModifiedAt = now
	return e.tx.SaveRegistration(r)
}

// move brings the application to its next step, and notes it.
func (e *editing) move(to enrol.Step, noted enrol.EntryKind) error {
	now := e.Clock()
	if err := enrol.Note(e.tx, e.r, now, noted, ""); err != nil {
		return err
	}
	if err := e.r.Move(e.tx, to, now); err != nil {
		return err
	}
	return e.remindLater(e.tx, e.r)
}

// AgreeTerms agrees to the terms, after which the answers stand, and keeps what was consented to. All that was saved before is
// judged once more, with today's rules. seen is that of the Review which was read: nobody agrees to what has changed since. ""
// is that of a caller who has no page.
func (s *Service) AgreeTerms(ctx context.Context, v admission.Visitor, in map[string]string, seen string) (standing Standing, err error) {
	err = s.Store.Update(ctx, func(tx Tx) error {
		e, err := s.edit(tx, v)
		if err != nil {
			return err
		}
		r, form := e.r, s.form()
		if r.Step < enrol.StepScholarship {
			return admission.ConflictProblem("", stepsBefore)
		}
		unsaved, err := e.unsaved()
		if err != nil {
			return err
		}
		if seen != "" && seen != e.seen(unsaved) {
			return admission.ConflictProblem("", otherReview)
		}
		whole := r.Typed(form, "")
		for _, field := range form.OfStep(TermsStep) {
			whole[field.Name] = in[field.Name]
		}
		clean, faults := form.Check(whole, e.envOf(whole))
		if problem := admission.FormProblem(faults); problem != nil {
			return problem
		}
		r.FullName, r.Email = e.a.FullName, e.a.Email
		r.TermsVersion, r.TermsHash, r.TermsAt = e.event.Terms.Version, e.event.Terms.Hash, s.Clock()
		r.FormVersion = form.Version
		if err := s.Consents.Agree(tx, v, r.Phone, r.ID, e.event.Terms.Version, clean); err != nil {
			return err
		}
		for _, step := range saved {
			draft, err := tx.Draft(r.ID, string(step.place))
			if err != nil {
				return err
			}
			if draft != nil && draft.Typed != nil {
				if err := e.putDraft(draft, string(step.place), nil, ""); err != nil {
					return err
				}
			}
		}
		if err := e.move(enrol.StepAgreed, enrol.EntryTermsAgreed); err != nil {
			return err
		}
		standing = standingOf(*e.a, r, e.event)
		return nil
	})
	return standing, err
}

// Answers is what an application says, by field of the form.
func (s *Service) Answers(r *enrol.Registration) map[string]string { return r.Typed(s.form(), "") }
