package businesstest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"hiresure/admission"
	"hiresure/admission/apply"
	"hiresure/admission/business"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/forms/formstest"
	"hiresure/integrations/payment/sandbox"
)

// Messages of actions out of order.
const (
	VerifyFirst       = "Please verify your mobile number first."
	EarlierStepsFirst = "Please complete the steps before this one first."
	NotEditable       = "You cannot modify the previous details now. Contact support for further help."
	TermsRequired     = "Please complete the form and agree to the terms first."
)

// Try is an action by which an applicant reaches a step, with its result at each of enrol.Steps: the next step, or a
// letter for a refusal, which changes nothing. The tests of business, API and pages share the table.
type Try struct {
	To enrol.Step
	At string // one word per step
}

// Tries has one action per step. "w" marks steps without an action of the applicant's own.
var Tries = []Try{
	{enrol.StepUnverified, "w w w w w w w w w w"},
	{enrol.StepVerified, "0 0 1 2 3 4 5 6 7 8"},
	{enrol.StepPersonal, "v 1 1 2 3 s s s s s"},
	{enrol.StepAcademic, "v b 2 2 3 s s s s s"},
	{enrol.StepScholarship, "v b b 3 3 s s s s s"},
	{enrol.StepAgreed, "v b b b 4 s s s s s"},
	{enrol.StepPaying, "n t t t t 5 5 p 5 p"},
	{enrol.StepPaid, "w w w w w w w w w w"},
	{enrol.StepUnpaid, "w w w w w w w w w w"},
	{enrol.StepComplete, "v s s s s s s 8 s s"}, // with the required documents
}

// TryTo returns the action that reaches a step.
func TryTo(step enrol.Step) Try {
	return Tries[slices.IndexFunc(Tries, func(try Try) bool { return try.To == step })]
}

var refusals = map[string]*admission.Problem{
	"v": admission.ConflictProblem("", VerifyFirst), "b": admission.ConflictProblem("", EarlierStepsFirst), "s": admission.ConflictProblem("", NotEditable),
	"t": admission.ConflictProblem("", TermsRequired), "p": admission.ConflictProblem("", enrol.AlreadyPaid), "n": admission.NotFoundProblem("Registration"),
}

// Unreachable reports whether no action of the applicant reaches the step.
func (t Try) Unreachable() bool { return strings.HasPrefix(t.At, "w") }

// From returns the result of the action at a step: the next step, and the refusal or nil.
func (t Try) From(step enrol.Step) (after enrol.Step, refusal *admission.Problem) {
	word := strings.Fields(t.At)[step+1]
	if digit := word[0]; digit >= '0' && digit <= '8' {
		return enrol.Step(digit - '0'), nil
	}
	return step, refusals[word]
}

// PagesByStep gives for each place, by step, the page that its address shows: itself if the step allows it, or else the step's
// page.
var PagesByStep = map[enrol.Place]string{
	enrol.PlaceVerify:      "verify personal academic scholarship review payment payment upload payment detail",
	enrol.PlacePersonal:    "verify personal personal personal personal payment payment upload payment detail",
	enrol.PlaceAcademic:    "verify personal academic academic academic payment payment upload payment detail",
	enrol.PlaceScholarship: "verify personal academic scholarship scholarship payment payment upload payment detail",
	enrol.PlaceReview:      "verify personal academic scholarship review payment payment upload payment detail",
	enrol.PlacePayment:     "verify personal academic scholarship review payment payment upload payment detail",
	enrol.PlaceUpload:      "verify personal academic scholarship review payment payment upload payment detail",
	enrol.PlaceDetail:      "verify personal academic scholarship review payment payment upload payment detail",
}

// PageAt returns the page that a place's address shows at a step.
func PageAt(place enrol.Place, step enrol.Step) enrol.Place {
	return enrol.Place(strings.Fields(PagesByStep[place])[step+1])
}

// Typed returns the good answers to a step of the application's form, with changes.
func Typed(step string, changes map[string]string) map[string]string {
	page := formstest.Good(apply.FormName, step)
	maps.Copy(page, changes)
	return page
}

// Applicant is a signed-in person with a verified phone.
type Applicant struct {
	*business.Services
	Visitor  admission.Visitor
	Gateway  *sandbox.Gateway
	Complete func(registrationID string) // submits documents
}

// Reach brings a new application to a step and returns its registration; "" for none.
func (a Applicant) Reach(t testing.TB, to enrol.Step) (registration string) {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	if to == enrol.StepUnverified {
		return ""
	}
	begun, err := a.Apply.Begin(ctx, a.Visitor, "", "")
	must(err)
	registration = begun.Registration.ID
	for i, step := range []string{"personal", "academic", "scholarship"} {
		if to > enrol.Step(i) {
			_, err = a.Apply.SaveStep(ctx, a.Visitor, step, Typed(step, nil), apply.AnyVersion)
			must(err)
		}
	}
	if to < enrol.StepAgreed {
		return registration
	}
	_, err = a.Apply.AgreeTerms(ctx, a.Visitor, Typed("terms", nil), "")
	must(err)
	if to == enrol.StepAgreed {
		return registration
	}
	started, err := a.Payment.Start(ctx, a.Visitor, payment.StartRequest{RegistrationID: registration})
	must(err)
	outcome := map[enrol.Step]sandbox.Outcome{enrol.StepUnpaid: sandbox.Failed, enrol.StepPaid: sandbox.Paid, enrol.StepComplete: sandbox.Paid}[to]
	if outcome != "" {
		_, err = a.Payment.Complete(ctx, started.ID, method.Return{Form: a.Gateway.Press(started.ID, outcome)})
		must(err)
	}
	if to == enrol.StepComplete {
		a.Complete(registration)
	}
	return registration
}
