package application

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/apply"
	"hiresure/components"
	"hiresure/forms"
	"hiresure/pages"
)

// stepView is a step of the form with its state.
type stepView struct {
	frame
	step
	Known  known
	Form   components.FormProps
	Hidden []pages.HiddenField

	Unsaved bool   // its answers are stored nowhere else
	Draft   string // when the draft that it shows was saved; "" for none

	registration, from string
	typed              apply.StepContent
	version            int
}

// known is the account's data.
type known struct{ Name, Email, Phone string }

// show shows a step with its draft or its saved answers.
func (h handlers) show(s step) echo.HandlerFunc {
	return func(c *echo.Context) error {
		v, standing, err := h.Enter(c, s.place)
		if err != nil {
			return err
		}
		typed, err := h.Apply.Draft(c.Request().Context(), v, s.name())
		if err != nil {
			return err
		}
		view, query := h.stepView(s, standing, typed, typed.Version, c.QueryParam(fromField)), c.Request().URL.Query()
		if typed.IsDraft {
			view.Form.Focus = typed.Field
			switch {
			case query.Has(discardQuery):
				return h.Show(c, http.StatusOK, discardPage(h.discardView(view)))
			case query.Has(openQuery):
				_, faults := view.Form.Form.CheckStep(s.name(), typed.Values, typed.Env)
				view.setFaults(faults)
			default:
				if unsaved, _ := differences(view.Form.Form, s, typed.Env, typed.Saved, typed.Values); len(unsaved) > 0 {
					view.Draft = admission.Moment(typed.SavedAt)
				}
			}
		}
		return h.Show(c, http.StatusOK, stepPage(view))
	}
}

// post runs the buttons of a step.
func (h handlers) post(s step) echo.HandlerFunc {
	return func(c *echo.Context) error {
		p, err := h.read(c, s)
		if err != nil {
			return err
		}
		if s.place == personal.place {
			if press, asked := guardianButtons[p.in[doField]]; asked {
				return press(h, c, p)
			}
		}
		switch p.in[doField] {
		case doBack:
			return h.keep(c, p, p.nextPage(p.step.back))
		case doKeep:
			return h.keep(c, p, p.address())
		case doEdit:
			return h.showAgain(c, p, nil)
		case doDiscard:
			return h.discard(c, p)
		}
		return h.next(c, p)
	}
}

// keep saves the draft and redirects to address.
func (h handlers) keep(c *echo.Context, p posted, address string) error {
	_, err := h.Apply.SaveDraft(c.Request().Context(), p.visitor, p.name(), p.in, p.seen())
	if stale, differs := errors.AsType[*apply.Stale](err); differs {
		return h.askWhichTab(c, p, stale.Theirs)
	}
	if err != nil {
		return h.showAgain(c, p, h.ProblemOf(c, err))
	}
	return c.Redirect(http.StatusSeeOther, address)
}

// next saves the step and redirects to the next page.
func (h handlers) next(c *echo.Context, p posted) error {
	_, err := h.Apply.SaveStep(c.Request().Context(), p.visitor, p.name(), p.in, p.seen())
	if err == nil {
		return c.Redirect(http.StatusSeeOther, p.nextPage(p.step.next))
	}
	if stale, differs := errors.AsType[*apply.Stale](err); differs {
		return h.askWhichTab(c, p, stale.Theirs)
	}
	problem := h.ProblemOf(c, err)
	if h.needsGuardian(problem) {
		return h.showGuardian(c, p, nil)
	}
	return h.refuse(c, p, problem)
}

// openQuery makes a step show what its draft lacks.
const openQuery = "open"

// refuse saves refused answers as a draft and redirects to its page with the faults, so that the Back button passes pages
// only and never asks to resend. Answers that a draft cannot hold are rendered directly.
func (h handlers) refuse(c *echo.Context, p posted, problem *admission.Problem) error {
	if len(problem.Faults) == 0 {
		return h.showAgain(c, p, problem)
	}
	kept, err := h.Apply.SaveDraft(c.Request().Context(), p.visitor, p.name(), p.in, p.seen())
	if stale, differs := errors.AsType[*apply.Stale](err); differs {
		return h.askWhichTab(c, p, stale.Theirs)
	}
	if err == nil {
		p.in[seenField] = strconv.Itoa(kept.Version) // the draft is this page's
	}
	for _, field := range h.Forms.Get(apply.FormName).OfStep(p.name()) {
		if err != nil || kept.Values[field.Name] != p.in[field.Name] {
			return h.showAgain(c, p, problem)
		}
	}
	return c.Redirect(http.StatusSeeOther, p.addressFrom(p.in[fromField], openQuery))
}

// showAgain shows the posted page with its faults, at its version.
func (h handlers) showAgain(c *echo.Context, p posted, refused *admission.Problem) error {
	typed, err := h.Apply.Draft(c.Request().Context(), p.visitor, p.name())
	if err != nil {
		return err
	}
	kept := typed.Values
	typed.Values = p.in
	view := h.stepView(p.step, p.standing, typed, p.seen(), p.in[fromField])
	if unsaved, _ := differences(view.Form.Form, p.step, typed.Env, kept, p.in); len(unsaved) > 0 {
		view.Unsaved, view.Rail.Saved = true, notSaved
	}
	view.setFaults(pages.FaultsOf(view.Form.Form, refused))
	return h.Show(c, pages.StatusOf(c, refused), stepPage(view))
}

// setFaults sets the faults of a step.
func (v *stepView) setFaults(faults []forms.Fault) {
	v.Form.Faults = faults
	v.refused(faults, v.Form.Values)
	if len(faults) > 0 && !v.Form.Summarised() {
		v.Form.Focus = faults[0].Field
	}
}

func (h handlers) stepView(s step, standing apply.Standing, typed apply.StepContent, version int, from string) stepView {
	view := stepView{
		frame: h.stepFrame(s.place, s.title, s.lede, h.saved(typed)),
		step:  s,
		Known: knownOf(standing.Account),
		Form:  components.FormProps{Form: h.Forms.Get(apply.FormName), Step: s.name(), Env: typed.Env, Values: typed.Values},
	}
	view.registration, view.from, view.typed, view.version = standing.Registration.ID, from, typed, version
	view.Hidden = hiddenOf(standing.Registration.ID, version, from)
	if s.place == personal.place { // a minor's guardian
		for _, field := range view.Form.Form.FieldsOf(guardianPlace) {
			if value := typed.Values[field.Name]; value != "" && field.Kind != "otp" {
				view.Hidden = append(view.Hidden, pages.HiddenField{Name: field.Name, Value: value})
			}
		}
	}
	return view
}

// address returns the address that the page was opened with.
func (p posted) address() string { return p.addressFrom(p.in[fromField]) }

// hiddenOf returns a page's hidden fields.
func hiddenOf(registration string, version int, from string) []pages.HiddenField {
	hidden := []pages.HiddenField{{Name: seenField, Value: strconv.Itoa(version)}, {Name: pages.RegistrationField, Value: registration}}
	if from == fromReview {
		hidden = append(hidden, pages.HiddenField{Name: fromField, Value: from})
	}
	return hidden
}

func knownOf(me account.Account) known {
	return known{Name: me.FullName, Email: me.Email, Phone: pages.Mobile(me.Phone)}
}

// differences returns a step's fields whose answers differ between two tabs, and how many are equal.
func differences(form *forms.Form, s step, env forms.Env, one, other map[string]string) (fields []*forms.Field, same int) {
	cleanOne, _ := form.CheckStep(s.name(), one, env)
	cleanOther, _ := form.CheckStep(s.name(), other, env)
	for _, field := range form.OfStep(s.name()) {
		switch {
		case field.Kind == "otp":
		case cleanOne[field.Name] != cleanOther[field.Name]:
			fields = append(fields, field)
		case cleanOne[field.Name] != "":
			same++
		}
	}
	return fields, same
}

// addressFrom returns a step's address with queries. From the review it returns there.
func (s step) addressFrom(from string, queries ...string) string {
	if from == fromReview {
		queries = append(queries, fromField+"="+fromReview)
	}
	if len(queries) == 0 {
		return s.path()
	}
	return s.path() + "?" + strings.Join(queries, "&")
}
