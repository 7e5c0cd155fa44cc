package enrol_test

import (
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/forms"
	"hiresure/forms/formstest"
	"hiresure/integrations/payment/sandbox"
)

func TestEnrolCreatesOneRegistration(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.Verified()
		typed := formstest.Good("enrolment")
		typed["email"], typed["phone_number"] = p.Email, p.Phone
		ids := make([]string, 10)
		for _, err := range businesstest.Concurrently(10, func(i int) error {
			r, err := w.Enrol.Enrol(w.Ctx, p.Visitor, "KS_Mgrow", "KS_Mgrow_2025", maps.Clone(typed))
			ids[i] = r.ID
			return err
		}) {
			w.Must(err)
		}
		for _, id := range ids {
			businesstest.Equal(t, "registration", id, ids[0])
		}
		businesstest.Equal(t, "registrations", w.Count("registrations"), 1)
		businesstest.Same(t, "timeline", w.Texts("SELECT what FROM entries"), []string{"enrolled"})

		campus, err := p.SubmitEnrolment(businesstest.Fields{"event": "KS_Campus"})
		w.Must(err)
		businesstest.Equal(t, "another event is another registration", campus.ID != ids[0], true)
	})
}

func TestEnrolContinuesBeforePayment(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(nil)
		first := p.RegistrationID
		w.Clock.Pass(time.Hour)
		p.Email = "asha.rao@example.com"
		r, err := p.SubmitEnrolment(businesstest.Fields{
			"fullname": "Asha Rao Bhat", "selected_course": "Artificial_Intelligence", "state": "Kerala", "company_name": "St. Mary's College", "coupon_code": "mgrow500", "referral_code": "SETU2025",
		})
		w.Must(err)
		if want := (enrol.Registration{
			ID: first, EventSlug: "hiresure-mgrow-2025", EventCode: "KS_Mgrow", SubeventCode: "KS_Mgrow_2025", FullName: "Asha Rao Bhat", Email: "asha.rao@example.com",
			Phone: "+91" + p.Phone, Course: "Artificial_Intelligence", StateCode: "32", College: "St. Mary's College", ReferralCode: "SETU2025", CouponCode: "MGROW500", Adult: true,
			Step: enrol.StepVerified, TermsVersion: "2026-11-01", TermsHash: "5e5f", TermsAt: businesstest.Noon.Add(time.Hour), CreatedAt: businesstest.Noon, ModifiedAt: businesstest.Noon.Add(time.Hour),
			FormVersion: forms.Get("enrolment").Version,
		}); !reflect.DeepEqual(r, want) {
			t.Errorf("registration: got %+v, want %+v", r, want)
		}
		businesstest.Equal(t, "status", r.Status(), "Number Verified")

		// Another browser that verifies the phone continues the same one.
		p.NewBrowser()
		_, err = p.SubmitEnrolment(nil)
		businesstest.ExpectProblem(t, err, admission.Invalid, "otp", "Please verify the OTP.")
		w.Clock.Pass(time.Minute)
		r, err = p.VerifyPhone().SubmitEnrolment(nil)
		w.Must(err)
		businesstest.Equal(t, "registration", r.ID, first)
		businesstest.Equal(t, "registrations", w.Count("registrations"), 1)
	})
}

func TestEnrolKeepsTheAmountOfAnOpenAttempt(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(businesstest.WithCoupon)
		r, err := p.SubmitEnrolment(businesstest.Fields{"coupon_code": "", "state": "Kerala"})
		w.Must(err)
		businesstest.Equal(t, "coupon, State", r.CouponCode+" "+r.StateCode, " 32")
		due, err := w.Payment.Due(w.Ctx, p.Visitor, p.RegistrationID)
		w.Must(err)
		businesstest.Equal(t, "due", due.Price.Final, admission.INR(999_00))
		businesstest.Equal(t, "open attempt", due.Open.ID, p.TxnID)
		businesstest.Equal(t, "another way to pay takes", due.Methods[1].Charge, admission.INR(1499_00))
		p.ReturnWith(sandbox.Failed)
		businesstest.Equal(t, "the next attempt charges", p.MustStart("").Charge, admission.INR(1499_00))
	})
}

func TestEnrolAfterPaymentIsAConflict(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		_, err := p.SubmitEnrolment(businesstest.Fields{"fullname": "Somebody Else"})
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "You have already paid for this programme. Your receipt is in your e-mail.")
		businesstest.Same(t, "name", w.Texts("SELECT full_name FROM registrations"), []string{"Asha Rao"})

		_, err = w.Payment.Refund(w.Ctx, p.TxnID)
		w.Must(err)
		first := p.RegistrationID
		second, err := p.SubmitEnrolment(nil)
		w.Must(err)
		businesstest.Equal(t, "a refunded registration allows a new one", second.ID != first, true)
		p.MustStart("")
		p.ReturnWith(sandbox.Paid)
		businesstest.Same(t, "registrations that stand paid", w.Texts("SELECT id FROM registrations WHERE paid_txn_id <> '' AND refunded = FALSE"), []string{second.ID})
		businesstest.Same(t, "numbers", w.Texts("SELECT number FROM invoices ORDER BY serial"), []string{"KS/26-27/000001", "KS/26-27/000002"})
	})
}

// Anybody can type anybody's e-mail.
func TestUnpaidUnverifiedEmailBlocksNobody(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		squatter, owner := w.Somebody(), w.Somebody()
		squatter.VerifyPhone()
		_, err := squatter.SubmitEnrolment(businesstest.Fields{"email": owner.Email})
		w.Must(err)
		owner.VerifyPhone()
		_, err = owner.SubmitEnrolment(nil)
		w.Must(err)
		owner.MustStart("")
		owner.ReturnWith(sandbox.Paid)
		_, err = squatter.SubmitEnrolment(businesstest.Fields{"email": owner.Email})
		businesstest.ExpectProblem(t, err, admission.Conflict, "email", "This email is already in use. Please try another.")
		businesstest.Equal(t, "registrations", w.Count("registrations"), 2)
	})
}

func TestEnrolRejects(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		holder := w.Paid(nil)
		for i, e := range []admission.Event{
			{Code: "KS_Draft", Published: false},
			{Code: "KS_Soon", Published: true, OpensAt: businesstest.Noon.Add(24 * time.Hour), ClosesAt: businesstest.Noon.Add(48 * time.Hour)},
			{Code: "KS_Over", Published: true, OpensAt: businesstest.Noon.Add(-48 * time.Hour), ClosesAt: businesstest.Noon},
			{Code: "KS_Full", Published: true, OpensAt: businesstest.Noon.Add(-48 * time.Hour), ClosesAt: businesstest.Noon.Add(48 * time.Hour), SoldOut: true},
		} {
			e.Fee, e.Courses = admission.INR(1499_00+int64(i)), []string{"Blockchain"}
			w.Catalogue = append(w.Catalogue, e)
		}
		p := w.Verified()
		for _, c := range []struct {
			name           string
			changes        businesstest.Fields
			kind           admission.Kind
			field, message string
		}{
			{"the e-mail of another verified phone", businesstest.Fields{"email": holder.Email}, admission.Conflict, "email", "This email is already in use. Please try another."},
			{"that e-mail in capitals", businesstest.Fields{"email": "ASHA1@EXAMPLE.COM"}, admission.Conflict, "email", "This email is already in use. Please try another."},
			{"a phone that is not proven", businesstest.Fields{"phone_number": "9812345678"}, admission.Invalid, "otp", "Please verify the OTP."},
			{"the phone of somebody else", businesstest.Fields{"phone_number": holder.Phone}, admission.Invalid, "otp", "Please verify the OTP."},
			{"an unknown event", businesstest.Fields{"event": "KS_Nothing"}, admission.NotFound, "", "Programme not found."},
			{"an event that is not published", businesstest.Fields{"event": "KS_Draft"}, admission.Conflict, "", "Enrolment for this programme is closed."},
			{"an event that is not open yet", businesstest.Fields{"event": "KS_Soon"}, admission.Conflict, "", "Enrolment opens on 22 Nov 2026."},
			{"an event that is over", businesstest.Fields{"event": "KS_Over"}, admission.Conflict, "", "Enrolment for this programme closed on 21 Nov 2026."},
			{"an event without seats", businesstest.Fields{"event": "KS_Full"}, admission.Conflict, "", "All seats of this programme are taken."},
			{"a course of another event", businesstest.Fields{"event": "KS_Campus", "selected_course": "Artificial_Intelligence"}, admission.Invalid, "selected_course", "Please choose a course from the list."},
			{"no terms", businesstest.Fields{"agreed_terms_conditions": ""}, admission.Invalid, "agreed_terms_conditions", "Please check terms and conditions"},
			{"an unknown coupon", businesstest.Fields{"coupon_code": "NOSUCH99"}, admission.Invalid, "coupon_code", badCoupon},
			{"no word about the age", businesstest.Fields{"adult": ""}, admission.Invalid, "adult", "Please tell us whether you are 18 or older."},
			{"under 18, without a guardian", businesstest.Fields{"adult": "false"}, admission.Invalid, "guardian_name", "Please enter guardian’s name (2–50 characters)"},
			{"under 18, with a guardian who has not consented", businesstest.Fields{"adult": "false", "guardian_name": "Meera Rao", "guardian_phone": "9898989898"}, admission.Invalid, "guardian_otp", "Please verify the OTP."},
			{"a guardian with the same phone", businesstest.Fields{"adult": "false", "guardian_name": "Meera Rao", "guardian_phone": p.Phone, "guardian_shares_phone": "false"}, admission.Invalid, "guardian_phone", "Guardian’s phone number must be different from yours."},
			{"a guardian who shares the phone, by the applicant's code", businesstest.Fields{"adult": "false", "guardian_name": "Meera Rao", "guardian_phone": p.Phone, "guardian_shares_phone": "true", "guardian_relation": "Mother", "guardian_birth_year": "1981"}, admission.Invalid, "guardian_otp", "Please verify the OTP."},
		} {
			t.Run(c.name, func(t *testing.T) {
				_, err := p.SubmitEnrolment(c.changes)
				businesstest.ExpectProblem(t, err, c.kind, c.field, c.message)
			})
		}
		_, err := w.Enrol.Enrol(w.Ctx, p.Visitor, "KS_Mgrow", "KS_Campus_2026", map[string]string{})
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Programme not found.")
		businesstest.Equal(t, "registrations", w.Count("registrations"), 1)
		businesstest.Equal(t, "consents of whom nothing is kept", w.Count("consents WHERE subject = $1", "+91"+p.Phone), 0)
	})
}

func TestEnrolMinor(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Verified()
		const guardian = "9898989898"
		w.Must(p.VerifyCode(access.ForGuardian, guardian))
		under18 := businesstest.Fields{"adult": "false", "guardian_name": "Meera Rao", "guardian_phone": guardian, "consents": "marketing,hiring_partners"}
		r, err := p.SubmitEnrolment(under18)
		w.Must(err)
		ledger := func() []string {
			return w.Texts("SELECT purpose, given FROM consents WHERE subject = '+91" + p.Phone + "' ORDER BY at, purpose")
		}
		businesstest.Same(t, "what nobody under 18 is asked", ledger(), []string{"terms:2026-11-01 | 1"})
		w.Clock.Pass(time.Minute)
		_, err = p.SubmitEnrolment(businesstest.Fields{"consents": "marketing"})
		w.Must(err)
		w.Clock.Pass(time.Minute)
		_, err = p.SubmitEnrolment(businesstest.Fields{"event": "KS_Campus", "selected_course": "Blockchain", "consents": "partner_college"})
		w.Must(err)
		w.Clock.Pass(time.Minute)
		_, err = p.SubmitEnrolment(under18)
		w.Must(err)
		businesstest.Same(t, "what was said as an adult is taken back", ledger(), []string{"terms:2026-11-01 | 1", "marketing | 1", "partner_college | 1", "terms:2026-11-01 | 1", "marketing | 0", "partner_college | 0", "terms:2026-11-01 | 1"})
		businesstest.Equal(t, "adult", r.Adult, false)
		businesstest.Equal(t, "guardian", r.GuardianName+" "+r.GuardianPhone, "Meera Rao +91"+guardian)

		// A guardian's code does not verify the applicant's phone.
		ward := w.Somebody()
		w.Must(ward.VerifyCode(access.ForGuardian, "9797979797"))
		ward.Phone = "9797979797"
		_, err = ward.SubmitEnrolment(nil)
		businesstest.ExpectProblem(t, err, admission.Invalid, "otp", "Please verify the OTP.")
	})
}

func TestEnrolMinorWhoseGuardianSharesThePhone(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.Verified()
		_, err := w.Access.RequestCode(w.Ctx, p.Visitor, access.PhoneCodeInput{ // at once: the applicant's minute is not the guardian's
			Purpose: access.ForGuardian, Phone: p.Phone, EventCode: "KS_Mgrow", GuardianOf: access.Student{Name: "Asha Verma", Phone: "+91 " + p.Phone, SharesPhone: true},
		})
		w.Must(err)
		w.Clock.Pass(time.Minute)
		w.Must(p.VerifyCode(access.ForGuardian, p.Phone))
		businesstest.Same(t, "codes", w.Texts("SELECT template FROM messages ORDER BY template"), []string{"guardian-otp", "guardian-otp", "otp"})
		shared := businesstest.Fields{
			"adult": "false", "guardian_name": "Meera Rao", "guardian_phone": p.Phone, "guardian_shares_phone": "true", "guardian_relation": "Legal guardian", "guardian_birth_year": "1981",
		}
		r, err := p.SubmitEnrolment(shared)
		w.Must(err)
		marks := func() []string {
			return w.Texts("SELECT guardian_phone, CASE WHEN shared_phone THEN 'shared' ELSE 'own' END FROM registrations")
		}
		businesstest.Same(t, "the registration is marked", marks(), []string{"+91" + p.Phone + " | shared"})
		businesstest.Equal(t, "relation and year of birth", r.Answers["guardian_relation"]+" "+r.Answers["guardian_birth_year"], "Legal guardian 1981")

		const guardian = "9898989898"
		w.Must(p.VerifyCode(access.ForGuardian, guardian))
		shared["guardian_phone"] = guardian
		r, err = p.SubmitEnrolment(shared)
		w.Must(err)
		businesstest.Same(t, "a guardian with another number takes the mark away", marks(), []string{"+91" + guardian + " | own"})
		businesstest.Equal(t, "answers", len(r.Answers), 0)
	})
}

func TestEnrolStoresTermsAndConsents(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(businesstest.Fields{"consents": "marketing,hiring_partners"})
		businesstest.Same(t, "ledger", w.Texts("SELECT subject, ref, purpose, notice_version, language, ip, user_agent, at FROM consents ORDER BY purpose"), []string{
			"+91" + p.Phone + " | " + p.RegistrationID + " | hiring_partners | 2026-11 | en-IN | 198.51.100.7 | test | 1795242600000000",
			"+91" + p.Phone + " | " + p.RegistrationID + " | marketing | 2026-11 | en-IN | 198.51.100.7 | test | 1795242600000000",
			"+91" + p.Phone + " | " + p.RegistrationID + " | terms:2026-11-01 | 2026-11 | en-IN | 198.51.100.7 | test | 1795242600000000",
		})
		w.Catalogue[0].Terms = admission.Terms{Version: "2026-12-01", Hash: "7d7a"}
		w.Clock.Pass(time.Minute)
		r, err := w.Enrol.RegistrationOfVisitor(w.Ctx, p.Visitor, p.RegistrationID)
		w.Must(err)
		businesstest.Equal(t, "terms that were agreed to", r.TermsVersion+" "+r.TermsHash, "2026-11-01 5e5f")
		r, err = p.SubmitEnrolment(nil)
		w.Must(err)
		businesstest.Equal(t, "terms that are agreed to anew", r.TermsVersion+" "+r.TermsHash, "2026-12-01 7d7a")
		businesstest.Equal(t, "terms in the ledger", w.Count("consents WHERE purpose = 'terms:2026-12-01'"), 1)
	})
}

func TestConsentLedgerRecordsChanges(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(businesstest.Fields{"consents": "marketing,hiring_partners"})
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
			w.Clock.Pass(time.Minute)
			w.Notice = c.notice
			_, err := p.SubmitEnrolment(businesstest.Fields{"consents": c.consents})
			w.Must(err)
			got := []string{}
			for _, line := range w.Texts("SELECT given, purpose FROM consents WHERE at = $1 ORDER BY purpose", w.Clock.Now().UnixMicro()) {
				got = append(got, strings.NewReplacer("1 | ", "true ", "0 | ", "false ", " | ", " ").Replace(line))
			}
			businesstest.Same(t, c.sentence, got, c.want)
		}
	})
}

func TestLeadRequiresConsent(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		w.Enrol.LeadWebhook = true
		p := w.Somebody()
		in := map[string]string{"fullname": "Asha Rao", "email": p.Email, "phone_number": p.Phone}
		businesstest.ExpectProblem(t, w.Enrol.SaveLead(w.Ctx, p.Visitor, "KS_Mgrow", in), admission.Invalid, "consents", "Nothing is kept without your consent.")
		in["consents"] = "marketing"
		businesstest.ExpectProblem(t, w.Enrol.SaveLead(w.Ctx, p.Visitor, "KS_Mgrow", in), admission.Invalid, "consents", "Nothing is kept without your consent.")
		businesstest.Equal(t, "leads", w.Count("leads"), 0)

		in["consents"] = "marketing,reminders"
		for range 2 {
			w.Must(w.Enrol.SaveLead(w.Ctx, p.Visitor, "KS_Mgrow", in))
		}
		businesstest.Same(t, "leads", w.Texts("SELECT event_code, full_name, email, phone FROM leads"), []string{"KS_Mgrow | Asha Rao | " + p.Email + " | +91" + p.Phone})
		// The second time does the same, so that it does not reveal a known e-mail: its jobs find nothing.
		businesstest.Same(t, "consents", w.Texts("SELECT DISTINCT subject, purpose FROM consents"), []string{p.Email + " | reminders"})
		businesstest.Equal(t, "leads to forward", w.Count("jobs WHERE kind = 'lead'"), 2)
		id := w.Texts("SELECT id FROM leads")[0]
		businesstest.Equal(t, "leads to forward that there are", w.Count("jobs WHERE kind = 'lead' AND ref = $1", id), 1)
		forwarded, err := w.Enrol.LeadByID(w.Ctx, id)
		w.Must(err)
		businesstest.Equal(t, "the phone that is forwarded", forwarded.Phone, "+91"+p.Phone)
		for _, ref := range w.Texts("SELECT ref FROM jobs WHERE kind = 'remind'") {
			w.Must(w.Enrol.Remind(w.Ctx, ref))
		}
		w.RunJobs()
		businesstest.Equal(t, "mails", p.Mails(), "enrolment-reminder")

		_, err = p.VerifyPhone().SubmitEnrolment(nil)
		w.Must(err)
		businesstest.Equal(t, "leads of somebody enrolled", w.Count("leads"), 0)
		lead, err := w.Enrol.LeadByID(w.Ctx, id)
		w.Must(err)
		businesstest.Equal(t, "nothing is left to forward", lead == nil, true)
		// After enrolment the response is the same. The lead's jobs check the enrolment.
		w.Must(w.Enrol.SaveLead(w.Ctx, p.Visitor, "KS_Mgrow", in))
		id = w.Texts("SELECT id FROM leads")[0]
		lead, err = w.Enrol.LeadByID(w.Ctx, id)
		w.Must(err)
		businesstest.Equal(t, "nothing is left to forward", lead == nil, true)
		w.Must(w.Enrol.Remind(w.Ctx, id))
		w.RunJobs()
		businesstest.Equal(t, "leads of somebody enrolled", w.Count("leads"), 0)
		businesstest.Equal(t, "mails", p.Mails(), "enrolment-reminder")
	})
}

func TestFormAnswersAreStored(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		first := w.Enrolled(nil).RegistrationID // of the form that ships
		w.AddFields()
		p := w.Verified()
		_, err := p.SubmitEnrolment(businesstest.Fields{"hobby_horse": " Kites ", "owns_telescope": "true", "telescope_name": "big-eye", "spare_evenings": "late_week", "referral_code": "SETU2025"})
		w.Must(err)
		got := w.Texts("SELECT COALESCE(answers, 'none'), form_version FROM registrations ORDER BY form_version")
		businesstest.Same(t, "answers", got, businesstest.StoredVersions("enrolment", `{"hobby_horse":"Kites","owns_telescope":"true","spare_evenings":"late_week","telescope_name":"big-eye"}`))
		businesstest.Equal(t, "another registration", p.RegistrationID != first, true)
		_, typed, err := w.Enrol.Typed(w.Ctx, p.Visitor, p.RegistrationID)
		w.Must(err)
		for name, want := range map[string]string{
			"hobby_horse": "Kites", "owns_telescope": "true", "telescope_name": "big-eye", "spare_evenings": "late_week", "hobby_story": "", "referral_code": "SETU2025", "state": "Karnataka",
		} {
			businesstest.Equal(t, name, typed[name], want)
		}

		_, err = p.SubmitEnrolment(businesstest.Fields{"hobby_horse": "a horse with far more letters than thirty"})
		businesstest.ExpectProblem(t, err, admission.Invalid, "hobby_horse", "Your hobby horse must have at most 30 letters.")
		_, err = p.SubmitEnrolment(businesstest.Fields{"telescope_name": "big-eye"}) // which does not apply without a telescope
		w.Must(err)
		businesstest.Same(t, "answers", w.Texts("SELECT COALESCE(answers, 'none') FROM registrations"), []string{"none", "none"})
	})
}
