// Package application serves the form of the HireSure application: its steps, a guardian's consent, the review. All pages
// work without scripts.
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
	r.Get(web.FormPath, mine.ForViews(), h.redirectToStep)
	for _, s := range steps {
		r.Get(s.path(), mine.ForViews(), h.show(s))
		r.Post(s.path(), mine, h.post(s))
	}
	r.Get(web.ReviewPath, mine.ForViews(), h.review)
	r.Post(web.ReviewPath, mine, h.agree)
}

// step is a page of the form that is saved on its own.
type step struct {
	place       enrol.Place
	title, lede string
	back, next  string // pages of its buttons
}

func (s step) name() string { return string(s.place) }
func (s step) path() string { return web.StepPath(s.name()) }

// storageKey returns the key of a step's answers in the tab's storage (islands/application/tab.ts).
func (s step) storageKey(registrationID string) string {
	return "application:" + registrationID + ":" + s.name()
}

var (
	personal = step{
		enrol.PlacePersonal, "Personal Info", "Write everything as on your student\u00a0ID.",
		web.HomePath, web.StepPath(string(enrol.PlaceAcademic)),
	}
	academic = step{
		enrol.PlaceAcademic, "Academic Info", "Copy your answers from your latest marksheet.",
		web.StepPath(string(enrol.PlacePersonal)), web.StepPath(string(enrol.PlaceScholarship)),
	}
	scholarship = step{
		enrol.PlaceScholarship, "Scholarship", "Three answers, in your own words.",
		web.StepPath(string(enrol.PlaceAcademic)), web.ReviewPath,
	}
	steps = []step{personal, academic, scholarship}
)

// stageOf returns the index of a place among the steps.
func stageOf(place enrol.Place) int {
	for i, s := range steps {
		if s.place == place {
			return i
		}
	}
	return len(steps)
}

// redirectToStep redirects to the page on which the application continues.
func (h handlers) redirectToStep(c *echo.Context) error {
	_, standing, err := h.Applicant(c)
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, pages.ContinuePath(standing))
}

// Names of a page's hidden fields, and values of its buttons.
const (
	seenField  = "seen" // version that the page was rendered from
	fromField  = "from" // fromReview for a change from the review
	doField    = "do"
	fromReview = "review"

	doNext = "next"
	doBack = "back"
	doKeep = "keep" // save the draft and stay
	doEdit = "edit" // from a question back to its page, with everything typed

	doDiscard = "discard" // delete the draft
)

// posted is a posted page of the form.
type posted struct {
	step
	visitor  admission.Visitor
	standing apply.Standing
	in       map[string]string
}

// read parses a posted page. It rejects one opened in another account, whose answers would become this account's.
func (h handlers) read(c *echo.Context, s step) (p posted, err error) {
	p.step = s
	if p.visitor, p.standing, err = h.Enter(c, s.place); err != nil {
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
	p.visitor.CaptchaToken, p.visitor.Form = p.in[pages.CaptchaName], c.Request().URL.Path
	return p, nil
}

// seen returns the version that the posted page was rendered from.
func (p posted) seen() int {
	if version, err := strconv.Atoi(p.in[seenField]); err == nil && version >= 0 {
		return version
	}
	return apply.AnyVersion
}

// nextPage returns the next page: the review if the page was opened from there, otherwise address.
func (p posted) nextPage(address string) string {
	if p.in[fromField] == fromReview {
		return web.ReviewPath
	}
	return address
}

// frame surrounds all pages of the form.
type frame struct {
	Page        components.Page
	Rail        components.RailProps
	Eyebrow     string
	Step        string // "Step 2 of 6:", before Title; "" for a question within a step
	Title, Lede string
}

// stepFrame is frame for a page that is a whole step.
func (h handlers) stepFrame(place enrol.Place, title, lede string, saved components.SavedProps) frame {
	f := h.frame(place, title, lede, saved)
	f.Step = f.Rail.Place() + ":"
	f.Page.Title, f.Rail.Titled = f.Step+" "+title, true
	return f
}

func (h handlers) frame(place enrol.Place, title, lede string, saved components.SavedProps) frame {
	now := stageOf(place)
	return frame{
		Page: components.Page{Title: title, Main: "application", NoIndex: true, Styles: []string{"account.css"}},
		Rail: components.RailProps{
			Home: web.HomePath, Phone: h.Content.Current().Site().Support.Phone, Saved: saved, Steps: components.StepsOf(components.ApplicationStages, now), Now: now,
		},
		Eyebrow: "HireSure Scholarship", Title: title, Lede: lede,
	}
}

// refused marks a page whose answers have faults.
func (f *frame) refused(faults []forms.Fault, values map[string]string) {
	f.Page.Refused, f.Rail.Wrong = len(faults) > 0, pages.CountFaults(faults, values)
}

var notSaved = components.SavedProps{Text: "Not saved yet", Sign: components.SignUnsent}

// saved returns when a step was last saved.
func (h handlers) saved(typed apply.StepContent) components.SavedProps {
	if typed.SavedAt.IsZero() {
		return notSaved
	}
	return h.Saved(typed.SavedAt)
}
