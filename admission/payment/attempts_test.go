package payment_test

import (
	"context"
	"fmt"
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

func TestAttemptLimitPerRegistration(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		w.Access.RateLimitsOff = false
		p := w.Enrolled(nil)
		for range 10 {
			p.MustStart("")
			p.ReturnWith(sandbox.Failed)
		}
		_, err := p.Start("")
		if problem := admission.AsProblem(err); problem == nil || problem.Kind != admission.TooMany || problem.RetryAfter != time.Hour {
			t.Errorf("the eleventh attempt: %v, want an hour's wait", err)
		}
		businesstest.Equal(t, "attempts", w.Count("transactions"), 10)
		w.Clock.Pass(time.Hour)
		p.MustStart("")
	})
}

func TestAttemptLimitKeepsOpenAttempt(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		w.Access.RateLimitsOff = false
		p := w.Enrolled(nil)
		for range 5 {
			p.MustStart("sandbox")
			p.MustStart("second")
		}
		open := p.TxnID
		_, err := p.Start("sandbox")
		businesstest.ExpectProblem(t, err, admission.TooMany, "", "Too many tries. Please wait 60 minutes and try again.")
		businesstest.Equal(t, "the tenth", p.State(open).State, payment.Pending)
		businesstest.Equal(t, "goes on", p.MustStart("second").ID, open)
	})
}

func TestOtherAttemptIsCancelledAfterPayment(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, first := w.AbandonedAttempt(nil)
		second := p.TxnID
		w.Advance(2 * time.Minute)
		businesstest.Equal(t, "the first", p.State(first).State, payment.Paid)
		businesstest.Equal(t, "the second", p.State(second).State, payment.Expired)
		businesstest.Equal(t, "mails", p.State(first).Mails, "receipt")
		businesstest.Same(t, "differences", reconcileNextDay(w), nil)
	})
}

func TestFailureOfAnotherPaymentIsIgnored(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(businesstest.WithCoupon)
		for _, said := range []method.Status{{State: method.ChargeFailed}, {State: method.ChargePending, AttemptFailed: true}, {State: method.ChargeRefunded}} {
			said.TxnID = admission.NewID()
			_, err := w.Payment.Settle(w.Ctx, p.TxnID, said)
			w.Must(err)
		}
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled"})
	})
}

func TestClockSetBackDoesNotStopQueries(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(nil)
		p.VerifyPayment()
		w.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
		w.Clock.Pass(-5 * time.Minute)
		businesstest.Equal(t, "state", p.VerifyPayment().State, payment.Paid)
	})
}

func TestForgedReturnDoesNotStopQueries(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(nil)
		w.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
		_, err := w.Payment.Complete(w.Ctx, p.TxnID, method.Return{Form: map[string][]string{"outcome": {"paid"}}})
		businesstest.ExpectProblem(t, err, admission.Invalid, "", "Something went wrong.")
		businesstest.Equal(t, "state", p.VerifyPayment().State, payment.Paid)
	})
}

// Enrolling again during a payment changes the registration, not the payment.
func TestIntentIsFrozen(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(nil)
		_, err := p.SubmitEnrolment(businesstest.Fields{"fullname": "Asha Bhat", "email": "other@example.com", "state": "Maharashtra"})
		w.Must(err)
		p.ReturnWith(sandbox.Paid)
		businesstest.Same(t, "the invoice", w.Texts("SELECT buyer_name, buyer_email, place_of_supply FROM invoices"), []string{"Asha Rao | " + p.Email + " | Karnataka"})
		businesstest.Equal(t, "payments known to the provider by a name of their own", w.Count("transactions WHERE LENGTH(merchant_ref) = 20"), 1)
	})
}

func TestUnconfiguredGateway(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(businesstest.Fields{"coupon_code": "LASTSEAT"})
		w.OpenWithout(w.Sandbox)
		w.Advance(29 * time.Minute)
		businesstest.Equal(t, "state", w.Texts("SELECT state FROM transactions")[0], "pending")
		w.Advance(time.Minute)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Expired, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Mails: "payment-missing", Timeline: "enrolled, payment expired"})
		businesstest.Same(t, "alerts", w.Alerts.All(), []string{"payment expired at a gateway that is not configured: check whether it was paid"})
		_, err := p.Start("")
		businesstest.ExpectProblem(t, err, admission.Unavailable, "", "Payment is not possible at the moment.")
		header, body := w.Sandbox.Bank.SignedWebhook(p.TxnID, "payment.paid")
		_, _, err = w.Payment.ReceiveWebhook(w.Ctx, "sandbox", payment.Webhook{Header: header, Body: body})
		businesstest.ExpectProblem(t, err, admission.Unavailable, "", "This gateway is not configured at the moment.")
		businesstest.Equal(t, "events", w.Count("inbox"), 0)

		w.Sandbox.CaptureLate(p.TxnID)
		w.Open(w.Sandbox, w.Second)
		w.Advance(time.Hour)
		businesstest.Equal(t, "once it is configured again", w.Texts("SELECT state FROM transactions")[0], "paid")
	})
}

func TestRefusedCredentialsAlertOncePerDay(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(nil)
		w.Sandbox.SetDown(fmt.Errorf("%w: 401", method.ErrCredentials))
		w.Advance(6 * time.Hour)
		businesstest.Same(t, "alerts", w.Alerts.All(), []string{"gateway refuses our credentials: sandbox"})
		w.Advance(24 * time.Hour)
		businesstest.Equal(t, "alerts a day later", len(w.Alerts.All()), 2)
		w.Sandbox.SetDown(nil)
		w.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
		w.Advance(5 * time.Minute)
	})
}

func TestOneReviewPerRegistration(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, first := w.AbandonedAttempt(nil)
		second := p.TxnID
		w.Second.PressWithoutReturn(second, sandbox.WrongAmount)
		businesstest.Equal(t, "the second", p.VerifyPayment().State, payment.Review)
		w.Clock.Pass(15 * time.Second)
		w.Sandbox.AfterNext("fetch", func(s *method.Status) error { s.Charges[0].Amount.Minor--; return nil })
		w.Poll(first)
		businesstest.Equal(t, "the first goes back by itself", p.State(first).State, payment.Refunded)
		_, err := p.Start("")
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "Your payment is being checked. We e-mail you as soon as we know more.")
		w.Must(w.Payment.OrderRefund(w.Ctx, second, staff.Actor{Name: "test"}))
	})
}

func TestDueRefundWaitsForGateway(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(nil)
		p.ReturnWith(sandbox.WrongAmount)
		w.OpenWithout(w.Sandbox)
		w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
		w.Advance(time.Hour)
		businesstest.Same(t, "alerts", w.Alerts.All(), []string{"payment in review: amount or currency differ", "a refund waits for a gateway that is not configured: sandbox"})
		w.Open(w.Sandbox, w.Second)
		w.Advance(24 * time.Hour)
		businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Refunded)
		businesstest.Same(t, "refunds", w.Texts("SELECT minor FROM refunds"), []string{"149899"})
	})
}

// A provider may fail for a week and then be removed from the configuration.
func TestOldAttemptOfRemovedGatewayEnds(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(businesstest.Fields{"coupon_code": "LASTSEAT"})
		w.Sandbox.SetDown(method.ErrUnknown)
		w.Advance(8 * 24 * time.Hour)
		businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Pending)
		w.OpenWithout(w.Sandbox)
		w.Advance(time.Hour)
		businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Expired)
		businesstest.Equal(t, "coupon", p.State(p.TxnID).Coupon, "released")
		businesstest.Same(t, "alerts", w.Alerts.All(), []string{"payment expired at a gateway that is not configured: check whether it was paid"})
	})
}

func TestStaleAnswerChangesNothing(t *testing.T) {
	for what, want := range map[sandbox.ChargeEvent]payment.State{
		sandbox.DisputeOpens: payment.Disputed, sandbox.RefundedThere: payment.Refunded, sandbox.RefundBounces: payment.Paid,
	} {
		t.Run(string(what), func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				p := w.Paid(nil)
				if what == sandbox.RefundBounces {
					w.RunRefund(p.TxnID)
				}
				w.Clock.Pass(time.Second)
				w.Sandbox.AfterNext("complete", func(*method.Status) error {
					w.Sandbox.EventAfterPayment(p.TxnID, what)
					w.RunJobs()
					businesstest.Equal(t, "state", p.State(p.TxnID).State, want)
					return nil
				})
				_, err := w.Payment.Complete(w.Ctx, p.TxnID, method.Return{Form: w.Sandbox.Press(p.TxnID, sandbox.Paid)})
				w.Must(err)
				w.RunJobs()
				businesstest.Equal(t, "state", p.State(p.TxnID).State, want)
				businesstest.Equal(t, "disputes won", w.Count("entries WHERE what = 'dispute won'"), 0)
			})
		})
	}
}

// recordsIntents records the intents passed to its provider.
type recordsIntents struct {
	*businesstest.Provider
	told *[]method.Intent
}

func (g recordsIntents) Cancel(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	*g.told = append(*g.told, in)
	return g.Provider.Cancel(ctx, in, ref)
}

func (g recordsIntents) Fetch(ctx context.Context, in method.Intent, ref string) (method.Status, error) {
	*g.told = append(*g.told, in)
	return g.Provider.Fetch(ctx, in, ref)
}

func watch(w *businesstest.World) *[]method.Intent {
	told := &[]method.Intent{}
	entry := w.Payment.Gateways[0]
	entry.Gateway = recordsIntents{w.Sandbox, told}
	w.Payment.Gateways[0] = entry
	return told
}

// A provider captures an authorised payment if the intent is wanted.
func TestAbandonedAttemptIsNotCaptured(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		told := watch(w)
		p := w.Enrolled(nil)
		first := p.MustStart("sandbox").ID
		*told = nil
		p.MustStart("second")
		if len(*told) == 0 {
			t.Fatal("the provider was not told that the first attempt is given up")
		}
		for _, in := range *told {
			if in.TxnID != first || in.Wanted {
				t.Errorf("told of %s, wanted: %t", in.TxnID, in.Wanted)
			}
		}
	})
}
