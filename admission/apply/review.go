package apply

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"hiresure/admission"
	"hiresure/admission/consent"
	"hiresure/admission/enrol"
	"hiresure/forms"
)

// Review is what an applicant reads before agreeing to the terms.
type Review struct {
	Standing
	Answers     map[string]string // the saved answers, by form field
	Unsaved     []string          // steps with a differing draft
	Consents    string            // given in this application, comma-separated
	Fingerprint string            // fingerprint of everything shown, for AgreeTerms
	Env         forms.Env
}

// Review returns the visitor's Review, while the answers may still change.
func (s *Service) Review(ctx context.Context, v admission.Visitor) (review Review, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		e, err := s.edit(tx, v)
		if err != nil {
			return err
		}
		if e.r.Step < enrol.StepScholarship {
			return admission.ConflictProblem("", earlierStepsFirst)
		}
		review = Review{Standing: standingOf(*e.a, e.r, e.event), Answers: s.Answers(e.r)}
		review.Env = e.envOf(review.Answers)
		consents, err := tx.LastConsents(e.r.Phone)
		if err != nil {
			return err
		}
		given := slices.DeleteFunc(slices.Clone(consent.Purposes), func(purpose string) bool { return !consents[purpose].GivenIn(e.r.ID) })
		review.Consents = strings.Join(given, ",")
		unsaved := e.unsavedDrafts()
		for _, draft := range unsaved {
			review.Unsaved = append(review.Unsaved, draft.Step)
		}
		review.Fingerprint = e.fingerprint(unsaved)
		return nil
	})
	return review, err
}

// unsavedDrafts returns the drafts that differ from the saved steps.
func (e *editing) unsavedDrafts() (drafts []*Draft) {
	for _, one := range savedSteps {
		step := string(one.place)
		draft := e.drafts[step]
		if draft != nil && draft.Typed != nil && !maps.Equal(e.normalized(step, draft.Typed), e.normalized(step, e.savedValues(step))) {
			drafts = append(drafts, draft)
		}
	}
	return drafts
}

// fingerprint returns a hash of what a review shows, and of the unsaved drafts that are lost on agreement.
func (e *editing) fingerprint(unsaved []*Draft) string {
	lost := map[string]map[string]string{}
	for _, draft := range unsaved {
		lost[draft.Step] = draft.Typed
	}
	shown, err := json.Marshal(struct {
		Answers            map[string]string
		Unsaved            map[string]map[string]string
		Name, Email, Phone string
		Terms, Hash        string
		Fee                admission.Money
	}{e.Answers(e.r), lost, e.a.FullName, e.a.Email, e.r.Phone, e.event.Terms.Version, e.event.Terms.Hash, e.event.Fee})
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(shown)
	return hex.EncodeToString(sum[:16])
}
