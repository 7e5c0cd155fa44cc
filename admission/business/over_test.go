package business_test

import (
	"slices"
	"testing"
	"time"

	"hiresure/admission/apply"
	"hiresure/admission/enrol"
	"hiresure/integrations/payment/sandbox"
)

// The times of the privacy notice.
func TestWhatIsOverGoesByItself(t *testing.T) {
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
		failed.returns(sandbox.Failed)
		paid := w.paid(fields{"consents": "reminders"})
		applicant := w.applied(enrol.StepPersonal)
		_, err = applicant.Apply.SaveDraft(applicant.ctx, applicant.Visitor, "academic", map[string]string{"course": "B.Sc."}, apply.AnyVersion)
		w.must(err)
		review := w.paying(nil)
		review.returns(sandbox.WrongAmount)
		all := w.clock.Now()
		kept := func() []string {
			counts := w.texts("SELECT 'enquiries', COUNT(*) FROM enquiries UNION ALL SELECT 'grievances', COUNT(*) FROM grievances UNION ALL SELECT 'registrations', COUNT(*) FROM registrations")
			slices.Sort(counts)
			return counts
		}
		purge := func(now time.Time) {
			t.Helper()
			w.clock.Pass(now.Sub(w.clock.Now()))
			w.work()
			w.must(w.database.Purge(w.ctx, now))
		}
		said := func(p *person) int { return w.count("consents WHERE subject = $1", "+91"+p.phone) }

		purge(begun.Add(year - time.Second))
		same(t, "a second before a year", kept(), []string{"enquiries | 1", "grievances | 1", "registrations | 5"})
		equal(t, "what the asker has said", said(asker), 1)
		purge(all.Add(year))
		same(t, "after a year", kept(), []string{"enquiries | 0", "grievances | 1", "registrations | 5"})
		equal(t, "what the asker has said", said(asker), 0)

		purge(begun.Add(3*year - time.Second))
		same(t, "a second before three", kept(), []string{"enquiries | 0", "grievances | 1", "registrations | 5"})
		equal(t, "timeline of who has not paid", w.count("entries WHERE registration_id = $1", unpaid.registration) > 0, true)
		purge(all.Add(3 * year))
		same(t, "after three", kept(), []string{"enquiries | 0", "grievances | 0", "registrations | 3"})
		for _, gone := range []*person{unpaid, applicant} {
			equal(t, "registrations of who never began to pay", w.count("registrations WHERE phone = $1", "+91"+gone.phone), 0)
			equal(t, "what they have said", said(gone), 0)
		}
		equal(t, "timeline", w.count("entries WHERE registration_id = $1", unpaid.registration), 0)
		equal(t, "drafts", w.count("drafts"), 0)
		same(t, "whose payment failed names nobody", w.texts("SELECT full_name, email, phone, college FROM registrations WHERE id = $1", failed.registration), []string{" |  | erased:" + failed.registration + " | "})
		same(t, "nor does the payment", w.texts("SELECT payer_name, payer_email, payer_phone FROM transactions WHERE id = $1", failed.txn), []string{" |  | "})
		same(t, "nor the coupon", w.texts("SELECT phone FROM coupon_uses"), []string{"erased:" + failed.registration})
		equal(t, "what they have said", said(failed), 0)
		same(t, "who has paid stays", w.texts("SELECT full_name, phone FROM registrations WHERE id = $1", paid.registration), []string{"Asha Rao | +91" + paid.phone})
		equal(t, "what they have said", said(paid) > 0, true)
		same(t, "whose money is looked at stays", w.texts("SELECT full_name FROM registrations WHERE id = $1", review.registration), []string{"Asha Rao"})
		w.must(w.Payment.OrderRefund(w.ctx, review.txn, "test"))
	})
}

// A no takes back each yes, also one that stays longer.
func TestANoOutlivesWhatItWasSaidWith(t *testing.T) {
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
