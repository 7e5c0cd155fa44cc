package hiresure_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission/apply"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/forms/formstest"
	"hiresure/store"
	"hiresure/web"
)

// ofApplication is the application's place in the catalogue.
const ofApplication = 2

// fullAnswers are the stored answers of an application at its review.
var fullAnswers = formstest.Answers(apply.FormName, map[string]string{"gender": "O", "fatherName": "Suresh Pillai", "received_other_scholarship": "false"})

func answering(answers map[string]string) func(*enrol.Registration) {
	return func(r *enrol.Registration) { r.Answers, r.Course = maps.Clone(answers), "" }
}

func TestAnApplicationIsListedByItsStep(t *testing.T) {
	for _, row := range []struct {
		step     enrol.Step
		state    payment.State
		says     []string // of the list, and of the home after "|"
		silentOn []string
	}{
		{enrol.StepVerified, "", []string{"Number Verified", "Complete Form", `href="/hiresure/form/personal"`, "0 of 6 steps done. Personal: is next", "|Personal: your turn", "|Step 1 of 6", "Step 1 of 6", "The fee of ₹ 2,500.00 comes after step 4.", "|Start your form, Asha", "|Complete Form"}, []string{"change=", "answers are saved"}},
		{enrol.StepAcademic, "", []string{"badge-open", "Form Incomplete", "Complete Form", `href="/hiresure/form/scholarship"`, "2 of 6 steps done. Scholarship: is next", "Your answers are saved.", "|Finish your form, Asha", "|Step 3 of 6"}, nil},
		{enrol.StepScholarship, "", []string{"Complete Form", `href="/hiresure/form/review"`, "3 of 6 steps done. Review: is next", "|Step 4 of 6"}, nil},
		{enrol.StepAgreed, "", []string{"Form Incomplete Fee due", "Pay Now", `href="/hiresure/payment"`, "4 of 6 steps done. Payment: is next", "Still missing: the fee of ₹ 2,500.00 and your documents.", "|Pay the fee next, Asha", "|The fee is ₹ 2,500.00, GST included.", "|Make Payment", "|Payment: your turn", "|Step 5 of 6"}, []string{"Complete Form"}},
		{enrol.StepPaying, payment.Pending, []string{"badge-waiting", "Payment Initiated Payment not finished", "Do not pay again: we ask your bank", `class="button button-outline" href="/hiresure/payment?kspay_id=`, "Payment: not finished", "|Payment not finished, Asha", `|class="button button-outline" href="/hiresure/payment?kspay_id=`}, []string{"/pay?", `<a class="button" `, "Make Payment", "our turn<"}},
		{enrol.StepPaying, payment.Review, []string{"Nothing to do", "Being checked", "Payment: is being checked", "Our turn", "|View Registration"}, []string{"Pay Now"}},
		{enrol.StepUnpaid, payment.Failed, []string{"badge-failed", "Payment Failed", "Pay Now", `href="/hiresure/payment"`, "Payment: is missing", "Fee due", "|Pay the fee again, Asha", "|Only the fee is missing."}, []string{"Exam on"}},
		{enrol.StepPaid, payment.Paid, []string{"badge-info", "Documents Pending", "Upload Documents", `href="/hiresure/upload-doc"`, "5 of 6 steps done. Documents: is next", "3 missing", "The fee is paid. We start reading when three documents are in.", "|Upload your documents, Asha", "|Passport photo Needed", "|Family Income Certificate Optional", "|Upload Doc", "|Documents: your turn", "|Step 6 of 6"}, []string{"HS26-", "Ticket"}},
		{enrol.StepComplete, payment.Paid, []string{"badge-done", "Completed", "6 of 6 steps done", "View Details", "|All six steps are done", "To be read", "You get our answer by 21 December 2026.", "|View Registration", "|We have your documents, Asha"}, []string{"Upload Documents", "You are enrolled"}},
	} {
		t.Run(string(enrol.ActionForm)+" "+row.says[0], func(t *testing.T) {
			p := newPlace(t)
			p.has(ofApplication, row.step, row.state, answering(fullAnswers))
			list, home := p.get("/hiresure/registration").is(http.StatusOK, "Application HireSure Scholarship"), p.get("/hiresure").is(http.StatusOK, "HireSure application")
			for _, text := range row.says {
				if onHome, found := strings.CutPrefix(text, "|"); found {
					home.is(http.StatusOK, onHome)
				} else {
					list.is(http.StatusOK, text)
				}
			}
			list.without(row.silentOn...)
			home.without(row.silentOn...)
		})
	}
}

func TestTheHomeShowsTheApplicationThatWaitsAndTheTicketOfTheExam(t *testing.T) {
	p := newPlace(t)
	p.has(ofApplication, enrol.StepPaid, payment.Paid, answering(fullAnswers))
	p.clock.Pass(time.Hour)
	p.has(0, enrol.StepComplete, payment.Paid)
	p.get("/hiresure").is(http.StatusOK, "Upload your documents, Asha", `href="/hiresure/upload-doc"`, "HS26-4K7M-", "days to the exam")
}

func TestApplicationCards(t *testing.T) {
	p := newPlace(t)
	for _, row := range []struct {
		sentence string
		step     enrol.Step
		state    payment.State
		answers  []string // of fullAnswers; nil: none, "all": all
		says     []string
		silentOn []string
	}{
		{"nothing is saved", enrol.StepVerified, "", nil, []string{"Personal Information", "Full Name", "Asha Meera Verma", "asha<wbr>@example.com", `<div class="is-wide"><dt>Email Address</dt>`, `<div class="is-wide"><dt>Mobile Number</dt>`}, []string{"Date of birth", "Academic Information", "Scholarship Details", "<h2>Payment</h2>"}},
		{
			"the first step is", enrol.StepPersonal, "", []string{"dob", "gender", "fatherName", "address", "zip"},
			[]string{"Date of birth 14/08/2005", "Gender Other", "Father/Guardian Name Suresh Pillai", "Address 12 Temple Road, Mysuru", "State Karnataka", "Pin Code 570001"}, []string{"Academic Information", "OTP", "Guardian who agreed"},
		},
		{
			"it is paid", enrol.StepPaid, payment.Paid, []string{"all"},
			[]string{
				"Documents Pending", "Upload Documents", "Course Enrolled B.Sc. Statistics", "Year 2024", "Percentage (or CGPA) 81.4", "Enrollment Number/Student ID -", "Scholarship Details", "Other scholarship No",
				"Annual Family Income ₹ 3,20,000", "Reason for Scholarship Request With the tuition paid", "<h2>Payment</h2>", "Open the receipt", `/receipt"`, "Your documents are next", "We read your documents", "Our turn",
			}, []string{"Which one", "HS26-", "Add to calendar", "/ticket/"},
		},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			answers := map[string]string{}
			for name, value := range fullAnswers {
				if slices.Contains(row.answers, name) || slices.Contains(row.answers, "all") {
					answers[name] = value
				}
			}
			r := p.has(ofApplication, row.step, row.state, answering(answers))
			p.get("/hiresure/registration/"+r.ID).is(http.StatusOK, row.says...).without(row.silentOn...)
			p.change(func(tx store.Tx) error { r.Refunded = true; return tx.SaveRegistration(&r) }) // makes room for the next
		})
	}
}

func TestTimelineNamesAnAssigneeWhereItChanges(t *testing.T) {
	p := newPlace(t)
	r := p.has(ofApplication, enrol.StepAcademic, "")
	got := p.get("/hiresure/registration/"+r.ID).is(http.StatusOK, "Fill in the form Your turn", "Pay the fee", "Upload your documents").text
	if n := strings.Count(got, "Your turn"); n != 1 {
		t.Errorf("%d moments are the person's turn, want the first: %s", n, got)
	}
}

func TestGuardianIsInTheMinorsCard(t *testing.T) {
	p := newPlace(t)
	answers := maps.Clone(fullAnswers)
	answers["dob"], answers["received_other_scholarship"], answers["details"] = "14-08-2010", "true", "State merit scholarship"
	r := p.has(ofApplication, enrol.StepAgreed, "", answering(answers), func(r *enrol.Registration) { r.GuardianName, r.GuardianPhone = "Meera Pillai", "+919123456780" })
	p.get("/hiresure/registration/"+r.ID).is(http.StatusOK, "Guardian who agreed Meera Pillai", "+91 91234 56780", "Other scholarship Yes", "Which one State merit scholarship")
}

func TestAtEachStepTheDocumentsOpenOrLeadOn(t *testing.T) {
	for _, step := range enrol.Steps {
		t.Run(fmt.Sprint(step), func(t *testing.T) {
			p, id := newPlace(t), ""
			if step != enrol.StepUnverified {
				id = p.has(ofApplication, step, "", answering(fullAnswers)).ID
			}
			if place := businesstest.PageAt(enrol.PlaceUpload, step); place == enrol.PlaceUpload {
				p.get(web.UploadPath).is(http.StatusOK, "Three documents, a\u00a0fourth if you have it")
			} else {
				p.get(web.UploadPath).leadsTo(web.PlacePath(string(place), id))
			}
			late := map[enrol.Step]string{enrol.StepComplete: "?late"}[step]
			if posted := p.sends(photo); posted.Header().Get("Location") != web.PlacePath(string(businesstest.PageAt(enrol.PlaceUpload, step)), id)+late {
				t.Errorf("a post is answered with %d to %q", posted.Code, posted.Header().Get("Location"))
			}
			if id == "" {
				return
			}
			p.change(func(tx store.Tx) error {
				r, err := tx.Registration(id)
				if r.Step != step {
					t.Errorf("the application stands at %d now", r.Step)
				}
				return err
			})
		})
	}
}

func (s seen) leadsTo(address string) {
	s.t.Helper()
	if got := s.Header().Get("Location"); got != address || s.Code != http.StatusSeeOther && s.Code != http.StatusFound {
		s.t.Errorf("%d leads to %q, want %q", s.Code, got, address)
	}
}
