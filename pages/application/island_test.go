package application

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"
	"time"

	"github.com/a-h/templ"

	"hiresure/admission/account"
	"hiresure/admission/apply"
	"hiresure/admission/enrol"
	"hiresure/content"
	"hiresure/forms"
	"hiresure/forms/formstest"
	"hiresure/pages"
)

var update = flag.Bool("update", false, "write the states that islands/application is compared with anew")

// The HTML and the initial state of a step are fixtures for the tests of islands/application.
func TestTheIslandDrawsWhatTheServerWrites(t *testing.T) {
	words, err := content.Load()
	if err != nil {
		t.Fatal(err)
	}
	source, err := content.NewSource(words)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 21, 6, 34, 0, 0, time.UTC)
	h := handlers{&pages.Kit{Content: source, Clock: func() time.Time { return at }}}
	standing := apply.Standing{
		Account:      account.Account{FullName: "Asha Pillai", Email: "asha@example.com", Phone: "+919876543210"},
		Registration: &enrol.Registration{ID: "0123456789abcdefghjkmnpqrs", Phone: "+919876543210"},
	}
	env := forms.Env{
		Options: map[string][]forms.Option{"states": {{Value: "Karnataka", Label: "Karnataka", PINs: []string{"56", "57"}}, {Value: "Kerala", Label: "Kerala", PINs: []string{"67"}}}},
		Today:   "2026-11-21", Facts: map[string]string{"phone_number": "9876543210"}, Proven: map[string]string{"guardian_phone": ""},
	}
	changed := formstest.Good(apply.FormName, "academic")
	changed["course"] = "B.Sc."
	for _, state := range []struct {
		name    string
		step    step
		values  map[string]string
		from    string
		half    bool
		refused []forms.Fault
		focus   string
	}{
		{name: "personal", step: personal, values: map[string]string{}},
		{name: "warned", step: personal, values: map[string]string{"dob": "14-08-2005", "gender": "F", "state": "Kerala", "zip": "560001"}, half: true},
		{name: "academic", step: academic, values: map[string]string{"institution": "Sarovara College", "course": "B.Sc. Stat"}, half: true, focus: "course"},
		{name: "changed", step: academic, values: changed, from: fromReview},
		{name: "scholarship", step: scholarship, values: map[string]string{"received_other_scholarship": "true", "details": "State merit", "annualIncome": "320000"}, half: true},
		{name: "refused", step: scholarship, values: map[string]string{"received_other_scholarship": "false"}, refused: []forms.Fault{
			{Field: "annualIncome", Message: "Enter valid family income"}, {Field: "reason", Message: "Reason must be between 20–300 characters"},
		}},
	} {
		view := h.stepView(state.step, standing, apply.StepContent{Values: state.values, IsDraft: state.half, Version: 3, SavedAt: at, Env: env}, 3, state.from)
		view.Form.Faults, view.Form.Focus = state.refused, state.focus
		var html bytes.Buffer
		if err := templ.Component(stepForm(view)).Render(t.Context(), &html); err != nil {
			t.Fatal(err)
		}
		payload, err := json.MarshalIndent(view.island(), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		for name, got := range map[string][]byte{state.name + ".html": append(html.Bytes(), '\n'), state.name + ".json": append(payload, '\n')} {
			file := "../../islands/application/testdata/" + name
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			} else if was, err := os.ReadFile(file); err != nil || !bytes.Equal(was, got) {
				t.Errorf("%s is not what the server writes now: run ./task format", file)
			}
		}
	}
}
