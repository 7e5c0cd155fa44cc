package business_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/apply"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/integrations/payment/sandbox"
)

var typed = businesstest.Typed

func (p *person) saveStep(step string, changes fields) (apply.Standing, error) {
	return p.Apply.SaveStep(p.ctx, p.Visitor, step, typed(step, changes), apply.AnyVersion)
}

func (p *person) agreeTerms(consents string) (apply.Standing, error) {
	return p.Apply.AgreeTerms(p.ctx, p.Visitor, map[string]string{"agreed_terms_conditions": "true", "consents": consents}, "")
}

// expectStep expects the person's application to be at a step.
func (p *person) expectStep(step enrol.Step) apply.Standing {
	p.t.Helper()
	standing, err := p.Apply.Standing(p.ctx, p.Visitor)
	p.must(err)
	equal(p.t, "step", standing.Step, step)
	return standing
}

// applicantAt returns somebody who has signed up and reached a step.
func (w *world) applicantAt(to enrol.Step) *person {
	w.t.Helper()
	p := w.somebody()
	p.signUp(p.email)
	done := func(standing apply.Standing, err error) {
		w.t.Helper()
		w.must(err)
		p.registration = standing.Registration.ID
	}
	way := []func(){
		func() { done(p.Apply.Begin(p.ctx, p.Visitor, "", "")) },
		func() { done(p.saveStep("personal", nil)) },
		func() { done(p.saveStep("academic", nil)) },
		func() { done(p.saveStep("scholarship", nil)) },
		func() { done(p.agreeTerms("")) },
		func() { p.mustStart("") },
	}
	for step := enrol.StepVerified; step <= min(to, enrol.StepPaying); step++ {
		way[step]()
	}
	switch to {
	case enrol.StepUnpaid:
		p.returnWith(sandbox.Failed)
	case enrol.StepPaid, enrol.StepComplete:
		p.returnWith(sandbox.Paid)
	}
	if to == enrol.StepComplete {
		w.must(actions[enrol.StepComplete](p))
	}
	p.expectStep(to)
	return p
}

const (
	verifyFirst = businesstest.VerifyFirst
	stepsBefore = businesstest.EarlierStepsFirst
	standsNow   = businesstest.NotEditable
	termsFirst  = businesstest.TermsRequired
)

// actions performs the actions of the table.
var actions = map[enrol.Step]func(*person) error{
	enrol.StepVerified:    func(p *person) error { _, err := p.Apply.Begin(p.ctx, p.Visitor, "", ""); return err },
	enrol.StepPersonal:    func(p *person) error { _, err := p.saveStep("personal", nil); return err },
	enrol.StepAcademic:    func(p *person) error { _, err := p.saveStep("academic", nil); return err },
	enrol.StepScholarship: func(p *person) error { _, err := p.saveStep("scholarship", nil); return err },
	enrol.StepAgreed:      func(p *person) error { _, err := p.agreeTerms(""); return err },
	enrol.StepPaying:      func(p *person) error { _, err := p.start(""); return err },
	enrol.StepComplete: func(p *person) error {
		if standing, err := p.Apply.Standing(p.ctx, p.Visitor); err != nil || standing.Step == enrol.StepPaid {
			p.must(err)
			for _, kind := range []document.Kind{document.Photo, document.IDProof, document.Marksheet} {
				p.upload(kind, "a paper", 100)
			}
		}
		return p.Document.Submit(p.ctx, p.Visitor, nil)
	},
}

// draftActions are further actions on a form page, with their results.
var draftActions = []struct {
	businesstest.Try
	do func(*person) error
}{
	{businesstest.Try{At: "v 0 1 2 3 s s s s s"}, func(p *person) error { return p.saveDraft("personal") }},
	{businesstest.Try{At: "v b 1 2 3 s s s s s"}, func(p *person) error { return p.saveDraft("academic") }},
	{businesstest.Try{At: "v b b 2 3 s s s s s"}, func(p *person) error { return p.saveDraft("scholarship") }},
	{businesstest.Try{At: "v 0 1 2 3 s s s s s"}, func(p *person) error { return p.readDraft("personal") }},
}

func (p *person) saveDraft(step string) error {
	_, err := p.Apply.SaveDraft(p.ctx, p.Visitor, step, map[string]string{"address": "12", "course": "B", "reason": "My"}, apply.AnyVersion)
	return err
}

func (p *person) readDraft(step string) error {
	_, err := p.Apply.Draft(p.ctx, p.Visitor, step)
	return err
}

func TestActionsAllowedByStep(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		tries := func(from enrol.Step, try businesstest.Try, do func(*person) error) {
			t.Helper()
			p := w.applicantAt(from)
			err := do(p)
			after, refusal := try.From(from)
			if refusal != nil {
				expectProblem(t, err, refusal.Kind, "", refusal.Message)
			} else if err != nil {
				t.Errorf("at step %d, %q: %v", from, try.At, err)
			}
			p.expectStep(after)
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
			equal(t, fmt.Sprintf("%s at step %d leads to", place, step), leads, businesstest.PageAt(place, step))
		}
	}
}

// The moves of decisions.md §2: rows are from, columns to, from none to 8.
const (
	applicationMoves = `
		.0........
		..1.......
		...2......
		....3.....
		.....4....
		......56..
		......567.
		.........8
		......56..
		..........`
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
		same(t, fmt.Sprintf("what is told at step %d", row.step), []string{fact.Status, string(fact.Badge), fact.Action, string(fact.Lands), fact.Home},
			[]string{row.status, row.badge, row.action, row.lands, row.label})
		var open []string
		for _, place := range enrol.Places {
			if (apply.Standing{StepFact: fact}).Allows(place) {
				open = append(open, string(place))
			}
		}
		equal(t, fmt.Sprintf("pages open at step %d", row.step), strings.Join(open, " "), row.open)
	}
	refunded := enrol.Registration{Step: 6, Refunded: true}
	same(t, "what is told once the money has gone back", []string{refunded.Status(), string(refunded.Fact().Badge), refunded.Fact().Action}, []string{"Refunded", "refunded", "Download Invoice"})
}

func TestOneApplicationPerPerson(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		p := w.somebody()
		p.signUp(p.email)
		ids := make([]string, 8)
		for _, err := range concurrently(8, func(i int) error {
			standing, err := w.Apply.Begin(w.ctx, p.Visitor, "", "reminders")
			if err == nil {
				ids[i] = standing.Registration.ID
			}
			return err
		}) {
			w.must(err)
		}
		for _, id := range ids {
			equal(t, "registration", id, ids[0])
		}
		same(t, "timeline", w.texts("SELECT what FROM entries"), []string{"phone verified"})
		same(t, "consents", w.texts("SELECT purpose, ref FROM consents"), []string{"reminders | " + ids[0]})

		_, err := p.enrol(fields{"event": enrol.ApplicationCode})
		expectProblem(t, err, admission.NotFound, "", "Programme not found.") // not open for enrolment
		_, err = w.Enrol.LatestRegistration(w.ctx, p.Visitor, "")
		expectProblem(t, err, admission.NotFound, "", "Registration not found.") // and no page of an enrolment finds it
		_, err = w.Apply.Standing(w.ctx, w.somebody().Visitor)
		expectProblem(t, err, admission.NotFound, "", "Account not found.")
		other := w.applicantAt(enrol.StepUnverified)
		other.expectNotFound("another account", ids[0])
	})
}

func TestEmailSignInRequiresPhoneVerification(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, other := w.somebody(), w.somebody()
		other.signUp(other.email)
		_, err := p.signIn(p.email)
		w.must(err)
		own := p.signUp(p.email)
		equal(t, "phone is proven", own.Account.PhoneVerified(), false)
		_, err = w.Apply.Begin(w.ctx, p.Visitor, "", "")
		expectProblem(t, err, admission.Conflict, "phone_number", "Please verify the OTP.")
		_, err = w.Apply.Begin(w.ctx, p.Visitor, other.phone, "")
		expectProblem(t, err, admission.Conflict, "phone_number", "Please verify the OTP.") // of a phone that others have proven
		p.expectStep(enrol.StepUnverified)

		taken := *p
		taken.phone = other.phone
		w.clock.Pass(20 * time.Minute)
		w.must(taken.verifyCode(access.ForPhone, other.phone))
		_, err = w.Apply.Begin(w.ctx, p.Visitor, other.phone, "")
		expectProblem(t, err, admission.Conflict, "phone_number", "This phone number is already registered.")
		w.must(p.verifyCode(access.ForPhone, p.phone))
		standing, err := w.Apply.Begin(w.ctx, p.Visitor, p.phone, "")
		w.must(err)
		equal(t, "phone", standing.Registration.Phone, "+91"+p.phone)
		account, err := w.Account.Profile(w.ctx, p.Visitor)
		w.must(err)
		equal(t, "the account's phone is proven", account.PhoneVerified(), true)
		equal(t, "registrations", w.count("registrations"), 1)
	})
}

func TestClosedApplicationRejectsChanges(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		const closed = "Applications are closed at the moment."
		fresh, midway, agreed := w.applicantAt(enrol.StepUnverified), w.applicantAt(enrol.StepPersonal), w.applicantAt(enrol.StepAgreed)
		w.catalogue[2].Published = false
		_, err := w.Apply.Begin(w.ctx, fresh.Visitor, "", "")
		expectProblem(t, err, admission.Conflict, "", closed)
		_, err = midway.saveStep("academic", nil)
		expectProblem(t, err, admission.Conflict, "", closed)
		_, err = agreed.start("")
		expectProblem(t, err, admission.Conflict, "", closed)
		midway.expectStep(enrol.StepPersonal)
		w.catalogue[2].Published = true
	})
}
