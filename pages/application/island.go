package application

import (
	"net/url"

	"hiresure/forms"
	"hiresure/pages"
	"hiresure/web"
)

// islandView is the initial state of islands/application: a step.
type islandView struct {
	Step         string              `json:"step"`
	Action       string              `json:"action"`
	Next         string              `json:"next"`         // page after NEXT
	SignIn       string              `json:"signIn"`       // sign-in page that returns here
	Registration string              `json:"registration"` // of the answers
	Version      int                 `json:"version"`      // of the draft that the page was rendered from
	SavedAt      int64               `json:"savedAt"`      // ms since 1970; 0 if never saved
	Unsaved      bool                `json:"unsaved"`      // Values are unsaved
	Hidden       []pages.HiddenField `json:"hidden"`
	Values       map[string]string   `json:"values"`
	Faults       []forms.Fault       `json:"faults"`
	Focus        string              `json:"focus"`
	States       []stateOption       `json:"states"`
	Today        string              `json:"today"`
	Facts        map[string]string   `json:"facts"`
	Proven       map[string]string   `json:"proven"`
}

type stateOption struct {
	Value string   `json:"value"`
	Label string   `json:"label"`
	PINs  []string `json:"pins"`
}

func (v stepView) island() islandView {
	env := v.Form.Env
	island := islandView{
		Step: v.name(), Action: v.path(), Next: v.step.next, Registration: v.registration, Version: v.version, Unsaved: v.Unsaved, Hidden: v.Hidden,
		Values: map[string]string{}, Faults: []forms.Fault{}, Focus: v.Form.Focus, Today: env.Today, Facts: env.Facts, Proven: env.Proven,
	}
	if v.from == fromReview {
		island.Next = web.ReviewPath
	}
	island.SignIn = web.WithQuery(web.SignInPath, url.Values{web.NextQuery: {v.addressFrom(v.from)}})
	if !v.typed.SavedAt.IsZero() {
		island.SavedAt = v.typed.SavedAt.UnixMilli()
	}
	for _, field := range v.Form.Form.OfStep(v.name()) {
		if value, stands := v.Form.Values[field.Name]; stands && field.Kind != "otp" {
			island.Values[field.Name] = value
		}
	}
	island.Faults = append(island.Faults, v.Form.Faults...)
	for _, option := range env.Options["states"] {
		island.States = append(island.States, stateOption{option.Value, option.Label, option.PINs})
	}
	return island
}
