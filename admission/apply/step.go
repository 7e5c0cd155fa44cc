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

// editing is a change of an application that is still editable. It holds the registration's lock.
type editing struct {
	*Service
	tx      Tx
	visitor admission.Visitor
	session *access.Session
	a       *account.Account
	r       *enrol.Registration
	drafts  map[string]*Draft // by step
	event   admission.Event
}

func (s *Service) edit(tx Tx, v admission.Visitor) (*editing, error) {
	if v.AccountID == "" {
		return nil, admission.NotFoundProblem("Account")
	}
	a, err := tx.Applicant(v.SessionID, v.AccountID)
	r := a.Registration
	switch {
	case err != nil:
		return nil, err
	case a.Session == nil || a.Account == nil: // signed out meanwhile, for instance by a deletion
		return nil, admission.NotFoundProblem("Account")
	case r == nil:
		return nil, admission.ConflictProblem("", VerifyFirst)
	case r.Step >= enrol.StepAgreed:
		return nil, admission.ConflictProblem("", notEditable)
	}
	event, err := admission.KnownEvent(s.Events, enrol.ApplicationCode)
	if err != nil {
		return nil, err
	}
	if why := event.Closed(s.Clock()); why != "" {
		return nil, admission.ConflictProblem("", why)
	}
	return &editing{s, tx, v, a.Session, a.Account, r, a.Drafts, event}, nil
}

// stepIndex returns the index of a form step in savedSteps. It rejects an unknown step and one that is not reached yet.
func stepIndex(step string, r *enrol.Registration) (int, error) {
	i := slices.IndexFunc(savedSteps, func(one savedStep) bool { return string(one.place) == step })
	switch {
	case i < 0:
		return i, admission.NotFoundProblem("Step")
	case r.Step < savedSteps[i].to-1:
		return i, admission.ConflictProblem("", earlierStepsFirst)
	}
	return i, nil
}

// envOf returns env with the guardian's phone that the form names, if this session or a previous save has verified it.
func (e *editing) envOf(in map[string]string) forms.Env {
	guardian, _ := e.form().CheckField(guardianPhoneField, in, e.env(e.r.Phone, ""))
	phone := admission.IndianPhone(guardian)
	if phone != e.r.GuardianPhone && !e.session.HasVerified(string(access.ForGuardian)+phone) {
		phone = ""
	}
	return e.env(e.r.Phone, phone)
}

// SaveStep saves one of the form steps personal, academic and scholarship, and moves the application forward if that is
// its next step. seen is the draft's version when the page was rendered: if another tab has saved other answers since,
// SaveStep returns a *Stale. Until the guardian's phone is verified, it saves a minor's guardian fields only.
func (s *Service) SaveStep(ctx context.Context, v admission.Visitor, step string, in map[string]string, seen int) (standing Standing, err error) {
	var refusal error
	err = s.Store.Update(ctx, func(tx Tx) error {
		refusal = nil
		e, err := s.edit(tx, v)
		if err != nil {
			return err
		}
		i, err := stepIndex(step, e.r)
		if err != nil {
			return err
		}
		draft, env := e.drafts[step], e.envOf(in)
		clean, faults := s.form().CheckStep(step, in, env)
		if problem := admission.FormProblem(faults); problem != nil {
			refusal = problem
			if e.needsGuardian(step, in) { // the draft may be older than the date of birth
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

// save stores the step's values. Unchanged values change nothing.
func (e *editing) save(i int, step string, clean map[string]string) error {
	r, form, now := e.r, e.form(), e.Clock()
	before, guardian := *r, r.GuardianPhone
	before.Answers = maps.Clone(r.Answers)
	r.FillStep(form, step, clean)
	if _, present := clean[bornField]; present {
		r.Adult = !forms.Under(adultAge, clean[bornField], admission.ISODate(now))
	}
	r.FullName, r.Email = e.a.FullName, e.a.Email
	if r.GuardianPhone != "" && r.GuardianPhone != guardian {
		if err := enrol.Note(e.tx, r, now, enrol.EntryGuardianAgreed, ""); err != nil {
			return err
		}
	}
	next := savedSteps[i]
	if r.Step < next.to {
		return e.move(next.to, next.firstEntry)
	}
	if maps.Equal(before.Typed(form, ""), r.Typed(form, "")) && before.FullName == r.FullName && before.Email == r.Email {
		return nil
	}
	if err := e.Access.Take(e.tx, e.visitor, access.RecordedActionLimit("application", r.ID)); err != nil {
		return err
	}
	if err := enrol.Note(e.tx, r, now, next.changeEntry, ""); err != nil {
		return err
	}
	r.ModifiedAt = now
	return e.tx.SaveRegistration(r)
}

// move moves the application to its next step and records it.
func (e *editing) move(to enrol.Step, noted enrol.EntryKind) error {
	now := e.Clock()
	if err := enrol.Note(e.tx, e.r, now, noted, ""); err != nil {
		return err
	}
	if err := e.r.Move(e.tx, to, now); err != nil {
		return err
	}
	return e.queueReminder(e.tx, e.r)
}

// AgreeTerms records the agreement to the terms, which makes the answers final, and the consents. It validates all saved
// answers again with the current rules. seen is Review.Seen: if anything has changed since, it returns a Conflict. ""
// skips that check, for callers without a page.
func (s *Service) AgreeTerms(ctx context.Context, v admission.Visitor, in map[string]string, seen string) (standing Standing, err error) {
	err = s.Store.Update(ctx, func(tx Tx) error {
		e, err := s.edit(tx, v)
		if err != nil {
			return err
		}
		r, form := e.r, s.form()
		if r.Step < enrol.StepScholarship {
			return admission.ConflictProblem("", earlierStepsFirst)
		}
		unsaved := e.unsavedDrafts()
		if seen != "" && seen != e.fingerprint(unsaved) {
			return admission.ConflictProblem("", reviewChanged)
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
		for _, step := range savedSteps {
			if draft := e.drafts[string(step.place)]; draft != nil && draft.Typed != nil {
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

// Answers returns an application's answers by form field.
func (s *Service) Answers(r *enrol.Registration) map[string]string { return r.Typed(s.form(), "") }
