package mydata_test

import (
	"bytes"
	"encoding/json"
	"html"
	"maps"
	"regexp"
	"strings"
	"testing"

	"hiresure/admission/apply"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
)

// exportedFile returns the files of the person's export.
func exportedFile(p *businesstest.Person) map[string]string {
	p.T.Helper()
	p.Must(p.MyData.RequestExport(p.Ctx, p.Visitor))
	p.Must(p.MyData.BuildExport(p.Ctx, overview(p).Export.ID))
	e, err := p.MyData.OpenExport(p.Ctx, p.Visitor, overview(p).Export.ID)
	p.Must(err)
	var file bytes.Buffer
	p.Must(p.MyData.WriteExport(p.Ctx, e, &file))
	return unpacked(p.T, file.Bytes())
}

func TestExportUsesFormLabels(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		w.AddFields()
		p := w.ApplicantAt(enrol.StepScholarship)
		_, err := p.Apply.SaveDraft(p.Ctx, p.Visitor, "scholarship", businesstest.Fields{"received_other_scholarship": "false", "annualIncome": "4,50,000"}, apply.AnyVersion)
		w.Must(err)
		_, err = p.SubmitEnrolment(businesstest.Fields{"consents": "reminders", "company_name": "Sarovara College", "owns_telescope": "true", "telescope_name": "big-eye", "spare_evenings": "early_week,late_week"})
		w.Must(err)
		_, err = w.Contact.SendEnquiry(w.Ctx, p.Visitor, map[string]string{"fullname": "Asha Rao", "email": p.Email, "countryCode": "in", "phone": p.Phone, "description": "When is it?", "hobby_horse": "Kites"})
		w.Must(err)
		_, err = w.Complain(p.Visitor, businesstest.Fields{"phone": "+91" + p.Phone, "spare_evenings": "late_week"})
		w.Must(err)

		held := exportedFile(p)
		page := html.UnescapeString(held["index.html"])
		for _, line := range []string{
			"Date of birth|14/08/2005", "Gender|Female", "Father/Guardian Name|Suresh Rao", "Pin Code|570001", "State|Karnataka", "Semester|Semester 5",
			"Other scholarship|Yes", "Which one|State merit scholarship", "Annual Family Income|₹3,20,000", "Reason for Scholarship Request|With the tuition paid I can finish the course.",
			"Other scholarship|No", "Annual Family Income|₹4,50,000", // typed, and not sent yet
			"Your age|I am 18 or older", "College or organization|Sarovara College", "I own a telescope|Yes", "Its name|Big Eye", "Free evenings|Monday or Tuesday, Thursday or Friday",
			"Hobby horse|Kites", "Country|India", "What is it about?|Payment or refund", "Call me on|Thursday or Friday",
		} {
			name, said, _ := strings.Cut(line, "|")
			if !strings.Contains(page, "<dt>"+name+"</dt><dd>"+said+"</dd>") {
				t.Errorf("the page does not say %s: %s", name, said)
			}
		}
		for _, kept := range []string{"32000000", "2005-08-14", "AnnualIncome", "annualIncome", "FatherName", "owns_telescope", "early_week", "big-eye", ">29<"} {
			if strings.Contains(page, kept) {
				t.Errorf("the page says %s, as the database does: %s", kept, regexp.MustCompile(".{0,60}"+kept).FindString(page))
			}
		}

		var data struct {
			Registrations []struct {
				Code    string `json:"event_code"`
				Answers map[string]any
			}
			Drafts []struct {
				Step  string
				Typed map[string]any
			}
		}
		w.Must(json.Unmarshal([]byte(held["answers.json"]), &data))
		said := map[string]any{}
		for _, r := range data.Registrations {
			maps.Copy(said, r.Answers)
		}
		for name, want := range map[string]any{"annual_family_income": "320000", "date_of_birth": "14-08-2005", "received_other_scholarship": true, "gender": "F", "owns_telescope": true} {
			if said[name] != want {
				t.Errorf("for programs %s is %v, want %v as calls have it", name, said[name], want)
			}
		}
		for _, draft := range data.Drafts {
			if draft.Step == "scholarship" && draft.Typed["annual_family_income"] != "4,50,000" {
				t.Errorf("for programs the draft is %v", draft.Typed)
			}
		}
	})
}
