package site_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"hiresure/cmd/site/sitetest"
	"hiresure/forms"
	"hiresure/forms/formstest"
	"hiresure/store/storetest"
)

// signsUp creates an account with a phone and signs in.
func (p *person) signsUp(phone string) *person {
	p.t.Helper()
	const form = "application/x-www-form-urlencoded"
	typed := url.Values{"fullname": {"Asha Verma"}, "email": {phone + "@example.com"}, "phone_number": {phone}}
	p.send(http.MethodPost, "/account/sign-up", form, typed.Encode()).answers(http.StatusSeeOther)
	p.get(p.answer.Get("Location")).answers(http.StatusOK)
	typed.Set("request_id", sitetest.RequestID.FindStringSubmatch(p.page)[1])
	typed.Set("otp", p.code(phone))
	return p.send(http.MethodPost, "/account/sign-in/code", form, typed.Encode()).answers(http.StatusSeeOther)
}

// facts returns the facts that a page lists, a line each: "Course: Blockchain".
func (p *person) facts() string {
	text := regexp.MustCompile(`<dt[^>]*>`).ReplaceAllString(p.page, "\n")
	text = strings.ReplaceAll(text, "</dt>", ": ")
	text = regexp.MustCompile(`<[^>]*>`).ReplaceAllString(text, "")
	return regexp.MustCompile(`[ \t]+`).ReplaceAllString(text, " ")
}

// record returns the person's only registration in the API.
func (p *person) record() (record map[string]any) {
	p.t.Helper()
	var answer struct {
		Records []map[string]any `json:"scholarshipRegistrationData"`
	}
	p.get("/v2scholarship/v1/my-registration").answers(http.StatusOK)
	if err := json.Unmarshal([]byte(p.page), &answer); err != nil || len(answer.Records) != 1 {
		p.t.Fatalf("%v: %s", err, p.page)
	}
	return answer.Records[0]
}

// My Registrations and the API contain an added field of the enrolment.
func TestEnrolmentFieldIsShownToItsPerson(t *testing.T) {
	set := formstest.Added(t)
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := withForms(t, url, set)
		p := newPerson(t, s, asha("9876543210")).signsUp("9876543210")
		p.typed["spare_evenings"] = []string{"early_week", "late_week"}
		p.press("pay", "hobby_horse", "Kites & <dragons>", "owns_telescope", "true", "telescope_name", "old-glass").answers(http.StatusSeeOther)

		record := p.record()
		more, _ := record["more_answers"].(map[string]any)
		want := map[string]any{
			"pastimeWord": "Kites & <dragons>", "owns_telescope": "Yes", "telescope_name": "Old <Glass> & brass", "spare_evenings": "Monday or Tuesday, Thursday or Friday", "adult": "I am 18 or older",
		}
		if len(more) != len(want) {
			t.Errorf("more answers are %v, want %v", more, want)
		}
		for name, value := range want {
			if more[name] != value {
				t.Errorf("more answers have %v as %s, want %v", more[name], name, value)
			}
		}
		id, _ := record["scholarship_requested_id"].(string)
		facts := p.get("/hiresure/registration/" + id).answers(http.StatusOK).facts()
		for _, line := range []string{
			"Course: Data Analytics", "Current Institution/College/School: -", "State: Karnataka", "I own a telescope: Yes", "Its name: Old &lt;Glass&gt; &amp; brass", "Hobby horse: Kites &amp; &lt;dragons&gt;",
			"How it came about: -", "Free evenings: Monday or Tuesday, Thursday or Friday",
		} {
			if !strings.Contains(facts, "\n"+line) {
				t.Errorf("the registration's page does not say %q:\n%s", line, facts)
			}
		}
		for _, name := range []string{"Terms", "Your choices", "OTP", "Referral code", "Your age"} {
			if strings.Contains(facts, "\n"+name) {
				t.Errorf("the registration's page has %s", name)
			}
		}
	})
}

// So do they an application's, stored in answers or in a column.
func TestApplicationFieldIsShownToItsPerson(t *testing.T) {
	for _, keep := range []string{forms.KeepAnswers, "college"} { // a column that the application does not fill
		t.Run(keep, func(t *testing.T) { testApplicationField(t, keep) })
	}
}

func testApplicationField(t *testing.T, keep string) {
	set := formstest.Added(t)
	set.Get("hiresure").Field("hobby_horse").Keep = keep
	s := withForms(t, storetest.SQLite(t), set)
	p := newPerson(t, s, nil).signsUp("9876543210")
	const form = "application/x-www-form-urlencoded"
	p.send(http.MethodPost, "/hiresure/verify", form, "do=begin").answers(http.StatusSeeOther)
	step := url.Values{
		"dob": {"14-08-2005"}, "gender": {"F"}, "fatherName": {"Suresh Verma"}, "address": {"12 Temple Road, Mysuru"}, "state": {"Karnataka"}, "zip": {"570001"}, "hobby_horse": {"Kites"},
	}
	p.send(http.MethodPost, "/hiresure/form/personal", form, step.Encode()).answers(http.StatusSeeOther)
	record := p.record()
	if more, _ := record["more_answers"].(map[string]any); len(more) != 1 || more["pastimeWord"] != "Kites" {
		t.Errorf("more answers are %v", record["more_answers"])
	}
	id, _ := record["scholarship_requested_id"].(string)
	if facts := p.get("/hiresure/registration/" + id).answers(http.StatusOK).facts(); !strings.Contains(facts, "Hobby horse: Kites") {
		t.Errorf("the registration's page does not say the hobby horse:\n%s", facts)
	}
}
