package apply

import (
	"context"
	"maps"
	"slices"
	"time"
	"unicode/utf8"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/forms"
)

// adultAge is the age from which no guardian must consent.
const adultAge = 18

// LastFieldKey is the value that names the last edited field, so that another device opens at it.
const LastFieldKey = "field"

// maxDraftLength limits a draft field, in characters.
const maxDraftLength = 1000

// StepContent is the content of a form page: a draft, or the saved step.
type StepContent struct {
	Values  map[string]string // by field
	Saved   map[string]string // what the step was saved with; equals Values unless IsDraft
	Field   string            // last edited; "" for none
	IsDraft bool              // a draft, not saved as a step yet
	Version int
	SavedAt time.Time // zero: never
	Env     forms.Env // for the form's rules
}

// Stale rejects a page that is older than what another tab has saved. Theirs is the newer content.
type Stale struct{ Theirs StepContent }

func (s *Stale) Error() string { return "conflict: " + ChangedElsewhere }

// Unwrap returns the visitor's message.
func (s *Stale) Unwrap() error { return admission.ConflictProblem("", ChangedElsewhere) }

// Draft returns the content of a form step: its draft, or else what was saved.
func (s *Service) Draft(ctx context.Context, v admission.Visitor, step string) (typed StepContent, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		e, err := s.edit(tx, v)
		if err != nil {
			return err
		}
		if _, err := stepIndex(step, e.r); err != nil {
			return err
		}
		typed = e.typed(e.drafts[step], step)
		return nil
	})
	return typed, err
}

// SaveDraft stores a draft of a step and returns the page with its new version. If another tab has saved something else,
// it returns a *Stale. Verification codes and card numbers are never stored. For a minor, only the guardian's contact is
// stored until the guardian has consented.
func (s *Service) SaveDraft(ctx context.Context, v admission.Visitor, step string, values map[string]string, seen int) (typed StepContent, err error) {
	err = s.Store.Update(ctx, func(tx Tx) error {
		e, err := s.edit(tx, v)
		if err != nil {
			return err
		}
		if _, err := stepIndex(step, e.r); err != nil {
			return err
		}
		draft, kept := e.drafts[step], e.storable(step, values)
		if stale := e.stale(draft, step, kept, seen); stale != nil {
			return stale
		}
		if draft == nil {
			draft = &Draft{RegistrationID: e.r.ID, Step: step}
		}
		if err := e.putDraft(draft, step, kept, e.fieldOf(step, values[LastFieldKey])); err != nil {
			return err
		}
		typed = e.typed(draft, step)
		return nil
	})
	return typed, err
}

// DiscardDraft deletes the draft of a step, so that its saved answers show again. If the draft has changed since seen, it returns
// a *Stale.
func (s *Service) DiscardDraft(ctx context.Context, v admission.Visitor, step string, seen int) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		e, err := s.edit(tx, v)
		if err != nil {
			return err
		}
		if _, err := stepIndex(step, e.r); err != nil {
			return err
		}
		draft := e.drafts[step]
		switch {
		case draft == nil || draft.Typed == nil:
			return nil
		case seen != draft.Version:
			return &Stale{e.typed(draft, step)}
		}
		return e.putDraft(draft, step, nil, "")
	})
}

// typed returns a step's content; draft may be nil.
func (e *editing) typed(draft *Draft, step string) StepContent {
	saved := e.savedValues(step)
	typed := StepContent{Values: saved, Saved: saved, Env: e.envOf(saved)}
	if e.r.Step >= savedSteps[0].to {
		typed.SavedAt = e.r.ModifiedAt
	}
	if draft == nil {
		return typed
	}
	typed.Version, typed.SavedAt = draft.Version, draft.SavedAt
	if draft.Typed != nil {
		typed.Values, typed.Field, typed.IsDraft, typed.Env = draft.Typed, draft.Field, true, e.envOf(draft.Typed)
	}
	return typed
}

// savedValues returns the values that a step was saved with.
func (e *editing) savedValues(step string) map[string]string {
	values, all := map[string]string{}, e.Answers(e.r)
	for _, field := range e.form().OfStep(step) {
		if value := all[field.Name]; value != "" && field.Kind == "amount" { // with thousands separators
			values[field.Name] = e.form().Display(field.Name, value)
		} else if value != "" {
			values[field.Name] = value
		}
	}
	return values
}

// stale returns a *Stale if another tab has saved other values since the page was opened.
func (e *editing) stale(draft *Draft, step string, values map[string]string, seen int) error {
	if draft == nil || seen == AnyVersion || seen == draft.Version {
		return nil
	}
	theirs := e.typed(draft, step)
	if maps.Equal(e.normalized(step, theirs.Values), e.normalized(step, values)) {
		return nil
	}
	return &Stale{theirs}
}

// normalized returns the values as the form parses them, without empty ones and codes, for comparison.
func (e *editing) normalized(step string, values map[string]string) map[string]string {
	clean, _ := e.form().CheckStep(step, values, e.envOf(values))
	maps.DeleteFunc(clean, func(field, value string) bool { return value == "" || e.form().Field(field).Kind == "otp" })
	return clean
}

// putDraft stores the next version of a step's draft. typed is nil once the step is saved.
func (e *editing) putDraft(draft *Draft, step string, typed map[string]string, field string) error {
	if draft == nil {
		draft = &Draft{RegistrationID: e.r.ID, Step: step}
	}
	draft.Typed, draft.Field, draft.SavedAt = typed, field, e.Clock()
	draft.Version++
	return e.tx.SaveDraft(*draft)
}

// storable returns the values of a draft that may be stored.
func (e *editing) storable(step string, values map[string]string) map[string]string {
	kept := map[string]string{}
	guardianOnly := e.needsGuardian(step, values)
	for _, field := range e.form().OfStep(step) {
		value := values[field.Name]
		if value == "" || field.Kind == "otp" || forms.HoldsCard(value) || utf8.RuneCountInString(value) > maxDraftLength || guardianOnly && !isGuardianField(field.Name) {
			continue
		}
		kept[field.Name] = value
	}
	return kept
}

// isGuardianField reports whether a field identifies the guardian.
func isGuardianField(field string) bool {
	return field == fatherField || field == guardianField || field == guardianPhoneField
}

// needsGuardian reports whether the values are of a minor without a guardian's consent.
func (e *editing) needsGuardian(step string, values map[string]string) bool {
	if step != string(enrol.PlacePersonal) {
		return false
	}
	env := e.envOf(values)
	clean, _ := e.form().CheckStep(step, values, env)
	return forms.Under(adultAge, clean[bornField], env.Today) && env.Proven[guardianPhoneField] == ""
}

// keepOnlyGuardian deletes all but the guardian's fields from a draft.
func (e *editing) keepOnlyGuardian(draft *Draft) error {
	if draft == nil || draft.Typed == nil {
		return nil
	}
	maps.DeleteFunc(draft.Typed, func(field, _ string) bool { return !isGuardianField(field) })
	return e.tx.SaveDraft(*draft)
}

// fieldOf returns name if it is a field of the step, otherwise "".
func (e *editing) fieldOf(step, name string) string {
	if slices.ContainsFunc(e.form().OfStep(step), func(field *forms.Field) bool { return field.Name == name }) {
		return name
	}
	return ""
}
