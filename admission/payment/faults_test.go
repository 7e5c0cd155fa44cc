package payment_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

// shown returns an attempt's outcome on the wire.
func shown(t payment.Transaction) payment.Outcome { return t.Outcome() }

// TestFaultsBeforeAPaymentIsPaid lets something go wrong at the open checkout and expects exactly one payment.
func TestFaultsBeforeAPaymentIsPaid(t *testing.T) {
	for name, fault := range map[string]func(*testing.T, *businesstest.Person){
		"one webhook comes fifty times at once": func(t *testing.T, p *businesstest.Person) {
			p.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
			header, body := p.Sandbox.Bank.SignedWebhook(p.TxnID, "payment.paid")
			for _, err := range businesstest.Concurrently(50, func(int) error {
				ack, _, err := p.Payment.ReceiveWebhook(p.Ctx, "sandbox", payment.Webhook{Header: header, Body: body})
				if err == nil && !bytes.HasPrefix(ack, []byte("received ")) {
					err = fmt.Errorf("acknowledged with %q", ack)
				}
				return err
			}) {
				p.Must(err)
			}
			businesstest.Equal(t, "events", p.Count("inbox"), 1)
			businesstest.Equal(t, "jobs", p.Count("jobs WHERE kind = 'event'"), 1)
		},
		"the webhook comes before the redirect": func(_ *testing.T, p *businesstest.Person) { p.ReturnWith(sandbox.WebhookFirst) },
		"the webhook comes twice before the redirect": func(t *testing.T, p *businesstest.Person) {
			p.ReturnWith(sandbox.WebhookTwice)
			businesstest.Equal(t, "events", p.Count("inbox"), 1)
		},
		"the redirect is lost, the webhook comes": func(t *testing.T, p *businesstest.Person) {
			businesstest.Equal(t, "state before the worker comes", p.ReturnWith(sandbox.WebhookOnly).State, payment.Pending)
		},
		"the redirect comes, the webhook is lost": func(_ *testing.T, p *businesstest.Person) { p.ReturnWith(sandbox.Paid) },
		"redirect and webhook are lost, the poller asks": func(t *testing.T, p *businesstest.Person) {
			p.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
			p.Advance(29 * time.Second)
			businesstest.Equal(t, "payments paid after 29 s", p.Count("transactions WHERE state = 'paid'"), 0)
			p.Advance(time.Second)
		},
		"events come out of order": func(t *testing.T, p *businesstest.Person) {
			p.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
			for _, event := range []string{"payment.paid", "payment.authorized", "refund.processed", "payment.failed"} {
				p.Must(p.Sandbox.SendWebhook(p.TxnID, event))
				p.RunJobs()
			}
			businesstest.Equal(t, "events", p.Count("inbox"), 4)
		},
		"the query says success, the provider says nothing": func(t *testing.T, p *businesstest.Person) {
			form := map[string][]string{"payment_status": {"Success"}, "kspay_id": {p.TxnID}, "provider_payment_id": {"sbxpay_" + p.TxnID}, "outcome": {"paid"}}
			_, err := p.Payment.Complete(p.Ctx, p.TxnID, method.Return{Form: form})
			businesstest.ExpectProblem(t, err, admission.Invalid, "", "Something went wrong.")
			p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled"})
			p.ReturnWith(sandbox.Paid)
		},
		"the browser brings the button of another payment": func(t *testing.T, p *businesstest.Person) {
			_, err := p.Payment.Complete(p.Ctx, p.TxnID, method.Return{Form: p.Sandbox.Press(admission.NewID(), sandbox.Paid)})
			businesstest.ExpectProblem(t, err, admission.Invalid, "", "Something went wrong.")
			p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled"})
			p.ReturnWith(sandbox.Paid)
		},
		"the provider times out twice after the charge": func(t *testing.T, p *businesstest.Person) {
			businesstest.Equal(t, "what the visitor sees", shown(p.ReturnWith(sandbox.Timeout)), payment.OutcomePending)
			p.Clock.Pass(2 * time.Second)
			businesstest.Equal(t, "what the visitor sees", shown(p.VerifyPayment()), payment.OutcomePending)
			p.Clock.Pass(2 * time.Second)
			p.VerifyPayment()
		},
		"the provider answers 500 three times after the charge": func(t *testing.T, p *businesstest.Person) {
			businesstest.Equal(t, "what the visitor sees", shown(p.ReturnWith(sandbox.Error500)), payment.OutcomePending)
			for range 2 {
				p.Clock.Pass(2 * time.Second)
				businesstest.Equal(t, "what the visitor sees", shown(p.VerifyPayment()), payment.OutcomePending)
			}
			p.Clock.Pass(2 * time.Second)
			p.VerifyPayment()
		},
		"the answer is torn": func(t *testing.T, p *businesstest.Person) {
			p.Sandbox.AfterNext("complete", func(*method.Status) error { return fmt.Errorf("%w: unexpected end of JSON", method.ErrUnknown) })
			businesstest.Equal(t, "what the visitor sees", shown(p.ReturnWith(sandbox.Paid)), payment.OutcomePending)
			p.Clock.Pass(2 * time.Second)
			p.VerifyPayment()
		},
		"the provider is down while a webhook is handled": func(t *testing.T, p *businesstest.Person) {
			p.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
			p.Must(p.Sandbox.SendWebhook(p.TxnID, "payment.paid"))
			p.Sandbox.SetDown(method.ErrUnknown)
			p.RunJobs()
			businesstest.Equal(t, "events handled", p.Count("inbox WHERE handled_at <> 0"), 0)
			p.Sandbox.SetDown(nil)
			p.Advance(time.Second)
		},
		"the process dies between charge and record": func(t *testing.T, p *businesstest.Person) {
			p.Sandbox.AfterNext("complete", func(*method.Status) error {
				p.Recorder.BeforeCommit(func(*businesstest.RecordedTx) error { return errors.New("the process is gone") })
				return nil
			})
			if _, err := p.Payment.Complete(p.Ctx, p.TxnID, method.Return{Form: p.Sandbox.Press(p.TxnID, sandbox.Paid)}); err == nil {
				t.Error("the record stood")
			}
			p.Recorder.BeforeCommit(nil)
			p.Open(p.Sandbox, p.Second)
			p.Advance(30 * time.Second)
		},
		"the process dies between record and mail": func(t *testing.T, p *businesstest.Person) {
			p.ReturnWith(sandbox.Paid)
			businesstest.Equal(t, "mails before the process died", p.Mails(), "")
			p.Open(p.Sandbox, p.Second)
		},
		"mails cannot be delivered for an hour": func(t *testing.T, p *businesstest.Person) {
			p.Post.SetDown(errors.New("connection refused"))
			p.ReturnWith(sandbox.Paid)
			for range 60 {
				p.Advance(time.Minute)
			}
			businesstest.Equal(t, "mails", p.Mails(), "")
			p.Post.SetDown(nil)
			p.Advance(time.Hour)
		},
		"the pay button is clicked twice": func(t *testing.T, p *businesstest.Person) {
			again := p.MustStart("")
			businesstest.Equal(t, "attempts", p.Count("transactions"), 1)
			businesstest.Equal(t, "orders at the provider", p.Count("sandbox_orders"), 1)
			businesstest.Equal(t, "state", again.State, payment.Pending)
			p.ReturnWith(sandbox.Paid)
		},
		"the browser returns ten times at once": func(_ *testing.T, p *businesstest.Person) {
			for _, err := range businesstest.Concurrently(10, func(int) error {
				_, err := p.Payment.Complete(p.Ctx, p.TxnID, method.Return{Form: p.Sandbox.Press(p.TxnID, sandbox.Paid)})
				return err
			}) {
				p.Must(err)
			}
		},
		"the database refuses to serialise while settling": func(t *testing.T, p *businesstest.Person) {
			failures := []string{"40001", "40P01"}
			p.Recorder.BeforeCommit(func(x *businesstest.RecordedTx) error {
				if x.Invoices == 0 || len(failures) == 0 {
					return nil
				}
				code := failures[0]
				failures = failures[1:]
				return &pgconn.PgError{Code: code, Message: "in the way of another"}
			})
			p.ReturnWith(sandbox.Paid)
			businesstest.Equal(t, "failures left", len(failures), 0)
			businesstest.Same(t, "invoices", p.Texts("SELECT serial FROM invoices"), []string{"1"})
		},
		"the coupon is changed between start and payment": func(t *testing.T, p *businesstest.Person) {
			p.Clock.Pass(time.Minute)
			_, err := p.SubmitEnrolment(businesstest.Fields{"coupon_code": "FULLSEAT", "fullname": "Asha Rao Bhat"})
			p.Must(err)
			kept := func() string {
				r, err := p.Enrol.RegistrationOfVisitor(p.Ctx, p.Visitor, p.RegistrationID)
				p.Must(err)
				return r.FullName + ", " + r.CouponCode
			}
			businesstest.Equal(t, "for the next payment", kept(), "Asha Rao Bhat, FULLSEAT")
			businesstest.Equal(t, "charge", p.MustStart("").Charge, admission.INR(999_00))
			p.ReturnWith(sandbox.Paid)
			businesstest.Equal(t, "once this one is paid", kept(), "Asha Rao Bhat, MGROW500")
		},
		"the clock jumps back five minutes": func(_ *testing.T, p *businesstest.Person) {
			p.Clock.Pass(-5 * time.Minute)
			p.ReturnWith(sandbox.Paid)
		},
		"the clock jumps ahead ten minutes": func(_ *testing.T, p *businesstest.Person) {
			p.Clock.Pass(10 * time.Minute)
			p.ReturnWith(sandbox.Paid)
		},
	} {
		t.Run(name, func(t *testing.T) {
			businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
				p := w.Paying(businesstest.WithCoupon)
				fault(t, p)
				p.ExpectState(p.TxnID, businesstest.PaidOnce)
			})
		})
	}
}

// TestHangingProviderTimesOut looks at how long the caller would have waited, and waits not at all.
func TestHangingProviderTimesOut(t *testing.T) {
	for call, most := range map[string]time.Duration{"start": 4 * time.Second, "complete": 8 * time.Second, "fetch": 4 * time.Second, "cancel": 4 * time.Second} {
		t.Run(call, func(t *testing.T) {
			businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
				hung := false
				hangs := func(ctx context.Context) error {
					deadline, ends := ctx.Deadline()
					if wait := time.Until(deadline); !ends || wait > most || wait < most-time.Second {
						t.Errorf("the caller waits %s", wait)
					}
					hung = true
					return context.DeadlineExceeded
				}
				p := w.Enrolled(nil)
				if call != "start" {
					p.MustStart("")
				}
				w.Sandbox.BeforeNext(call, hangs)
				var seen payment.Transaction
				switch call {
				case "start":
					seen = p.MustStart("")
				case "complete":
					seen = p.ReturnWith(sandbox.Paid)
				case "fetch":
					seen = p.VerifyPayment()
				case "cancel": // the other method does not depend on it
					seen = p.MustStart("second")
				}
				businesstest.Equal(t, "the provider was asked", hung, true)
				businesstest.Equal(t, "what the visitor sees", seen.Outcome(), payment.OutcomePending)
				businesstest.Equal(t, "state", seen.State, payment.Pending)
			})
		})
	}
}

func TestProviderDownLeavesPaymentsPending(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(businesstest.WithCoupon)
		w.Sandbox.SetDown(method.ErrUnknown)
		businesstest.Equal(t, "at initiate", shown(p.MustStart("")), payment.OutcomePending)
		for range 10 {
			w.Advance(2 * time.Minute)
			businesstest.Equal(t, "at verify", shown(p.VerifyPayment()), payment.OutcomePending)
			businesstest.Equal(t, "at the return", shown(p.ReturnWith(sandbox.Paid)), payment.OutcomePending)
		}
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled"})
		w.Sandbox.SetDown(nil)
		p.MustStart("") // the page is loaded again
		p.ReturnWith(sandbox.Paid)
		p.ExpectState(p.TxnID, businesstest.PaidOnce)
	})
}

func TestTwoTabsWithOneGatewayShareAnAttempt(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(businesstest.WithCoupon)
		ids := make([]string, 20)
		for _, err := range businesstest.Concurrently(20, func(i int) error {
			started, err := w.Payment.Start(w.Ctx, p.Visitor, payment.StartRequest{RegistrationID: p.RegistrationID})
			ids[i] = started.ID
			return err
		}) {
			w.Must(err)
		}
		for _, id := range ids {
			businesstest.Equal(t, "attempt", id, ids[0])
		}
		businesstest.Equal(t, "attempts", w.Count("transactions"), 1)
		businesstest.Equal(t, "orders at the provider", w.Count("sandbox_orders"), 1)
		businesstest.Equal(t, "coupon uses", w.Count("coupon_uses"), 1)
	})
}

func TestTwoTabsWithTwoGateways(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(businesstest.WithCoupon)
		// The first tab starts its payment first; the provider's answer to it is lost.
		w.Sandbox.AfterNext("start", func(*method.Status) error { return method.ErrUnknown })
		w.Recorder.BeforeNext(func() { p.MustStart("") })
		second := p.MustStart("second")
		businesstest.Equal(t, "gateway of the attempt that both tabs have", second.Gateway, "sandbox")
		businesstest.Equal(t, "the provider's id", second.Ref, "sbx_"+second.ID)
		businesstest.Same(t, "what the other provider was asked", w.Second.Calls(), nil)
		p.ReturnWith(sandbox.Paid)
		p.ExpectState(p.TxnID, businesstest.PaidOnce)
	})
}

func TestAnotherGatewayCancelsTheFirst(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(businesstest.WithCoupon)
		first := p.TxnID
		w.Sandbox.Calls()
		second := p.MustStart("second")
		businesstest.Same(t, "what the first provider was asked", w.Sandbox.Calls(), []string{"cancel", "fetch"})
		p.ExpectState(first, businesstest.PaymentState{State: payment.Expired, Outcome: payment.OutcomeFailed, Step: enrol.StepPaying, Coupon: enrol.UseReleased, Timeline: "enrolled, payment expired"})
		p.ExpectState(second.ID, businesstest.PaymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled, payment expired"})
		w.Advance(30 * time.Second)
		businesstest.Same(t, "the first is still asked about", w.Sandbox.Calls(), []string{"fetch"})
		businesstest.Equal(t, "the customer cannot pay it any more", w.Texts("SELECT state FROM transactions WHERE id = $1", first)[0], "expired")
		w.Second.PressWithoutReturn(second.ID, sandbox.Paid)
		w.Clock.Pass(2 * time.Second)
		p.VerifyPayment()
		p.ExpectState(second.ID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt", Timeline: "enrolled, paid, payment expired"})
	})
}

func TestAnotherGatewayFindsTheFirstPaid(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(businesstest.WithCoupon)
		first := p.TxnID
		w.Sandbox.PressWithoutReturn(first, sandbox.Paid)
		_, err := p.Start("second")
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "You have already paid for this programme. Your receipt is in your e-mail.")
		p.ExpectState(first, businesstest.PaidOnce)
		businesstest.Equal(t, "attempts", w.Count("transactions"), 1)
	})
}

func TestStartReturnsPaidAttempt(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(businesstest.WithCoupon)
		w.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
		w.Clock.Pass(2 * time.Second)
		again := p.MustStart("")
		businesstest.Equal(t, "state", again.State, payment.Paid)
		p.ExpectState(p.TxnID, businesstest.PaidOnce)
	})
}
