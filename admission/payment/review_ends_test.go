package payment_test

import (
	"context"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/staff"
	"hiresure/integrations/payment/sandbox"
)

func TestReviewRefundedAtProvider(t *testing.T) {
	for name, end := range map[string]func(w *businesstest.World, txn string) error{
		"by itself": func(w *businesstest.World, _ string) error { w.Advance(2 * time.Minute); return nil },
		"refunded": func(w *businesstest.World, txn string) error {
			return w.Payment.OrderRefund(w.Ctx, txn, staff.Actor{Name: "test"})
		},
		"judged again": func(w *businesstest.World, txn string) error {
			_, err := w.Payment.JudgeAgain(w.Ctx, txn, staff.Actor{Name: "test"})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				p := w.Paying(nil)
				w.Sandbox.AfterNext("complete", func(s *method.Status) error { s.Charges[0].Amount.Minor *= 100; return nil })
				p.ReturnWith(sandbox.Paid)
				w.Clock.Pass(time.Second)
				w.Sandbox.SetDown(method.ErrUnknown) // so that it is not heard of yet
				w.Sandbox.EventAfterPayment(p.TxnID, sandbox.RefundedThere)
				w.Sandbox.SetDown(nil)
				w.Must(end(w, p.TxnID))
				w.Advance(2 * time.Minute)
				got := p.State(p.TxnID)
				businesstest.Equal(t, "state", got.State, payment.Refunded)
				businesstest.Equal(t, "the registration may be paid again", got.Step, enrol.StepUnpaid)
				businesstest.Equal(t, "mails", got.Mails, "payment-checked, refunded-review")
				mail := p.Mailed("refunded-review")
				businesstest.Equal(t, "the mail tells what went back", mail.Params["Amount"], "₹1,499.00")
				businesstest.Equal(t, "and leads to where it is paid", mail.Params["PayURL"], w.Payment.BaseURL+"/pay?scholarship_requested_id="+p.RegistrationID)
				businesstest.Same(t, "refunds", w.Texts("SELECT minor, state, reason FROM refunds"), []string{"149900 | done | at the provider"})
				businesstest.Same(t, "differences", reconcileNextDay(w), nil)
			})
		})
	}
}

// A refund that failed in review does not keep the payment, judged again, from going back.
func TestPaymentJudgedAgainGoesBackAfterAFailedRefund(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p, first := w.AbandonedAttempt(nil)
		w.Clock.Pass(15 * time.Second)
		w.Sandbox.AfterNext("fetch", onePaisaMore)
		w.Poll(first)
		w.Second.PressWithoutReturn(p.TxnID, sandbox.Paid)
		p.VerifyPayment()
		w.Sandbox.BeforeNext("refund", func(context.Context) error { return method.ErrDeclined })
		w.Must(w.Payment.OrderRefund(w.Ctx, first, staff.Actor{Name: "test"}))
		w.RunJobs()
		businesstest.Equal(t, "state after the refund failed", p.State(first).State, payment.Review)
		after, err := w.Payment.JudgeAgain(w.Ctx, first, staff.Actor{Name: "test"})
		w.Must(err)
		businesstest.Equal(t, "judged again", after.State, payment.RefundDue)
		w.RunJobs()
		businesstest.Equal(t, "state", p.State(first).State, payment.Refunded)
	})
}

// The review of an order that was charged twice is of the first charge that the provider held then, and ends as its refund.
func TestReviewOfTwoChargesEndsWithItsOwn(t *testing.T) {
	for own, sentence := range []string{"the first", "the second, as the first had gone back before"} {
		t.Run(sentence, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				p := w.Paying(nil)
				w.Sandbox.Deaf = true
				w.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
				w.Sandbox.EventAfterPayment(p.TxnID, sandbox.SecondCharge)
				charges := []string{"sbxpay_" + p.TxnID, "sbxpay_" + p.TxnID + "_2"}
				goBack := func(charges []string) {
					for _, charge := range charges {
						_, err := w.Sandbox.Bank.Refund(w.Ctx, method.Intent{TxnID: p.TxnID}, method.Charge{PaymentID: charge}, "by hand "+charge, admission.INR(1499_00))
						w.Must(err)
					}
				}
				goBack(charges[:own])
				w.Sandbox.AfterNext("fetch", func(s *method.Status) error {
					for i := range s.Charges {
						s.Charges[i].Amount.Minor++
					}
					return nil
				})
				w.Clock.Pass(3 * time.Second)
				businesstest.Equal(t, "state", p.VerifyPayment().State, payment.Review)
				goBack(charges[own:])
				w.Clock.Pass(time.Second)
				w.Sandbox.Deaf = false
				w.Must(w.Sandbox.SendWebhook(p.TxnID, "refund.processed"))
				w.RunJobs()
				businesstest.Equal(t, "state in the end", p.State(p.TxnID).State, payment.Refunded)
				businesstest.Same(t, "its charge", w.Texts("SELECT payment_id FROM transactions"), charges[own:own+1])
				businesstest.Same(t, "refunds", w.Texts("SELECT payment_id, minor, reason FROM refunds"), []string{charges[own] + " | 149900 | at the provider"})
				businesstest.Equal(t, "mails", p.State(p.TxnID).Mails, "payment-checked, refunded-review")
			})
		})
	}
}

func TestReviewRefundIsOfWholeCharge(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(nil)
		w.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
		w.Must(w.Sandbox.SetCharge(p.TxnID, admission.INR(149900_00)))
		w.Clock.Pass(3 * time.Second)
		businesstest.Equal(t, "state", p.VerifyPayment().State, payment.Review)
		w.Sandbox.EventAfterPayment(p.TxnID, sandbox.RefundedThere)
		w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
		businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Refunded)
		businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
	})
}

// Two staff members press at once, before a worker has sent the refund.
func TestReviewRefundIsOrderedOnce(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(nil)
		p.ReturnWith(sandbox.WrongAmount)
		w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "one"}))
		businesstest.ExpectProblem(t, w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "other"}), admission.Conflict, "", "the refund of payment "+p.TxnID+" is ordered already")
		w.Advance(2 * time.Minute)
		businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Refunded)
		businesstest.Same(t, "who ordered", w.Texts("SELECT who FROM entries WHERE what = 'refund ordered'"), []string{"one"})
		businesstest.Equal(t, "refunds", len(w.Texts("SELECT id FROM refunds")), 1)
	})
}

func TestBouncedReviewRefundIsRefundedAgain(t *testing.T) {
	for name, charge := range map[string]func(w *businesstest.World, p *businesstest.Person){
		"one paisa less":   func(_ *businesstest.World, p *businesstest.Person) { p.ReturnWith(sandbox.WrongAmount) },
		"another currency": func(_ *businesstest.World, p *businesstest.Person) { p.ReturnWith(sandbox.WrongCurrency) },
		"a hundred times as much": func(w *businesstest.World, p *businesstest.Person) {
			w.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
			w.Must(w.Sandbox.SetCharge(p.TxnID, admission.INR(149900_00)))
			w.Clock.Pass(3 * time.Second)
			p.VerifyPayment()
		},
	} {
		for end, again := range map[string]func(w *businesstest.World, txn string){
			"ordered": func(w *businesstest.World, txn string) {
				w.Must(w.Payment.OrderRefund(w.Ctx, txn, staff.Actor{Name: "test"}))
			},
			"by hand": func(w *businesstest.World, txn string) { w.Sandbox.EventAfterPayment(txn, sandbox.RefundedThere) },
		} {
			t.Run(name+", "+end, func(t *testing.T) {
				businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
					p := w.Paying(nil)
					charge(w, p)
					w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
					businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Refunded)
					w.Clock.Pass(time.Second)
					w.Sandbox.EventAfterPayment(p.TxnID, sandbox.RefundBounces)
					businesstest.Equal(t, "state when it has bounced", p.State(p.TxnID).State, payment.RefundDue)
					w.Clock.Pass(time.Second)
					again(w, p.TxnID)
					businesstest.Equal(t, "state in the end", p.State(p.TxnID).State, payment.Refunded)
					businesstest.Same(t, "differences", reconcileNextDay(w), nil)
				})
			})
		}
	}
}

func TestAcceptedReviewIsReconciled(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		part, twice := w.Paying(nil), w.Paying(nil)
		for p, what := range map[*businesstest.Person]sandbox.ChargeEvent{part: sandbox.PartRefundedThere, twice: sandbox.SecondCharge} {
			p.ReturnWith(sandbox.WrongAmount)
			w.Clock.Pass(time.Second)
			w.Sandbox.EventAfterPayment(p.TxnID, what)
			w.RunJobs()
			_, err := w.Payment.AcceptReview(w.Ctx, p.TxnID, staff.Actor{Name: "test"})
			w.Must(err)
		}
		businesstest.Equal(t, "mails of who got a part back", part.State(part.TxnID).Mails, "payment-checked, receipt, refunded-part")
		businesstest.Same(t, "credit notes", w.Texts("SELECT total_minor FROM credit_notes"), []string{"14989"})
		businesstest.Equal(t, "mails of somebody who was charged twice", twice.State(twice.TxnID).Mails, "payment-checked, receipt, refund-due, refund-started")
		businesstest.Same(t, "refunds", w.Texts("SELECT minor, state, reason FROM refunds ORDER BY minor"), []string{"14989 | done | at the provider", "149900 | done | second charge of one order"})
	})
}

func TestReviewOfPaidRegistrationDoesNotAskToPay(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, first := w.AbandonedAttempt(nil)
		w.Clock.Pass(15 * time.Second)
		w.Sandbox.AfterNext("fetch", onePaisaMore)
		w.Poll(first)
		w.Second.PressWithoutReturn(p.TxnID, sandbox.Paid)
		p.VerifyPayment()
		businesstest.Equal(t, "state", p.State(first).State, payment.Review)
		w.Must(w.Payment.OrderRefund(w.Ctx, first, staff.Actor{Name: "test"}))
		got := p.State(first)
		businesstest.Equal(t, "state", got.State, payment.Refunded)
		businesstest.Equal(t, "mails", got.Mails, "payment-checked, receipt, refund-started")
	})
}

func TestRefundedReviewReleasesCoupon(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, first := w.AbandonedAttempt(businesstest.WithCoupon)
		second := p.TxnID
		w.Second.PressWithoutReturn(second, sandbox.WrongAmount)
		businesstest.Equal(t, "the second", p.VerifyPayment().State, payment.Review)
		w.Clock.Pass(15 * time.Second)
		w.Poll(first)
		businesstest.Equal(t, "the first", p.State(first).State, payment.Paid)
		w.Must(w.Payment.OrderRefund(w.Ctx, second, staff.Actor{Name: "test"}))
		businesstest.Equal(t, "the second", p.State(second).State, payment.Refunded)
		businesstest.Same(t, "uses of the coupon", w.Texts("SELECT txn_id, state FROM coupon_uses WHERE state <> 'released'"), []string{first + " | used"})
	})
}
