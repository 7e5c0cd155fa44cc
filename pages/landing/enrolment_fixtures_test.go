package landing

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"hiresure/admission"
	"hiresure/admission/business"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/invoice"
	"hiresure/components"
	"hiresure/content"
	"hiresure/forms"
	"hiresure/forms/formstest"
	"hiresure/pages"
)

var update = flag.Bool("update", false, "write the fixtures of islands/enrolment anew")

const fixtures = "../../islands/enrolment/testdata"

// typed is a complete form.
var typed = func() map[string]string {
	good := formstest.Good("enrolment")
	maps.Copy(good, map[string]string{
		"fullname": "Asha Verma", "email": "asha@example.com", "selected_course": "Data_Analytics", "company_name": "St. Xavier's College", "consents": "marketing,reminders",
	})
	return good
}()

// enrolmentStates are the states that templ and React must render equally.
var enrolmentStates = map[string]func(*EnrolmentView){
	"initial": func(*EnrolmentView) {},
	"prefilled-coupon": func(v *EnrolmentView) {
		v.Values["coupon_code"] = "MGROW500"
		v.unfold("coupon")
	},
	"errors-empty": func(v *EnrolmentView) {
		_, faults := v.Form.Check(nil, forms.Env{})
		v.setFaults(faults)
	},
	"errors-typed": func(v *EnrolmentView) {
		v.Values = map[string]string{"fullname": `<b>"A" & 'B'</b>`, "email": "asha@", "phone_number": "1234567890", "company_name": "x", "adult": "true"}
		v.setFaults([]forms.Fault{
			{Field: "fullname", Message: "Name must be 2-50 characters and contain only letters."},
			{Field: "email", Message: "Enter a valid email address."},
			{Field: "phone_number", Message: "Indian phone number must start with 6-9 and be exactly 10 digits."},
			{Field: "", Message: "You have already paid for this programme. Your receipt is in your e-mail."},
		})
	},
	"code-sent": func(v *EnrolmentView) {
		v.Phone = Proof{Phase: proofSent, RequestID: "r1", Number: "9876543210", ResendAfter: 60}
		v.Status = "Code sent to +91 98765 43210."
		v.Announcement, v.Focus = Announcement{Text: v.Status, Look: components.NoticeDone, At: "otp"}, "otp"
	},
	"code-limited": func(v *EnrolmentView) {
		v.Phone = Proof{Phase: proofNone, Number: "9876543210", ResendAfter: longWait, Why: "Many codes were sent to this number."}
	},
	"code-wrong": func(v *EnrolmentView) {
		v.Phone = Proof{Phase: proofSent, RequestID: "r1", Number: "9876543210"}
		v.Values["otp"] = "000000"
		v.Phone.Digits = 6
		v.setFaults([]forms.Fault{{Field: "otp", Message: "Invalid OTP"}})
	},
	"verified": func(v *EnrolmentView) {
		v.Phone = Proof{Phase: proofVerified, Number: "9876543210"}
		v.Status, v.Focus = "Mobile number verified.", "state"
	},
	"link-refused": func(v *EnrolmentView) {
		v.Values["coupon_code"] = "LASTSEAT"
		v.unfold("coupon")
		v.Faults = []forms.Fault{{Field: "coupon_code", Message: "This coupon has just been used up."}}
	},
	"coupon-applied": func(v *EnrolmentView) {
		v.Values["coupon_code"] = "HALFPRICE"
		v.unfold("coupon")
		v.Price.Coupon, v.Price.Final = "HALFPRICE", "₹749.50"
		v.Status = "Coupon applied: ₹749.50 off."
		v.Announcement = Announcement{Text: v.Status, Look: components.NoticeDone, At: "coupon_code"}
	},
	"referral-applied": func(v *EnrolmentView) {
		v.Values["referral_code"], v.Referral = "SETU2025", "SETU2025"
		v.unfold("more")
		v.Status = "Referral code applied."
	},
	"ready": func(v *EnrolmentView) {
		v.Phone = Proof{Phase: proofVerified, Number: "9876543210"}
		v.Values["coupon_code"] = "MGROW500"
		v.Price.Coupon, v.Price.Final = "MGROW500", "₹999"
		v.Focus = "pay"
	},
	"nothing-to-pay": func(v *EnrolmentView) {
		v.Phone = Proof{Phase: proofVerified, Number: "9876543210"}
		v.Values["coupon_code"] = "FULLSEAT"
		v.Price.Coupon, v.Price.Final = "FULLSEAT", "₹0"
	},
	"coupon-gone": func(v *EnrolmentView) {
		v.Values["coupon_code"] = "LASTSEAT"
		v.setFaults([]forms.Fault{{Field: "coupon_code", Message: "This coupon has just been used up."}})
	},
	"guardian-sent": func(v *EnrolmentView) {
		v.Values["adult"], v.Values["guardian_name"], v.Values["guardian_phone"] = "false", "Meera Verma", "9876543211"
		v.Guardian = Proof{Phase: proofSent, RequestID: "g1", Number: "9876543211", ResendAfter: 42}
		v.Announcement, v.Focus = Announcement{Text: "Code sent to +91 98765 43211.", Look: components.NoticeDone, At: "guardian_otp"}, "guardian_otp"
	},
	"guardian-shares-phone": func(v *EnrolmentView) {
		v.Phone = Proof{Phase: proofVerified, Number: "9876543210"}
		v.Values["adult"], v.Values["guardian_name"], v.Values["guardian_phone"], v.Values["guardian_shares_phone"] = "false", "Meera Verma", "9876543210", "true"
		v.setSteps("consent")
		v.Focus = "guardian_relation"
	},
	"guardian-verified": func(v *EnrolmentView) {
		v.Focus = "adult"
		v.Values["adult"], v.Values["guardian_name"], v.Values["guardian_phone"] = "false", "Meera Verma", "9876543211"
		v.Guardian = Proof{Phase: proofVerified, Number: "9876543211"}
	},
	"offline": func(v *EnrolmentView) {
		v.Status = "You are offline. What you typed is kept."
		v.Announcement = Announcement{Text: v.Status, Look: components.NoticeWaiting, At: "pay"}
		v.unfold("choices")
	},
	"changed": func(v *EnrolmentView) {
		v.Phone = Proof{Phase: proofVerified, Number: "9876543210"}
		v.setSteps("you")
		v.Focus = "fullname"
	},
	"paying": func(v *EnrolmentView) {
		v.Phone = Proof{Phase: proofVerified, Number: "9876543210"}
		v.Busy = "pay"
	},
	"sending": func(v *EnrolmentView) { v.Busy = "send-code" },
}

// The states' JSON is the island's initial state; TypeScript renders it and compares the result with the HTML file.
func TestTicketRendersAsTheIslandDoes(t *testing.T) {
	for name, change := range enrolmentStates {
		t.Run(name, func(t *testing.T) {
			v := freshView(t, "hiresure-mgrow-2025", openDay)
			if name != "initial" && name != "prefilled-coupon" && name != "errors-empty" {
				for field, value := range typed {
					v.Values[field] = value
				}
			}
			change(&v)
			renderFixture(t, filepath.Join(fixtures, name), v)
		})
	}
}

// renderFixture compares a state, as JSON and as rendered by templ, with the files of that name.
func renderFixture(t *testing.T, file string, v EnrolmentView) {
	t.Helper()
	if v.Steps[0].State != components.StepDone || !v.Steps[0].Unfolded {
		v.setSteps("")
	}
	var props, html bytes.Buffer
	encoder := json.NewEncoder(&props)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(v); err != nil {
		t.Fatal(err)
	}
	if err := enrolmentTicket(v, v.form()).Render(t.Context(), &html); err != nil {
		t.Fatal(err)
	}
	compare(t, file+".json", props.Bytes())
	compare(t, file+".html", append(html.Bytes(), '\n'))
}

// addedStates are states of a form with more fields, for the island's part of the field drill.
var addedStates = map[string]func(*EnrolmentView){
	"initial": func(*EnrolmentView) {},
	"verified": func(v *EnrolmentView) {
		v.Phone = Proof{Phase: proofVerified, Number: "9876543210"}
		for field, value := range typed {
			v.Values[field] = value
		}
	},
	"refused": func(v *EnrolmentView) {
		v.Values = map[string]string{
			"owns_telescope": "true", "telescope_name": "old-glass", "hobby_horse": `a "horse" with <more> letters than thirty`, "hobby_story": "One day\nin May",
			"spare_evenings": "late_week",
		}
		_, faults := v.Form.CheckOnly(v.Values, forms.Env{}, "hobby_horse")
		v.Open = v.Form.OpenGroups(v.Values, nil)
		v.setFaults(faults)
	},
}

func TestTicketWithAddedFieldsRendersAsTheIslandDoes(t *testing.T) {
	set := formstest.Added(t)
	for name, change := range addedStates {
		t.Run(name, func(t *testing.T) {
			v := freshViewOf(t, set, "hiresure-mgrow-2025", openDay)
			change(&v)
			renderFixture(t, filepath.Join(fixtures, "added", name), v)
		})
	}
}

var openDay = time.Date(2026, time.November, 21, 12, 0, 0, 0, admission.IST)

func freshView(t *testing.T, slug string, at time.Time) EnrolmentView {
	t.Helper()
	return freshViewOf(t, nil, slug, at)
}

func freshViewOf(t *testing.T, set *forms.Set, slug string, at time.Time) EnrolmentView {
	t.Helper()
	library, err := content.Load()
	if err != nil {
		t.Fatal(err)
	}
	page, known := library.Landing(slug, at)
	if !known {
		t.Fatalf("no event %q", slug)
	}
	supplier := func(time.Time) *invoice.Supplier { return businesstest.Supplier() }
	kit := &pages.Kit{
		Services: &business.Services{Invoices: &invoice.Service{Config: invoice.Config{Supplier: supplier}}},
		Events:   businesstest.Catalogue{}, Forms: set, Clock: func() time.Time { return at },
	}
	return (&Landing{Kit: kit}).enrolmentView(page, "/scholarship/"+slug, invitation{})
}

func compare(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what templ renders now: run go test ./pages/landing -run Ticket -update", file)
	}
}

// A group in a place that the page lacks would not be drawn, and an addition to a removed field would be lost.
func TestEveryFieldIsDrawn(t *testing.T) {
	enrolment := freshView(t, "hiresure-mgrow-2025", openDay)
	enrolment.Phone.Phase, enrolment.Guardian.Phase = proofSent, proofSent
	enquiry := enquiryView{Form: forms.Get("enquiry")}
	for _, c := range []struct {
		form components.FormProps
		page templ.Component
	}{
		{enrolment.form(), enrolmentTicket(enrolment, enrolment.form())},
		{enquiry.form(), enquiryForm(enquiry, enquiry.form())},
	} {
		var html strings.Builder
		if err := c.page.Render(t.Context(), &html); err != nil {
			t.Fatal(err)
		}
		known := map[string]bool{}
		for _, field := range c.form.Form.Fields {
			known[field.Name], known[field.Group] = true, true
			if !strings.Contains(html.String(), ` name="`+field.Name+`"`) {
				t.Errorf("%s is nowhere in the form %s", field.Name, c.form.Form.Name)
			}
		}
		for name := range c.form.Special {
			if !known[name] {
				t.Errorf("the form %s has neither a field nor a group %s", c.form.Form.Name, name)
			}
		}
	}
}
