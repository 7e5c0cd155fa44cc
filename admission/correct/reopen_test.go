package correct_test

import (
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/correct"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/staff"
	"hiresure/integrations/payment/sandbox"
)

func TestDocumentsAreReopened(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.ApplicantAt(enrol.StepComplete)
		w.Clock.Pass(time.Minute)
		o := correct.Reopening{RegistrationID: p.RegistrationID, From: enrol.StepComplete, To: enrol.StepPaid, Reason: "wrong"}
		errs := businesstest.Concurrently(2, func(int) error { return p.Correct.Reopen(w.Ctx, o, meera) })
		if (errs[0] == nil) == (errs[1] == nil) {
			t.Fatal(errs)
		}
		businesstest.ExpectProblem(t, p.Correct.Reopen(w.Ctx, o, meera), admission.Conflict, "", "The application has moved on. Nothing was done.")
		p.ExpectStep(enrol.StepPaid)
		businesstest.Equal(t, "documents that stay", w.Count("documents"), 3)
		businesstest.Same(t, "timeline", w.Texts("SELECT detail, who FROM entries WHERE what = 'step reopened'"), []string{"Documents. The wrong files were uploaded. | Meera Nambiar"})
		businesstest.Same(t, "log", w.Texts("SELECT what, whom, was, becomes, reason FROM staff_log"), []string{"reopened a step | registration " + p.RegistrationID + " | Completed | Documents | They uploaded the wrong set of files"})
		w.RunJobs()
		mail := p.Mailed("step-reopened").Params
		businesstest.Equal(t, "mail", mail["What"]+" "+mail["Reason"]+" "+mail["Terms"], "your documents The wrong files were uploaded. ")
		businesstest.Equal(t, "SMS", w.Count("messages WHERE template = 'step-reopened-sms' AND recipient = $1", "+91"+p.Phone), 1)

		p.Upload(document.Marksheet, "another paper", 100)
		w.Must(p.Document.Submit(w.Ctx, p.Visitor, nil))
		p.ExpectStep(enrol.StepComplete)
		businesstest.Equal(t, "mails about the documents", w.Count("messages WHERE template = 'documents-submitted'"), 2)
		businesstest.Equal(t, "documents", w.Count("documents"), 3)

		w.Must(p.MyData.RequestDeletion(w.Ctx, p.Visitor))
		w.Advance(8 * 24 * time.Hour)
		businesstest.Equal(t, "messages about it after a deletion", w.Count("messages WHERE cause LIKE 'reopened%' OR cause LIKE 'documents%'"), 0)
		businesstest.Equal(t, "entries about it", w.Count("entries WHERE what = 'step reopened'"), 0)
	})
}

func TestStepsAreReopenedBeforePayment(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		for _, from := range []enrol.Step{enrol.StepAgreed, enrol.StepUnpaid} {
			for to := enrol.StepVerified; to <= enrol.StepScholarship; to++ {
				p := w.ApplicantAt(from)
				before := p.Application()
				w.Must(p.Correct.Reopen(w.Ctx, correct.Reopening{RegistrationID: p.RegistrationID, From: from, To: to, Reason: "other", Words: " Your college is another. "}, meera))
				p.ExpectStep(to)
				if after := p.Application(); len(after.Answers) != len(before.Answers) || len(after.Answers) == 0 {
					t.Errorf("typed before: %v, after: %v", before.Answers, after.Answers)
				}
				for i, step := range []string{"personal", "academic", "scholarship"} {
					if enrol.Step(i) >= to {
						_, err := p.SaveStep(step, nil)
						w.Must(err)
					}
				}
				p.ExpectStep(enrol.StepScholarship)
				_, err := p.Start("")
				businesstest.ExpectProblem(t, err, admission.Conflict, "", businesstest.TermsRequired)
				_, err = p.AgreeTerms("")
				w.Must(err)
				p.MustStart("")
				p.ReturnWith(sandbox.Paid)
				p.ExpectStep(enrol.StepPaid)
			}
		}
		businesstest.Equal(t, "reasons as the person reads them", w.Count("entries WHERE detail = 'Personal. Your college is another.'"), 2)
		businesstest.Equal(t, "words in the log, which forgets nothing", w.Count("staff_log WHERE reason <> 'Other'"), 0)
	})
}

func TestWhatCannotBeReopened(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		refused := func(p *businesstest.Person, from, to enrol.Step, kind admission.Kind, field, message string) {
			t.Helper()
			o := correct.Reopening{RegistrationID: p.RegistrationID, From: from, To: to, Reason: "asked"}
			businesstest.ExpectProblem(t, p.Correct.Reopen(w.Ctx, o, meera), kind, field, message)
		}
		paying := w.ApplicantAt(enrol.StepPaying)
		refused(paying, enrol.StepPaying, enrol.StepVerified, admission.Conflict, "", "A payment is open. Wait until it has ended.")
		paid := w.ApplicantAt(enrol.StepPaid)
		refused(paid, enrol.StepPaid, enrol.StepAcademic, admission.Conflict, "", "Paid. Their answers are final. Correct a single field instead.")
		refused(paid, enrol.StepPaid, enrol.StepPaid, admission.Conflict, "", "Open already.")
		agreed := w.ApplicantAt(enrol.StepAgreed)
		refused(agreed, enrol.StepAgreed, enrol.StepPaid, admission.Conflict, "", "They come after the payment.")
		refused(agreed, enrol.StepAgreed, enrol.StepComplete, admission.Invalid, "step", "Choose a step")
		refused(agreed, enrol.StepUnpaid, enrol.StepVerified, admission.Conflict, "", "The application has moved on. Nothing was done.")
		refused(w.ApplicantAt(enrol.StepAcademic), enrol.StepAcademic, enrol.StepVerified, admission.Conflict, "", "Open already.")
		refused(w.Paid(nil), enrol.StepComplete, enrol.StepPaid, admission.NotFound, "", "Registration not found.")
		for _, row := range []struct{ reason, words, field, message string }{
			{"", "", "reason", "Choose a reason"}, {"other", " ", "words", "Write the reason"}, {"other", strings.Repeat("x", 201), "words", "Use at most 200 characters"},
		} {
			o := correct.Reopening{RegistrationID: agreed.RegistrationID, From: enrol.StepAgreed, To: enrol.StepVerified, Reason: row.reason, Words: row.words}
			businesstest.ExpectProblem(t, w.Correct.Reopen(w.Ctx, o, meera), admission.Invalid, row.field, row.message)
		}
		w.Catalogue[2].Published = false
		refused(agreed, enrol.StepAgreed, enrol.StepVerified, admission.Conflict, "", "Applications are closed at the moment.")
		w.Catalogue[2].Published = true
		complete := w.ApplicantAt(enrol.StepComplete)
		complete.RefundAll()
		refused(complete, enrol.StepComplete, enrol.StepPaid, admission.Conflict, "", "The application has moved on. Nothing was done.")
		businesstest.Equal(t, "entries", w.Count("entries WHERE what = 'step reopened'"), 0)
		businesstest.Equal(t, "rows of the log", w.Count("staff_log"), 0)
	})
}

// A payment that the gateway reported as failed may still arrive after a step was reopened.
func TestLateSuccessPaysAReopenedApplication(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.ApplicantAt(enrol.StepPaying)
		first := p.TxnID
		w.Sandbox.PressWithoutReturn(first, sandbox.LateExpired)
		w.Advance(30 * time.Minute)
		p.ExpectStep(enrol.StepUnpaid)
		w.Must(p.Correct.Reopen(w.Ctx, correct.Reopening{RegistrationID: p.RegistrationID, From: enrol.StepUnpaid, To: enrol.StepPersonal, Reason: "asked"}, staff.Actor{Name: "Meera Nambiar"}))
		p.ExpectStep(enrol.StepPersonal)
		w.Advance(30 * time.Minute)
		p.ExpectStep(enrol.StepPaid)
	})
}
