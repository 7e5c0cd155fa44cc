package application_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"hiresure/admission/apply"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/store"
	"hiresure/web"
)

const (
	personal    = "/hiresure/form/personal"
	academic    = "/hiresure/form/academic"
	scholarship = "/hiresure/form/scholarship"
	review      = "/hiresure/form/review"
)

// moves moves an application to a step.
func (b *browser) moves(to enrol.Step) {
	b.t.Helper()
	must(b.t, b.store.Update(b.t.Context(), func(tx store.Tx) error {
		r, err := tx.RegistrationForUpdate(b.standing().Registration.ID)
		if err != nil {
			return err
		}
		r.Step = to
		return tx.SaveRegistration(r)
	}))
}

func TestForbiddenStepRedirectsToTheCurrentOne(t *testing.T) {
	s := newSite(t)
	for i, step := range enrol.Steps {
		t.Run(fmt.Sprint(step), func(t *testing.T) {
			b := s.applicant(fmt.Sprintf("+9198765000%02d", i), min(max(int(step), -1), 3))
			if step > enrol.StepScholarship {
				b.moves(step)
			}
			id := ""
			if r := b.standing().Registration; r != nil {
				id = r.ID
			}
			lands := web.PlacePath(string(step.Fact().Lands), id)
			b.get("/hiresure/form").leadsTo(lands)
			for _, place := range []enrol.Place{enrol.PlacePersonal, enrol.PlaceAcademic, enrol.PlaceScholarship, enrol.PlaceReview} {
				page := web.PlacePath(string(place), id)
				if businesstest.PageAt(place, step) == place {
					b.get(page).is(http.StatusOK)
					continue
				}
				b.get(page).leadsTo(lands)
				b.body = ""
				b.post(page, "next", answers["personal"]).leadsTo(lands)
				b.post(page, "back", nil).leadsTo(lands)
				b.post(page, "keep", nil).leadsTo(lands)
			}
			b.expectStep(step)
		})
	}
}

func TestPostedPage(t *testing.T) {
	s := newSite(t)
	pages := []enrol.Place{enrol.PlacePersonal, enrol.PlaceAcademic, enrol.PlaceScholarship, enrol.PlaceReview}
	for i, step := range enrol.Steps {
		for n, place := range pages {
			t.Run(fmt.Sprintf("%s at step %d", place, step), func(t *testing.T) {
				b := s.applicant(fmt.Sprintf("+91987651%02d%02d", i, n), min(max(int(step), -1), 3))
				if step > enrol.StepScholarship {
					b.moves(step)
				}
				typed := answers[string(place)]
				if place == enrol.PlaceReview {
					typed = map[string]string{"agreed_terms_conditions": "true"}
				}
				page := web.PlacePath(string(place), "")
				b.get(page).post(page, "next", typed)
				after, refusal := businesstest.TryTo(enrol.StepPersonal + enrol.Step(n)).From(step)
				if b.expectStep(after); b.status != http.StatusSeeOther {
					t.Errorf("answered with %d", b.status)
				}
				if refusal == nil {
					return
				}
				id := ""
				if r := b.standing().Registration; r != nil {
					id = r.ID
				}
				b.leadsTo(web.PlacePath(string(step.Fact().Lands), id))
			})
		}
	}
}

func TestStrangersSignInFirst(t *testing.T) {
	s := newSite(t)
	b := &browser{site: s}
	for _, page := range []string{"/hiresure/form", personal, review} {
		b.get(page).leadsTo("/account/sign-in?next=" + strings.ReplaceAll(page, "/", "%2F"))
	}
	b.post(personal, "next", answers["personal"])
	if b.status != http.StatusTemporaryRedirect || b.location != "/account/sign-in?next=%2Fhiresure%2Fform%2Fpersonal" {
		t.Errorf("what a stranger typed is lost: %d to %s", b.status, b.location)
	}
}

func TestStepsAreSavedOneByOne(t *testing.T) {
	s := newSite(t)
	b := s.applicant(phone, 0)
	b.get(personal).is(http.StatusOK, "Step 1 of 6: Personal Info | HireSure", "HireSure Scholarship Step 1 of 6: Personal Info Write everything as on your student ID.", "Asha Pillai", "+91 98765 43210", "Not saved yet", "BACK NEXT").
		has(`<button class="visually-hidden" name="do" value="next" tabindex="-1" aria-hidden="true">`, `name="seen" value="0"`, `<option value="Puducherry">`)
	b.post(personal, "next", answers["personal"]).leadsTo(academic)
	b.get(academic).is(http.StatusOK, "Step 2 of 6: Academic Info | HireSure", "Copy your answers from your latest marksheet.", "No semester at school or at work? Choose Completed.", "Or the last one, if you have finished.")
	b.post(academic, "next", answers["academic"]).leadsTo(scholarship)
	b.get(academic).is(http.StatusOK, "Saved 12:00").has(`value="Sarovara College"`, `<option value="2024" selected>`)
	b.get(scholarship).is(http.StatusOK, "Step 3 of 6: Scholarship | HireSure").has(`data-field="details" hidden`)
	b.post(scholarship, "next", answers["scholarship"]).leadsTo(review)
	b.get(scholarship).has(`name="annualIncome" type="text" value="3,20,000"`, `<b>23</b> of 200`)
	s.clock.Pass(24 * time.Hour)
	b.get(personal).is(http.StatusOK, "Saved 21 Nov 2026").has(`name="dob" type="text" value="14"`, `name="dob" type="text" value="08"`, `name="dob" type="text" value="2005"`)
	b.expectStep(enrol.StepScholarship)
}

func TestErrorsKeepTheInput(t *testing.T) {
	s := newSite(t)
	b := s.applicant(phone, 0)
	b.get(personal + "?open").is(http.StatusOK).without("to correct") // nothing was sent
	b.post(personal, "next", typed("personal", "dob", "14,,2005", "address", "Thycaud", "zip", "69500")).leadsTo(personal + "?open")
	b.get(b.location).is(http.StatusOK, "Error: Step 1 of 6: Personal Info | HireSure", "3 to correct", "3 answers to correct", "Date input not valid.", "Please enter your address (min 10 characters)", "Enter a valid 6-digit pin code").
		has(`name="dob" type="text" value="14" aria-invalid="true"`, ">Thycaud</textarea>", `value="69500"`, `<option value="Kerala" selected>`, `tabindex="-1" autofocus><h2 id="problem">`)
	b.get(personal).is(http.StatusOK).without("to correct", "Error").has(">Thycaud</textarea>") // the same, before it is resent
	b.post(personal, "next", typed("personal", "zip", "69500")).leadsTo(personal + "?open")
	b.get(b.location).is(http.StatusOK, "1 to correct").without("error-summary").has(`value="69500" aria-describedby="e-zip" aria-invalid="true" autocomplete="postal-code" autofocus`)
	b.expectStep(enrol.StepVerified)
	b.post(personal, "next", answers["personal"]).leadsTo(academic)

	b.get(academic) // answers that a draft cannot hold are rendered directly
	b.post(academic, "next", typed("academic", "examName", "4111 1111 1111 1111")).is(http.StatusUnprocessableEntity, "Please take the card number out: we never need it.").
		has(`value="4111 1111 1111 1111"`, `value="Sarovara College"`)
	if kept := b.kept("academic"); strings.Contains(fmt.Sprint(kept.Values), "4111") {
		t.Errorf("a card number is kept: %v", kept.Values)
	}
	b.post(academic, "next", typed("academic", "examName", "HSC", "course", "B.Com.")).leadsTo(scholarship) // not another tab: its own page
}

func TestPINCodeOfAnotherStateWarns(t *testing.T) {
	s := newSite(t)
	b := s.applicant(phone, 0)
	b.get(personal).without("PIN code does not look")
	b.post(personal, "next", typed("personal", "state", "Karnataka")).leadsTo(academic)
	b.get(personal).is(http.StatusOK, "This PIN code does not look like one from Karnataka. Please check. If it is right, go on.")
}

func TestBackSavesInput(t *testing.T) {
	s := newSite(t)
	b := s.applicant(phone, 1)
	b.get(academic)
	b.post(academic, "back", map[string]string{"course": "B.Sc.", "institution": "  S"}).leadsTo(personal)
	b.expectStep(enrol.StepPersonal)
	b.get(academic).is(http.StatusOK, "Saved 12:00").has(`value="B.Sc."`, `value="  S"`)
	b.get(personal)
	b.post(personal, "back", answers["personal"]).leadsTo("/hiresure")
	_, err := s.services.Apply.SaveDraft(t.Context(), b.visitor, "academic", map[string]string{"course": "B.", "field": "course"}, apply.AnyVersion) // as the island does
	must(t, err)
	b.get(academic).has(`name="course" type="text" value="B." autofocus enterkeyhint`)
}

func TestChangeReturnsToTheReview(t *testing.T) {
	s := newSite(t)
	b := s.applicant(phone, 3)
	b.get(review).has(`href="/hiresure/form/academic?from=review"`)
	b.get(academic + "?from=review")
	b.post(academic, "next", typed("academic", "percentage", "101")).leadsTo(academic + "?open&from=review")
	b.get(b.location).is(http.StatusOK, "Percentage must not exceed 100")
	b.post(academic, "back", typed("academic", "percentage", "8 CGPA")).leadsTo(review)
	b.get(review).is(http.StatusOK, "81.4", "You have changes here that are not saved. They are not submitted. Press Change, then NEXT, to save them.")
	b.get(academic + "?from=review")
	b.post(academic, "next", typed("academic", "percentage", "8 CGPA")).leadsTo(review)
	b.get(review).is(http.StatusOK, "8 CGPA").without("81.4", "You have changes here")
	b.get(academic + "?from=//evil.example").without("evil")
}

func TestTheReviewIsAgreedTo(t *testing.T) {
	s := newSite(t)
	b := s.applicant(phone, 3)
	b.get(review).is(http.StatusOK, "Scholarship Details", "Step 4 of 6", "Full Name Asha Pillai", "Mobile Number +91 98765 43210", "Date of birth 14/08/2005", "Gender Female",
		"Enrollment Number/Student ID -", "Other scholarship Yes", "Which one State merit scholarship", "₹ 3,20,000", "Next: the application fee GST included. It does not come back if you are not selected. ₹ 2,500.00", "News, sharing and reminders").
		without("guardian", "OTP").has(`<br>`, `<details class="more" data-group="choices">`, `href="/legal/legal-disclosure" target="_blank"`)
	b.post(review, "back", nil).leadsTo(scholarship)
	b.get(review)
	b.post(review, "next", map[string]string{"consents": "reminders"}).is(http.StatusUnprocessableEntity, "1 missing", "Please check terms and conditions").
		has(`<details class="more" data-group="choices" open>`, `value="reminders" checked`, `aria-invalid="true" autofocus`)
	b.expectStep(enrol.StepScholarship)
	b.post(review, "next", map[string]string{"agreed_terms_conditions": "true", "consents": "reminders"}).leadsTo("/hiresure/payment")
	b.expectStep(enrol.StepAgreed)
	b.post(review, "next", map[string]string{"agreed_terms_conditions": "true"}).leadsTo("/hiresure/payment")
}

func TestAReviewThatIsOlderIsReadOnceMore(t *testing.T) {
	s := newSite(t)
	b := s.applicant(phone, 3)
	b.get(review)
	b.saves("personal", []string{"zip", "695002"})
	b.post(review, "next", map[string]string{"agreed_terms_conditions": "true", "consents": "marketing"}).
		is(http.StatusConflict, "Something on this page has changed since you opened it. Please read it again, then submit.", "695002").has(`value="marketing" checked`, `value="true" checked`)
	b.expectStep(enrol.StepScholarship)
	b.post(review, "next", map[string]string{"agreed_terms_conditions": "true"}).leadsTo("/hiresure/payment")
}

func TestTheLaterOfTwoTabsChooses(t *testing.T) {
	s := newSite(t)
	b := s.applicant(phone, 1)
	b.get(academic)
	s.clock.Pass(9 * time.Minute)
	b.saves("academic", nil)
	s.clock.Pass(2 * time.Minute)
	b.post(academic, "next", typed("academic", "course", "B.Com.", "percentage", "8.1 CGPA", "enrollmentNumber", "<7>")).
		is(http.StatusConflict, "Three answers differ. Which ones stay?", "You also changed this page in another tab or on another device. Choose which answers to keep.",
			"B.Sc. Statistics Other tab or device, 12:09. Saved B.Com. This tab, 12:11. Not saved yet", "Left empty Other tab or device", "The other four answers are the same in both.", "Keep these three", "3 to choose").
		has(`name="institution" value="Sarovara College"`, `name="enrollmentNumber" value="&lt;7&gt;" checked`)
	if course := b.standing().Registration.Answers["course"]; course != "B.Sc. Statistics" {
		t.Errorf("the other tab's answer is overwritten by %q", course)
	}
	chosen := map[string]string{"course": "B.Com.", "percentage": "81.4", "enrollmentNumber": "<7>"}
	page := b.body
	for field, times := range map[string]int{"course": 2, "percentage": 2, "institution": 1, "seen": 1, "registration": 1} {
		if n := strings.Count(page, `name="`+field+`"`); n != times {
			t.Errorf("%s is sent %d times", field, n)
		}
	}
	b.post(academic, "edit", chosen).is(http.StatusOK, "Step 2 of 6: Academic Info", "Not saved yet").without("Saved 12:").has(`"unsaved":true`, `value="B.Com."`, `value="81.4"`, `value="Sarovara College"`)
	b.body = page
	b.saves("academic", []string{"examName", "CBSE"})
	b.post(academic, "next", chosen).is(http.StatusConflict, "Exam Name CBSE Other tab or device")
	b.post(academic, "next", map[string]string{"course": "B.Com.", "percentage": "81.4", "enrollmentNumber": "<7>", "examName": "HSC"}).leadsTo(scholarship)
	if got := b.standing().Registration.Answers; got["course"] != "B.Com." || got["percentage"] != "81.4" || got["examName"] != "HSC" {
		t.Errorf("kept is %v", got)
	}

	b.get(academic)
	b.saves("academic", []string{"course", "M.A."})
	b.post(academic, "back", typed("academic", "course", "B.Com.", "enrollmentNumber", "")).is(http.StatusConflict, "One answer differs. Which one stays?", "Keep this one").has(`<button class="button" name="do" value="back">`)
}

func TestAPageOfAnotherAccountIsNotSaved(t *testing.T) {
	s := newSite(t)
	other, b := s.applicant("+919876500001", 0), s.applicant(phone, 0)
	page := other.get(personal).body
	for _, do := range []string{"next", "back", "edit", "send-guardian-code"} {
		b.body = page
		b.post(personal, do, answers["personal"]).is(http.StatusConflict, "This page was opened in another account. Sign in with that account to send it. Nothing was saved.")
	}
	b.expectStep(enrol.StepVerified)
	if kept := b.kept("personal"); len(kept.Values) > 0 {
		t.Errorf("%v is kept", kept.Values)
	}
}

func TestAGuardianAgreesFirst(t *testing.T) {
	s := newSite(t)
	b := s.applicant(phone, 0)
	minor := typed("personal", "dob", "14,08,2010")
	b.get(personal)
	b.post(personal, "next", minor).is(http.StatusOK, "A parent or guardian agrees first", "Born 14/08/2010", "Change the date of birth", "Not saved yet", "Send code").without("still open", "OTP", "Error:").
		has(`name="address" value="TC 24/118, Temple Road"`, `name="guardian_name" type="text" value="Suresh Pillai"`, `data-kept-by="application:`+b.standing().Registration.ID+`:personal"`)
	page := b.body
	nothingKept := func() {
		t.Helper()
		kept := b.kept("personal")
		for _, field := range []string{"dob", "gender", "address", "state", "zip"} {
			if kept.Values[field] != "" {
				t.Errorf("%s of a minor is kept: %q", field, kept.Values[field])
			}
		}
		b.expectStep(enrol.StepVerified)
	}
	nothingKept()
	b.post(personal, "edit", nil).is(http.StatusOK, "Step 1 of 6: Personal Info").has(`name="dob" type="text" value="2010"`, ">TC 24/118, Temple Road</textarea>")
	b.body = page
	b.post(personal, "send-guardian-code", map[string]string{"guardian_name": "S", "guardian_phone": "9876543210"}).
		is(http.StatusUnprocessableEntity, "2 answers to correct", "Please enter guardian’s name (2–50 characters)", "Please tell us whether you share this phone.")
	b.post(personal, "send-guardian-code", map[string]string{"guardian_name": "Suresh Pillai", "guardian_phone": "9876543210", "guardian_shares_phone": "false"}).
		is(http.StatusUnprocessableEntity, "Guardian’s phone number must be different from yours.")
	b.post(personal, "send-guardian-code", map[string]string{"guardian_name": "", "guardian_phone": "9847012345"}).
		is(http.StatusUnprocessableEntity, "Please enter guardian’s name (2–50 characters)").without(`name="guardian_name" type="text" value="Suresh Pillai"`)
	if len(s.written) > 0 {
		t.Errorf("%v was sent", s.written)
	}
	guardian := map[string]string{"guardian_name": "Suresh Pillai", "guardian_phone": "98470 12345"}
	b.post(personal, "send-guardian-code", guardian).is(http.StatusOK, "Code sent 12:00", "Six digits, valid for 10 minutes.", "Verify", "Resend").without("Code sent 12:00, valid", "what you typed is kept").has(`name="guardian_otp"`, `autofocus`)
	sent := s.written[len(s.written)-1]
	if sent.To != "+919847012345" || sent.Template != "guardian-otp-application-told" {
		t.Errorf("%s went to %s", sent.Template, sent.To)
	}
	nothingKept()
	b.post(personal, "verify-guardian", map[string]string{"guardian_name": "Suresh Pillai", "guardian_phone": "9847012345", "guardian_otp": "12"}).is(http.StatusUnprocessableEntity, "Invalid OTP").has(`value="12"`)
	b.post(personal, "resend-guardian-code", guardian).is(http.StatusTooManyRequests)
	wrong := map[string]string{"guardian_name": "Suresh Pillai", "guardian_phone": "9847012345", "guardian_otp": "000000"}
	const ended = "5 wrong tries: this OTP has ended. Please ask for a new one."
	for range 3 {
		b.post(personal, "verify-guardian", wrong).is(http.StatusUnprocessableEntity).without(ended, "disabled")
	}
	b.post(personal, "verify-guardian", wrong).is(http.StatusUnprocessableEntity, ended).has(`<button class="button" name="do" value="resend-guardian-code">Resend</button>`, `value="verify-guardian" disabled>Verify</button>`).without(`value="000000"`)
	s.clock.Pass(time.Minute)
	b.post(personal, "resend-guardian-code", guardian).is(http.StatusOK, "Code sent 12:01").without("disabled")
	sent = s.written[len(s.written)-1]
	changed := map[string]string{"guardian_name": "Suresh Pillai", "guardian_phone": "9847012346", "guardian_otp": sent.Params["Code"]}
	sentPage := b.body
	b.post(personal, "verify-guardian", changed)
	b.expectStep(enrol.StepVerified)
	b.body = sentPage
	nothingKept()
	b.post(personal, "verify-guardian", map[string]string{"guardian_name": "Suresh Pillai", "guardian_phone": "9847012345", "guardian_otp": sent.Params["Code"]}).leadsTo(academic)
	r := b.standing().Registration
	if r.Adult || r.GuardianPhone != "+919847012345" || r.GuardianName != "Suresh Pillai" {
		t.Errorf("kept is %v %s %s", r.Adult, r.GuardianPhone, r.GuardianName)
	}
	b.get(personal).has(`name="guardian_phone" value="9847012345"`)
	b.post(personal, "next", typed("personal", "dob", "14,08,2010", "zip", "695002")).leadsTo(academic) // consent was given
	b.post(academic, "next", typed("academic")).leadsTo(scholarship)
	b.post(scholarship, "next", typed("scholarship")).leadsTo(review)
	const choices = `><summary>News, sharing and reminders: only what you tick`
	b.get(review).has(`<details class="more" data-group="choices" hidden` + choices)
	b.post(review, "next", map[string]string{"consents": "marketing"}).is(http.StatusUnprocessableEntity, "Please check terms and conditions").has(`hidden` + choices)
	b.post(review, "next", map[string]string{"agreed_terms_conditions": "true", "consents": "marketing"}).leadsTo("/hiresure/payment")
}
