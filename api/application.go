package api

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/apply"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/forms"
	"hiresure/web"
)

var (
	detailsBody = withDocuments(shape{ // beside the form's fields
		"scholarship_code": text, "profile_step": whole, "version": whole, "exam_semester": text, "seen": text, ownRegistration: text,
	})
	draftBody = shape{"scholarship_code": text, "profile_step": whole, "version": whole, "exam_semester": text, "field": text, ownRegistration: text}
)

// ownRegistration names the application that a client means, which sends it where another account may be signed in by now.
const ownRegistration = "scholarship_requested_id"

// The refusals of a call that names a step.
const (
	stepUnknown = "This must be 1, 2, 3, 4 or 8."
	pageUnknown = "This must be 1, 2 or 3."
	ofOtherStep = "This field belongs to another step."
)

// The fields of the application that are read beside others.
const (
	examYear      = "exam_year"
	examSemester  = "exam_semester" // the exam's year again, which clients send and read too (spec §3)
	guardianCode  = "guardian_otp"
	guardianPhone = "guardian_phone"
)

// applicationStanding is where an application has come to.
type applicationStanding struct {
	done
	ProfileStep   enrol.Step `json:"profile_step"`
	ProfileStatus string     `json:"profile_status"`
	Next          string     `json:"next"` // address of the page on which it goes on
}

// keptDraft is a page of the form as it stands, as a call tells it.
type keptDraft struct {
	Version int            `json:"version"`
	SavedAt string         `json:"saved_at"` // "" where nothing was ever kept
	Half    bool           `json:"half"`     // not saved as a step yet
	Field   string         `json:"field"`    // typed into last; "" for none
	Answers map[string]any `json:"answers"`
}

// draftAnswer also stands beside the refusal of a page that is older than what another tab has kept.
type draftAnswer struct {
	done
	Draft *keptDraft `json:"draft,omitempty"`
}

// sentStep is one step of the form as a call sends it.
type sentStep struct {
	name   string
	values map[string]string
	seen   int    // version of the draft
	review string // what was read before the terms; "" for whatever there is
}

// submitDetails saves one step of the application, agrees to its terms, or ends it with its documents. What the client says of the step is only checked:
// it names the page that is sent.
func (a *api) submitDetails(c *echo.Context, in fields) (answer, error) {
	if err := ofApplication(in["scholarship_code"]); err != nil {
		return nil, err
	}
	if in["profile_step"] == strconv.Itoa(int(enrol.StepComplete)) {
		return a.submitDocuments(c, in)
	}
	step, err := a.stepSent(in, int(enrol.StepAgreed), stepUnknown)
	if err != nil {
		return nil, err
	}
	v, err := a.applicant(c, in[ownRegistration])
	if err != nil {
		return nil, err
	}
	standing, err := a.saveStep(c, v, step)
	if asksForGuardian(err) && step.values[guardianCode] != "" {
		typed := access.EnteredCode{Purpose: access.ForGuardian, Phone: step.values[guardianPhone], Code: step.values[guardianCode]}
		if _, err := a.prove(c, typed); err != nil {
			return nil, err
		}
		standing, err = a.saveStep(c, v, step)
	}
	if err != nil {
		return a.refusedStep(err)
	}
	return &applicationStanding{*said("Your details are saved."), standing.Step, standing.Status, landing(standing)}, nil
}

func (a *api) saveStep(c *echo.Context, v admission.Visitor, step sentStep) (apply.Standing, error) {
	if step.name == apply.TermsStep {
		return a.Apply.AgreeTerms(c.Request().Context(), v, step.values, step.review)
	}
	return a.Apply.SaveStep(c.Request().Context(), v, step.name, step.values, step.seen)
}

// asksForGuardian reports whether a step was refused because no guardian has agreed to it, whose number is right.
func asksForGuardian(err error) bool {
	problem := admission.AsProblem(err)
	if problem == nil {
		return false
	}
	of := func(name string) bool {
		return slices.ContainsFunc(problem.Faults, func(f forms.Fault) bool { return f.Field == name })
	}
	return of(guardianCode) && !of(guardianPhone)
}

// refusedStep says why a step was not taken; where another tab was faster, with what that has kept.
func (a *api) refusedStep(err error) (answer, error) {
	form := a.Forms.Get(apply.FormName)
	if stale, is := errors.AsType[*apply.Stale](err); is {
		return &draftAnswer{Draft: told(form, stale.Theirs)}, err
	}
	return nil, renamed(err, form.OnWire)
}

// saveDraft keeps what is half typed.
func (a *api) saveDraft(c *echo.Context, in fields) (answer, error) {
	if err := ofApplication(in["scholarship_code"]); err != nil {
		return nil, err
	}
	step, err := a.stepSent(in, int(enrol.StepScholarship), pageUnknown)
	if err != nil {
		return nil, err
	}
	v, err := a.applicant(c, in[ownRegistration])
	if err != nil {
		return nil, err
	}
	form := a.Forms.Get(apply.FormName)
	for name := range form.FromWire(map[string]string{in["field"]: ""}) {
		step.values[apply.LastFieldKey] = name
	}
	typed, err := a.Apply.SaveDraft(c.Request().Context(), v, step.name, step.values, step.seen)
	if err != nil {
		return a.refusedStep(err)
	}
	return &draftAnswer{*said("What you typed is kept."), told(form, typed)}, nil
}

// readDraft returns a page as it stands: half typed, or else as it was saved.
func (a *api) readDraft(c *echo.Context, _ fields) (answer, error) {
	query := c.QueryParams()
	if len(query["scholarship_code"]) != 1 || len(query["profile_step"]) != 1 {
		return nil, unreadable("Send one scholarship_code and one profile_step.")
	}
	if err := ofApplication(query.Get("scholarship_code")); err != nil {
		return nil, err
	}
	step, err := a.stepSent(fields{"profile_step": query.Get("profile_step")}, int(enrol.StepScholarship), pageUnknown)
	if err != nil {
		return nil, err
	}
	v, err := a.applicant(c, query.Get(ownRegistration))
	if err != nil {
		return nil, err
	}
	typed, err := a.Apply.Draft(c.Request().Context(), v, step.name)
	if err != nil {
		return nil, err
	}
	return &draftAnswer{*said("Your draft."), told(a.Forms.Get(apply.FormName), typed)}, nil
}

// applicant is who calls. An application that the call names, and that is not the account's, is not there: what is typed into
// another's would become this account's.
func (a *api) applicant(c *echo.Context, named string) (admission.Visitor, error) {
	v, err := a.Sessions.Visitor(c)
	if err != nil || named == "" {
		return v, err
	}
	standing, err := a.Apply.Standing(c.Request().Context(), v)
	if err != nil {
		return v, err
	}
	if standing.RegistrationID() != named {
		v.Deny(named)
		return v, admission.NotFoundProblem("Registration")
	}
	return v, nil
}

// stepSent reads which step of the form a call sends: profile_step is what the application comes to by it, most at the furthest. A
// field of another step is refused: it would be lost.
func (a *api) stepSent(in fields, most int, unknown string) (sentStep, error) {
	to, err := strconv.Atoi(in["profile_step"])
	if err != nil || to < int(enrol.StepPersonal) || to > most {
		return sentStep{}, invalid("profile_step", unknown)
	}
	form := a.Forms.Get(apply.FormName)
	step := sentStep{name: form.Steps[to-1].Name, values: map[string]string{}, seen: apply.AnyVersion, review: in["seen"]}
	if version, sent := in["version"]; sent {
		step.seen, _ = strconv.Atoi(version) // the shape has judged it
	}
	sent := maps.Clone(in)
	for own := range detailsBody {
		delete(sent, own)
	}
	typed := form.FromWire(sent)
	problem := &admission.Problem{Kind: admission.Invalid}
	for _, fact := range document.Kinds {
		if _, is := in[fact.Wire]; is {
			problem.Faults = append(problem.Faults, fault(fact.Wire, ofOtherStep))
		}
	}
	for i := range form.Fields {
		name := form.Fields[i].Name
		value, is := typed[name]
		if !is {
			continue
		}
		if !slices.ContainsFunc(form.OfStep(step.name), func(of *forms.Field) bool { return of.Name == name }) {
			problem.Faults = append(problem.Faults, fault(form.OnWire(name), ofOtherStep))
		}
		step.values[name] = value
	}
	if len(problem.Faults) > 0 {
		problem.Field, problem.Message = problem.Faults[0].Field, problem.Faults[0].Message
		return sentStep{}, problem
	}
	return step, nil
}

// told is a page of the form as a call tells it.
func told(form *forms.Form, typed apply.StepContent) *keptDraft {
	draft := &keptDraft{Version: typed.Version, Half: typed.IsDraft, Field: form.OnWire(typed.Field), Answers: form.ToWire(typed.Values)}
	if !typed.SavedAt.IsZero() {
		draft.SavedAt = typed.SavedAt.UTC().Format(time.RFC3339)
	}
	return draft
}

// landing is the address of the page on which an application goes on.
func landing(standing apply.Standing) string {
	return web.PlacePath(string(standing.Lands), standing.RegistrationID())
}
