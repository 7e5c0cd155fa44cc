package business_test

import (
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/enrol"
	"hiresure/forms"
	"hiresure/forms/formstest"
	"hiresure/integrations/payment/sandbox"
)

func TestEnrolCreatesOneRegistration(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		p := w.verified()
		typed := formstest.Good("enrolment")
		typed["email"], typed["phone_number"] = p.email, p.phone
		ids := make([]string, 10)
		for _, err := range concurrently(10, func(i int) error {
			r, err := w.Enrol.Enrol(w.ctx, p.Visitor, "KS_Mgrow", "KS_Mgrow_2025", maps.Clone(typed))
			ids[i] = r.ID
			return err
		}) {
			w.must(err)
		}
		for _, id := range ids {
			equal(t, "registration", id, ids[0])
		}
		equal(t, "registrations", w.count("registrations"), 1)
		same(t, "timeline", w.texts("SELECT what FROM entries"), []string{"enrolled"})

		campus, err := p.enrol(fields{"event": "KS_Campus"})
		w.must(err)
		equal(t, "another event is another registration", campus.ID != ids[0], true)
	})
}

func TestEnrolContinuesBeforePayment(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(nil)
		first := p.registration
		w.clock.Pass(time.Hour)
		p.email = "asha.rao@example.com"
		r, err := p.enrol(fields{
			"fullname": "Asha Rao Bhat", "selected_course": "Artificial_Intelligence", "state": "Kerala", "company_name": "St. Mary's College", "coupon_code": "mgrow500", "referral_code": "SETU2025",
		})
		w.must(err)
		if want := (enrol.Registration{
			ID: first, EventSlug: "hiresure-mgrow-2025", EventCode: "KS_Mgrow", SubeventCode: "KS_Mgrow_2025", FullName: "Asha Rao Bhat", Email: "asha.rao@example.com",
			Phone: "+91" + p.phone, Course: "Artificial_Intelligence", StateCode: "32", College: "St. Mary's College", ReferralCode: "SETU2025", CouponCode: "MGROW500", Adult: true,
			Step: enrol.StepVerified, TermsVersion: "2026-11-01", TermsHash: "5e5f", TermsAt: noon.Add(time.Hour), CreatedAt: noon, ModifiedAt: noon.Add(time.Hour),
			FormVersion: forms.Get("enrolment").Version,
		}); !reflect.DeepEqual(r, want) {
			t.Errorf("registration: got %+v, want %+v", r, want)
		}
		equal(t, "status", r.Status(), "Number Verified")

		// Another browser that verifies the phone continues the same one.
		p.newBrowser()
		_, err = p.enrol(nil)
		expectProblem(t, err, admission.Invalid, "otp", "Please verify the OTP.")
		w.clock.Pass(time.Minute)
		r, err = p.verify().enrol(nil)
		w.must(err)
		equal(t, "registration", r.ID, first)
		equal(t, "registrations", w.count("registrations"), 1)
	})
}

func TestEnrolKeepsTheAmountOfAnOpenAttempt(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.paying(withCoupon)
		r, err := p.enrol(fields{"coupon_code": "", "state": "Kerala"})
		w.must(err)
		equal(t, "coupon, State", r.CouponCode+" "+r.StateCode, " 32")
		due, err := w.Payment.Due(w.ctx, p.Visitor, p.registration)
		w.must(err)
		equal(t, "due", due.Price.Final, admission.INR(999_00))
		equal(t, "open attempt", due.Open.ID, p.txn)
		equal(t, "another way to pay takes", due.Methods[1].Charge, admission.INR(1499_00))
		p.returnWith(sandbox.Failed)
		equal(t, "the next attempt charges", p.mustStart("").Charge, admission.INR(1499_00))
	})
}

func TestEnrolAfterPaymentIsAConflict(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paid(nil)
		_, err := p.enrol(fields{"fullname": "Somebody Else"})
		expectProblem(t, err, admission.Conflict, "", "You have already paid for this programme. Your receipt is in your e-mail.")
		same(t, "name", w.texts("SELECT full_name FROM registrations"), []string{"Asha Rao"})

		_, err = w.Payment.Refund(w.ctx, p.txn)
		w.must(err)
		first := p.registration
		second, err := p.enrol(nil)
		w.must(err)
		equal(t, "a refunded registration allows a new one", second.ID != first, true)
		p.mustStart("")
		p.returnWith(sandbox.Paid)
		same(t, "registrations that stand paid", w.texts("SELECT id FROM registrations WHERE paid_txn_id <> '' AND refunded = FALSE"), []string{second.ID})
		same(t, "numbers", w.texts("SELECT number FROM invoices ORDER BY serial"), []string{"KS/26-27/000001", "KS/26-27/000002"})
	})
}

func TestEnrolRejects(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		holder := w.enrolled(nil)
		for i, e := range []admission.Event{
			{Code: "KS_Draft", Published: false},
			{Code: "KS_Soon", Published: true, OpensAt: noon.Add(24 * time.Hour), ClosesAt: noon.Add(48 * time.Hour)},
			{Code: "KS_Over", Published: true, OpensAt: noon.Add(-48 * time.Hour), ClosesAt: noon},
			{Code: "KS_Full", Published: true, OpensAt: noon.Add(-48 * time.Hour), ClosesAt: noon.Add(48 * time.Hour), SoldOut: true},
		} {
			e.Fee, e.Courses = admission.INR(1499_00+int64(i)), []string{"Blockchain"}
			w.catalogue = append(w.catalogue, e)
		}
		p := w.verified()
		for _, c := range []struct {
			name           string
			changes        fields
			kind           admission.Kind
			field, message string
		}{
			{"the e-mail of another verified phone", fields{"email": holder.email}, admission.Conflict, "email", "This email is already in use. Please try another."},
			{"that e-mail in capitals", fields{"email": "ASHA1@EXAMPLE.COM"}, admission.Conflict, "email", "This email is already in use. Please try another."},
			{"a phone that is not proven", fields{"phone_number": "9812345678"}, admission.Invalid, "otp", "Please verify the OTP."},
			{"the phone of somebody else", fields{"phone_number": holder.phone}, admission.Invalid, "otp", "Please verify the OTP."},
			{"an unknown event", fields{"event": "KS_Nothing"}, admission.NotFound, "", "Programme not found."},
			{"an event that is not published", fields{"event": "KS_Draft"}, admission.Conflict, "", "Enrolment for this programme is closed."},
			{"an event that is not open yet", fields{"event": "KS_Soon"}, admission.Conflict, "", "Enrolment opens on 22 Nov 2026."},
			{"an event that is over", fields{"event": "KS_Over"}, admission.Conflict, "", "Enrolment for this programme closed on 21 Nov 2026."},
			{"an event without seats", fields{"event": "KS_Full"}, admission.Conflict, "", "All seats of this programme are taken."},
			{"a course of another event", fields{"event": "KS_Campus", "selected_course": "Artificial_Intelligence"}, admission.Invalid, "selected_course", "Please choose a course from the list."},
			{"no terms", fields{"agreed_terms_conditions": ""}, admission.Invalid, "agreed_terms_conditions", "Please check terms and conditions"},
			{"an unknown coupon", fields{"coupon_code": "NOSUCH99"}, admission.Invalid, "coupon_code", badCoupon},
			{"no word about the age", fields{"adult": ""}, admission.Invalid, "adult", "Please tell us whether you are 18 or older."},
			{"under 18, without a guardian", fields{"adult": "false"}, admission.Invalid, "guardian_name", "Please enter guardian’s name (2–50 characters)"},
			{"under 18, with a guardian who has not consented", fields{"adult": "false", "guardian_name": "Meera Rao", "guardian_phone": "9898989898"}, admission.Invalid, "guardian_otp", "Please verify the OTP."},
			{"a guardian with the same phone", fields{"adult": "false", "guardian_name": "Meera Rao", "guardian_phone": p.phone}, admission.Invalid, "guardian_phone", "Guardian’s phone number must be different from yours."},
		} {
			t.Run(c.name, func(t *testing.T) {
				_, err := p.enrol(c.changes)
				expectProblem(t, err, c.kind, c.field, c.message)
			})
		}
		_, err := w.Enrol.Enrol(w.ctx, p.Visitor, "KS_Mgrow", "KS_Campus_2026", map[string]string{})
		expectProblem(t, err, admission.NotFound, "", "Programme not found.")
		equal(t, "registrations", w.count("registrations"), 1)
		equal(t, "consents of whom nothing is kept", w.count("consents WHERE subject = $1", "+91"+p.phone), 0)
	})
}

func TestEnrolMinor(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.verified()
		const guardian = "9898989898"
		w.must(p.verifyCode(access.ForGuardian, guardian))
		under18 := fields{"adult": "false", "guardian_name": "Meera Rao", "guardian_phone": guardian, "consents": "marketing,hiring_partners"}
		r, err := p.enrol(under18)
		w.must(err)
		ledger := func() []string {
			return w.texts("SELECT purpose, given FROM consents WHERE subject = '+91" + p.phone + "' ORDER BY at, purpose")
		}
		same(t, "what nobody under 18 is asked", ledger(), []string{"terms:2026-11-01 | 1"})
		w.clock.Pass(time.Minute)
		_, err = p.enrol(fields{"consents": "marketing"})
		w.must(err)
		w.clock.Pass(time.Minute)
		_, err = p.enrol(fields{"event": "KS_Campus", "selected_course": "Blockchain", "consents": "partner_college"})
		w.must(err)
		w.clock.Pass(time.Minute)
		_, err = p.enrol(under18)
		w.must(err)
		same(t, "what was said as an adult is taken back", ledger(), []string{"terms:2026-11-01 | 1", "marketing | 1", "partner_college | 1", "terms:2026-11-01 | 1", "marketing | 0", "partner_college | 0", "terms:2026-11-01 | 1"})
		equal(t, "adult", r.Adult, false)
		equal(t, "guardian", r.GuardianName+" "+r.GuardianPhone, "Meera Rao +91"+guardian)

		// A guardian's code does not verify the applicant's phone.
		ward := w.somebody()
		w.must(ward.verifyCode(access.ForGuardian, "9797979797"))
		ward.phone = "9797979797"
		_, err = ward.enrol(nil)
		expectProblem(t, err, admission.Invalid, "otp", "Please verify the OTP.")
	})
}

func TestEnrolStoresTermsAndConsents(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(fields{"consents": "marketing,hiring_partners"})
		same(t, "ledger", w.texts("SELECT subject, ref, purpose, notice_version, language, ip, user_agent, at FROM consents ORDER BY purpose"), []string{
			"+91" + p.phone + " | " + p.registration + " | hiring_partners | 2026-11 | en-IN | 198.51.100.7 | test | 1795242600000000",
			"+91" + p.phone + " | " + p.registration + " | marketing | 2026-11 | en-IN | 198.51.100.7 | test | 1795242600000000",
			"+91" + p.phone + " | " + p.registration + " | terms:2026-11-01 | 2026-11 | en-IN | 198.51.100.7 | test | 1795242600000000",
		})
		w.catalogue[0].Terms = admission.Terms{Version: "2026-12-01", Hash: "7d7a"}
		w.clock.Pass(time.Minute)
		r, err := w.Enrol.RegistrationOfVisitor(w.ctx, p.Visitor, p.registration)
		w.must(err)
		equal(t, "terms that were agreed to", r.TermsVersion+" "+r.TermsHash, "2026-11-01 5e5f")
		r, err = p.enrol(nil)
		w.must(err)
		equal(t, "terms that are agreed to anew", r.TermsVersion+" "+r.TermsHash, "2026-12-01 7d7a")
		equal(t, "terms in the ledger", w.count("consents WHERE purpose = 'terms:2026-12-01'"), 1)
	})
}

func TestConsentLedgerRecordsChanges(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(fields{"consents": "marketing,hiring_partners"})
		for _, c := range []struct {
			sentence, notice, consents string
			want                       []string
		}{
			{"the same form again says nothing new", "2026-11", "marketing,hiring_partners", nil},
			{"a box that is no longer ticked is a withdrawal", "2026-11", "marketing", []string{"false hiring_partners"}},
			{"which happens once", "2026-11", "marketing", nil},
			{"a box that is ticked anew is a consent", "2026-11", "marketing,hiring_partners,reminders", []string{"true hiring_partners", "true reminders"}},
			{"under another notice all is agreed to anew", "2026-12", "marketing,hiring_partners,reminders",
				[]string{"true hiring_partners", "true marketing", "true reminders", "true terms:2026-11-01"}},
			{"without a tick all is withdrawn but the terms", "2026-12", "", []string{"false hiring_partners", "false marketing", "false reminders"}},
		} {
			w.clock.Pass(time.Minute)
			w.notice = c.notice
			_, err := p.enrol(fields{"consents": c.consents})
			w.must(err)
			got := []string{}
			for _, line := range w.texts("SELECT given, purpose FROM consents WHERE at = $1 ORDER BY purpose", w.clock.Now().UnixMicro()) {
				got = append(got, strings.NewReplacer("1 | ", "true ", "0 | ", "false ", " | ", " ").Replace(line))
			}
			same(t, c.sentence, got, c.want)
		}
	})
}

func TestEnquiryConsentsAreSeparate(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.verified()
		enquire := func(consents string) {
			t.Helper()
			w.clock.Pass(time.Minute)
			_, err := w.Contact.SendEnquiry(w.ctx, p.Visitor, map[string]string{
				"fullname": "Asha Rao", "email": p.email, "countryCode": "in", "dialLog": "91", "phone": p.phone, "consents": consents,
			})
			w.must(err)
		}
		marketing := func(given string) int {
			return w.count("consents WHERE subject = $1 AND purpose = 'marketing' AND given = "+given, "+91"+p.phone)
		}
		enquire("marketing")
		w.clock.Pass(time.Minute)
		_, err := p.enrol(nil)
		w.must(err)
		equal(t, "withdrawals by a form that was never ticked", marketing("FALSE"), 0)
		w.clock.Pass(time.Minute)
		_, err = p.enrol(fields{"consents": "marketing"})
		w.must(err)
		equal(t, "consents, each in its form", marketing("TRUE"), 2)
		enquire("")
		equal(t, "withdrawals", marketing("FALSE"), 0)
	})
}

func TestLeadRequiresConsent(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.Enrol.LeadWebhook = true
		p := w.somebody()
		in := map[string]string{"fullname": "Asha Rao", "email": p.email, "phone_number": p.phone}
		expectProblem(t, w.Enrol.SaveLead(w.ctx, p.Visitor, "KS_Mgrow", in), admission.Invalid, "consents", "Nothing is kept without your consent.")
		in["consents"] = "marketing"
		expectProblem(t, w.Enrol.SaveLead(w.ctx, p.Visitor, "KS_Mgrow", in), admission.Invalid, "consents", "Nothing is kept without your consent.")
		equal(t, "leads", w.count("leads"), 0)

		in["consents"] = "marketing,reminders"
		for range 2 {
			w.must(w.Enrol.SaveLead(w.ctx, p.Visitor, "KS_Mgrow", in))
		}
		same(t, "leads", w.texts("SELECT event_code, full_name, email, phone FROM leads"), []string{"KS_Mgrow | Asha Rao | " + p.email + " | +91" + p.phone})
		// The second time does the same, so that it does not reveal a known e-mail: its jobs find nothing.
		same(t, "consents", w.texts("SELECT DISTINCT subject, purpose FROM consents"), []string{p.email + " | reminders"})
		equal(t, "leads to forward", w.count("jobs WHERE kind = 'lead'"), 2)
		id := w.texts("SELECT id FROM leads")[0]
		equal(t, "leads to forward that there are", w.count("jobs WHERE kind = 'lead' AND ref = $1", id), 1)
		forwarded, err := w.Enrol.LeadByID(w.ctx, id)
		w.must(err)
		equal(t, "the phone that is forwarded", forwarded.Phone, "+91"+p.phone)
		for _, ref := range w.texts("SELECT ref FROM jobs WHERE kind = 'remind'") {
			w.must(w.Enrol.Remind(w.ctx, ref))
		}
		w.runJobs()
		equal(t, "mails", p.mails(), "enrolment-reminder")

		_, err = p.verify().enrol(nil)
		w.must(err)
		equal(t, "leads of somebody enrolled", w.count("leads"), 0)
		lead, err := w.Enrol.LeadByID(w.ctx, id)
		w.must(err)
		equal(t, "nothing is left to forward", lead == nil, true)
		// After enrolment the response is the same. The lead's jobs check the enrolment.
		w.must(w.Enrol.SaveLead(w.ctx, p.Visitor, "KS_Mgrow", in))
		id = w.texts("SELECT id FROM leads")[0]
		lead, err = w.Enrol.LeadByID(w.ctx, id)
		w.must(err)
		equal(t, "nothing is left to forward", lead == nil, true)
		w.must(w.Enrol.Remind(w.ctx, id))
		w.runJobs()
		equal(t, "leads of somebody enrolled", w.count("leads"), 0)
		equal(t, "mails", p.mails(), "enrolment-reminder")
	})
}
