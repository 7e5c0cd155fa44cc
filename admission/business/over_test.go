package business_test

import (
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/apply"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/paper"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
)

func TestPurgeByPrivacyNotice(t *testing.T) {
	const year = 365 * 24 * time.Hour
	onBoth(t, func(t *testing.T, w *world) {
		begun := w.clock.Now()
		asker := w.somebody()
		_, err := asker.Contact.SendEnquiry(asker.ctx, asker.Visitor, map[string]string{"fullname": "Asha Rao", "email": asker.email, "country": "in", "phone": asker.phone, "description": "When is it?", "consents": "marketing"})
		w.must(err)
		_, err = w.complain(asker.Visitor, nil)
		w.must(err)
		unpaid := w.enrolled(fields{"consents": "reminders"})
		failed := w.paying(fields{"coupon_code": "MGROW500", "consents": "reminders", "college": "St Xavier's"})
		failed.returnWith(sandbox.Failed)
		paid := w.paid(fields{"consents": "reminders", "coupon_code": "MGROW500"})
		selected := w.paidApplication()
		marksheet := selected.upload(document.Marksheet, "a marksheet", 99)
		selected.openDocument(marksheet.DocumentID)
		applicant := w.applicantAt(enrol.StepPersonal)
		_, err = applicant.Apply.SaveDraft(applicant.ctx, applicant.Visitor, "academic", map[string]string{"course": "B.Sc."}, apply.AnyVersion)
		w.must(err)
		review := w.paying(nil)
		review.returnWith(sandbox.WrongAmount)
		all := w.clock.Now()
		kept := func() []string {
			counts := w.texts("SELECT 'enquiries', COUNT(*) FROM enquiries UNION ALL SELECT 'grievances', COUNT(*) FROM grievances UNION ALL SELECT 'registrations', COUNT(*) FROM registrations")
			slices.Sort(counts)
			return counts
		}
		purge := func(now time.Time) {
			t.Helper()
			w.clock.Pass(now.Sub(w.clock.Now()))
			w.runJobs()
			w.must(w.database.Purge(w.ctx, now))
		}
		said := func(p *person) int { return w.count("consents WHERE subject = $1", "+91"+p.phone) }

		purge(begun.Add(year - time.Second))
		same(t, "a second before a year", kept(), []string{"enquiries | 1", "grievances | 1", "registrations | 6"})
		equal(t, "what the asker has said", said(asker), 1)
		purge(all.Add(year))
		same(t, "after a year", kept(), []string{"enquiries | 0", "grievances | 1", "registrations | 6"})
		equal(t, "what the asker has said", said(asker), 0)

		purge(begun.Add(3*year - time.Second))
		same(t, "a second before three", kept(), []string{"enquiries | 0", "grievances | 1", "registrations | 6"})
		equal(t, "timeline of who has not paid", w.count("entries WHERE registration_id = $1", unpaid.registration) > 0, true)
		purge(all.Add(3 * year))
		same(t, "after three", kept(), []string{"enquiries | 0", "grievances | 0", "registrations | 4"})
		for _, gone := range []*person{unpaid, applicant} {
			equal(t, "registrations of who never began to pay", w.count("registrations WHERE phone = $1", "+91"+gone.phone), 0)
			equal(t, "what they have said", said(gone), 0)
		}
		equal(t, "timeline", w.count("entries WHERE registration_id = $1", unpaid.registration), 0)
		equal(t, "drafts", w.count("drafts"), 0)
		same(t, "whose payment failed names nobody", w.texts("SELECT full_name, email, phone, college FROM registrations WHERE id = $1", failed.registration), []string{" |  | erased:" + failed.registration + " | "})
		same(t, "nor does the payment", w.texts("SELECT payer_name, payer_email, payer_phone FROM transactions WHERE id = $1", failed.txn), []string{" |  | "})
		same(t, "nor the coupon", w.texts("SELECT phone FROM coupon_uses WHERE txn_id = $1", failed.txn), []string{"erased:" + failed.registration})
		equal(t, "what they have said", said(failed), 0)
		for _, p := range []*person{paid, selected} {
			same(t, "nor what is paid", w.texts("SELECT full_name, email, phone, college, COALESCE(answers, ''), own_referral, ticket_key, account_id FROM registrations WHERE id = $1", p.registration), []string{" |  | erased:" + p.registration + " |  |  |  |  | "})
			same(t, "its payment", w.texts("SELECT payer_name, payer_email, payer_phone, state FROM transactions WHERE id = $1", p.txn), []string{" |  |  | paid"})
			same(t, "its invoice says its buyer as long as the law asks", w.texts("SELECT buyer_phone FROM invoices WHERE registration_id = $1", p.registration), []string{"+91" + p.phone})
			equal(t, "what they have said", said(p), 0)
		}
		same(t, "nor a referral code of theirs", w.texts("SELECT COUNT(*) FROM referrals WHERE owner_phone = $1", "+91"+paid.phone), []string{"0"})
		equal(t, "documents and who has opened them", w.count("documents")+w.count("document_views")+w.count("uploads"), 0)
		w.runJobs()
		equal(t, "what lies in the storage", len(w.files.objects()), 0)
		equal(t, "faults of the books, but for the payment in review", len(w.verifiedBooks()), 1)
		same(t, "whose money is looked at stays", w.texts("SELECT full_name FROM registrations WHERE id = $1", review.registration), []string{"Asha Rao"})
		w.must(w.Payment.OrderRefund(w.ctx, review.txn, "test"))
	})
}

// Using an application shortly before its deletion keeps it for the full period again.
func TestPurgeKeepsApplicationInUse(t *testing.T) {
	const years = 3 * 365 * 24 * time.Hour
	onBoth(t, func(t *testing.T, w *world) {
		sender, deleter, typist := w.paidApplication(), w.paidApplication(), w.applicantAt(enrol.StepPersonal)
		id := deleter.upload(document.Marksheet, "a marksheet", 99).DocumentID
		all := []*person{sender, deleter, typist}
		w.clock.Pass(years - time.Hour)
		for _, p := range all {
			p.newBrowser()
			_, err := p.signIn(p.phone)
			w.must(err)
		}
		sender.upload(document.Marksheet, "a marksheet", 99)
		w.must(deleter.Document.Delete(deleter.ctx, deleter.Visitor, id))
		_, err := typist.Apply.SaveDraft(typist.ctx, typist.Visitor, "academic", map[string]string{"course": "B.Sc."}, apply.AnyVersion)
		w.must(err)
		used := w.clock.Now()
		for _, row := range []struct {
			after time.Duration
			named int
		}{{24 * time.Hour, len(all)}, {years - time.Second, len(all)}, {years, 0}} {
			w.must(w.database.Purge(w.ctx, used.Add(row.after)))
			equal(t, row.after.String()+" after they were used", w.count("registrations WHERE full_name <> ''"), row.named)
			equal(t, "what was sent", w.count("documents"), row.named/len(all))
		}
	})
}

// A session may outlive its purged registration.
func TestPurgedRegistrationLeavesSessions(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		p := w.paid(nil)
		r, err := w.Enrol.RegistrationOfVisitor(w.ctx, p.Visitor, p.registration)
		w.must(err)
		save := func(s *access.Session) {
			w.must(w.database.Update(w.ctx, func(tx store.Tx) error { return tx.SaveSession(s) }))
		}
		session, _ := w.sessionOf(p)
		session.ExpiresAt = w.clock.Now().AddDate(4, 0, 0)
		save(session)
		w.clock.Pass(3 * 365 * 24 * time.Hour)
		w.must(w.database.Purge(w.ctx, w.clock.Now()))
		session, _ = w.sessionOf(p)
		same(t, "registrations of the browser", session.Registered, nil)

		session.Registered = []string{p.registration} // as one that was given it a moment too late
		save(session)
		find := func(kind paper.Kind, ref string) error {
			_, err := w.Papers.Find(w.ctx, paper.Paper{Kind: kind, Ref: ref, RegistrationID: r.ID, TxnID: p.txn})
			return err
		}
		p.expectNotFound("a browser that had it", r.ID)
		_, err = w.Enrol.LatestRegistration(w.ctx, p.Visitor, r.EventCode)
		expectProblem(t, err, admission.NotFound, "", "Registration not found.")
		_, err = w.Enrol.RequestCodeFor(w.ctx, p.Visitor, r.ID)
		expectProblem(t, err, admission.NotFound, "", "Registration not found.")
		_, err = w.Receipts.ReceiptOfVisitor(w.ctx, p.Visitor, p.txn)
		expectProblem(t, err, admission.NotFound, "", "Registration not found.")
		for _, kind := range []paper.Kind{paper.Ticket, paper.Receipt} {
			expectProblem(t, find(kind, p.txn), admission.NotFound, "", "Paper not found.")
		}
		w.must(find(paper.Invoice, w.texts("SELECT id FROM invoices")[0]))
		same(t, "papers", w.texts("SELECT kind FROM papers"), []string{"invoice"})
	})
}

// A due referral bonus keeps its enrolment for three years from the friend's payment.
func TestPurgeKeepsEnrolmentWithBonus(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		begun := w.clock.Now()
		owner := w.paid(nil)
		code := w.texts("SELECT own_referral FROM registrations WHERE id = $1", owner.registration)[0]
		w.clock.Pass(48 * time.Hour)
		w.paid(fields{"referral_code": code})
		for _, row := range []struct {
			after time.Duration
			named string
		}{
			{24 * time.Hour, "Asha Rao"},
			{72 * time.Hour, ""},
		} {
			w.clock.Pass(begun.Add(3*365*24*time.Hour + row.after).Sub(w.clock.Now()))
			w.must(w.database.Purge(w.ctx, w.clock.Now()))
			same(t, "who owns the code, "+row.after.String()+" after three years", w.texts("SELECT owner_name FROM referrals WHERE code = $1", code), []string{row.named})
			same(t, "faults of the books", w.verifiedBooks(), nil)
			same(t, "their registration", w.texts("SELECT full_name FROM registrations WHERE id = $1", owner.registration), []string{row.named})
		}
	})
}

// A withdrawal applies to every consent, including ones kept longer.
func TestPurgeKeepsWithdrawals(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.verified()
		says := func(event, consents string) string {
			t.Helper()
			w.clock.Pass(time.Minute)
			r, err := p.enrol(fields{"event": event, "consents": consents})
			w.must(err)
			return r.ID
		}
		later := says("KS_Campus", "reminders,marketing")
		says("KS_Mgrow", "reminders,marketing")
		says("KS_Mgrow", "reminders") // takes it back
		equal(t, "a no", w.count("consents WHERE given = FALSE"), 1)
		w.clock.Pass(time.Hour)
		says("KS_Campus", "reminders")
		w.must(w.database.Purge(w.ctx, w.clock.Now().Add(3*365*24*time.Hour-time.Minute)))
		same(t, "registrations", w.texts("SELECT id FROM registrations"), []string{later})
		same(t, "what is said to marketing last", w.texts("SELECT given FROM consents WHERE purpose = 'marketing' ORDER BY at DESC LIMIT 1"), w.texts("SELECT 1 = 0"))
	})
}
