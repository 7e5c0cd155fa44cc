package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/forms"
	"hiresure/store"
	"hiresure/store/storetest"
	"hiresure/web"
)

const (
	detailsPath   = "/v2scholarship/v1/submit-form-details"
	saveDraftPath = "/v2scholarship/v1/save-form-draft"
	readDraftPath = "/v2scholarship/v1/form-draft?scholarship_code=hiresure&profile_step="
)

// applies returns a signed-in browser with an application at a step, and its registration.
func (s *site) applies(to enrol.Step) (b *browser, registration string) {
	s.t.Helper()
	s.people++
	own := fmt.Sprintf("98%08d", s.people)
	b = s.browser().proves(own, own+"@example.com").opensAccount(own, own+"@example.com")
	session := b.cookieSession()
	return b, businesstest.Applicant{
		Services: s.services, Visitor: admission.Visitor{SessionID: session.ID, AccountID: session.AccountID, IP: "198.51.100.7"}, Gateway: s.gateway,
		Complete: func(id string) {
			s.update(func(tx store.Tx) error {
				r, err := tx.RegistrationForUpdate(id)
				if err != nil {
					return err
				}
				return r.Move(tx, enrol.StepComplete, s.clock.Now())
			})
		},
	}.Reach(s.t, to)
}

var stepNames = []string{"personal", "academic", "scholarship", "terms"}

// details returns the body that sends a step of the form, with changes by wire name.
func details(to enrol.Step, changes object) object {
	body := object{}
	if to >= enrol.StepPersonal && to <= enrol.StepAgreed {
		body = forms.Get("hiresure").ToWire(businesstest.Typed(stepNames[to-1], nil))
	}
	if to == enrol.StepAcademic {
		body["exam_semester"] = body["exam_year"]
	}
	body["scholarship_code"], body["profile_step"] = "hiresure", int(to)
	for name, value := range changes {
		body[name] = value
		if value == nil {
			delete(body, name)
		}
	}
	return body
}

// tries brings an application to a step as API clients do.
func (b *browser) tries(to enrol.Step, registration string) reply {
	b.t.Helper()
	switch to {
	case enrol.StepVerified:
		own := reply{body: b.get(profilePath).body}.text("scholarshipRequestedData", "mobile_number")
		return b.post(phoneCodePath, object{"phone_number": own, "country_code": "+91", "scholarship_code": "hiresure"})
	case enrol.StepPaying:
		if registration == "" {
			registration = admission.NewID()
		}
		return b.post(startPath, object{"scholarship_requested_id": registration, "redirection_url": "/hiresure/payment"})
	}
	if to == enrol.StepComplete {
		return b.post(detailsPath, b.documents)
	}
	return b.post(detailsPath, details(to, nil))
}

func TestAStepOutOfOrderIsRefused(t *testing.T) {
	storetest.EachURLIfLong(t, onAStepOutOfOrderIsRefused)
}

func onAStepOutOfOrderIsRefused(t *testing.T, databaseURL string) {
	s := newSiteOn(t, databaseURL, storing(storage(t)))
	sender, _ := s.applies(enrol.StepPaid)
	others := sender.papers()
	for _, from := range enrol.Steps {
		for _, try := range businesstest.Tries {
			b, registration := s.applies(from)
			if b.documents = others; from == enrol.StepPaid && try.To == enrol.StepComplete {
				b.documents = b.papers()
			}
			before, written := b.get(profilePath), s.ledger.written()
			got := b.tries(try.To, registration)
			after, refusal := try.From(from)
			what := fmt.Sprintf("from step %d to %d", from, try.To)
			status, message, field := http.StatusOK, "", ""
			switch {
			case refusal != nil:
				status, message = web.StatusOf(refusal), refusal.Message
			case try.Unreachable():
				status, message, field = http.StatusUnprocessableEntity, "This must be 1, 2, 3, 4 or 8.", "profile_step"
				if try.To == enrol.StepUnverified {
					message = "This must be a whole number."
				}
			case try.To == enrol.StepVerified:
				status, message, field = http.StatusPaymentRequired, "This phone number is already verified.", "phone_number"
			}
			if got.status != status || message != "" && got.message() != message || got.errors()[field] != map[bool]string{true: message}[field != ""] {
				t.Errorf("%s: %d %s, want %d %q", what, got.status, got.raw, status, message)
			}
			now := b.get(profilePath)
			if wanted := map[bool]string{true: fmt.Sprint(int(after))}[after != enrol.StepUnverified]; now.text("scholarshipRequestedData", "profile_step") != wanted {
				t.Errorf("%s: comes to %s, want %s", what, now.raw, wanted)
			}
			if (refusal != nil || try.Unreachable()) && string(now.raw) != string(before.raw) {
				t.Errorf("%s: refused, and changed\n%s\nto\n%s", what, before.raw, now.raw)
			}
			if refusal != nil || try.Unreachable() {
				wantWritten(t, s, written, nil)
			}
			if next := now.text("scholarshipRequestedData", "next"); next != addresses(registrationIn(now))[after.Fact().Lands] {
				t.Errorf("%s: goes on at %s", what, next)
			}
		}
	}
}

func registrationIn(profile reply) string { return profile.text("scholarshipRequestedData", "_id") }

func addresses(registration string) map[enrol.Place]string {
	return map[enrol.Place]string{
		enrol.PlaceVerify: "/hiresure/verify", enrol.PlacePersonal: "/hiresure/form/personal", enrol.PlaceAcademic: "/hiresure/form/academic",
		enrol.PlaceScholarship: "/hiresure/form/scholarship", enrol.PlaceReview: "/hiresure/form/review", enrol.PlacePayment: "/hiresure/payment",
		enrol.PlaceUpload: "/hiresure/upload-doc", enrol.PlaceDetail: "/hiresure/registration/" + registration,
	}
}

func TestAnApplicationIsSentStepByStep(t *testing.T) {
	storetest.EachURL(t, onAnApplicationIsSentStepByStep)
}

func onAnApplicationIsSentStepByStep(t *testing.T, databaseURL string) {
	s := newSiteOn(t, databaseURL)
	b := s.client()
	b = b.as(b.signsUp().access)
	if got := b.get(profilePath); got.body["scholarshipRequestedData"].(map[string]any)["profile_step"] != nil || got.text("scholarshipRequestedData", "next") != "/hiresure/verify" {
		t.Errorf("before the phone is verified for the programme: %s", got.raw)
	}
	want(t, b.tries(enrol.StepVerified, ""), http.StatusPaymentRequired, "This phone number is already verified.")
	for i, next := range []string{"academic", "scholarship", "review"} {
		to := enrol.Step(i + 1)
		got := b.post(detailsPath, details(to, nil))
		want(t, got, http.StatusOK, "Your details are saved.")
		if got.text("profile_step") != fmt.Sprint(i+1) || got.text("profile_status") != "Form Incomplete" || got.text("next") != "/hiresure/form/"+next {
			t.Errorf("step %d answers %s", to, got.raw)
		}
		again := b.post(detailsPath, details(to, nil))
		if again.status != http.StatusOK || again.text("profile_step") != fmt.Sprint(i+1) {
			t.Errorf("step %d again answers %s", to, again.raw)
		}
	}
	back := b.post(detailsPath, details(enrol.StepPersonal, object{"gender": "O"}))
	if back.text("profile_step") != "3" || back.text("next") != "/hiresure/form/review" {
		t.Errorf("saving the first step again answers %s", back.raw)
	}
	agreed := b.with("Idempotency-Key", "terms").post(detailsPath, details(enrol.StepAgreed, object{"consents": []string{"reminders"}}))
	if agreed.text("profile_step") != "4" || agreed.text("next") != "/hiresure/payment" {
		t.Errorf("the terms answer %s", agreed.raw)
	}
	lost := b.with("Idempotency-Key", "terms").post(detailsPath, details(enrol.StepAgreed, object{"consents": []string{"reminders"}}))
	if string(lost.raw) != string(agreed.raw) {
		t.Errorf("the same again answers %s", lost.raw)
	}
	want(t, b.post(detailsPath, details(enrol.StepAgreed, nil)), http.StatusConflict, businesstest.NotEditable)

	profile := b.get(profilePath).body["scholarshipRequestedData"].(map[string]any)
	for name, wanted := range details(enrol.StepPersonal, object{"gender": "O"}) {
		if name != "profile_step" && fmt.Sprint(profile[name]) != fmt.Sprint(wanted) {
			t.Errorf("%s is read back as %v, want %v", name, profile[name], wanted)
		}
	}
	for name, wanted := range map[string]any{
		"exam_year": "2024", "exam_semester": "2024", "received_other_scholarship": true, "agreed_terms_conditions": true, "annual_family_income": "320000",
		"profile_status": "Form Incomplete", "first_name": "Asha Kumari", "last_name": "Rao",
	} {
		if profile[name] != wanted {
			t.Errorf("%s is %v, want %v", name, profile[name], wanted)
		}
	}
	record := reply{body: b.get(ownPath).records()[0]}
	for name, wanted := range map[string]string{
		"scholarship_requested_id": profile["_id"].(string), "program_name": "HireSure Scholarship", "profile_status": "Form Incomplete", "profile_step": "4",
		"date_of_birth": "14-08-2005", "gender": "Other", "father_name": "Suresh Rao", "permanent_address": "12 Temple Road, Mysuru", "state": "Karnataka", "zip_code": "570001",
		"institution_name": "Sarovara College", "course_enrolled": "B.Sc. Statistics", "current_year_semester": "Semester 5", "enrollment_number": "", "exam_name": "HSC",
		"exam_semester": "2024", "exam_percentage": "81.4", "received_other_scholarship": "Yes", "other_scholarship_details": "State merit scholarship",
		"annual_family_income": "320000", "reason_for_scholarship": "With the tuition paid I can finish the course.", "agreed_terms_conditions": "Yes",
	} {
		if record.text(name) != wanted {
			t.Errorf("the record's %s is %q, want %q", name, record.text(name), wanted)
		}
	}
}

func TestAStepIsSentRightly(t *testing.T) {
	s := newSite(t)
	b, _ := s.applies(enrol.StepScholarship)
	before := s.ledger.written()
	for _, c := range []struct {
		sentence, field, message string
		status                   int
		body                     object
	}{
		{"a field of another step", "exam_name", "This field belongs to another step.", 422, details(enrol.StepPersonal, object{"exam_name": "HSC"})},
		{"a field that there is not", "shoe_size", "This field is unknown.", 422, details(enrol.StepPersonal, object{"shoe_size": "40"})},
		{"a date that is none", "date_of_birth", "Date input not valid.", 422, details(enrol.StepPersonal, object{"date_of_birth": "31-02-2005"})},
		{"an answer that is no answer", "received_other_scholarship", "This must be true or false.", 422, details(enrol.StepScholarship, object{"received_other_scholarship": "yes"})},
		{"details that are missing", "other_scholarship_details", "Please specify other scholarship details", 422, details(enrol.StepScholarship, object{"other_scholarship_details": nil})},
		{"no step", "profile_step", "This must be 1, 2, 3, 4 or 8.", 422, details(enrol.StepPersonal, object{"profile_step": nil})},
		{"a step as a text", "profile_step", "This must be a whole number.", 422, details(enrol.StepPersonal, object{"profile_step": "1"})},
		{"a step between two", "profile_step", "This must be a whole number.", 422, details(enrol.StepPersonal, object{"profile_step": 1.5})},
		{"the fields of one step with the number of another", "annual_family_income", "This field belongs to another step.", 422, details(enrol.StepScholarship, object{"profile_step": 2})},
		{"no programme", "scholarship_code", "Programme is required.", 422, details(enrol.StepPersonal, object{"scholarship_code": nil})},
		{"another programme", "", "Programme not found.", 404, details(enrol.StepPersonal, object{"scholarship_code": "KS_Mgrow"})},
		{"terms that were read before the answers changed", "", "Something on this page has changed since you opened it. Please read it again, then submit.", 409, details(enrol.StepAgreed, object{"seen": "0"})},
		{"the terms without the tick", "agreed_terms_conditions", "Please check terms and conditions", 422, details(enrol.StepAgreed, object{"agreed_terms_conditions": false})},
	} {
		got := b.post(detailsPath, c.body)
		if got.status != c.status || got.message() != c.message || got.errors()[c.field] != map[bool]string{true: c.message}[c.field != ""] {
			t.Errorf("%s: %d %s", c.sentence, got.status, got.raw)
		}
	}
	wantWritten(t, s, before, nil)
	for _, path := range []string{detailsPath, saveDraftPath} {
		wantSignedOut(t, path, s.browser().post(path, details(enrol.StepPersonal, nil)))
	}
	wantSignedOut(t, "reading", s.browser().get(readDraftPath+"1"))
}

func TestDraftIsSavedAndReturned(t *testing.T) {
	storetest.EachURL(t, onAHalfTypedStepIsKeptAndComesBack)
}

func onAHalfTypedStepIsKeptAndComesBack(t *testing.T, databaseURL string) {
	s := newSiteOn(t, databaseURL)
	b, _ := s.applies(enrol.StepAcademic)
	fresh := b.get(readDraftPath + "3")
	want(t, fresh, http.StatusOK, "Your draft.")
	if fresh.text("draft", "version") != "0" || fresh.text("draft", "half") != "false" || fresh.text("draft", "saved_at") != "2026-11-21T06:31:01Z" {
		t.Errorf("nothing typed: %s", fresh.raw)
	}
	half := object{"scholarship_code": "hiresure", "profile_step": 3, "version": 0, "received_other_scholarship": true, "other_scholarship_details": "St", "field": "other_scholarship_details"}
	s.clock.Pass(time.Minute)
	kept := b.post(saveDraftPath, half)
	want(t, kept, http.StatusOK, "What you typed is kept.")
	read := b.get(readDraftPath + "3") // from any device
	for _, got := range []reply{kept, read} {
		for name, wanted := range map[string]string{"version": "1", "half": "true", "field": "other_scholarship_details", "saved_at": "2026-11-21T06:32:01Z"} {
			if got.text("draft", name) != wanted {
				t.Errorf("%s is %q, want %q", name, got.text("draft", name), wanted)
			}
		}
		if got.text("draft", "answers", "received_other_scholarship") != "true" || got.text("draft", "answers", "other_scholarship_details") != "St" {
			t.Errorf("answers of %s", got.raw)
		}
	}
	if step := b.get(profilePath).text("scholarshipRequestedData", "profile_step"); step != "2" {
		t.Errorf("typing leads to step %s", step)
	}
	half["other_scholarship_details"] = "Mine"
	late := b.post(saveDraftPath, half) // from a tab that has not seen version 1
	want(t, late, http.StatusConflict, "You also changed this page in another tab or on another device. Choose which answers to keep.")
	if late.text("draft", "version") != "1" || late.text("draft", "answers", "other_scholarship_details") != "St" {
		t.Errorf("the other tab's: %s", late.raw)
	}
	sent := b.post(detailsPath, details(enrol.StepScholarship, object{"version": 0}))
	want(t, sent, http.StatusConflict, late.message())
	if sent.text("draft", "answers", "other_scholarship_details") != "St" || b.get(profilePath).text("scholarshipRequestedData", "profile_step") != "2" {
		t.Errorf("a step over another tab's: %s", sent.raw)
	}
	want(t, b.post(detailsPath, details(enrol.StepScholarship, object{"version": 1})), http.StatusOK, "Your details are saved.")
	done := b.get(readDraftPath + "3")
	if done.text("draft", "half") != "false" || done.text("draft", "version") != "2" || done.text("draft", "answers", "annual_family_income") != "3,20,000" {
		t.Errorf("once it is saved: %s", done.raw)
	}
	for query, message := range map[string]string{
		"4": "This must be 1, 2 or 3.", "": "This must be 1, 2 or 3.", "x": "This must be 1, 2 or 3.", "1&profile_step=2": "Send one scholarship_code and one profile_step.",
	} {
		if got := b.get(readDraftPath + query); got.message() != message {
			t.Errorf("page %q: %s", query, got.raw)
		}
	}
	half["field"] = "shoe_size"
	half["version"] = 2
	if got := b.post(saveDraftPath, half); got.status != http.StatusOK || got.text("draft", "field") != "" {
		t.Errorf("typed into what is no field: %s", got.raw)
	}
}

func TestDraftOfAnotherPersonsApplicationIsRejected(t *testing.T) {
	s := newSite(t)
	_, otherID := s.applies(enrol.StepScholarship)
	b, mine := s.applies(enrol.StepScholarship)
	unread, before := b.get(readDraftPath+"3").raw, s.ledger.written()
	for _, path := range []string{saveDraftPath, detailsPath} {
		want(t, b.post(path, details(enrol.StepScholarship, object{"scholarship_requested_id": otherID})), http.StatusNotFound, "Registration not found.")
	}
	want(t, b.post(detailsPath, details(enrol.StepAgreed, object{"scholarship_requested_id": otherID})), http.StatusNotFound, "Registration not found.")
	want(t, b.get(readDraftPath+"3&scholarship_requested_id="+otherID), http.StatusNotFound, "Registration not found.")
	wantWritten(t, s, before, nil)
	if got := b.get(readDraftPath + "3&scholarship_requested_id=" + mine).raw; string(got) != string(unread) {
		t.Errorf("one's own was %s, is %s", unread, got)
	}
	want(t, b.post(saveDraftPath, details(enrol.StepScholarship, object{"scholarship_requested_id": mine})), http.StatusOK, "What you typed is kept.")
	want(t, b.post(detailsPath, details(enrol.StepScholarship, object{"scholarship_requested_id": mine})), http.StatusOK, "Your details are saved.")
}

func TestAGuardianAgreesInTheSameCall(t *testing.T) {
	s := newSite(t)
	b, _ := s.applies(enrol.StepVerified)
	own := b.get(profilePath).text("scholarshipRequestedData", "mobile_number")
	young := func(changes object) object {
		body := details(enrol.StepPersonal, object{"date_of_birth": "22-11-2008", "guardian_name": "Suresh Rao", "guardian_phone": "9847012345"})
		for name, value := range changes {
			body[name] = value
		}
		return body
	}
	refused := b.post(detailsPath, young(nil))
	if refused.status != http.StatusUnprocessableEntity || refused.errors()["guardian_otp"] != "Please verify the OTP." {
		t.Errorf("nobody has agreed: %s", refused.raw)
	}
	want(t, b.post(askPath, object{"purpose": "guardian", "phone_number": own, "guardian_phone": "9847012345", "scholarship_code": "hiresure"}), http.StatusOK, "We sent a code to your mobile number.")
	code := s.code("9847012345")
	mistyped := b.post(detailsPath, young(object{"guardian_otp": wrong(code)}))
	if mistyped.status != http.StatusUnprocessableEntity || mistyped.errors()["guardian_otp"] != "Invalid OTP" || b.get(readDraftPath+"1").text("draft", "answers", "permanent_address") != "" {
		t.Errorf("a wrong code: %s", mistyped.raw)
	}
	if got := b.post(detailsPath, young(object{"guardian_otp": code, "guardian_phone": own})); got.errors()["guardian_phone"] != "Guardian’s phone number must be different from yours." {
		t.Errorf("one's own guardian: %s", got.raw)
	}
	for range 2 { // the second time the code is used up and the guardian has agreed
		want(t, b.post(detailsPath, young(object{"guardian_otp": code})), http.StatusOK, "Your details are saved.")
	}
}

func TestVerifiedPhoneOpensTheApplication(t *testing.T) {
	s := newSite(t)
	b := s.byMail()
	want(t, b.post(detailsPath, details(enrol.StepPersonal, nil)), http.StatusConflict, businesstest.VerifyFirst)
	want(t, b.post(phoneCodePath, object{"phone_number": phone, "scholarship_code": "hiresure"}), http.StatusOK, "We sent a code to your mobile number.")
	want(t, b.post(phoneProofPath, object{"phone_number": phone, "scholarship_code": "hiresure", "mobile_otp": s.code(phone)}), http.StatusOK, "Your mobile number is verified.")
	got := b.get(profilePath)
	if got.text("scholarshipRequestedData", "profile_step") != "0" || got.text("scholarshipRequestedData", "profile_status") != "Number Verified" || !strings.HasPrefix(got.text("scholarshipRequestedData", "next"), "/hiresure/form/") {
		t.Errorf("got %s", got.raw)
	}
}
