package application

import (
	"errors"
	"net/http"
	"slices"
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

// stepView is a step of the form in one state.
type stepView struct {
	frame
	step
	Known  known
	Form   components.FormProps
	Hidden []pages.HiddenField

	Unsaved bool // what it shows is kept nowhere else

	registration, from string
	typed              apply.StepContent
	version            int
}

// known is what the account says already; Lines are of what is typed on this page.
type known struct {
	Name, Email, Phone string
	Lines              []string
}

// show is a step as it stands: half typed, or as it was saved.
func (h handlers) show(s step) echo.HandlerFunc {
	return func(c *echo.Context) error {
		v, standing, err := h.enter(c, s.place)
		if err != nil {
			return err
		}
		typed, err := h.Apply.Draft(c.Request().Context(), v, s.name())
		if err != nil {
			return err
		}
		view := h.stepView(s, standing, typed, typed.Version, c.QueryParam(fromField))
		if typed.IsDraft {
			view.Form.Focus = typed.Field
		}
		if typed.IsDraft && c.Request().URL.Query().Has(openQuery) {
			_, faults := view.Form.Form.CheckStep(s.name(), typed.Values, typed.Env)
			view.wrong(faults)
		}
		return h.Show(c, http.StatusOK, stepPage(view))
	}
}

// take is what the buttons of a step do.
func (h handlers) take(s step) echo.HandlerFunc {
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
			return h.keep(c, p, p.then(p.step.back))
		case doKeep:
			return h.keep(c, p, p.itself())
		case doEdit:
			return h.again(c, p, nil)
		}
		return h.next(c, p)
	}
}

// keep keeps what is typed, and leads to an address.
func (h handlers) keep(c *echo.Context, p posted, address string) error {
	_, err := h.Apply.SaveDraft(c.Request().Context(), p.visitor, p.name(), p.in, p.seen())
	if stale, differs := errors.AsType[*apply.Stale](err); differs {
		return h.choose(c, p, stale.Theirs)
	}
	if err != nil {
		return h.again(c, p, h.ProblemOf(c, err))
	}
	return c.Redirect(http.StatusSeeOther, address)
}

// next saves the step, and leads to the page behind it.
func (h handlers) next(c *echo.Context, p posted) error {
	_, err := h.Apply.SaveStep(c.Request().Context(), p.visitor, p.name(), p.in, p.seen())
	if err == nil {
		return c.Redirect(http.StatusSeeOther, p.then(p.step.next))
	}
	if stale, differs := errors.AsType[*apply.Stale](err); differs {
		return h.choose(c, p, stale.Theirs)
	}
	problem := h.ProblemOf(c, err)
	if h.asksGuardian(problem) {
		return h.askGuardian(c, p, nil)
	}
	return h.refuse(c, p, problem)
}

// openQuery asks a step to say what of its draft is still open.
const openQuery = "open"

// refuse keeps what is refused as a draft, whose page says what is wrong: so the browser's own Back comes by pages alone, and
// never by a question whether to send once more. What no draft may hold comes back with the answer.
func (h handlers) refuse(c *echo.Context, p posted, problem *admission.Problem) error {
	if len(problem.Faults) == 0 {
		return h.again(c, p, problem)
	}
	kept, err := h.Apply.SaveDraft(c.Request().Context(), p.visitor, p.name(), p.in, p.seen())
	if stale, differs := errors.AsType[*apply.Stale](err); differs {
		return h.choose(c, p, stale.Theirs)
	}
	if err == nil {
		p.in[seenField] = strconv.Itoa(kept.Version) // what was kept is this page's own
	}
	for _, field := range h.Forms.Get(apply.FormName).OfStep(p.name()) {
		if err != nil || kept.Values[field.Name] != p.in[field.Name] {
			return h.again(c, p, problem)
		}
	}
	address := p.path() + "?" + openQuery
	if p.in[fromField] == fromReview {
		address += "&" + fromField + "=" + fromReview
	}
	return c.Redirect(http.StatusSeeOther, address)
}

// again writes the page as it was sent, and with what is wrong with it. It stays the version that it was.
func (h handlers) again(c *echo.Context, p posted, refused *admission.Problem) error {
	typed, err := h.Apply.Draft(c.Request().Context(), p.visitor, p.name())
	if err != nil {
		return err
	}
	kept := typed.Values
	typed.Values = p.in
	view := h.stepView(p.step, p.standing, typed, p.seen(), p.in[fromField])
	if unsaved, _ := differing(view.Form.Form, p.step, typed.Env, kept, p.in); len(unsaved) > 0 {
		view.Unsaved, view.Rail.Saved = true, notSaved
	}
	view.wrong(pages.FaultsOf(view.Form.Form, refused))
	return h.Show(c, statusOf(c, refused), stepPage(view))
}

// wrong says what is wrong with a step.
func (v *stepView) wrong(faults []forms.Fault) {
	v.Form.Faults = faults
	v.refused(len(faults))
	if len(faults) > 0 && !v.Form.Summarised() {
		v.Form.Focus = faults[0].Field
	}
}

func (h handlers) stepView(s step, standing apply.Standing, typed apply.StepContent, version int, from string) stepView {
	view := stepView{
		frame: h.frame(s.place, s.question, s.lede, h.saved(typed)),
		step:  s,
		Known: knownOf(standing.Account, nil),
		Form:  components.FormProps{Form: h.Forms.Get(apply.FormName), Step: s.name(), Env: typed.Env, Values: typed.Values},
	}
	view.registration, view.from, view.typed, view.version = standing.Registration.ID, from, typed, version
	if s.place == academic.place {
		view.Known = knownOf(standing.Account, typed.Values)
	}
	view.Hidden = hiddenOf(standing, version, from)
	if s.place == personal.place { // who has agreed for somebody under 18, or shall
		for _, field := range view.Form.Form.FieldsOf(guardianPlace) {
			if value := typed.Values[field.Name]; value != "" && field.Kind != "otp" {
				view.Hidden = append(view.Hidden, pages.HiddenField{Name: field.Name, Value: value})
			}
		}
	}
	return view
}

// itself is the address of the page, as one came to it.
func (p posted) itself() string {
	if p.in[fromField] == fromReview {
		return doorTo(p.step)
	}
	return p.path()
}

// hiddenOf is what a page of the form says of itself when it is sent.
func hiddenOf(standing apply.Standing, version int, from string) []pages.HiddenField {
	hidden := []pages.HiddenField{{Name: seenField, Value: strconv.Itoa(version)}, {Name: pages.RegistrationField, Value: standing.Registration.ID}}
	if from == fromReview {
		hidden = append(hidden, pages.HiddenField{Name: fromField, Value: from})
	}
	return hidden
}

func knownOf(me account.Account, typed map[string]string) known {
	k := known{Name: me.FullName, Email: me.Email, Phone: pages.Mobile(me.Phone)}
	study := slices.DeleteFunc([]string{typed["course"], typed["yearSemester"]}, func(text string) bool { return strings.TrimSpace(text) == "" })
	for _, line := range []string{typed["institution"], strings.Join(study, ", ")} {
		if line = strings.TrimSpace(line); line != "" {
			k.Lines = append(k.Lines, line)
		}
	}
	return k
}

// differing are the fields of a step to which two tabs give other answers, and how many they answer alike.
func differing(form *forms.Form, s step, env forms.Env, one, other map[string]string) (fields []*forms.Field, same int) {
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

// doorTo is a link of the review to a step, from which one comes back to it.
func doorTo(s step) string { return s.path() + "?" + fromField + "=" + fromReview }
