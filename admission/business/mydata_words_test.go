package business_test

import (
	"bytes"
	"encoding/json"
	"html"
	"maps"
	"regexp"
	"strings"
	"testing"

	"hiresure/admission/apply"
	"hiresure/admission/enrol"
)

// exportedFile returns the files of the person's export.
func (p *person) exportedFile() map[string]string {
	p.t.Helper()
	p.must(p.MyData.RequestExport(p.ctx, p.Visitor))
	p.must(p.MyData.BuildExport(p.ctx, p.overview().Export.ID))
	e, err := p.MyData.OpenExport(p.ctx, p.Visitor, p.overview().Export.ID)
	p.must(err)
	var file bytes.Buffer
	p.must(p.MyData.WriteExport(p.ctx, e, &file))
	return unpacked(p.t, file.Bytes())
}

func TestExportUsesFormLabels(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.addFields()
		p := w.applicantAt(enrol.StepScholarship)
		_, err := p.Apply.SaveDraft(p.ctx, p.Visitor, "scholarship", fields{"received_other_scholarship": "false", "annualIncome": "4,50,000"}, apply.AnyVersion)
		w.must(err)
		_, err = p.enrol(fields{"consents": "reminders", "company_name": "Sarovara College", "owns_telescope": "true", "telescope_name": "big-eye", "spare_evenings": "early_week,late_week"})
		w.must(err)
		_, err = w.Contact.SendEnquiry(w.ctx, p.Visitor, map[string]string{"fullname": "Asha Rao", "email": p.email, "countryCode": "in", "phone": p.phone, "description": "When is it?", "hobby_horse": "Kites"})
		w.must(err)
		_, err = w.complain(p.Visitor, fields{"phone": "+91" + p.phone, "spare_evenings": "late_week"})
		w.must(err)

		held := p.exportedFile()
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
		w.must(json.Unmarshal([]byte(held["answers.json"]), &data))
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
