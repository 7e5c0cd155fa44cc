package apply_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/apply"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
)

// actions performs the actions of the table.
var actions = map[enrol.Step]func(*businesstest.Person) error{
	enrol.StepVerified:    func(p *businesstest.Person) error { _, err := p.Apply.Begin(p.Ctx, p.Visitor, "", ""); return err },
	enrol.StepPersonal:    func(p *businesstest.Person) error { _, err := p.SaveStep("personal", nil); return err },
	enrol.StepAcademic:    func(p *businesstest.Person) error { _, err := p.SaveStep("academic", nil); return err },
	enrol.StepScholarship: func(p *businesstest.Person) error { _, err := p.SaveStep("scholarship", nil); return err },
	enrol.StepAgreed:      func(p *businesstest.Person) error { _, err := p.AgreeTerms(""); return err },
	enrol.StepPaying:      func(p *businesstest.Person) error { _, err := p.Start(""); return err },
	enrol.StepComplete:    func(p *businesstest.Person) error { return p.SubmitDocuments() },
}

// draftActions are further actions on a form page, with their results.
var draftActions = []struct {
	businesstest.Try
	do func(*businesstest.Person) error
}{
	{businesstest.Try{At: "v 0 1 2 3 s s s s s"}, func(p *businesstest.Person) error { return saveDraft(p, "personal") }},
	{businesstest.Try{At: "v b 1 2 3 s s s s s"}, func(p *businesstest.Person) error { return saveDraft(p, "academic") }},
	{businesstest.Try{At: "v b b 2 3 s s s s s"}, func(p *businesstest.Person) error { return saveDraft(p, "scholarship") }},
	{businesstest.Try{At: "v 0 1 2 3 s s s s s"}, func(p *businesstest.Person) error { return readDraft(p, "personal") }},
}

func saveDraft(p *businesstest.Person, step string) error {
	_, err := p.Apply.SaveDraft(p.Ctx, p.Visitor, step, map[string]string{"address": "12", "course": "B", "reason": "My"}, apply.AnyVersion)
	return err
}

func readDraft(p *businesstest.Person, step string) error {
	_, err := p.Apply.Draft(p.Ctx, p.Visitor, step)
	return err
}

func TestActionsAllowedByStep(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		tries := func(from enrol.Step, try businesstest.Try, do func(*businesstest.Person) error) {
			t.Helper()
			p := w.ApplicantAt(from)
			err := do(p)
			after, refusal := try.From(from)
			if refusal != nil {
				businesstest.ExpectProblem(t, err, refusal.Kind, "", refusal.Message)
			} else if err != nil {
				t.Errorf("at step %d, %q: %v", from, try.At, err)
			}
			p.ExpectStep(after)
		}
		for _, from := range enrol.Steps {
			for _, try := range businesstest.Tries {
				if do := actions[try.To]; do != nil {
					tries(from, try, do)
				} else if !try.Unreachable() {
					t.Errorf("nobody tries step %d", try.To)
				}
			}
			for _, deed := range draftActions {
				tries(from, deed.Try, deed.do)
			}
		}
	})
}

func TestPagesRedirectByStep(t *testing.T) {
	for _, place := range enrol.Places {
		for _, step := range enrol.Steps {
			standing := apply.Standing{StepFact: step.Fact()}
			leads := standing.Lands
			if standing.Allows(place) {
				leads = place
			}
			businesstest.Equal(t, fmt.Sprintf("%s at step %d leads to", place, step), leads, businesstest.PageAt(place, step))
		}
	}
}

// The moves of decisions.md §2: rows are from, columns to, from none to 8.
const (
	applicationMoves = `
		.0........
		..1....6..
		...2...6..
		....3..6..
		.....4.6..
		.0123.56..
		......567.
		.........8
		.0123.56..
		.......6..`
	enrolmentMoves = `
		..........
		......5..8
		..........
		..........
		..........
		..........
		......5.78
		..........
		......5..8
		..........`
)

func TestAllowedStepMoves(t *testing.T) {
	for code, table := range map[string]string{enrol.ApplicationCode: applicationMoves, "KS_Mgrow": enrolmentMoves} {
		rows := strings.Fields(table)
		for i, from := range enrol.Steps {
			for j, to := range enrol.Steps {
				r := enrol.Registration{EventCode: code, Step: from}
				if got, want := r.CanMove(to), rows[i][j] != '.'; got != want {
					t.Errorf("%s from %d to %d: %v, want %v", code, from, to, got, want)
				}
				if want := byte('0' + to); rows[i][j] != '.' && rows[i][j] != want {
					t.Errorf("the table has %c in the column of %c", rows[i][j], want)
				}
			}
		}
	}
}

func TestStepFacts(t *testing.T) {
	form := "personal academic scholarship review"
	for _, row := range []struct {
		step                                enrol.Step
		status, badge, action, lands, label string
		open                                string // places
	}{
		{enrol.StepUnverified, "", "", "", "verify", "Apply Now", "verify"},
		{0, "Number Verified", "form_incomplete", "Complete Form", "personal", "Complete Form", "personal"},
		{1, "Form Incomplete", "form_incomplete", "Complete Form", "academic", "Complete Form", "personal academic"},
		{2, "Form Incomplete", "form_incomplete", "Complete Form", "scholarship", "Complete Form", "personal academic scholarship"},
		{3, "Form Incomplete", "form_incomplete", "Complete Form", "review", "Complete Form", form},
		{4, "Form Incomplete", "form_incomplete", "Complete Form", "payment", "Make Payment", "payment"},
		{5, "Payment Initiated", "paymentPending", "Pay Now", "payment", "Make Payment", "payment"},
		{6, "Documents Pending", "documentsPending", "Upload Documents", "upload", "Upload Doc", "upload"},
		{7, "Payment Failed", "failed", "Pay Now", "payment", "Make Payment", "payment"},
		{8, "Completed", "complete", "Download Invoice", "detail", "View Registration", "detail"},
	} {
		fact := row.step.Fact()
		businesstest.Same(t, fmt.Sprintf("what is told at step %d", row.step), []string{fact.Status, string(fact.Badge), fact.Action, string(fact.Lands), fact.Home},
			[]string{row.status, row.badge, row.action, row.lands, row.label})
		var open []string
		for _, place := range enrol.Places {
			if (apply.Standing{StepFact: fact}).Allows(place) {
				open = append(open, string(place))
			}
		}
		businesstest.Equal(t, fmt.Sprintf("pages open at step %d", row.step), strings.Join(open, " "), row.open)
	}
	refunded := enrol.Registration{Step: 6, Refunded: true}
	businesstest.Same(t, "what is told once the money has gone back", []string{refunded.Status(), string(refunded.Fact().Badge), refunded.Fact().Action}, []string{"Refunded", "refunded", "Download Invoice"})
}

func TestOneApplicationPerPerson(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.Somebody()
		p.SignUp(p.Email)
		ids := make([]string, 8)
		for _, err := range businesstest.Concurrently(8, func(i int) error {
			standing, err := w.Apply.Begin(w.Ctx, p.Visitor, "", "reminders")
			if err == nil {
				ids[i] = standing.Registration.ID
			}
			return err
		}) {
			w.Must(err)
		}
		for _, id := range ids {
			businesstest.Equal(t, "registration", id, ids[0])
		}
		businesstest.Same(t, "timeline", w.Texts("SELECT what FROM entries"), []string{"phone verified"})
		businesstest.Same(t, "consents", w.Texts("SELECT purpose, ref FROM consents"), []string{"reminders | " + ids[0]})

		_, err := p.SubmitEnrolment(businesstest.Fields{"event": enrol.ApplicationCode})
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Programme not found.") // not open for enrolment
		_, err = w.Enrol.LatestRegistration(w.Ctx, p.Visitor, "")
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Registration not found.") // and no page of an enrolment finds it
		_, err = w.Apply.Standing(w.Ctx, w.Somebody().Visitor)
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Account not found.")
		other := w.ApplicantAt(enrol.StepUnverified)
		other.ExpectRegistrationNotFound("another account", ids[0])
	})
}

func TestEmailSignInRequiresPhoneVerification(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, other := w.Somebody(), w.Somebody()
		other.SignUp(other.Email)
		_, err := p.SignIn(p.Email)
		w.Must(err)
		own := p.SignUp(p.Email)
		businesstest.Equal(t, "phone is proven", own.Account.PhoneVerified(), false)
		_, err = w.Apply.Begin(w.Ctx, p.Visitor, "", "")
		businesstest.ExpectProblem(t, err, admission.Conflict, "phone_number", "Please verify the OTP.")
		_, err = w.Apply.Begin(w.Ctx, p.Visitor, other.Phone, "")
		businesstest.ExpectProblem(t, err, admission.Conflict, "phone_number", "Please verify the OTP.") // of a phone that others have proven
		p.ExpectStep(enrol.StepUnverified)

		taken := *p
		taken.Phone = other.Phone
		w.Clock.Pass(20 * time.Minute)
		w.Must(taken.VerifyCode(access.ForPhone, other.Phone))
		_, err = w.Apply.Begin(w.Ctx, p.Visitor, other.Phone, "")
		businesstest.ExpectProblem(t, err, admission.Conflict, "phone_number", "This phone number is already registered.")
		w.Must(p.VerifyCode(access.ForPhone, p.Phone))
		standing, err := w.Apply.Begin(w.Ctx, p.Visitor, p.Phone, "")
		w.Must(err)
		businesstest.Equal(t, "phone", standing.Registration.Phone, "+91"+p.Phone)
		account, err := w.Account.Profile(w.Ctx, p.Visitor)
		w.Must(err)
		businesstest.Equal(t, "the account's phone is proven", account.PhoneVerified(), true)
		businesstest.Equal(t, "registrations", w.Count("registrations"), 1)
	})
}

func TestClosedApplicationRejectsChanges(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		const closed = "Applications are closed at the moment."
		fresh, midway, agreed := w.ApplicantAt(enrol.StepUnverified), w.ApplicantAt(enrol.StepPersonal), w.ApplicantAt(enrol.StepAgreed)
		w.Catalogue[2].Published = false
		_, err := w.Apply.Begin(w.Ctx, fresh.Visitor, "", "")
		businesstest.ExpectProblem(t, err, admission.Conflict, "", closed)
		_, err = midway.SaveStep("academic", nil)
		businesstest.ExpectProblem(t, err, admission.Conflict, "", closed)
		_, err = agreed.Start("")
		businesstest.ExpectProblem(t, err, admission.Conflict, "", closed)
		midway.ExpectStep(enrol.StepPersonal)
		w.Catalogue[2].Published = true
	})
}
