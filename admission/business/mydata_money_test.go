package business_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment"
	"hiresure/integrations/payment/sandbox"
)

// deleteAccount signs in by phone and requests a deletion seven days ago.
func (p *person) deleteAccount() {
	p.t.Helper()
	_, err := p.signIn(p.phone)
	p.must(err)
	p.must(p.MyData.RequestDeletion(p.ctx, p.Visitor))
	p.advance(7 * 24 * time.Hour)
	p.advance(time.Minute)
	equal(p.t, "accounts", p.count("accounts"), 0)
	equal(p.t, "messages to who was deleted", p.count("messages WHERE recipient IN ($1, $2)", "+91"+p.phone, p.email), 0)
}

const forNobody = "money came for somebody who was deleted: it goes back"

func TestPaymentAfterDeletionIsRefunded(t *testing.T) {
	for what, minor := range map[string]int64{"the price": 999_00, "another amount": 500_00} {
		t.Run(what, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				p := w.paying(fields{"coupon_code": "MGROW500", "referral_code": "SETU2025"}).signedIn()
				w.advance(time.Hour)
				w.clock.Pass(8 * 24 * time.Hour) // given up, and not asked about any more
				w.runJobs()
				equal(t, "given up", p.state(p.txn).State, payment.Expired)
				p.deleteAccount()
				before := len(w.post.delivered)
				w.sandbox.captureLate(p.txn)
				w.must(w.sandbox.setCharge(p.txn, admission.Money{Minor: minor, Currency: "INR"}))
				w.poll(p.txn)
				w.poll(p.txn) // heard again
				equal(t, "alerts", count(w.alerts.all(), forNobody), 1)
				w.runJobs()
				w.advance(time.Hour)
				same(t, "the payment", w.texts("SELECT state FROM transactions"), []string{string(payment.Refunded)})
				same(t, "refunds", w.texts("SELECT minor, state, reason FROM refunds"), []string{fmt.Sprint(minor, " | done | paid for who was deleted")})
				same(t, "the registration", w.texts("SELECT full_name, email, paid_txn_id, ticket_key, own_referral FROM registrations"), []string{" |  |  |  | "})
				same(t, "the coupon", w.texts("SELECT state FROM coupon_uses"), []string{"released"})
				same(t, "what has happened to it", w.texts("SELECT what FROM entries WHERE what LIKE '%refund%' ORDER BY what"), []string{"paid after its person was deleted, refund due", "refunded"})
				for _, table := range []string{"messages", "invoices", "referral_credits", "links"} {
					equal(t, table, w.count(table), 0)
				}
				equal(t, "delivered", len(w.post.delivered), before)
				equal(t, "alerts of a review", slices.Contains(w.alerts.all(), "payment in review: amount or currency differ"), false)
			})
		})
	}
}

func TestBouncedRefundAfterDeletionIsRefundedAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paid(fields{"referral_code": "SETU2025"}).signedIn()
		w.clock.Pass(time.Second)
		w.sandbox.eventAfterPayment(p.txn, sandbox.RefundedThere)
		w.advance(8 * 24 * time.Hour)
		p.deleteAccount()
		w.sandbox.eventAfterPayment(p.txn, sandbox.RefundBounces)
		w.runJobs()
		same(t, "the payment", w.texts("SELECT state FROM transactions"), []string{string(payment.RefundDue)})
		same(t, "the place stays refunded", w.texts("SELECT refunded FROM registrations"), []string{dbTrue(w)})
		equal(t, "credits that stand", w.count("referral_credits WHERE cancelled_at = 0"), 0)
		equal(t, "messages", w.count("messages"), 0)
		same(t, "alerts", w.alerts.all(), []string{bouncedAlert})
		w.clock.Pass(time.Second)
		w.must(w.Payment.OrderRefund(w.ctx, p.txn, "test"))
		w.runJobs()
		same(t, "the payment at last", w.texts("SELECT state FROM transactions"), []string{string(payment.Refunded)})
	})
}

func TestDeletionEndsReferralCode(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		owner := w.paid(nil).signedIn()
		code := strings.Join(w.texts("SELECT own_referral FROM registrations"), "")
		came := w.paid(fields{"referral_code": code})
		w.clock.Pass(time.Second)
		was := w.paid(fields{"referral_code": code})
		late := w.paying(fields{"referral_code": code})
		credits := func() []string {
			return w.texts("SELECT CASE WHEN cancelled_at = 0 THEN 'stands' ELSE 'ended' END FROM referral_credits ORDER BY created_at, id")
		}
		same(t, "credits", credits(), []string{"stands", "stands"})
		w.clock.Pass(time.Second)
		w.sandbox.eventAfterPayment(was.txn, sandbox.RefundedThere)
		w.advance(8 * 24 * time.Hour)
		same(t, "credits after a refund", credits(), []string{"stands", "ended"})
		owner.deleteAccount()
		same(t, "credits after the deletion", credits(), []string{"ended", "ended"})

		const unknown = "Invalid referral code. Please check and try again."
		for _, asked := range []string{code, "NOBODYS2"} {
			err := came.Enrol.CheckReferral(came.ctx, came.Visitor, asked, "")
			expectProblem(t, err, admission.Invalid, "referral_code", unknown)
			_, err = w.verified().enrol(fields{"referral_code": asked})
			expectProblem(t, err, admission.Invalid, "referral_code", unknown)
		}
		late.mustStart("")
		late.returnWith(sandbox.Paid)
		equal(t, "who came by it before is paid", late.state(late.txn).State, payment.Paid)
		w.sandbox.eventAfterPayment(was.txn, sandbox.RefundBounces)
		w.runJobs()
		equal(t, "whose refund bounced is paid", was.state(was.txn).State, payment.Paid)
		same(t, "credits in the end", credits(), []string{"ended", "ended"})
	})
}

func count(all []string, one string) (n int) {
	for _, each := range all {
		if each == one {
			n++
		}
	}
	return n
}
