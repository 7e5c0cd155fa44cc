// Package application is the pages of the HireSure application's form: its steps, a guardian's consent, the review. Each works
// whole without scripts.
package application

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/apply"
	"hiresure/admission/enrol"
	"hiresure/components"
	"hiresure/forms"
	"hiresure/pages"
	"hiresure/web"
)

type handlers struct{ *pages.Kit }

// Routes mounts the pages of the form.
func Routes(r *web.Routes, kit *pages.Kit) {
	h := handlers{kit}
	mine := web.Private.For(web.SignedIn)
	r.Get(web.FormPath, mine, h.goOn)
	for _, s := range steps {
		r.Get(s.path(), mine, h.show(s))
		r.Post(s.path(), mine, h.take(s))
	}
	r.Get(web.ReviewPath, mine, h.review)
	r.Post(web.ReviewPath, mine, h.agree)
}

// step is a page of the form that is saved by itself.
type step struct {
	place          enrol.Place
	question, lede string
	back, next     string // where its buttons lead
}

func (s step) name() string { return string(s.place) }
func (s step) path() string { return web.StepPath(s.name()) }

// keptBy is the name of a step's answers in the storage of their tab (islands/application/tab.ts).
func (s step) keptBy(registrationID string) string {
	return "application:" + registrationID + ":" + s.name()
}

var (
	personal = step{
		enrol.PlacePersonal, "Who is applying?", "As it stands on your student\u00a0ID. We compare the two later.",
		web.HomePath, web.StepPath(string(enrol.PlaceAcademic)),
	}
	academic = step{
		enrol.PlaceAcademic, "Where do you study?", "Write it the way it stands on your last marksheet. You upload that marksheet later.",
		web.StepPath(string(enrol.PlacePersonal)), web.StepPath(string(enrol.PlaceScholarship)),
	}
	scholarship = step{
		enrol.PlaceScholarship, "What would it change for you?", "Three answers, in your own words.",
		web.StepPath(string(enrol.PlaceAcademic)), web.ReviewPath,
	}
	steps = []step{personal, academic, scholarship}
)

// stageOf is where a place stands among the steps of the application.
func stageOf(place enrol.Place) int {
	for i, s := range steps {
		if s.place == place {
			return i
		}
	}
	return len(steps)
}

// goOn leads to the page on which the application goes on.
func (h handlers) goOn(c *echo.Context) error {
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	standing, err := h.Apply.Standing(c.Request().Context(), v)
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, pages.ContinuePath(standing))
}

// enter lets in whom the step allows; anybody else is led to where the application goes on.
func (h handlers) enter(c *echo.Context, place enrol.Place) (v admission.Visitor, standing apply.Standing, err error) {
	if v, err = h.Session.Visitor(c); err != nil {
		return v, standing, err
	}
	if standing, err = h.Apply.Standing(c.Request().Context(), v); err != nil {
		return v, standing, err
	}
	return v, standing, pages.CheckPlace(standing, place)
}

// The fields in which a page of the form says what it is, and what its buttons do.
const (
	seenField  = "seen" // the version that it was made of
	fromField  = "from" // fromReview where one came to change something
	doField    = "do"
	fromReview = "review"

	doNext = "next"
	doBack = "back"
	doKeep = "keep" // what is typed, and stay
	doEdit = "edit" // back from a question to the page that asked it, with all that was typed
)

// posted is a page of the form that was sent.
type posted struct {
	step
	visitor  admission.Visitor
	standing apply.Standing
	in       map[string]string
}

// read reads a page that was sent. One that was opened in another account is refused: it would become this account's.
func (h handlers) read(c *echo.Context, s step) (p posted, err error) {
	p.step = s
	if p.visitor, p.standing, err = h.enter(c, s.place); err != nil {
		return p, err
	}
	values, err := pages.PostForm(c)
	if err != nil {
		return p, err
	}
	p.in = forms.Values(values)
	if owner := p.in[pages.RegistrationField]; owner != "" && owner != p.standing.Registration.ID {
		return p, admission.ConflictProblem("", pages.OtherAccount)
	}
	p.visitor.CaptchaToken = p.in[pages.CaptchaName]
	return p, nil
}

// seen is the version of the page that was sent.
func (p posted) seen() int {
	if version, err := strconv.Atoi(p.in[seenField]); err == nil && version >= 0 {
		return version
	}
	return apply.AnyVersion
}

// then is where the page leads, or from where somebody came to change something.
func (p posted) then(address string) string {
	if p.in[fromField] == fromReview {
		return web.ReviewPath
	}
	return address
}

// frame is what stands around every page of the form.
type frame struct {
	Page           components.Page
	Rail           components.RailProps
	Question, Lede string
}

func (h handlers) frame(place enrol.Place, question, lede string, saved components.SavedProps) frame {
	now := stageOf(place)
	return frame{
		Page: components.Page{Title: question, Main: "work", NoIndex: true, Styles: []string{"account.css"}},
		Rail: components.RailProps{
			Home: web.HomePath, Phone: h.Content.Current().Site().Support.Phone, Saved: saved, Steps: components.StepsOf(components.ApplicationStages, now), Now: now,
		},
		Question: question, Lede: lede,
	}
}

// refused marks a page on which so many answers are wrong.
func (f *frame) refused(faults int) {
	if f.Page.Refused = faults > 0; faults > 0 {
		f.Rail.Wrong = strconv.Itoa(faults) + " open"
	}
}

var notSaved = components.SavedProps{Text: "Not saved yet", Sign: components.SignUnsent}

// saved says when something was kept last.
func (h handlers) saved(typed apply.StepContent) components.SavedProps {
	if typed.SavedAt.IsZero() {
		return notSaved
	}
	return h.Saved(typed.SavedAt)
}

// statusOf is the status of an answer that may hold a refusal, whose headers it sets.
func statusOf(c *echo.Context, refused *admission.Problem) int {
	if refused == nil {
		return http.StatusOK
	}
	web.Refusal{RetryAfter: refused.RetryAfter}.SetHeaders(c.Response().Header())
	return web.StatusOf(refused)
}
