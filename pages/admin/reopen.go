package admin

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/correct"
	"hiresure/admission/enrol"
	"hiresure/admission/office"
	"hiresure/pages"
	"hiresure/web"
)

func reopenPath(id string) string { return web.StaffRegistrationPath(id) + "/reopen" }

func canReopen(person office.Person) bool { return correct.CanReopen(&person.Registration) }

// reopenView is the dialog that reopens a step, with what was chosen.
type reopenView struct {
	dialogView
	Action, From          string
	Steps                 []correct.Step // those that can be reopened
	Locked                []correct.Step // the others, those with one reason in one line
	To                    string
	Button                string
	Reasons               []correct.Reason
	Reason, Words, Letter string
	Faults                faults
}

func (h handlers) reopen(c *echo.Context) error { return h.showReopen(c, http.StatusOK, nil, nil) }

func (h handlers) showReopen(c *echo.Context, code int, typed url.Values, faulty faults) error {
	person, err := h.office.Open(c.Request().Context(), c.Param("id"), h.Session.StaffActor(c))
	if err != nil {
		return err
	}
	r := person.Registration
	steps := correct.Steps(&r)
	if steps == nil {
		return admission.NotFoundProblem("Step")
	}
	name := cmp.Or(r.FullName, "No name yet")
	p := reopenView{
		dialogView: dialogView{ID: r.ID, Name: name, Title: "Reopen a step for " + name, Line: "Nothing they entered is lost."}, Action: reopenPath(r.ID), From: strconv.Itoa(int(r.Step)),
		Button: "Reopen the step", To: typed.Get("step"), Reasons: correct.Reasons(&r), Reason: typed.Get("reason"), Words: typed.Get("words"), Faults: faulty,
		Letter: "You can change this step again. What you do not change stays as it is. Agree to the terms again at the end.",
	}
	for _, step := range steps {
		last := len(p.Locked) - 1
		switch {
		case !step.Locked:
			p.Steps = append(p.Steps, step)
		case last >= 0 && p.Locked[last].Text == step.Text:
			p.Locked[last].Name += ", " + step.Name
		default:
			p.Locked = append(p.Locked, step)
		}
	}
	if len(p.Steps) == 1 {
		p.To, p.Button = stepValue(p.Steps[0]), "Reopen "+p.Steps[0].Name
	}
	if typed.Has("from") {
		p.From = typed.Get("from")
	}
	if r.Step == enrol.StepComplete {
		p.Letter = "You can change your documents again. What you do not change stays as it is."
	}
	return h.Show(c, code, reopenPage(frameOf(c, p.Title, web.StaffRegistrationsPath), p))
}

func (h handlers) reopenStep(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	id := c.Param("id")
	from, noFrom := strconv.Atoi(typed.Get("from"))
	to, noStep := strconv.Atoi(typed.Get("step"))
	if noFrom != nil {
		return echo.ErrBadRequest
	}
	if noStep != nil {
		return h.showReopen(c, http.StatusUnprocessableEntity, typed, faults{"step": "Choose a step"})
	}
	o := correct.Reopening{RegistrationID: id, From: enrol.Step(from), To: enrol.Step(to), Reason: typed.Get("reason"), Words: typed.Get("words")}
	err = h.Correct.Reopen(c.Request().Context(), o, h.Session.StaffActor(c))
	switch problem := h.ProblemOf(c, err); {
	case problem == nil:
		return h.tellOn(c, id, "reopened")
	case problem.Kind == admission.NotFound:
		return err
	default:
		return h.showReopen(c, pages.StatusOf(c, problem), typed, faultsOf(problem))
	}
}

// stepValue returns the value of a step's radio button.
func stepValue(s correct.Step) string { return strconv.Itoa(int(s.To)) }
