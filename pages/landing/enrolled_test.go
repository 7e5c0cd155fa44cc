package landing

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/store"
	"hiresure/store/storetest"
)

// unpaidVisitor has enrolled with a coupon and has an open attempt; txn is that attempt.
func unpaidVisitor(t *testing.T, phone string) (v *visitor, txn string) {
	t.Helper()
	v = newSite(t, storetest.Open(t, storetest.SQLite(t))).visitor()
	v.proven(phone).press("apply-coupon", "coupon_code", "MGROW500").answers(http.StatusOK)
	return v, strings.TrimPrefix(v.press("pay").leadsTo("/checkout/"), "/checkout/")
}

func (o *site) change(phone string, change func(store.Tx, *enrol.Registration) error) {
	o.t.Helper()
	if err := o.store.Update(o.t.Context(), func(tx store.Tx) error {
		r, err := tx.RegistrationOf("KS_Mgrow", "+91"+phone)
		if err == nil {
			err = change(tx, r)
		}
		if err != nil {
			return err
		}
		return tx.SaveRegistration(r)
	}); err != nil {
		o.t.Fatal(err)
	}
}

func (o *site) changeAttempt(phone, txn string, change func(*payment.Transaction)) {
	o.t.Helper()
	o.change(phone, func(tx store.Tx, _ *enrol.Registration) error {
		t, err := tx.Transaction(txn)
		if err == nil {
			change(t)
			err = tx.SaveTransaction(t)
		}
		return err
	})
}

func (o *site) pay(phone, txn string) {
	o.t.Helper()
	o.change(phone, func(tx store.Tx, r *enrol.Registration) error {
		t, err := tx.Transaction(txn)
		if err != nil {
			return err
		}
		t.SettledAt = o.clock.Now()
		t.State = payment.Paid
		return errors.Join(tx.SaveTransaction(t), r.SetPaid(tx, o.events[0], txn, r.CouponCode, t.SettledAt))
	})
}

func TestPageShowsTheVisitorsEnrolment(t *testing.T) {
	const phone, page, form = "9876543210", "/scholarship/hiresure-mgrow-2025", "PROCEED TO PAY"
	const enrolled, unpaid, open = "You are enrolled, Asha", "One step is left, Asha", "Your payment is open, Asha"
	for _, row := range []struct {
		sentence string
		happens  func(v *visitor, txn string)
		address  string
		says     []string
		silentOn []string
	}{
		{
			"who has not paid is led on to pay", func(*visitor, string) {}, page,
			[]string{open, "999", "1,499", "MGROW500", "+91 98765 43210, verified", "Enrolment closes on", "Wednesday, 10\u00a0March\u00a0at\u00a023:59", `href="/success?kspay_id=`, "Not you? Log out", `class="sticky-bar"`,
				"by paying the exam fee", "₹</span>999</span></b> for the exam.", "Your ticket will be here once you have paid.", "Full refund until 7 Mar 2027. After that, one free move to the next exam. No refund if you do not win a scholarship. You owe nothing unless you join."},
			[]string{form, "Apply Now", enrolled, "Change what you typed", `href="/pay"`},
		},
		{
			"a payment that is open is not paid twice", func(*visitor, string) {}, page,
			[]string{open, "Paid already? Do not pay again: we ask your bank and ", "Never approved it? Open the payment and pay.", "See the payment", "is next"}, []string{"Continue to pay", "Try again", "being checked"},
		},
		{
			"who could not pay tries again", func(v *visitor, txn string) {
				v.changeAttempt(phone, txn, func(t *payment.Transaction) { t.State = payment.Failed })
			}, page,
			[]string{"Your payment did not go through, Asha", "Check your bank or UPI app first. Any amount deducted will be refunded in <span class=\"nowrap\">3-4 business</span> days.</b> You can wait for it, or pay again. If both payments arrive, we refund one.", `<p class="enrolled-page-lead">You are not enrolled yet.</p>`, "Fee, last tried on ", "Your details are saved. Only the payment is missing. Nobody calls you about it. We never ask for a code or for money by phone.", "Payment ID and help", `href="/success?kspay_id=`, "Enrolment closes on", "is missing", "Continue to pay", `href="/pay"`, "Not paid yet"}, []string{unpaid, "Try again", "paid already", `class="enrolled-page-refund"`},
		},
		{
			"the provider asks for another try", func(v *visitor, txn string) {
				v.changeAttempt(phone, txn, func(t *payment.Transaction) { t.AttemptFailed = true })
			}, page,
			[]string{"Your payment did not go through, Asha", "Continue to pay"}, []string{unpaid, "Try again"},
		},
		{
			"a payment that is being checked is not paid again", func(v *visitor, txn string) {
				v.changeAttempt(phone, txn, func(t *payment.Transaction) {
					t.State, t.Arrived, t.SettledAt = payment.Review, admission.INR(99800), v.clock.Now()
				})
			}, page,
			[]string{"Your payment is being checked, Asha", `<p class="enrolled-page-lead">Do not pay again.</p>`, "<p class=\"exam-ticket-label\">Received on ", "being checked", "998", " less than the fee of ", "We will write to " + phone + "@example.com by ", "We keep your place while we check, even if enrolment closes. Then your ticket comes, or we refund the whole amount within 3-4 business days, and you can pay again. Nobody calls you about it. We never ask for a code or for money by phone.", "Status and help", `href="/success?kspay_id=`}, []string{unpaid, "Continue to pay", "Try again", `href="/pay"`, "Enrolment closes on <", `class="enrolled-page-refund"`},
		},
		{
			"who did not pay in time goes on", func(v *visitor, txn string) {
				v.changeAttempt(phone, txn, func(t *payment.Transaction) { t.State = payment.Expired })
			}, page,
			[]string{unpaid, "Paid already? Do not pay again: we ask your bank and ", "Continue to pay", `href="/pay"`}, []string{"did not go through", "See the payment"},
		},
		{
			"a coupon that counts no more is named", func(v *visitor, txn string) {
				v.changeAttempt(phone, txn, func(t *payment.Transaction) { t.State = payment.Expired })
				v.change(phone, func(_ store.Tx, r *enrol.Registration) error { r.CouponCode = "OVER"; return nil })
			}, page,
			[]string{unpaid, "Do not pay again: we ask your bank and ", "Invalid coupon code. Please check and try again.", "1,499"}, nil,
		},
		{
			"the attempt is over: it can be changed", func(v *visitor, txn string) { v.clock.Pass(time.Hour) }, page,
			[]string{unpaid}, []string{form, enrolled},
		},
		{
			"who has paid sees the ticket", func(v *visitor, txn string) { v.pay(phone, txn) }, page,
			[]string{enrolled, "HS26-", "999", "Next: Mock test on", "Sunday, 28 February", "Study material comes by e-mail within two days.", "/exam.ics", "Receipt and invoice", `<a class="door" href="#enrol">`, "My ticket", "Keep it in an account", `href="/account/sign-up"`, `data-outcome="paid"`, "Full refund until 7 Mar 2027. After that, one free move to the next exam. No refund if you do not win a scholarship. You owe nothing unless you join.",
				"Done: you are enrolled, and your ticket is above.", "Planned for <span class=\"nowrap\">10:00 to 11:00,</span> confirmed by <span class=\"nowrap\">28 Feb 2027.</span>", "Planned for 10:00, confirmed by 28 Feb 2027"},
			[]string{form, ">Sign in<", "Apply Now", unpaid, `class="sticky-bar"`, "Continue to pay", "by paying the exam fee"},
		},
		{
			"a coupon in the address is for somebody who has not paid", func(*visitor, string) {}, page + "?couponCode=MGROW500",
			[]string{form, `value="MGROW500"`}, []string{unpaid},
		},
		{
			"a coupon in the address is nothing to somebody who has paid", func(v *visitor, txn string) { v.pay(phone, txn) }, page + "?couponCode=MGROW500",
			[]string{enrolled}, []string{form},
		},
		{
			"after a refund one may enrol anew", func(v *visitor, txn string) {
				v.pay(phone, txn)
				v.change(phone, func(_ store.Tx, r *enrol.Registration) error { r.Refunded = true; return nil })
			}, page, []string{form, "Apply Now", `<a class="door" href="/hiresure">`, "Receipt</span>", "Your refund and the credit note"}, []string{enrolled, unpaid, "Asha", ">Sign in<"},
		},
		{"another event is another matter", func(v *visitor, txn string) { v.pay(phone, txn) }, "/scholarship/hiresure-campus-2026", []string{form}, []string{enrolled, "Asha"}},
		{"the other layout knows it too", func(v *visitor, txn string) { v.pay(phone, txn) }, "/apply/hiresure-mgrow-2025", []string{enrolled}, []string{form}},
		{
			"enrolment is over for somebody who has not paid", func(v *visitor, txn string) {
				v.changeAttempt(phone, txn, func(t *payment.Transaction) { t.State = payment.Expired })
				v.clock.Set(v.events[0].ClosesAt)
			}, page, []string{"Enrolment is closed"}, []string{form, unpaid, "Asha"},
		},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			v, txn := unpaidVisitor(t, phone)
			row.happens(v, txn)
			v.get(row.address)
			v.answers(http.StatusOK).says(row.says...).silentOn(row.silentOn...)
			if got := v.header.Get("Cache-Control"); strings.Contains(v.body, "Asha") && got != "no-store" {
				t.Errorf("Cache-Control %q on a page for one", got)
			}
			stranger := v.visitor()
			stranger.get(row.address)
			stranger.says(`<a class="door" href="/account/sign-in">`, ">Sign in<").silentOn(enrolled, unpaid, "Asha", "HS26-", "My ticket", "Keep it in an account")
		})
	}
}

func TestPageShowsOneFee(t *testing.T) {
	const phone, page = "9876543210", "/scholarship/hiresure-mgrow-2025"
	v, txn := unpaidVisitor(t, phone)
	for _, row := range []struct {
		sentence string
		happens  func()
		listed   int // how often the page shows another person's fee
	}{
		{"to somebody who has yet to pay it, beside the one that is struck", func() {}, 1},
		{"to somebody who has paid it", func() { v.pay(phone, txn) }, 0},
	} {
		row.happens()
		v.get(page)
		if got := strings.Count(v.body, "1,499"); got != row.listed || strings.Count(v.body, "999") < 5 {
			t.Errorf("%s: ₹1,499 stands %d times, want %d", row.sentence, got, row.listed)
		}
	}
	stranger := v.visitor()
	stranger.get(page)
	if strings.Contains(visible(stranger.body), "₹999") {
		t.Error("a stranger reads what somebody else pays")
	}
}

func TestPageShowsTheNextDate(t *testing.T) {
	const phone = "9876543210"
	o := newSite(t, storetest.Open(t, storetest.SQLite(t)))
	const late = "9876543211"
	early := o.visitor()
	o.clock.Set(time.Date(2027, 2, 27, 23, 0, 0, 0, admission.IST))
	o.pay(phone, strings.TrimPrefix(early.proven(phone).press("pay").leadsTo("/checkout/"), "/checkout/"))
	after := o.visitor()
	o.clock.Set(time.Date(2027, 3, 6, 23, 0, 0, 0, admission.IST))
	after.get("/scholarship/hiresure-mgrow-2025")
	after.answers(http.StatusOK).says(`<p><b>Any</b> day</p>`, `<p class="meta">Before the exam</p>`).silentOn(">28</b> February")
	o.pay(late, strings.TrimPrefix(after.proven(late).press("pay").leadsTo("/checkout/"), "/checkout/"))
	for _, row := range []struct {
		v        *visitor
		day      time.Time
		says     []string
		silentOn []string
	}{
		{after, time.Date(2027, 3, 8, 0, 0, 0, 0, admission.IST), []string{"Next: Mock test on", "any day before the exam</strong>, one hour online.", "to the exam"}, []string{`28 February</strong>`, `>28</b>`}},
		{after, time.Date(2027, 3, 14, 0, 0, 0, 0, admission.IST), []string{"Next: Exam on"}, []string{"any day before the exam</strong>"}},
		{early, time.Date(2027, 2, 28, 12, 0, 0, 0, admission.IST), []string{"Next: Mock test on", "Sunday, 28 February", "to the exam", "exam.ics"}, nil},
		{early, time.Date(2027, 3, 8, 0, 0, 0, 0, admission.IST), []string{"Next: Exam on", "Sunday, 14 March", "<b>14</b>", "<b>22</b>", "exam.ics", "The full refund ended on 7 Mar 2027. Now you have one free move to the next exam."}, []string{"Mock test on", "to the exam"}},
		{early, time.Date(2027, 3, 15, 0, 0, 0, 0, admission.IST), []string{"Next: Results on", "Monday, 22 March", "<b>5</b>"}, []string{"Exam on <", "to the exam", "exam.ics", `class="enrolled-page-refund"`}},
	} {
		o.clock.Set(row.day)
		row.v.get("/scholarship/hiresure-mgrow-2025")
		row.v.answers(http.StatusOK).says("You are enrolled, Asha").says(row.says...).silentOn(row.silentOn...)
	}
}

func TestPageNeedsNoDatabase(t *testing.T) {
	v, _ := unpaidVisitor(t, "9876543210")
	if err := v.store.Close(); err != nil {
		t.Fatal(err)
	}
	v.get("/scholarship/hiresure-mgrow-2025")
	v.answers(http.StatusOK).says("PROCEED TO PAY").silentOn("Asha")
}

func TestNextDateIsOneSentence(t *testing.T) {
	for text, want := range map[string]string{"": ".", "One hour online.": ", one hour online."} {
		if got := (nextDate{Text: text}).more(); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
