package enrol_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
)

var referralShape = regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{10}$`)

func TestPayerGetsReferralCode(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, friend := w.Paid(nil), w.Enrolled(nil)
		code := p.OwnReferral()
		number, key := p.Ticket()
		if !referralShape.MatchString(code) || strings.Contains(number, code[:4]) || strings.Contains(key, code[:4]) {
			t.Errorf("code %q of the ticket %s, %s", code, number, key)
		}
		businesstest.Equal(t, "code of somebody who has not paid", friend.OwnReferral(), "")
		businesstest.Same(t, "its row", w.Texts("SELECT owner_name, owner_phone, credit_minor FROM referrals WHERE code = $1", code), []string{"Asha Rao | +91" + p.Phone + " | 20000"})

		businesstest.ExpectProblem(t, w.Enrol.CheckReferral(w.Ctx, p.Visitor, code, "+91"+p.Phone), admission.Invalid, "referral_code", badReferee)
		w.Must(w.Enrol.CheckReferral(w.Ctx, friend.Visitor, strings.ToLower(code), "+91"+friend.Phone))
		_, err := friend.SubmitEnrolment(businesstest.Fields{"referral_code": code})
		w.Must(err)
		friend.MustStart("")
		businesstest.Equal(t, "credits before the friend has paid", w.Count("referral_credits"), 0)
		friend.ReturnWith(sandbox.Paid)
		businesstest.Same(t, "credits", w.Texts("SELECT code, registration_id, amount_minor FROM referral_credits"), []string{code + " | " + friend.RegistrationID + " | 20000"})

		_, err = w.Payment.Refund(w.Ctx, p.TxnID)
		w.Must(err)
		businesstest.Equal(t, "code after a refund", p.OwnReferral(), code)
		businesstest.Equal(t, "credits after a refund of who owns the code", w.Count("referral_credits WHERE cancelled_at = 0"), 1)
		businesstest.ExpectProblem(t, w.Enrol.CheckReferral(w.Ctx, friend.Visitor, code, ""), admission.Invalid, "referral_code", badReferee)
		_, err = w.Verified().SubmitEnrolment(businesstest.Fields{"referral_code": code})
		businesstest.ExpectProblem(t, err, admission.Invalid, "referral_code", badReferee)
	})
}

func TestFirstSourceIsKept(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(businesstest.Fields{"source": "utm_source=Poster&name=Asha"})
		source := func() string { return p.Texts("SELECT source FROM registrations WHERE id = $1", p.RegistrationID)[0] }
		businesstest.Equal(t, "source", source(), "utm_source=poster")
		_, err := p.SubmitEnrolment(businesstest.Fields{"source": "utm_source=mail"})
		w.Must(err)
		businesstest.Equal(t, "source after a change", source(), "utm_source=poster")
		other := w.Enrolled(nil)
		businesstest.Equal(t, "source of nowhere", other.Texts("SELECT source FROM registrations WHERE id = $1", other.RegistrationID)[0], "")
	})
}

func TestMissingReferralCodeIsIssued(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		number, key := p.Ticket()
		code := p.OwnReferral()
		w.Must(w.Database.Update(w.Ctx, func(tx store.Tx) error {
			r, err := tx.RegistrationForUpdate(p.RegistrationID)
			if err != nil {
				return err
			}
			r.OwnReferral = ""
			return tx.SaveRegistration(r)
		}))
		for range 2 {
			w.Must(w.Receipts.IssueTickets(w.Ctx))
		}
		if again := p.OwnReferral(); !referralShape.MatchString(again) || again == code {
			t.Errorf("code %q, before %q", again, code)
		}
		after, keyAfter := p.Ticket()
		businesstest.Equal(t, "ticket", after+" "+keyAfter, number+" "+key)
		businesstest.Equal(t, "codes drawn", w.Count("referrals WHERE owner_phone = $1", "+91"+p.Phone), 2)
		businesstest.Same(t, "series", w.Texts("SELECT prefix, issued FROM ticket_series"), []string{"HS26 | 1"})
	})
}

// A referrer has taken the first two codes that are looked up.
type referrer struct {
	store.Tx
	asked []string
}

func (x *referrer) Referral(code string) (*enrol.Referral, error) {
	if x.asked = append(x.asked, code); len(x.asked) <= 2 {
		if err := x.Tx.AddReferral(enrol.Referral{Code: code, OwnerName: "Another"}); err != nil {
			return nil, err
		}
	}
	return x.Tx.Referral(code)
}

func TestReferralCodeConflict(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		var x *referrer
		r := issue(w, w.Catalogue[0], businesstest.Noon, func(tx store.Tx) enrol.Tx { x = &referrer{Tx: tx}; return x })
		if len(x.asked) != 3 || r.OwnReferral != x.asked[2] || x.asked[0] == r.OwnReferral {
			t.Errorf("asked about %q, took %s", x.asked, r.OwnReferral)
		}
	})
}

func TestReferral(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		w.Must(w.Database.SaveReferral(w.Ctx, enrol.Referral{Code: "MYOWN123", OwnerName: "Asha Rao", OwnerPhone: "+919800000001", CreditMinor: 200_00}))
		owner := w.Verified()
		businesstest.Equal(t, "the owner's phone", owner.Phone, "9800000001")
		_, err := owner.SubmitEnrolment(businesstest.Fields{"referral_code": "MYOWN123"})
		businesstest.ExpectProblem(t, err, admission.Invalid, "referral_code", badReferee)
		_, err = owner.SubmitEnrolment(businesstest.Fields{"referral_code": "NOSUCH99"})
		businesstest.ExpectProblem(t, err, admission.Invalid, "referral_code", badReferee)
		businesstest.Equal(t, "registrations", w.Count("registrations"), 0)
		for code, message := range map[string]string{"MYOWN123": badReferee, "NOSUCH99": badReferee, "": badReferee, "SETU2025": "", "setu2025": ""} {
			err := w.Enrol.CheckReferral(w.Ctx, owner.Visitor, code, "+91"+owner.Phone)
			if message == "" {
				w.Must(err)
				continue
			}
			businesstest.ExpectProblem(t, err, admission.Invalid, "referral_code", message)
		}

		p := w.Paying(businesstest.Fields{"referral_code": "myown123"})
		businesstest.Equal(t, "credits before anybody paid", w.Count("referral_credits"), 0)
		for range 3 {
			p.ReturnWith(sandbox.Paid)
			w.Must(w.Sandbox.SendWebhook(p.TxnID, "payment.paid"))
			w.RunJobs()
		}
		businesstest.Same(t, "credits", w.Texts("SELECT code, registration_id, amount_minor, paid_at FROM referral_credits"), []string{"MYOWN123 | " + p.RegistrationID + " | 20000 | 0"})
		failed := w.Paying(businesstest.Fields{"referral_code": "SETU2025"})
		failed.ReturnWith(sandbox.Failed)
		businesstest.Equal(t, "credits", w.Count("referral_credits"), 1)

		stands := w.Paid(businesstest.Fields{"referral_code": "SETU2025"})
		w.Clock.Pass(time.Minute)
		_, err = w.Payment.Refund(w.Ctx, p.TxnID)
		w.Must(err)
		businesstest.Same(t, "credits after a refund", w.Texts("SELECT code, registration_id, amount_minor, paid_at, cancelled_at FROM referral_credits ORDER BY code"), []string{
			fmt.Sprintf("MYOWN123 | %s | 20000 | 0 | %d", p.RegistrationID, w.Clock.Now().UnixMicro()),
			"SETU2025 | " + stands.RegistrationID + " | 20000 | 0 | 0",
		})
	})
}
