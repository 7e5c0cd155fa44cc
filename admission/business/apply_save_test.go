package business_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/apply"
	"hiresure/admission/enrol"
	"hiresure/forms"
	"hiresure/forms/formstest"
)

func (p *person) timeline() string {
	p.t.Helper()
	return strings.Join(p.texts("SELECT what FROM entries WHERE registration_id = $1 ORDER BY at, what", p.registration), ", ")
}

// application returns the person's application.
func (p *person) application() enrol.Registration {
	p.t.Helper()
	standing, err := p.Apply.Standing(p.ctx, p.Visitor)
	p.must(err)
	return *standing.Registration
}

func TestApplicationStoresSteps(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.applicantAt(enrol.StepScholarship)
		r := p.application()
		want := formstest.Answers(apply.FormName, nil)
		equal(t, "as stored", want["dob"]+" "+want["annualIncome"], "2005-08-14 32000000")
		if !maps.Equal(r.Answers, want) {
			t.Errorf("answers: got %q\nwant %q", r.Answers, want)
		}
		equal(t, "columns", fmt.Sprint(r.StateCode, r.Adult, r.GuardianName, r.GuardianPhone, r.FullName, r.Email, r.Phone, r.FormVersion), fmt.Sprint("29", true, "", "", "Asha Rao", p.email, "+91"+p.phone, forms.Get(apply.FormName).Version))
		equal(t, "timeline", p.timeline(), "academic details saved, personal details saved, phone verified, scholarship details saved")
		said := w.Apply.Answers(&r)
		equal(t, "as typed", said["dob"]+" "+said["annualIncome"]+" "+said["state"], "14-08-2005 320000 Karnataka")

		// "No" clears its details and keeps the rest of the step and other steps.
		_, err := p.saveStep("scholarship", fields{"received_other_scholarship": "false"})
		w.must(err)
		r = p.application()
		delete(want, "details")
		want["received_other_scholarship"] = "false"
		if !maps.Equal(r.Answers, want) {
			t.Errorf("answers after No: got %q\nwant %q", r.Answers, want)
		}
		_, err = p.saveStep("personal", fields{"state": "Kerala", "zip": "570001"}) // a PIN code of another State is taken
		w.must(err)
		p.expectStep(enrol.StepScholarship)
		equal(t, "State", p.application().StateCode, "32")
	})
}

func TestSaveStepIsIdempotent(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		p := w.applicantAt(enrol.StepVerified)
		for _, err := range concurrently(8, func(int) error { _, err := p.saveStep("personal", nil); return err }) {
			w.must(err)
		}
		p.expectStep(enrol.StepPersonal)
		equal(t, "timeline", p.timeline(), "personal details saved, phone verified")
		modified := p.application().ModifiedAt
		w.clock.Pass(time.Minute)
		_, err := p.saveStep("personal", nil)
		w.must(err)
		equal(t, "the same again changes nothing", p.application().ModifiedAt, modified)
		_, err = p.saveStep("personal", fields{"gender": "O"})
		w.must(err)
		equal(t, "timeline", p.timeline(), "personal details saved, phone verified, personal details changed")
		equal(t, "changed", p.application().ModifiedAt, modified.Add(time.Minute))

		_, err = p.saveStep("academic", fields{"percentage": "101", "examYear": "1950"})
		expectProblem(t, err, admission.Invalid, "examYear", "Select a valid year (e.g., 2023)")
		equal(t, "faults", len(admission.AsProblem(err).Faults), 2)
		_, err = p.saveStep("terms", nil)
		expectProblem(t, err, admission.NotFound, "", "Step not found.")
		p.expectStep(enrol.StepPersonal)
	})
}

func TestConcurrentSavesOfTwoSteps(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		p := w.applicantAt(enrol.StepScholarship)
		for range 5 {
			changes := []struct {
				step    string
				changes fields
			}{{"personal", fields{"address": "Another address " + fmt.Sprint(w.people)}}, {"academic", fields{"course": "B.Com."}}, {"scholarship", fields{"annualIncome": "1,00,000"}}}
			for _, err := range concurrently(len(changes), func(i int) error { _, err := p.saveStep(changes[i].step, changes[i].changes); return err }) {
				w.must(err)
			}
			got := p.application().Answers
			equal(t, "kept", got["address"]+", "+got["course"]+", "+got["annualIncome"], "Another address "+fmt.Sprint(w.people)+", B.Com., 10000000")
			w.people++
		}
	})
}

func TestDraftOnAnotherDevice(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.applicantAt(enrol.StepPersonal)
		first, err := w.Apply.SaveDraft(w.ctx, p.Visitor, "academic", map[string]string{
			"institution": "Sarov", "course": "  B.Sc", "percentage": "", "reason": "of another step", "examName": "4111 1111 1111 1111", "field": "course",
		}, 0)
		w.must(err)
		equal(t, "version", first.Version, 1)
		w.clock.Pass(time.Hour)
		p.newBrowser()
		_, err = p.signIn(p.phone)
		w.must(err)
		back, err := w.Apply.Draft(w.ctx, p.Visitor, "academic")
		w.must(err)
		if want := map[string]string{"institution": "Sarov", "course": "  B.Sc"}; !maps.Equal(back.Values, want) || back.Field != "course" || !back.IsDraft || back.Version != 1 || !back.SavedAt.Equal(noon) {
			t.Errorf("got %+v, want %q", back, want)
		}
		p.expectStep(enrol.StepPersonal)
		equal(t, "timeline", p.timeline(), "personal details saved, phone verified") // a draft moves and notes nothing

		_, err = p.saveStep("academic", fields{"percentage": "eighty"})
		expectProblem(t, err, admission.Invalid, "percentage", "Enter a valid percentage (e.g., 75) or CGPA (e.g., 8 CGPA)")
		kept, err := w.Apply.Draft(w.ctx, p.Visitor, "academic")
		w.must(err)
		equal(t, "a refused step keeps the draft", kept.IsDraft, true)
		_, err = p.saveStep("academic", nil)
		w.must(err)
		saved, err := w.Apply.Draft(w.ctx, p.Visitor, "academic")
		w.must(err)
		equal(t, "a saved one clears it", fmt.Sprint(saved.IsDraft, saved.Field, saved.Version, saved.Values["institution"]), fmt.Sprint(false, "", 2, "Sarovara College"))
		same(t, "nothing half typed is left", w.texts("SELECT COUNT(*) FROM drafts WHERE typed LIKE '%Sarov%'"), []string{"0"})
	})
}

func TestStaleTabGetsNewerContent(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		p := w.applicantAt(enrol.StepPersonal)
		const told = "This page was changed in another tab or on another device while it was open here. Nothing is lost: choose, and we keep that."
		stale := func(err error) apply.StepContent {
			t.Helper()
			expectProblem(t, err, admission.Conflict, "", told)
			var theirs *apply.Stale
			if !errors.As(err, &theirs) {
				t.Fatalf("%v carries nothing", err)
			}
			return theirs.Theirs
		}
		draft := func(course string, seen int) (apply.StepContent, error) {
			return w.Apply.SaveDraft(w.ctx, p.Visitor, "academic", map[string]string{"course": course}, seen)
		}
		_, err := draft("B.Sc.", 0)
		w.must(err)
		w.clock.Pass(time.Minute)
		_, err = draft("B.Com.", 0) // of a tab that was opened before
		theirs := stale(err)
		equal(t, "theirs", fmt.Sprint(theirs.Values["course"], theirs.IsDraft, theirs.Version, theirs.SavedAt.Equal(noon)), fmt.Sprint("B.Sc.", true, 1, true))
		same, err := draft(" B.Sc. ", 0) // equal values: no conflict
		w.must(err)
		equal(t, "version", same.Version, 2)
		_, err = draft("B.Com.", 2) // chosen
		w.must(err)

		_, err = w.Apply.SaveStep(w.ctx, p.Visitor, "academic", typed("academic", nil), 2)
		equal(t, "their half typed page is told", stale(err).Values["course"], "B.Com.")
		_, err = w.Apply.SaveStep(w.ctx, p.Visitor, "academic", typed("academic", nil), 3)
		w.must(err)
		_, err = w.Apply.SaveStep(w.ctx, p.Visitor, "academic", typed("academic", nil), 3) // the same button, pressed twice
		w.must(err)
		_, err = w.Apply.SaveStep(w.ctx, p.Visitor, "academic", typed("academic", fields{"course": "M.A."}), 3)
		theirs = stale(err)
		equal(t, "what the other tab has saved", fmt.Sprint(theirs.Values["course"], ", half typed: ", theirs.IsDraft), "B.Sc. Statistics, half typed: false")
		_, err = draft("M.A.", 3)
		equal(t, "and a draft is told too", stale(err).Values["course"], "B.Sc. Statistics")
		equal(t, "course", p.application().Answers["course"], "B.Sc. Statistics")

		results := concurrently(2, func(i int) error { _, err := draft(fmt.Sprint("B.", i), theirs.Version); return err })
		equal(t, "of two at once one is told", slices.ContainsFunc(results, func(err error) bool { return err == nil }) && slices.ContainsFunc(results, func(err error) bool { return err != nil }), true)
	})
}

// The birthday begins at midnight in India: 21 Nov 2026, 00:00 IST is 18:30 UTC of the day before.
func TestMinorIsStoredAfterGuardianConsent(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		midnight := time.Date(2026, 11, 21, 0, 0, 0, 0, admission.IST)
		w.clock.Set(midnight.Add(-time.Second))
		p := w.applicantAt(enrol.StepVerified)
		birth := fields{"dob": "21-11-2008"}
		draft := func() map[string]string {
			t.Helper()
			typed, err := w.Apply.Draft(w.ctx, p.Visitor, "personal")
			w.must(err)
			return typed.Values
		}
		_, err := w.Apply.SaveDraft(w.ctx, p.Visitor, "personal", typed("personal", fields{"dob": ""}), 0)
		w.must(err)
		_, err = p.saveStep("personal", birth)
		expectProblem(t, err, admission.Invalid, "guardian_name", "Please enter guardian’s name (2–50 characters)")
		if kept := draft(); !maps.Equal(kept, map[string]string{"fatherName": "Suresh Rao"}) {
			t.Errorf("kept after the date of birth was told: %q", kept)
		}
		guardian := fields{"dob": "21-11-2008", "guardian_name": "Suresh Rao", "guardian_phone": "9847012345"}
		_, err = w.Apply.SaveDraft(w.ctx, p.Visitor, "personal", typed("personal", guardian), apply.AnyVersion)
		w.must(err)
		if kept := draft(); !maps.Equal(kept, map[string]string{"fatherName": "Suresh Rao", "guardian_name": "Suresh Rao", "guardian_phone": "9847012345"}) {
			t.Errorf("kept while the guardian is asked: %q", kept)
		}
		_, err = p.saveStep("personal", guardian)
		expectProblem(t, err, admission.Invalid, "guardian_otp", "Please verify the OTP.")
		_, err = p.saveStep("personal", fields{"dob": "21-11-2008", "guardian_name": "Suresh Rao", "guardian_phone": p.phone})
		expectProblem(t, err, admission.Invalid, "guardian_phone", "Guardian’s phone number must be different from yours.")
		p.expectStep(enrol.StepVerified)
		same(t, "answers", w.texts("SELECT COALESCE(answers, '') FROM registrations"), []string{""})

		p.verifyGuardian("9847012345")
		same(t, "the guardian's message", w.texts("SELECT template FROM messages WHERE recipient = '+919847012345'"), []string{"guardian-otp-application"})
		_, err = p.saveStep("personal", guardian)
		w.must(err)
		r := p.application()
		equal(t, "kept", fmt.Sprint(r.Adult, r.GuardianName, r.GuardianPhone, r.Answers["dob"], r.Step), fmt.Sprint(false, "Suresh Rao", "+919847012345", "2008-11-21", 1))
		equal(t, "timeline", p.timeline(), "guardian agreed, personal details saved, phone verified")

		p.newBrowser() // without the guardian's verification, which the application stores
		w.clock.Pass(time.Minute)
		_, err = p.signIn(p.phone)
		w.must(err)
		_, err = p.saveStep("personal", fields{"dob": "22-11-2008", "guardian_name": "Suresh Rao", "guardian_phone": "9847012345"})
		w.must(err)
		_, err = p.saveStep("personal", fields{"dob": "22-11-2008", "guardian_name": "Mira Rao", "guardian_phone": "9847012346"})
		expectProblem(t, err, admission.Invalid, "guardian_otp", "Please verify the OTP.")
		equal(t, "timeline", p.timeline(), "guardian agreed, personal details saved, phone verified, personal details changed")
		for _, step := range []string{"academic", "scholarship"} {
			_, err = p.saveStep(step, nil)
			w.must(err)
		}
		_, err = p.agreeTerms("")
		w.must(err)

		w.clock.Set(midnight)
		adult := w.applicantAt(enrol.StepVerified)
		_, err = adult.saveStep("personal", birth) // 18 today
		w.must(err)
		equal(t, "adult", fmt.Sprint(adult.application().Adult, " ", adult.application().GuardianPhone), "true ")
	})
}

// verifyGuardian verifies a guardian's phone in the person's session.
func (p *person) verifyGuardian(guardian string) {
	p.t.Helper()
	sent, err := p.Access.RequestCode(p.ctx, p.Visitor, access.PhoneCodeInput{Purpose: access.ForGuardian, Phone: guardian, EventCode: enrol.ApplicationCode, GuardianOf: p.phone})
	p.must(err)
	_, err = p.Access.VerifyCode(p.ctx, p.Visitor, access.EnteredCode{Purpose: access.ForGuardian, RequestID: sent.RequestID, Phone: guardian, Code: p.recorder.code("+91" + guardian)})
	p.must(err)
}

func TestAgreeTermsOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		p := w.applicantAt(enrol.StepScholarship)
		w.must(p.saveDraft("academic"))
		w.clock.Pass(time.Hour)
		_, err := w.Apply.AgreeTerms(w.ctx, p.Visitor, map[string]string{"agreed_terms_conditions": "false", "consents": "reminders"}, "")
		expectProblem(t, err, admission.Invalid, "agreed_terms_conditions", "Please check terms and conditions")
		equal(t, "consents", w.count("consents"), 0)
		results := concurrently(4, func(int) error { _, err := p.agreeTerms("reminders,marketing"); return err })
		agreed := 0
		for _, err := range results {
			if err == nil {
				agreed++
				continue
			}
			expectProblem(t, err, admission.Conflict, "", standsNow)
		}
		equal(t, "agreed", agreed, 1)
		r := p.application()
		equal(t, "terms", fmt.Sprint(r.TermsVersion, " ", r.TermsHash, " ", r.TermsAt.Equal(noon.Add(time.Hour)), r.Step), "2026-11-01 5e5f true 4")
		same(t, "consents", w.texts("SELECT purpose, subject, notice_version FROM consents ORDER BY purpose"), []string{
			"marketing | +91" + p.phone + " | 2026-11", "reminders | +91" + p.phone + " | 2026-11", "terms:2026-11-01 | +91" + p.phone + " | 2026-11",
		})
		equal(t, "half typed", w.count("drafts WHERE typed LIKE '%B%'"), 0)
		equal(t, "timeline", p.timeline(), "academic details saved, personal details saved, phone verified, scholarship details saved, terms agreed")
	})
}

func TestMinorGivesNoConsents(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const guardian = "9847012345"
		p := w.somebody()
		p.signUp(p.email)
		_, err := p.Apply.Begin(p.ctx, p.Visitor, "", "marketing") // before anybody knows the age
		w.must(err)
		p.verifyGuardian(guardian)
		_, err = p.saveStep("personal", fields{"dob": "14-08-2010", "guardian_name": "Suresh Pillai", "guardian_phone": guardian})
		w.must(err)
		for _, step := range []string{"academic", "scholarship"} {
			_, err = p.saveStep(step, nil)
			w.must(err)
		}
		w.clock.Pass(time.Minute)
		_, err = p.agreeTerms("reminders,hiring_partners")
		w.must(err)
		same(t, "consents", w.texts("SELECT purpose, CASE WHEN given THEN 'given' ELSE 'taken back' END FROM consents ORDER BY at, purpose"), []string{
			"marketing | given", "marketing | taken back", "terms:2026-11-01 | given",
		})
	})
}

func TestAgreeTermsRejectsChangedReview(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.applicantAt(enrol.StepAcademic)
		_, err := w.Apply.Review(w.ctx, p.Visitor)
		expectProblem(t, err, admission.Conflict, "", "Please complete the steps before this one first.")
		_, err = p.saveStep("scholarship", nil)
		w.must(err)
		read := func() apply.Review {
			t.Helper()
			review, err := w.Apply.Review(w.ctx, p.Visitor)
			w.must(err)
			return review
		}
		agrees := func(seen string) error {
			_, err := w.Apply.AgreeTerms(w.ctx, p.Visitor, map[string]string{"agreed_terms_conditions": "true"}, seen)
			return err
		}
		first := read()
		equal(t, "answers", fmt.Sprint(first.Answers["dob"], " ", first.Answers["annualIncome"], " ", first.Answers["enrollmentNumber"]), "14-08-2005 320000 ")
		equal(t, "what the rules know", fmt.Sprint(len(first.Env.Options["states"]), " ", first.Env.Facts["phone_number"] == p.phone), "36 true")
		for _, changed := range []func(){
			func() { _, err := p.saveStep("academic", fields{"course": "M.A."}); w.must(err) },
			func() { w.must(w.Account.Rename(w.ctx, p.Visitor, "Asha Devi")) },
			func() { w.must(p.saveDraft("academic")) },
			func() {
				_, err := w.Apply.SaveDraft(w.ctx, p.Visitor, "academic", typed("academic", fields{"course": "M.Sc."}), apply.AnyVersion)
				w.must(err)
			},
		} {
			before := read()
			equal(t, "read again", read().Fingerprint, before.Fingerprint)
			changed()
			expectProblem(t, agrees(before.Fingerprint), admission.Conflict, "", "Something on this page has changed since you opened it. Please read it once more, then submit.")
			p.expectStep(enrol.StepScholarship)
		}
		equal(t, "what was typed stays", w.count("drafts WHERE typed LIKE '%M.Sc.%'"), 1)
		equal(t, "consents", w.count("consents"), 0)
		_, err = p.saveStep("academic", nil) // as it was: what counts is what is shown
		w.must(err)
		w.must(p.saveDraft("academic"))
		equal(t, "half typed", strings.Join(read().Unsaved, " "), "academic")
		last := read()
		w.must(agrees(last.Fingerprint))
		_, err = w.Apply.Review(w.ctx, p.Visitor)
		expectProblem(t, err, admission.Conflict, "", standsNow)
	})
}

func TestDraftOmitsCodesAndLongValues(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.applicantAt(enrol.StepVerified)
		kept, err := w.Apply.SaveDraft(w.ctx, p.Visitor, "personal", typed("personal", fields{"guardian_otp": "123456", "address": strings.Repeat("a", 1001)}), apply.AnyVersion)
		w.must(err)
		equal(t, "the code", kept.Values["guardian_otp"], "")
		equal(t, "1,001 characters", kept.Values["address"], "")
		kept, err = w.Apply.SaveDraft(w.ctx, p.Visitor, "personal", typed("personal", fields{"address": strings.Repeat("ä", 1000)}), apply.AnyVersion)
		w.must(err)
		equal(t, "1,000 characters", kept.Values["address"], strings.Repeat("ä", 1000))
	})
}
