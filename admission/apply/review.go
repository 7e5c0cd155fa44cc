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

// Review is what an applicant reads before the terms.
type Review struct {
	Standing
	Answers  map[string]string // by field of the form, as they are saved
	Unsaved  []string          // the steps into which something else was typed since
	Consents string            // given in this application, joined by commas
	Seen     string            // stands for all that is shown: AgreeTerms takes it back
	Env      forms.Env
}

// Review returns what an applicant agrees to, while it may still change.
func (s *Service) Review(ctx context.Context, v admission.Visitor) (review Review, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		e, err := s.edit(tx, v)
		if err != nil {
			return err
		}
		if e.r.Step < enrol.StepScholarship {
			return admission.ConflictProblem("", stepsBefore)
		}
		review = Review{Standing: standingOf(*e.a, e.r, e.event), Answers: s.Answers(e.r)}
		review.Env = e.envOf(review.Answers)
		held, err := tx.LastConsents(e.r.Phone)
		if err != nil {
			return err
		}
		given := slices.DeleteFunc(slices.Clone(consent.Purposes), func(purpose string) bool { return !held[purpose].GivenIn(e.r.ID) })
		review.Consents = strings.Join(given, ",")
		unsaved, err := e.unsaved()
		if err != nil {
			return err
		}
		for _, draft := range unsaved {
			review.Unsaved = append(review.Unsaved, draft.Step)
		}
		review.Seen = e.seen(unsaved)
		return nil
	})
	return review, err
}

// unsaved are the drafts of which something differs from what is saved.
func (e *editing) unsaved() (drafts []*Draft, err error) {
	for _, one := range saved {
		step := string(one.place)
		draft, err := e.tx.Draft(e.r.ID, step)
		if err != nil {
			return nil, err
		}
		if draft != nil && draft.Typed != nil && !maps.Equal(e.tidied(step, draft.Typed), e.tidied(step, e.savedValues(step))) {
			drafts = append(drafts, draft)
		}
	}
	return drafts, nil
}

// seen stands for what a review shows: answers, whose they are, the terms and the fee; and for what goes with the agreement, of
// which it says only that there is something: what was typed and not saved.
func (e *editing) seen(unsaved []*Draft) string {
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
	if err != nil { // never of strings and a sum
		panic(err)
	}
	sum := sha256.Sum256(shown)
	return hex.EncodeToString(sum[:16])
}
