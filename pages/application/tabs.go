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

// tabsView asks which of two tabs' answers to keep.
type tabsView struct {
	frame
	step
	Differ     []choice
	Same       string // number of equal answers; "" for none
	Keep       string // label of the button
	Do         string // value of the button pressed before
	Here       string // GET address of the posted page
	StorageKey string // see step.storageKey
	Hidden     []pages.HiddenField
}

// choice is a field with two answers.
type choice struct {
	Field, Label string
	Answers      []answer
}

// answer is a tab's answer, raw and formatted.
type answer struct {
	ID, Value, Text, Whose string
	Chosen                 bool
}

// askWhichTab asks which answers to keep after another tab has saved others. It passes on everything typed.
func (h handlers) askWhichTab(c *echo.Context, p posted, theirs apply.StepContent) error {
	form := h.Forms.Get(apply.FormName)
	fields, same := differences(form, p.step, theirs.Env, theirs.Values, p.in)
	view := tabsView{step: p.step, Same: sameNote(same), Do: p.in[doField], Here: p.address(), StorageKey: p.storageKey(p.standing.Registration.ID), Hidden: hiddenOf(p.standing.Registration.ID, theirs.Version, p.in[fromField])}
	other := "Other tab or device, " + admission.TimeOfDay(theirs.SavedAt) + ". Saved"
	if theirs.IsDraft {
		other = "Other tab or device, " + admission.TimeOfDay(theirs.SavedAt) + ". Not sent yet"
	}
	this := "This tab, " + admission.TimeOfDay(h.Clock()) + ". Not saved yet"
	asked := map[string]bool{}
	for _, field := range fields {
		asked[field.Name] = true
		view.Differ = append(view.Differ, choice{field.Name, field.Label, []answer{
			{field.Name + "-other", theirs.Values[field.Name], answerText(form, field, theirs.Values, theirs.Env), other, false},
			{field.Name + "-this", p.in[field.Name], answerText(form, field, p.in, theirs.Env), this, true},
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
	view.Rail.Wrong, view.Rail.TabConflict = strconv.Itoa(len(fields))+" to choose", true
	return h.Show(c, http.StatusConflict, tabsPage(view))
}

// answerText formats an answer.
func answerText(form *forms.Form, field *forms.Field, values map[string]string, env forms.Env) string {
	clean, _ := form.CheckOnly(values, env, field.Name)
	if words := form.Display(field.Name, clean[field.Name]); words != "" {
		return words
	}
	return "Left empty"
}

func sameNote(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "The other answer is the same in both."
	}
	return "The other " + content.InWords(n) + " answers are the same in both."
}
