package application

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/apply"
	"hiresure/content"
	"hiresure/forms"
	"hiresure/pages"
	"hiresure/prose"
)

// tabsView is the question of two tabs that say different things.
type tabsView struct {
	frame
	step
	Differ []choice
	Same   string // how many answers do not differ; "" for none
	Keep   string // the button
	Do     string // what was pressed before
	Here   string // where the page asks again that was sent
	KeptBy string // step.keptBy
	Hidden []pages.HiddenField
}

// choice is a field to which both give an answer.
type choice struct {
	Field, Label string
	Answers      []answer
}

// answer is what one of them says: as it is sent, and as people read it.
type answer struct {
	ID, Value, Said, Whose string
	Chosen                 bool
}

// choose asks which answers stay where another tab has kept others since this one was opened. All that was typed comes along.
func (h handlers) choose(c *echo.Context, p posted, theirs apply.StepContent) error {
	form := h.Forms.Get(apply.FormName)
	fields, same := differing(form, p.step, theirs.Env, theirs.Values, p.in)
	view := tabsView{step: p.step, Same: sameIn(same), Do: p.in[doField], Here: p.itself(), KeptBy: p.keptBy(p.standing.Registration.ID), Hidden: hiddenOf(p.standing, theirs.Version, p.in[fromField])}
	other := "Elsewhere, " + admission.TimeOfDay(theirs.SavedAt) + ". Saved"
	if theirs.IsDraft {
		other = "Elsewhere, " + admission.TimeOfDay(theirs.SavedAt) + ". Not sent yet"
	}
	this := "Here, " + admission.TimeOfDay(h.Clock()) + ". Not saved yet"
	asked := map[string]bool{}
	for _, field := range fields {
		asked[field.Name] = true
		view.Differ = append(view.Differ, choice{field.Name, field.Label, []answer{
			{field.Name + "-other", theirs.Values[field.Name], said(form, field, theirs.Values, theirs.Env), other, false},
			{field.Name + "-this", p.in[field.Name], said(form, field, p.in, theirs.Env), this, true},
		}})
	}
	for _, field := range form.OfStep(p.name()) {
		if value := p.in[field.Name]; !asked[field.Name] && value != "" && field.Kind != "otp" {
			view.Hidden = append(view.Hidden, pages.HiddenField{Name: field.Name, Value: value})
		}
	}
	question := prose.Capital(content.InWords(len(fields))) + " answers differ. Which ones stay?"
	view.Keep = "Keep these " + content.InWords(len(fields))
	if len(fields) == 1 {
		question, view.Keep = "One answer differs. Which one stays?", "Keep this one"
	}
	view.frame = h.frame(p.place, question, apply.ChangedElsewhere, notSaved)
	view.Page.Scripts = []string{"answered.js"}
	view.Rail.Wrong, view.Rail.Torn = strconv.Itoa(len(fields))+" to choose", true
	return h.Show(c, http.StatusConflict, tabsPage(view))
}

// said is an answer as people read it.
func said(form *forms.Form, field *forms.Field, values map[string]string, env forms.Env) string {
	clean, _ := form.CheckOnly(values, env, field.Name)
	if words := form.Display(field.Name, clean[field.Name]); words != "" {
		return words
	}
	return "Left empty"
}

func sameIn(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "The other answer is the same in both."
	}
	return "The other " + content.InWords(n) + " answers are the same in both."
}
