package mydata_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/payment"
	"hiresure/admission/staff"
	"hiresure/integrations/payment/sandbox"
)

// deleteAccount signs in by phone and requests a deletion seven days ago.
func deleteAccount(p *businesstest.Person) {
	p.T.Helper()
	_, err := p.SignIn(p.Phone)
	p.Must(err)
	p.Must(p.MyData.RequestDeletion(p.Ctx, p.Visitor))
	p.Advance(7 * 24 * time.Hour)
	p.Advance(time.Minute)
	businesstest.Equal(p.T, "accounts", p.Count("accounts"), 0)
	businesstest.Equal(p.T, "messages to somebody who was deleted", p.Count("messages WHERE recipient IN ($1, $2)", "+91"+p.Phone, p.Email), 0)
}

const forNobody = "payment received after its person was deleted: it is refunded"

func TestPaymentAfterDeletionIsRefunded(t *testing.T) {
	for what, minor := range map[string]int64{"the price": 999_00, "another amount": 500_00} {
		t.Run(what, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				p := w.Paying(businesstest.Fields{"coupon_code": "MGROW500", "referral_code": "SETU2025"}).SignedIn()
				w.Advance(time.Hour)
				w.Clock.Pass(8 * 24 * time.Hour) // given up, and not asked about any more
				w.RunJobs()
				businesstest.Equal(t, "given up", p.State(p.TxnID).State, payment.Expired)
				deleteAccount(p)
				before := len(w.Post.Delivered)
				w.Sandbox.CaptureLate(p.TxnID)
				w.Must(w.Sandbox.SetCharge(p.TxnID, admission.Money{Minor: minor, Currency: "INR"}))
				w.Poll(p.TxnID)
				w.Poll(p.TxnID) // reported a second time
				businesstest.Equal(t, "alerts", count(w.Alerts.All(), forNobody), 1)
				w.RunJobs()
				w.Advance(time.Hour)
				businesstest.Same(t, "the payment", w.Texts("SELECT state FROM transactions"), []string{string(payment.Refunded)})
				businesstest.Same(t, "refunds", w.Texts("SELECT minor, state, reason FROM refunds"), []string{fmt.Sprint(minor, " | done | paid for a deleted registration")})
				businesstest.Same(t, "the registration", w.Texts("SELECT full_name, email, paid_txn_id, ticket_key, own_referral FROM registrations"), []string{" |  |  |  | "})
				businesstest.Same(t, "the coupon", w.Texts("SELECT state FROM coupon_uses"), []string{"released"})
				businesstest.Same(t, "what has happened to it", w.Texts("SELECT what FROM entries WHERE what LIKE '%refund%' ORDER BY what"), []string{"paid after its person was deleted, refund due", "refunded"})
				for _, table := range []string{"messages", "invoices", "referral_credits", "links"} {
					businesstest.Equal(t, table, w.Count(table), 0)
				}
				businesstest.Equal(t, "delivered", len(w.Post.Delivered), before)
				businesstest.Equal(t, "alerts of a review", slices.Contains(w.Alerts.All(), "payment in review: amount or currency differ"), false)
			})
		})
	}
}

func TestBouncedRefundAfterDeletionIsRefundedAgain(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(businesstest.Fields{"referral_code": "SETU2025"}).SignedIn()
		w.Clock.Pass(time.Second)
		w.Sandbox.EventAfterPayment(p.TxnID, sandbox.RefundedThere)
		w.Advance(8 * 24 * time.Hour)
		deleteAccount(p)
		w.Sandbox.EventAfterPayment(p.TxnID, sandbox.RefundBounces)
		w.RunJobs()
		businesstest.Same(t, "the payment", w.Texts("SELECT state FROM transactions"), []string{string(payment.RefundDue)})
		businesstest.Same(t, "the place stays refunded", w.Texts("SELECT refunded FROM registrations"), []string{businesstest.True(w)})
		businesstest.Equal(t, "credits that stand", w.Count("referral_credits WHERE cancelled_at = 0"), 0)
		businesstest.Equal(t, "messages", w.Count("messages"), 0)
		businesstest.Same(t, "alerts", w.Alerts.All(), []string{"refund returned by the payer's bank"})
		w.Clock.Pass(time.Second)
		w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
		w.RunJobs()
		businesstest.Same(t, "the payment at last", w.Texts("SELECT state FROM transactions"), []string{string(payment.Refunded)})
	})
}

func TestDeletionEndsReferralCode(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		owner := w.Paid(nil).SignedIn()
		code := strings.Join(w.Texts("SELECT own_referral FROM registrations"), "")
		came := w.Paid(businesstest.Fields{"referral_code": code})
		w.Clock.Pass(time.Second)
		was := w.Paid(businesstest.Fields{"referral_code": code})
		late := w.Paying(businesstest.Fields{"referral_code": code})
		credits := func() []string {
			return w.Texts("SELECT CASE WHEN cancelled_at = 0 THEN 'stands' ELSE 'ended' END FROM referral_credits ORDER BY created_at, id")
		}
		businesstest.Same(t, "credits", credits(), []string{"stands", "stands"})
		w.Clock.Pass(time.Second)
		w.Sandbox.EventAfterPayment(was.TxnID, sandbox.RefundedThere)
		w.Advance(8 * 24 * time.Hour)
		businesstest.Same(t, "credits after a refund", credits(), []string{"stands", "ended"})
		deleteAccount(owner)
		businesstest.Same(t, "credits after the deletion", credits(), []string{"ended", "ended"})

		const unknown = "Invalid referral code. Please check and try again."
		for _, asked := range []string{code, "NOBODYS2"} {
			err := came.Enrol.CheckReferral(came.Ctx, came.Visitor, asked, "")
			businesstest.ExpectProblem(t, err, admission.Invalid, "referral_code", unknown)
			_, err = w.Verified().SubmitEnrolment(businesstest.Fields{"referral_code": asked})
			businesstest.ExpectProblem(t, err, admission.Invalid, "referral_code", unknown)
		}
		late.MustStart("")
		late.ReturnWith(sandbox.Paid)
		businesstest.Equal(t, "who came by it before is paid", late.State(late.TxnID).State, payment.Paid)
		w.Sandbox.EventAfterPayment(was.TxnID, sandbox.RefundBounces)
		w.RunJobs()
		businesstest.Equal(t, "whose refund bounced is paid", was.State(was.TxnID).State, payment.Paid)
		businesstest.Same(t, "credits in the end", credits(), []string{"ended", "ended"})
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
