package business_test

import (
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/apply"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/paper"
	"hiresure/admission/staff"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
)

func TestPurgeByPrivacyNotice(t *testing.T) {
	const year = 365 * 24 * time.Hour
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		begun := w.Clock.Now()
		asker := w.Somebody()
		_, err := asker.Contact.SendEnquiry(asker.Ctx, asker.Visitor, map[string]string{"fullname": "Asha Rao", "email": asker.Email, "country": "in", "phone": asker.Phone, "description": "When is it?", "consents": "marketing"})
		w.Must(err)
		_, err = w.Complain(asker.Visitor, nil)
		w.Must(err)
		unpaid := w.Enrolled(businesstest.Fields{"consents": "reminders"})
		failed := w.Paying(businesstest.Fields{"coupon_code": "MGROW500", "consents": "reminders", "college": "St Xavier's"})
		failed.ReturnWith(sandbox.Failed)
		paid := w.Paid(businesstest.Fields{"consents": "reminders", "coupon_code": "MGROW500"})
		selected := w.PaidApplication()
		marksheet := selected.Upload(document.Marksheet, "a marksheet", 99)
		selected.OpenDocument(marksheet.DocumentID)
		applicant := w.ApplicantAt(enrol.StepPersonal)
		_, err = applicant.Apply.SaveDraft(applicant.Ctx, applicant.Visitor, "academic", map[string]string{"course": "B.Sc."}, apply.AnyVersion)
		w.Must(err)
		review := w.Paying(nil)
		review.ReturnWith(sandbox.WrongAmount)
		all := w.Clock.Now()
		kept := func() []string {
			counts := w.Texts("SELECT 'enquiries', COUNT(*) FROM enquiries UNION ALL SELECT 'grievances', COUNT(*) FROM grievances UNION ALL SELECT 'registrations', COUNT(*) FROM registrations")
			slices.Sort(counts)
			return counts
		}
		purge := func(now time.Time) {
			t.Helper()
			w.Clock.Pass(now.Sub(w.Clock.Now()))
			w.RunJobs()
			w.Must(w.Database.Purge(w.Ctx, now))
		}
		said := func(p *businesstest.Person) int { return w.Count("consents WHERE subject = $1", "+91"+p.Phone) }

		purge(begun.Add(year - time.Second))
		businesstest.Same(t, "a second before a year", kept(), []string{"enquiries | 1", "grievances | 1", "registrations | 6"})
		businesstest.Equal(t, "what the asker has said", said(asker), 1)
		purge(all.Add(year))
		businesstest.Same(t, "after a year", kept(), []string{"enquiries | 0", "grievances | 1", "registrations | 6"})
		businesstest.Equal(t, "what the asker has said", said(asker), 0)

		purge(begun.Add(3*year - time.Second))
		businesstest.Same(t, "a second before three", kept(), []string{"enquiries | 0", "grievances | 1", "registrations | 6"})
		businesstest.Equal(t, "timeline of somebody who has not paid", w.Count("entries WHERE registration_id = $1", unpaid.RegistrationID) > 0, true)
		purge(all.Add(3 * year))
		businesstest.Same(t, "after three", kept(), []string{"enquiries | 0", "grievances | 0", "registrations | 4"})
		for _, gone := range []*businesstest.Person{unpaid, applicant} {
			businesstest.Equal(t, "registrations of somebody who never began to pay", w.Count("registrations WHERE phone = $1", "+91"+gone.Phone), 0)
			businesstest.Equal(t, "what they have said", said(gone), 0)
		}
		businesstest.Equal(t, "timeline", w.Count("entries WHERE registration_id = $1", unpaid.RegistrationID), 0)
		businesstest.Equal(t, "drafts", w.Count("drafts"), 0)
		businesstest.Same(t, "whose payment failed names nobody", w.Texts("SELECT full_name, email, phone, college FROM registrations WHERE id = $1", failed.RegistrationID), []string{" |  | erased:" + failed.RegistrationID + " | "})
		businesstest.Same(t, "nor does the payment", w.Texts("SELECT payer_name, payer_email, payer_phone FROM transactions WHERE id = $1", failed.TxnID), []string{" |  | "})
		businesstest.Same(t, "nor the coupon", w.Texts("SELECT phone FROM coupon_uses WHERE txn_id = $1", failed.TxnID), []string{"erased:" + failed.RegistrationID})
		businesstest.Equal(t, "what they have said", said(failed), 0)
		for _, p := range []*businesstest.Person{paid, selected} {
			businesstest.Same(t, "nor what is paid", w.Texts("SELECT full_name, email, phone, college, COALESCE(answers, ''), own_referral, ticket_key, account_id FROM registrations WHERE id = $1", p.RegistrationID), []string{" |  | erased:" + p.RegistrationID + " |  |  |  |  | "})
			businesstest.Same(t, "its payment", w.Texts("SELECT payer_name, payer_email, payer_phone, state FROM transactions WHERE id = $1", p.TxnID), []string{" |  |  | paid"})
			businesstest.Same(t, "its invoice says its buyer as long as the law asks", w.Texts("SELECT buyer_phone FROM invoices WHERE registration_id = $1", p.RegistrationID), []string{"+91" + p.Phone})
			businesstest.Equal(t, "what they have said", said(p), 0)
		}
		businesstest.Same(t, "nor a referral code of theirs", w.Texts("SELECT COUNT(*) FROM referrals WHERE owner_phone = $1", "+91"+paid.Phone), []string{"0"})
		businesstest.Equal(t, "documents and who has opened them", w.Count("documents")+w.Count("document_views")+w.Count("uploads"), 0)
		w.RunJobs()
		businesstest.Equal(t, "what lies in the storage", len(w.Files.Objects()), 0)
		businesstest.Equal(t, "faults of the books, but for the payment in review", len(w.VerifyBooks()), 1)
		businesstest.Same(t, "whose money is looked at stays", w.Texts("SELECT full_name FROM registrations WHERE id = $1", review.RegistrationID), []string{"Asha Rao"})
		w.Must(w.Payment.OrderRefund(w.Ctx, review.TxnID, staff.Actor{Name: "test"}))
	})
}

// Using an application shortly before its deletion keeps it for the full period again.
func TestPurgeKeepsApplicationInUse(t *testing.T) {
	const years = 3 * 365 * 24 * time.Hour
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		sender, deleter, typist := w.PaidApplication(), w.PaidApplication(), w.ApplicantAt(enrol.StepPersonal)
		id := deleter.Upload(document.Marksheet, "a marksheet", 99).DocumentID
		all := []*businesstest.Person{sender, deleter, typist}
		w.Clock.Pass(years - time.Hour)
		for _, p := range all {
			p.NewBrowser()
			_, err := p.SignIn(p.Phone)
			w.Must(err)
		}
		sender.Upload(document.Marksheet, "a marksheet", 99)
		w.Must(deleter.Document.Delete(deleter.Ctx, deleter.Visitor, id))
		_, err := typist.Apply.SaveDraft(typist.Ctx, typist.Visitor, "academic", map[string]string{"course": "B.Sc."}, apply.AnyVersion)
		w.Must(err)
		used := w.Clock.Now()
		for _, row := range []struct {
			after time.Duration
			named int
		}{{24 * time.Hour, len(all)}, {years - time.Second, len(all)}, {years, 0}} {
			w.Must(w.Database.Purge(w.Ctx, used.Add(row.after)))
			businesstest.Equal(t, row.after.String()+" after they were used", w.Count("registrations WHERE full_name <> ''"), row.named)
			businesstest.Equal(t, "what was sent", w.Count("documents"), row.named/len(all))
		}
	})
}

// A session may outlive its purged registration.
func TestPurgedRegistrationLeavesSessions(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		r, err := w.Enrol.RegistrationOfVisitor(w.Ctx, p.Visitor, p.RegistrationID)
		w.Must(err)
		save := func(s *access.Session) {
			w.Must(w.Database.Update(w.Ctx, func(tx store.Tx) error { return tx.SaveSession(s) }))
		}
		session, _ := w.SessionOf(p)
		session.ExpiresAt = w.Clock.Now().AddDate(4, 0, 0)
		save(session)
		w.Clock.Pass(3 * 365 * 24 * time.Hour)
		w.Must(w.Database.Purge(w.Ctx, w.Clock.Now()))
		session, _ = w.SessionOf(p)
		businesstest.Same(t, "registrations of the browser", session.Registered, nil)

		session.Registered = []string{p.RegistrationID} // as one that was given it a moment too late
		save(session)
		find := func(kind paper.Kind, ref string) error {
			_, err := w.Papers.Find(w.Ctx, paper.Paper{Kind: kind, Ref: ref, RegistrationID: r.ID, TxnID: p.TxnID})
			return err
		}
		p.ExpectRegistrationNotFound("a browser that had it", r.ID)
		_, err = w.Enrol.LatestRegistration(w.Ctx, p.Visitor, r.EventCode)
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Registration not found.")
		_, err = w.Enrol.RequestCodeFor(w.Ctx, p.Visitor, r.ID)
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Registration not found.")
		_, err = w.Receipts.ReceiptOfVisitor(w.Ctx, p.Visitor, p.TxnID)
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Registration not found.")
		for _, kind := range []paper.Kind{paper.Ticket, paper.Receipt} {
			businesstest.ExpectProblem(t, find(kind, p.TxnID), admission.NotFound, "", "Paper not found.")
		}
		w.Must(find(paper.Invoice, w.Texts("SELECT id FROM invoices")[0]))
		businesstest.Same(t, "papers", w.Texts("SELECT kind FROM papers"), []string{"invoice"})
	})
}

// A due referral bonus keeps its enrolment for three years from the friend's payment.
func TestPurgeKeepsEnrolmentWithBonus(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		begun := w.Clock.Now()
		owner := w.Paid(nil)
		code := w.Texts("SELECT own_referral FROM registrations WHERE id = $1", owner.RegistrationID)[0]
		w.Clock.Pass(48 * time.Hour)
		w.Paid(businesstest.Fields{"referral_code": code})
		for _, row := range []struct {
			after time.Duration
			named string
		}{
			{24 * time.Hour, "Asha Rao"},
			{72 * time.Hour, ""},
		} {
			w.Clock.Pass(begun.Add(3*365*24*time.Hour + row.after).Sub(w.Clock.Now()))
			w.Must(w.Database.Purge(w.Ctx, w.Clock.Now()))
			businesstest.Same(t, "who owns the code, "+row.after.String()+" after three years", w.Texts("SELECT owner_name FROM referrals WHERE code = $1", code), []string{row.named})
			businesstest.Same(t, "faults of the books", w.VerifyBooks(), nil)
			businesstest.Same(t, "their registration", w.Texts("SELECT full_name FROM registrations WHERE id = $1", owner.RegistrationID), []string{row.named})
		}
	})
}

// A withdrawal applies to every consent, including ones kept longer.
func TestPurgeKeepsWithdrawals(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Verified()
		says := func(event, consents string) string {
			t.Helper()
			w.Clock.Pass(time.Minute)
			r, err := p.SubmitEnrolment(businesstest.Fields{"event": event, "consents": consents})
			w.Must(err)
			return r.ID
		}
		later := says("KS_Campus", "reminders,marketing")
		says("KS_Mgrow", "reminders,marketing")
		says("KS_Mgrow", "reminders") // takes it back
		businesstest.Equal(t, "a no", w.Count("consents WHERE given = FALSE"), 1)
		w.Clock.Pass(time.Hour)
		says("KS_Campus", "reminders")
		w.Must(w.Database.Purge(w.Ctx, w.Clock.Now().Add(3*365*24*time.Hour-time.Minute)))
		businesstest.Same(t, "registrations", w.Texts("SELECT id FROM registrations"), []string{later})
		businesstest.Same(t, "what is said to marketing last", w.Texts("SELECT given FROM consents WHERE purpose = 'marketing' ORDER BY at DESC LIMIT 1"), w.Texts("SELECT 1 = 0"))
	})
}
