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

// adultAge is from when on nobody else must agree.
const adultAge = 18

// FieldTyped is how a draft names the field that was typed into last, so that another device opens at it.
const FieldTyped = "field"

// mostTyped is how many characters of a field are kept that is half typed.
const mostTyped = 1000

// Typed is a page of the form as it stands: half typed, or as it was saved.
type Typed struct {
	Values  map[string]string // by field
	Field   string            // typed into last; "" for none
	Half    bool              // not saved as a step yet
	Version int
	SavedAt time.Time // zero: nothing was ever kept
	Env     forms.Env // what the form's rules know of who types
}

// Stale refuses a page that is older than what another tab has kept meanwhile, and carries that.
type Stale struct{ Theirs Typed }

func (s *Stale) Error() string { return "conflict: " + OtherTab }

// Unwrap is what a visitor reads.
func (s *Stale) Unwrap() error { return admission.ConflictProblem("", OtherTab) }

// Draft returns a step of the form as it stands, for a page to show: what is half typed, or else what was saved.
func (s *Service) Draft(ctx context.Context, v admission.Visitor, step string) (typed Typed, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		e, err := s.edit(tx, v)
		if err != nil {
			return err
		}
		if _, err := at(step, e.r); err != nil {
			return err
		}
		draft, err := tx.Draft(e.r.ID, step)
		if err != nil {
			return err
		}
		typed = e.typed(draft, step)
		return nil
	})
	return typed, err
}

// SaveDraft keeps what is half typed into a step, without moving anything, and returns the page with its new version. Where
// another tab was faster, and says something else, the refusal is a *Stale. Codes and card numbers are not kept; of who is
// under 18 only who shall agree is, until that guardian has.
func (s *Service) SaveDraft(ctx context.Context, v admission.Visitor, step string, values map[string]string, seen int) (typed Typed, err error) {
	err = s.Store.Update(ctx, func(tx Tx) error {
		e, err := s.edit(tx, v)
		if err != nil {
			return err
		}
		if _, err := at(step, e.r); err != nil {
			return err
		}
		draft, err := tx.Draft(e.r.ID, step)
		if err != nil {
			return err
		}
		kept := e.keepable(step, values)
		if stale := e.stale(draft, step, kept, seen); stale != nil {
			return stale
		}
		if draft == nil {
			draft = &Draft{RegistrationID: e.r.ID, Step: step}
		}
		if err := e.putDraft(draft, step, kept, e.fieldOf(step, values[FieldTyped])); err != nil {
			return err
		}
		typed = e.typed(draft, step)
		return nil
	})
	return typed, err
}

// typed is a step as it stands, with its draft or nil.
func (e *editing) typed(draft *Draft, step string) Typed {
	typed := Typed{Values: e.savedValues(step), Env: e.envOf(e.savedValues(step))}
	if e.r.Step >= saved[0].to {
		typed.SavedAt = e.r.ModifiedAt
	}
	if draft == nil {
		return typed
	}
	typed.Version, typed.SavedAt = draft.Version, draft.SavedAt
	if draft.Typed != nil {
		typed.Values, typed.Field, typed.Half, typed.Env = draft.Typed, draft.Field, true, e.envOf(draft.Typed)
	}
	return typed
}

// savedValues is what a step was saved with.
func (e *editing) savedValues(step string) map[string]string {
	values, all := map[string]string{}, e.Answers(e.r)
	for _, field := range e.form().OfStep(step) {
		if value := all[field.Name]; value != "" && field.Kind == "amount" { // with its commas, as people type it
			values[field.Name] = e.form().Said(field.Name, value)
		} else if value != "" {
			values[field.Name] = value
		}
	}
	return values
}

// stale returns what another tab has kept since a page was opened, unless it is the same.
func (e *editing) stale(draft *Draft, step string, values map[string]string, seen int) error {
	if draft == nil || seen == AnyVersion || seen == draft.Version {
		return nil
	}
	theirs := e.typed(draft, step)
	if maps.Equal(e.tidied(step, theirs.Values), e.tidied(step, values)) {
		return nil
	}
	return &Stale{theirs}
}

// tidied is what is compared: values as the form reads them, without those that are empty.
func (e *editing) tidied(step string, values map[string]string) map[string]string {
	clean, _ := e.form().CheckStep(step, values, e.envOf(values))
	maps.DeleteFunc(clean, func(field, value string) bool { return value == "" || e.form().Field(field).Kind == "otp" })
	return clean
}

// putDraft writes the next version of a step's draft; nil for what is typed: it is saved.
func (e *editing) putDraft(draft *Draft, step string, typed map[string]string, field string) error {
	if draft == nil {
		draft = &Draft{RegistrationID: e.r.ID, Step: step}
	}
	draft.Typed, draft.Field, draft.SavedAt = typed, field, e.Clock()
	draft.Version++
	return e.tx.SaveDraft(*draft)
}

// keepable is what of a half typed step may be kept.
func (e *editing) keepable(step string, values map[string]string) map[string]string {
	kept := map[string]string{}
	waits := e.awaitsGuardian(step, values)
	for _, field := range e.form().OfStep(step) {
		value := values[field.Name]
		if value == "" || field.Kind == "otp" || forms.HoldsCard(value) || utf8.RuneCountInString(value) > mostTyped || waits && !ofGuardian(field.Name) {
			continue
		}
		kept[field.Name] = value
	}
	return kept
}

// ofGuardian reports whether a field says who shall agree.
func ofGuardian(field string) bool {
	return field == fatherField || field == guardianField || field == guardianPhoneField
}

// awaitsGuardian reports whether what is typed says that its person is under 18, and no guardian has agreed.
func (e *editing) awaitsGuardian(step string, values map[string]string) bool {
	if step != string(enrol.PlacePersonal) {
		return false
	}
	env := e.envOf(values)
	clean, _ := e.form().CheckStep(step, values, env)
	return forms.Under(adultAge, clean[bornField], env.Today) && env.Proven[guardianPhoneField] == ""
}

// keepOnlyGuardian takes out of a draft what may not be kept before a guardian has agreed.
func (e *editing) keepOnlyGuardian(draft *Draft) error {
	if draft == nil || draft.Typed == nil {
		return nil
	}
	maps.DeleteFunc(draft.Typed, func(field, _ string) bool { return !ofGuardian(field) })
	return e.tx.SaveDraft(*draft)
}

// fieldOf is a field of a step by its name; "" for any other.
func (e *editing) fieldOf(step, name string) string {
	if slices.ContainsFunc(e.form().OfStep(step), func(field *forms.Field) bool { return field.Name == name }) {
		return name
	}
	return ""
}
