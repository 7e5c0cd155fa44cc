package api

import (
	"cmp"
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
	detailsBody = withDocuments(shape{ // besides the form's fields
		"scholarship_code": text, "profile_step": whole, "version": whole, "exam_semester": text, "seen": text, ownRegistration: text,
	})
	draftBody = shape{"scholarship_code": text, "profile_step": whole, "version": whole, "exam_semester": text, "field": text, ownRegistration: text}
)

// ownRegistration names the application that a client means, in case another account has signed in.
const ownRegistration = "scholarship_requested_id"

// Messages about a step.
const (
	stepUnknown = "This must be 1, 2, 3, 4 or 8."
	pageUnknown = "This must be 1, 2 or 3."
	otherStep   = "This field belongs to another step."
)

// Fields of the application with a meaning of their own.
const (
	examYear      = "exam_year"
	examSemester  = "exam_semester" // same as exam_year, for clients of spec §3
	guardianCode  = "guardian_otp"
	guardianPhone = "guardian_phone"
)

// applicationStanding is the step of an application.
type applicationStanding struct {
	done
	ProfileStep   enrol.Step `json:"profile_step"`
	ProfileStatus string     `json:"profile_status"`
	Next          string     `json:"next"` // address of the page where it continues
}

// draft is a page of the form with its draft.
type draft struct {
	Version int            `json:"version"`
	SavedAt string         `json:"saved_at"` // "" if never saved
	Half    bool           `json:"half"`     // not saved as a step yet
	Field   string         `json:"field"`    // last field typed into; "" for none
	Answers map[string]any `json:"answers"`
}

// draftAnswer returns a draft, also with the refusal of a page that is older than another tab's draft.
type draftAnswer struct {
	done
	Draft *draft `json:"draft,omitempty"`
}

// sentStep is a step of the form in a call.
type sentStep struct {
	name   string
	values map[string]string
	seen   int    // version of the draft
	review string // hash of the review; "" for any
}

// submitDetails saves a step of the application, accepts its terms, or submits its documents. profile_step only selects the
// page that is sent.
func (a *api) submitDetails(c *echo.Context, in fields) (answer, error) {
	if err := checkProgramme(in["scholarship_code"]); err != nil {
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
	if needsGuardian(err) && step.values[guardianCode] != "" {
		typed := access.EnteredCode{Purpose: access.ForGuardian, Phone: step.values[guardianPhone], Code: step.values[guardianCode]}
		if _, err := a.prove(c, typed); err != nil {
			return nil, err
		}
		standing, err = a.saveStep(c, v, step)
	}
	if err != nil {
		return a.refusedStep(err)
	}
	return &applicationStanding{*success("Your details are saved."), standing.Step, standing.Status, nextPath(standing)}, nil
}

func (a *api) saveStep(c *echo.Context, v admission.Visitor, step sentStep) (apply.Standing, error) {
	if step.name == apply.TermsStep {
		return a.Apply.AgreeTerms(c.Request().Context(), v, step.values, step.review)
	}
	return a.Apply.SaveStep(c.Request().Context(), v, step.name, step.values, step.seen)
}

// needsGuardian reports whether a step lacks only the guardian's consent.
func needsGuardian(err error) bool {
	problem := admission.AsProblem(err)
	if problem == nil {
		return false
	}
	of := func(name string) bool {
		return slices.ContainsFunc(problem.Faults, func(f forms.Fault) bool { return f.Field == name })
	}
	return of(guardianCode) && !of(guardianPhone)
}

// refusedStep returns the refusal of a step, with the draft of another tab that was faster.
func (a *api) refusedStep(err error) (answer, error) {
	form := a.Forms.Get(apply.FormName)
	if stale, is := errors.AsType[*apply.Stale](err); is {
		return &draftAnswer{Draft: draftOf(form, stale.Theirs)}, err
	}
	return nil, renameFields(err, form.OnWire)
}

// saveDraft saves a draft.
func (a *api) saveDraft(c *echo.Context, in fields) (answer, error) {
	if err := checkProgramme(in["scholarship_code"]); err != nil {
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
	return &draftAnswer{*success("What you typed is kept."), draftOf(form, typed)}, nil
}

// readDraft returns a page's draft, or its saved answers.
func (a *api) readDraft(c *echo.Context, _ fields) (answer, error) {
	query := c.QueryParams()
	if len(query["scholarship_code"]) != 1 || len(query["profile_step"]) != 1 {
		return nil, unreadable("Send one scholarship_code and one profile_step.")
	}
	if err := checkProgramme(query.Get("scholarship_code")); err != nil {
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
	return &draftAnswer{*success("Your draft."), draftOf(a.Forms.Get(apply.FormName), typed)}, nil
}

// applicant returns the caller. A named application that is not the account's is NotFound: its answers would become this
// account's.
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

// stepSent parses the step in a call: profile_step, at most limit, is the step that it completes. It rejects fields of other
// steps, which would be lost.
func (a *api) stepSent(in fields, limit int, unknown string) (sentStep, error) {
	to, err := strconv.Atoi(in["profile_step"])
	if err != nil || to < int(enrol.StepPersonal) || to > limit {
		return sentStep{}, admission.FieldProblem("profile_step", unknown)
	}
	form := a.Forms.Get(apply.FormName)
	step := sentStep{name: form.Steps[to-1].Name, values: map[string]string{}, seen: apply.AnyVersion, review: in["seen"]}
	if version, sent := in["version"]; sent {
		step.seen, _ = strconv.Atoi(version) // checked by the shape
	}
	sent := maps.Clone(in)
	for own := range detailsBody {
		delete(sent, own)
	}
	typed := form.FromWire(sent)
	if step.name == string(enrol.PlacePersonal) {
		typed[sharesPhone] = cmp.Or(typed[sharesPhone], "false")
	}
	var faults []forms.Fault
	for _, fact := range document.Kinds {
		if _, is := in[fact.Wire]; is {
			faults = append(faults, fault(fact.Wire, otherStep))
		}
	}
	for i := range form.Fields {
		name := form.Fields[i].Name
		value, is := typed[name]
		if !is {
			continue
		}
		if !slices.ContainsFunc(form.OfStep(step.name), func(of *forms.Field) bool { return of.Name == name }) {
			faults = append(faults, fault(form.OnWire(name), otherStep))
		}
		step.values[name] = value
	}
	if problem := admission.FormProblem(faults); problem != nil {
		return sentStep{}, problem
	}
	return step, nil
}

// draftOf returns a draft for a call.
func draftOf(form *forms.Form, typed apply.StepContent) *draft {
	draft := &draft{Version: typed.Version, Half: typed.IsDraft, Field: form.OnWire(typed.Field), Answers: form.ToWire(typed.Values)}
	if !typed.SavedAt.IsZero() {
		draft.SavedAt = typed.SavedAt.UTC().Format(time.RFC3339)
	}
	return draft
}

// nextPath returns the address of the page where an application continues.
func nextPath(standing apply.Standing) string {
	return web.PlacePath(string(standing.Lands), standing.RegistrationID())
}
