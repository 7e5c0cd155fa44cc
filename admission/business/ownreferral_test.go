package business_test

import (
	"regexp"
	"strings"
	"testing"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/receipt"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
)

var referralShape = regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{8}$`)

// ownReferral returns the person's referral code.
func (p *person) ownReferral() string {
	p.t.Helper()
	return p.texts("SELECT own_referral FROM registrations WHERE id = $1", p.registration)[0]
}

func TestPayerGetsReferralCode(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, friend := w.paid(nil), w.enrolled(nil)
		code := p.ownReferral()
		number, key := p.ticket()
		if !referralShape.MatchString(code) || strings.Contains(number, code[:4]) || strings.Contains(key, code[:4]) {
			t.Errorf("code %q of the ticket %s, %s", code, number, key)
		}
		equal(t, "code of who has not paid", friend.ownReferral(), "")
		same(t, "its row", w.texts("SELECT owner_name, owner_phone, credit_minor FROM referrals WHERE code = $1", code), []string{"Asha Rao | +91" + p.phone + " | 20000"})

		expectProblem(t, w.Enrol.CheckReferral(w.ctx, p.Visitor, code, "+91"+p.phone), admission.Invalid, "referral_code", badReferee)
		w.must(w.Enrol.CheckReferral(w.ctx, friend.Visitor, strings.ToLower(code), "+91"+friend.phone))
		_, err := friend.enrol(fields{"referral_code": code})
		w.must(err)
		friend.mustStart("")
		equal(t, "credits before the friend has paid", w.count("referral_credits"), 0)
		friend.returnWith(sandbox.Paid)
		same(t, "credits", w.texts("SELECT code, registration_id, amount_minor FROM referral_credits"), []string{code + " | " + friend.registration + " | 20000"})

		_, err = w.Payment.Refund(w.ctx, p.txn)
		w.must(err)
		equal(t, "code after a refund", p.ownReferral(), code)
		equal(t, "credits after a refund of who owns the code", w.count("referral_credits WHERE cancelled_at = 0"), 1)
		expectProblem(t, w.Enrol.CheckReferral(w.ctx, friend.Visitor, code, ""), admission.Invalid, "referral_code", badReferee)
		_, err = w.verified().enrol(fields{"referral_code": code})
		expectProblem(t, err, admission.Invalid, "referral_code", badReferee)
	})
}

func TestSharerOfReferralCode(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paid(nil)
		code := p.ownReferral()
		sharer, err := w.Receipts.Sharer(w.ctx, code)
		w.must(err)
		equal(t, "who shares", sharer, receipt.Sharer{FullName: "Asha Rao", Course: "Blockchain", EventSlug: "hiresure-mgrow-2025", Code: code})
		_, err = w.Receipts.Sharer(w.ctx, "00000000")
		expectProblem(t, err, admission.NotFound, "", "Referral code not found.")
		blind := receipt.Service{} // without a store: it looks nothing up
		for _, wrong := range []string{"", "SETU2025", strings.ToLower(code), code[1:], code + "A", code[:7] + "\x00", p.registration, p.phone} {
			_, err := blind.Sharer(w.ctx, wrong)
			expectProblem(t, err, admission.NotFound, "", "Referral code not found.")
		}
		_, err = w.Payment.Refund(w.ctx, p.txn)
		w.must(err)
		_, err = w.Receipts.Sharer(w.ctx, code)
		expectProblem(t, err, admission.NotFound, "", "Referral code not found.")
	})
}

func TestFirstSourceIsKept(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(fields{"source": "utm_source=Poster&name=Asha"})
		source := func() string { return p.texts("SELECT source FROM registrations WHERE id = $1", p.registration)[0] }
		equal(t, "source", source(), "utm_source=poster")
		_, err := p.enrol(fields{"source": "utm_source=mail"})
		w.must(err)
		equal(t, "source after a change", source(), "utm_source=poster")
		other := w.enrolled(nil)
		equal(t, "source of nowhere", other.texts("SELECT source FROM registrations WHERE id = $1", other.registration)[0], "")
	})
}

func TestMissingReferralCodeIsIssued(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paid(nil)
		number, key := p.ticket()
		code := p.ownReferral()
		w.must(w.database.Update(w.ctx, func(tx store.Tx) error {
			r, err := tx.RegistrationForUpdate(p.registration)
			if err != nil {
				return err
			}
			r.OwnReferral = ""
			return tx.SaveRegistration(r)
		}))
		for range 2 {
			w.must(w.Receipts.IssueTickets(w.ctx))
		}
		if again := p.ownReferral(); !referralShape.MatchString(again) || again == code {
			t.Errorf("code %q, before %q", again, code)
		}
		after, keyAfter := p.ticket()
		equal(t, "ticket", after+" "+keyAfter, number+" "+key)
		equal(t, "codes drawn", w.count("referrals WHERE owner_phone = $1", "+91"+p.phone), 2)
		same(t, "series", w.texts("SELECT prefix, issued FROM ticket_series"), []string{"HS26 | 1"})
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
	each(t, func(t *testing.T, w *world) {
		var x *referrer
		r := w.issue(w.catalogue[0], noon, func(tx store.Tx) enrol.Tx { x = &referrer{Tx: tx}; return x })
		if len(x.asked) != 3 || r.OwnReferral != x.asked[2] || x.asked[0] == r.OwnReferral {
			t.Errorf("asked about %q, took %s", x.asked, r.OwnReferral)
		}
	})
}
