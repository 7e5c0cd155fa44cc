package apply_test

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
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/forms"
	"hiresure/forms/formstest"
)

func TestApplicationStoresSteps(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.ApplicantAt(enrol.StepScholarship)
		r := p.Application()
		want := formstest.Answers(apply.FormName, nil)
		businesstest.Equal(t, "as stored", want["dob"]+" "+want["annualIncome"], "2005-08-14 32000000")
		if !maps.Equal(r.Answers, want) {
			t.Errorf("answers: got %q\nwant %q", r.Answers, want)
		}
		businesstest.Equal(t, "columns", fmt.Sprint(r.StateCode, r.Adult, r.GuardianName, r.GuardianPhone, r.FullName, r.Email, r.Phone, r.FormVersion), fmt.Sprint("29", true, "", "", "Asha Rao", p.Email, "+91"+p.Phone, forms.Get(apply.FormName).Version))
		businesstest.Equal(t, "timeline", p.Timeline(), "academic details saved, personal details saved, phone verified, scholarship details saved")
		said := w.Apply.Answers(&r)
		businesstest.Equal(t, "as typed", said["dob"]+" "+said["annualIncome"]+" "+said["state"], "14-08-2005 320000 Karnataka")

		// "No" clears its details and keeps the rest of the step and other steps.
		_, err := p.SaveStep("scholarship", businesstest.Fields{"received_other_scholarship": "false"})
		w.Must(err)
		r = p.Application()
		delete(want, "details")
		want["received_other_scholarship"] = "false"
		if !maps.Equal(r.Answers, want) {
			t.Errorf("answers after No: got %q\nwant %q", r.Answers, want)
		}
		_, err = p.SaveStep("personal", businesstest.Fields{"state": "Kerala", "zip": "570001"}) // a PIN code of another State is taken
		w.Must(err)
		p.ExpectStep(enrol.StepScholarship)
		businesstest.Equal(t, "State", p.Application().StateCode, "32")
	})
}

func TestSaveStepIsIdempotent(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.ApplicantAt(enrol.StepVerified)
		for _, err := range businesstest.Concurrently(8, func(int) error { _, err := p.SaveStep("personal", nil); return err }) {
			w.Must(err)
		}
		p.ExpectStep(enrol.StepPersonal)
		businesstest.Equal(t, "timeline", p.Timeline(), "personal details saved, phone verified")
		modified := p.Application().ModifiedAt
		w.Clock.Pass(time.Minute)
		_, err := p.SaveStep("personal", nil)
		w.Must(err)
		businesstest.Equal(t, "the same again changes nothing", p.Application().ModifiedAt, modified)
		_, err = p.SaveStep("personal", businesstest.Fields{"gender": "O"})
		w.Must(err)
		businesstest.Equal(t, "timeline", p.Timeline(), "personal details saved, phone verified, personal details changed")
		businesstest.Equal(t, "changed", p.Application().ModifiedAt, modified.Add(time.Minute))

		_, err = p.SaveStep("academic", businesstest.Fields{"percentage": "101", "examYear": "1950"})
		businesstest.ExpectProblem(t, err, admission.Invalid, "examYear", "Select a valid year (e.g., 2023)")
		businesstest.Equal(t, "faults", len(admission.AsProblem(err).Faults), 2)
		_, err = p.SaveStep("terms", nil)
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Step not found.")
		p.ExpectStep(enrol.StepPersonal)
	})
}

func TestConcurrentSavesOfTwoSteps(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.ApplicantAt(enrol.StepScholarship)
		for tries := range 5 {
			changes := []struct {
				step    string
				changes businesstest.Fields
			}{{"personal", businesstest.Fields{"address": "Another address " + fmt.Sprint(tries)}}, {"academic", businesstest.Fields{"course": "B.Com."}}, {"scholarship", businesstest.Fields{"annualIncome": "1,00,000"}}}
			for _, err := range businesstest.Concurrently(len(changes), func(i int) error { _, err := p.SaveStep(changes[i].step, changes[i].changes); return err }) {
				w.Must(err)
			}
			got := p.Application().Answers
			businesstest.Equal(t, "kept", got["address"]+", "+got["course"]+", "+got["annualIncome"], "Another address "+fmt.Sprint(tries)+", B.Com., 10000000")
		}
	})
}

func TestDraftOnAnotherDevice(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.ApplicantAt(enrol.StepPersonal)
		first, err := w.Apply.SaveDraft(w.Ctx, p.Visitor, "academic", map[string]string{
			"institution": "Sarov", "course": "  B.Sc", "percentage": "", "reason": "of another step", "examName": "4111 1111 1111 1111", "field": "course",
		}, 0)
		w.Must(err)
		businesstest.Equal(t, "version", first.Version, 1)
		w.Clock.Pass(time.Hour)
		p.NewBrowser()
		_, err = p.SignIn(p.Phone)
		w.Must(err)
		back, err := w.Apply.Draft(w.Ctx, p.Visitor, "academic")
		w.Must(err)
		if want := map[string]string{"institution": "Sarov", "course": "  B.Sc"}; !maps.Equal(back.Values, want) || back.Field != "course" || !back.IsDraft || back.Version != 1 || !back.SavedAt.Equal(businesstest.Noon) {
			t.Errorf("got %+v, want %q", back, want)
		}
		p.ExpectStep(enrol.StepPersonal)
		businesstest.Equal(t, "timeline", p.Timeline(), "personal details saved, phone verified") // a draft moves and notes nothing

		_, err = p.SaveStep("academic", businesstest.Fields{"percentage": "eighty"})
		businesstest.ExpectProblem(t, err, admission.Invalid, "percentage", "Enter a valid percentage (e.g., 75) or CGPA (e.g., 8 CGPA)")
		kept, err := w.Apply.Draft(w.Ctx, p.Visitor, "academic")
		w.Must(err)
		businesstest.Equal(t, "a refused step keeps the draft", kept.IsDraft, true)
		_, err = p.SaveStep("academic", nil)
		w.Must(err)
		saved, err := w.Apply.Draft(w.Ctx, p.Visitor, "academic")
		w.Must(err)
		businesstest.Equal(t, "a saved one clears it", fmt.Sprint(saved.IsDraft, saved.Field, saved.Version, saved.Values["institution"]), fmt.Sprint(false, "", 2, "Sarovara College"))
		businesstest.Same(t, "nothing half typed is left", w.Texts("SELECT COUNT(*) FROM drafts WHERE typed LIKE '%Sarov%'"), []string{"0"})
	})
}

func TestStaleTabGetsNewerContent(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.ApplicantAt(enrol.StepPersonal)
		const told = "You also changed this page in another tab or on another device. Choose which answers to keep."
		stale := func(err error) apply.StepContent {
			t.Helper()
			businesstest.ExpectProblem(t, err, admission.Conflict, "", told)
			var theirs *apply.Stale
			if !errors.As(err, &theirs) {
				t.Fatalf("%v carries nothing", err)
			}
			return theirs.Theirs
		}
		draft := func(course string, seen int) (apply.StepContent, error) {
			return w.Apply.SaveDraft(w.Ctx, p.Visitor, "academic", map[string]string{"course": course}, seen)
		}
		_, err := draft("B.Sc.", 0)
		w.Must(err)
		w.Clock.Pass(time.Minute)
		_, err = draft("B.Com.", 0) // of a tab that was opened before
		theirs := stale(err)
		businesstest.Equal(t, "theirs", fmt.Sprint(theirs.Values["course"], theirs.IsDraft, theirs.Version, theirs.SavedAt.Equal(businesstest.Noon)), fmt.Sprint("B.Sc.", true, 1, true))
		same, err := draft(" B.Sc. ", 0) // equal values: no conflict
		w.Must(err)
		businesstest.Equal(t, "version", same.Version, 2)
		_, err = draft("B.Com.", 2) // chosen
		w.Must(err)

		_, err = w.Apply.SaveStep(w.Ctx, p.Visitor, "academic", businesstest.Typed("academic", nil), 2)
		businesstest.Equal(t, "their half typed page is told", stale(err).Values["course"], "B.Com.")
		_, err = w.Apply.SaveStep(w.Ctx, p.Visitor, "academic", businesstest.Typed("academic", nil), 3)
		w.Must(err)
		_, err = w.Apply.SaveStep(w.Ctx, p.Visitor, "academic", businesstest.Typed("academic", nil), 3) // the same button, pressed twice
		w.Must(err)
		_, err = w.Apply.SaveStep(w.Ctx, p.Visitor, "academic", businesstest.Typed("academic", businesstest.Fields{"course": "M.A."}), 3)
		theirs = stale(err)
		businesstest.Equal(t, "what the other tab has saved", fmt.Sprint(theirs.Values["course"], ", half typed: ", theirs.IsDraft), "B.Sc. Statistics, half typed: false")
		_, err = draft("M.A.", 3)
		businesstest.Equal(t, "and a draft is told too", stale(err).Values["course"], "B.Sc. Statistics")
		businesstest.Equal(t, "course", p.Application().Answers["course"], "B.Sc. Statistics")

		results := businesstest.Concurrently(2, func(i int) error { _, err := draft(fmt.Sprint("B.", i), theirs.Version); return err })
		businesstest.Equal(t, "of two at once one is told", slices.ContainsFunc(results, func(err error) bool { return err == nil }) && slices.ContainsFunc(results, func(err error) bool { return err != nil }), true)
	})
}

// The birthday begins at midnight in India: 21 Nov 2026, 00:00 IST is 18:30 UTC of the day before.
func TestMinorIsStoredAfterGuardianConsent(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		midnight := time.Date(2026, 11, 21, 0, 0, 0, 0, admission.IST)
		w.Clock.Set(midnight.Add(-time.Second))
		p := w.ApplicantAt(enrol.StepVerified)
		birth := businesstest.Fields{"dob": "21-11-2008"}
		draft := func() map[string]string {
			t.Helper()
			typed, err := w.Apply.Draft(w.Ctx, p.Visitor, "personal")
			w.Must(err)
			return typed.Values
		}
		_, err := w.Apply.SaveDraft(w.Ctx, p.Visitor, "personal", businesstest.Typed("personal", businesstest.Fields{"dob": ""}), 0)
		w.Must(err)
		_, err = p.SaveStep("personal", birth)
		businesstest.ExpectProblem(t, err, admission.Invalid, "guardian_name", "Please enter guardian’s name (2–50 characters)")
		if kept := draft(); !maps.Equal(kept, map[string]string{"fatherName": "Suresh Rao"}) {
			t.Errorf("kept after the date of birth was told: %q", kept)
		}
		guardian := businesstest.Fields{"dob": "21-11-2008", "guardian_name": "Suresh Rao", "guardian_phone": "9847012345"}
		_, err = w.Apply.SaveDraft(w.Ctx, p.Visitor, "personal", businesstest.Typed("personal", guardian), apply.AnyVersion)
		w.Must(err)
		if kept := draft(); !maps.Equal(kept, map[string]string{"fatherName": "Suresh Rao", "guardian_name": "Suresh Rao", "guardian_phone": "9847012345"}) {
			t.Errorf("kept while the guardian is asked: %q", kept)
		}
		_, err = p.SaveStep("personal", guardian)
		businesstest.ExpectProblem(t, err, admission.Invalid, "guardian_otp", "Please verify the OTP.")
		_, err = p.SaveStep("personal", businesstest.Fields{"dob": "21-11-2008", "guardian_name": "Suresh Rao", "guardian_phone": p.Phone, "guardian_shares_phone": "false"})
		businesstest.ExpectProblem(t, err, admission.Invalid, "guardian_phone", "Guardian’s phone number must be different from yours.")
		p.ExpectStep(enrol.StepVerified)
		businesstest.Same(t, "answers", w.Texts("SELECT COALESCE(answers, '') FROM registrations"), []string{""})

		verifyGuardian(p, "9847012345")
		businesstest.Same(t, "the guardian's message", w.Texts("SELECT template FROM messages WHERE recipient = '+919847012345'"), []string{"guardian-otp-application-told"})
		_, err = p.SaveStep("personal", guardian)
		w.Must(err)
		r := p.Application()
		businesstest.Equal(t, "kept", fmt.Sprint(r.Adult, r.GuardianName, r.GuardianPhone, r.Answers["dob"], r.Step), fmt.Sprint(false, "Suresh Rao", "+919847012345", "2008-11-21", 1))
		businesstest.Equal(t, "timeline", p.Timeline(), "guardian agreed, personal details saved, phone verified")

		p.NewBrowser() // without the guardian's verification, which the application stores
		w.Clock.Pass(time.Minute)
		_, err = p.SignIn(p.Phone)
		w.Must(err)
		_, err = p.SaveStep("personal", businesstest.Fields{"dob": "22-11-2008", "guardian_name": "Suresh Rao", "guardian_phone": "9847012345"})
		w.Must(err)
		_, err = p.SaveStep("personal", businesstest.Fields{"dob": "22-11-2008", "guardian_name": "Mira Rao", "guardian_phone": "9847012346"})
		businesstest.ExpectProblem(t, err, admission.Invalid, "guardian_otp", "Please verify the OTP.")
		businesstest.Equal(t, "timeline", p.Timeline(), "guardian agreed, personal details saved, phone verified, personal details changed")
		for _, step := range []string{"academic", "scholarship"} {
			_, err = p.SaveStep(step, nil)
			w.Must(err)
		}
		_, err = p.AgreeTerms("")
		w.Must(err)

		w.Clock.Set(midnight)
		adult := w.ApplicantAt(enrol.StepVerified)
		_, err = adult.SaveStep("personal", birth) // 18 today
		w.Must(err)
		businesstest.Equal(t, "adult", fmt.Sprint(adult.Application().Adult, " ", adult.Application().GuardianPhone), "true ")
	})
}

// verifyGuardian verifies a guardian's phone in the person's session.
func verifyGuardian(p *businesstest.Person, guardian string) {
	p.T.Helper()
	sent, err := p.Access.RequestCode(p.Ctx, p.Visitor, access.PhoneCodeInput{Purpose: access.ForGuardian, Phone: guardian, EventCode: enrol.ApplicationCode, GuardianOf: access.Student{Name: "Asha Pillai", Phone: p.Phone}})
	p.Must(err)
	_, err = p.Access.VerifyCode(p.Ctx, p.Visitor, access.EnteredCode{Purpose: access.ForGuardian, RequestID: sent.RequestID, Phone: guardian, Code: p.Recorder.Code("+91" + guardian)})
	p.Must(err)
}

func TestAgreeTermsOnce(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.ApplicantAt(enrol.StepScholarship)
		w.Must(saveDraft(p, "academic"))
		w.Clock.Pass(time.Hour)
		_, err := w.Apply.AgreeTerms(w.Ctx, p.Visitor, map[string]string{"agreed_terms_conditions": "false", "consents": "reminders"}, "")
		businesstest.ExpectProblem(t, err, admission.Invalid, "agreed_terms_conditions", "Please check terms and conditions")
		businesstest.Equal(t, "consents", w.Count("consents"), 0)
		results := businesstest.Concurrently(4, func(int) error { _, err := p.AgreeTerms("reminders,marketing"); return err })
		agreed := 0
		for _, err := range results {
			if err == nil {
				agreed++
				continue
			}
			businesstest.ExpectProblem(t, err, admission.Conflict, "", businesstest.NotEditable)
		}
		businesstest.Equal(t, "agreed", agreed, 1)
		r := p.Application()
		businesstest.Equal(t, "terms", fmt.Sprint(r.TermsVersion, " ", r.TermsHash, " ", r.TermsAt.Equal(businesstest.Noon.Add(time.Hour)), r.Step), "2026-11-01 5e5f true 4")
		businesstest.Same(t, "consents", w.Texts("SELECT purpose, subject, notice_version FROM consents ORDER BY purpose"), []string{
			"marketing | +91" + p.Phone + " | 2026-11", "reminders | +91" + p.Phone + " | 2026-11", "terms:2026-11-01 | +91" + p.Phone + " | 2026-11",
		})
		businesstest.Equal(t, "half typed", w.Count("drafts WHERE typed LIKE '%B%'"), 0)
		businesstest.Equal(t, "timeline", p.Timeline(), "academic details saved, personal details saved, phone verified, scholarship details saved, terms agreed")
	})
}

func TestMinorGivesNoConsents(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		const guardian = "9847012345"
		p := w.Somebody()
		p.SignUp(p.Email)
		_, err := p.Apply.Begin(p.Ctx, p.Visitor, "", "marketing") // before anybody knows the age
		w.Must(err)
		verifyGuardian(p, guardian)
		_, err = p.SaveStep("personal", businesstest.Fields{"dob": "14-08-2010", "guardian_name": "Suresh Pillai", "guardian_phone": guardian})
		w.Must(err)
		for _, step := range []string{"academic", "scholarship"} {
			_, err = p.SaveStep(step, nil)
			w.Must(err)
		}
		w.Clock.Pass(time.Minute)
		_, err = p.AgreeTerms("reminders,hiring_partners")
		w.Must(err)
		businesstest.Same(t, "consents", w.Texts("SELECT purpose, CASE WHEN given THEN 'given' ELSE 'taken back' END FROM consents ORDER BY at, purpose"), []string{
			"marketing | given", "marketing | taken back", "terms:2026-11-01 | given",
		})
	})
}

func TestAgreeTermsRejectsChangedReview(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.ApplicantAt(enrol.StepAcademic)
		_, err := w.Apply.Review(w.Ctx, p.Visitor)
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "Please complete the steps before this one first.")
		_, err = p.SaveStep("scholarship", nil)
		w.Must(err)
		read := func() apply.Review {
			t.Helper()
			review, err := w.Apply.Review(w.Ctx, p.Visitor)
			w.Must(err)
			return review
		}
		agrees := func(seen string) error {
			_, err := w.Apply.AgreeTerms(w.Ctx, p.Visitor, map[string]string{"agreed_terms_conditions": "true"}, seen)
			return err
		}
		first := read()
		businesstest.Equal(t, "answers", fmt.Sprint(first.Answers["dob"], " ", first.Answers["annualIncome"], " ", first.Answers["enrollmentNumber"]), "14-08-2005 320000 ")
		businesstest.Equal(t, "what the rules know", fmt.Sprint(len(first.Env.Options["states"]), " ", first.Env.Facts["phone_number"] == p.Phone), "36 true")
		for _, changed := range []func(){
			func() { _, err := p.SaveStep("academic", businesstest.Fields{"course": "M.A."}); w.Must(err) },
			func() { w.Must(w.Account.Rename(w.Ctx, p.Visitor, "Asha Devi")) },
			func() { w.Must(saveDraft(p, "academic")) },
			func() {
				_, err := w.Apply.SaveDraft(w.Ctx, p.Visitor, "academic", businesstest.Typed("academic", businesstest.Fields{"course": "M.Sc."}), apply.AnyVersion)
				w.Must(err)
			},
		} {
			before := read()
			businesstest.Equal(t, "read again", read().Fingerprint, before.Fingerprint)
			changed()
			businesstest.ExpectProblem(t, agrees(before.Fingerprint), admission.Conflict, "", "Something on this page has changed since you opened it. Please read it again, then submit.")
			p.ExpectStep(enrol.StepScholarship)
		}
		businesstest.Equal(t, "what was typed stays", w.Count("drafts WHERE typed LIKE '%M.Sc.%'"), 1)
		businesstest.Equal(t, "consents", w.Count("consents"), 0)
		_, err = p.SaveStep("academic", nil) // as it was: what counts is what is shown
		w.Must(err)
		w.Must(saveDraft(p, "academic"))
		businesstest.Equal(t, "half typed", strings.Join(read().Unsaved, " "), "academic")
		last := read()
		w.Must(agrees(last.Fingerprint))
		_, err = w.Apply.Review(w.Ctx, p.Visitor)
		businesstest.ExpectProblem(t, err, admission.Conflict, "", businesstest.NotEditable)
	})
}

func TestDraftOmitsCodesAndLongValues(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.ApplicantAt(enrol.StepVerified)
		kept, err := w.Apply.SaveDraft(w.Ctx, p.Visitor, "personal", businesstest.Typed("personal", businesstest.Fields{"guardian_otp": "123456", "address": strings.Repeat("a", 1001)}), apply.AnyVersion)
		w.Must(err)
		businesstest.Equal(t, "the code", kept.Values["guardian_otp"], "")
		businesstest.Equal(t, "1,001 characters", kept.Values["address"], "")
		kept, err = w.Apply.SaveDraft(w.Ctx, p.Visitor, "personal", businesstest.Typed("personal", businesstest.Fields{"address": strings.Repeat("ä", 1000)}), apply.AnyVersion)
		w.Must(err)
		businesstest.Equal(t, "1,000 characters", kept.Values["address"], strings.Repeat("ä", 1000))
	})
}

func TestSaveStepRequiresSession(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.ApplicantAt(enrol.StepPersonal)
		before := p.Application().ModifiedAt
		w.Clock.Pass(time.Minute)
		w.Recorder.BeforeNext(func() { w.Must(w.Access.EndSession(w.Ctx, p.SessionID)) })
		_, err := p.SaveStep("academic", nil)
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Account not found.")
		businesstest.Equal(t, "it is changed at", p.Application().ModifiedAt, before)
	})
}

func TestDiscardDraft(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.ApplicantAt(enrol.StepAcademic)
		w.Must(w.Apply.DiscardDraft(w.Ctx, p.Visitor, "academic", 0)) // there is none
		draft, err := w.Apply.SaveDraft(w.Ctx, p.Visitor, "academic", map[string]string{"course": "B.Com."}, apply.AnyVersion)
		w.Must(err)
		stale, is := errors.AsType[*apply.Stale](w.Apply.DiscardDraft(w.Ctx, p.Visitor, "academic", draft.Version-1))
		if !is || stale.Theirs.Values["course"] != "B.Com." {
			t.Fatalf("a draft that has changed: %+v", stale)
		}
		w.Must(w.Apply.DiscardDraft(w.Ctx, p.Visitor, "academic", draft.Version))
		back, err := w.Apply.Draft(w.Ctx, p.Visitor, "academic")
		w.Must(err)
		businesstest.Equal(t, "the saved step", fmt.Sprint(back.IsDraft, back.Version > draft.Version, ", ", back.Values["course"], ", ", back.Saved["course"]), "false true, B.Sc. Statistics, B.Sc. Statistics")
		businesstest.Same(t, "what was typed", w.Texts("SELECT COUNT(*) FROM drafts WHERE typed LIKE '%B.Com.%'"), []string{"0"})
		p.ExpectStep(enrol.StepAcademic)
		businesstest.ExpectProblem(t, w.Apply.DiscardDraft(w.Ctx, admission.Visitor{}, "academic", 1), admission.NotFound, "", "Account not found.")
	})
}
