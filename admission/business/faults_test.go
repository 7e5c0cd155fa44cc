package business_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

var paidOnce = paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt", Timeline: "enrolled, paid"}

// shown returns an attempt's outcome on the wire.
func shown(t payment.Transaction) payment.Outcome { return t.Outcome() }

// TestFaultsBeforeAPaymentIsPaid lets something go wrong at the open checkout and expects exactly one payment.
func TestFaultsBeforeAPaymentIsPaid(t *testing.T) {
	for name, fault := range map[string]func(*testing.T, *person){
		"one webhook comes fifty times at once": func(t *testing.T, p *person) {
			p.sandbox.press(p.txn, sandbox.Paid)
			header, body := p.sandbox.bank.SignedWebhook(p.txn, "payment.paid")
			for _, err := range concurrently(50, func(int) error {
				ack, _, err := p.Payment.ReceiveWebhook(p.ctx, "sandbox", payment.Webhook{Header: header, Body: body})
				if err == nil && !bytes.HasPrefix(ack, []byte("received ")) {
					err = fmt.Errorf("acknowledged with %q", ack)
				}
				return err
			}) {
				p.must(err)
			}
			equal(t, "events", p.count("inbox"), 1)
			equal(t, "jobs", p.count("jobs WHERE kind = 'event'"), 1)
		},
		"the webhook comes before the redirect": func(_ *testing.T, p *person) { p.returnWith(sandbox.WebhookFirst) },
		"the webhook comes twice before the redirect": func(t *testing.T, p *person) {
			p.returnWith(sandbox.WebhookTwice)
			equal(t, "events", p.count("inbox"), 1)
		},
		"the redirect is lost, the webhook comes": func(t *testing.T, p *person) {
			equal(t, "state before the worker comes", p.returnWith(sandbox.WebhookOnly).State, payment.Pending)
		},
		"the redirect comes, the webhook is lost": func(_ *testing.T, p *person) { p.returnWith(sandbox.Paid) },
		"redirect and webhook are lost, the poller asks": func(t *testing.T, p *person) {
			p.sandbox.press(p.txn, sandbox.Paid)
			p.advance(29 * time.Second)
			equal(t, "payments paid after 29 s", p.count("transactions WHERE state = 'paid'"), 0)
			p.advance(time.Second)
		},
		"events come out of order": func(t *testing.T, p *person) {
			p.sandbox.press(p.txn, sandbox.Paid)
			for _, event := range []string{"payment.paid", "payment.authorized", "refund.processed", "payment.failed"} {
				p.must(p.sandbox.webhook(p.txn, event))
				p.runJobs()
			}
			equal(t, "events", p.count("inbox"), 4)
		},
		"the query says success, the provider says nothing": func(t *testing.T, p *person) {
			form := map[string][]string{"payment_status": {"Success"}, "kspay_id": {p.txn}, "provider_payment_id": {"sbxpay_" + p.txn}, "outcome": {"paid"}}
			_, err := p.Payment.Complete(p.ctx, p.txn, method.Return{Form: form})
			expectProblem(t, err, admission.Invalid, "", "Something went wrong.")
			p.expectState(p.txn, paymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled"})
			p.returnWith(sandbox.Paid)
		},
		"the browser brings the button of another payment": func(t *testing.T, p *person) {
			_, err := p.Payment.Complete(p.ctx, p.txn, method.Return{Form: p.sandbox.Press(admission.NewID(), sandbox.Paid)})
			expectProblem(t, err, admission.Invalid, "", "Something went wrong.")
			p.expectState(p.txn, paymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled"})
			p.returnWith(sandbox.Paid)
		},
		"the provider times out twice after the charge": func(t *testing.T, p *person) {
			equal(t, "what the visitor sees", shown(p.returnWith(sandbox.Timeout)), payment.OutcomePending)
			p.clock.Pass(2 * time.Second)
			equal(t, "what the visitor sees", shown(p.verifyPayment()), payment.OutcomePending)
			p.clock.Pass(2 * time.Second)
			p.verifyPayment()
		},
		"the provider answers 500 three times after the charge": func(t *testing.T, p *person) {
			equal(t, "what the visitor sees", shown(p.returnWith(sandbox.Error500)), payment.OutcomePending)
			for range 2 {
				p.clock.Pass(2 * time.Second)
				equal(t, "what the visitor sees", shown(p.verifyPayment()), payment.OutcomePending)
			}
			p.clock.Pass(2 * time.Second)
			p.verifyPayment()
		},
		"the answer is torn": func(t *testing.T, p *person) {
			p.sandbox.afterNext("complete", func(*method.Status) error { return fmt.Errorf("%w: unexpected end of JSON", method.ErrUnknown) })
			equal(t, "what the visitor sees", shown(p.returnWith(sandbox.Paid)), payment.OutcomePending)
			p.clock.Pass(2 * time.Second)
			p.verifyPayment()
		},
		"the provider is down while a webhook is handled": func(t *testing.T, p *person) {
			p.sandbox.press(p.txn, sandbox.Paid)
			p.must(p.sandbox.webhook(p.txn, "payment.paid"))
			p.sandbox.setDown(method.ErrUnknown)
			p.runJobs()
			equal(t, "events handled", p.count("inbox WHERE handled_at <> 0"), 0)
			p.sandbox.setDown(nil)
			p.advance(time.Second)
		},
		"the process dies between charge and record": func(t *testing.T, p *person) {
			p.sandbox.afterNext("complete", func(*method.Status) error {
				p.recorder.beforeCommit(func(*recordedTx) error { return errors.New("the process is gone") })
				return nil
			})
			if _, err := p.Payment.Complete(p.ctx, p.txn, method.Return{Form: p.sandbox.Press(p.txn, sandbox.Paid)}); err == nil {
				t.Error("the record stood")
			}
			p.recorder.beforeCommit(nil)
			p.open(p.sandbox, p.other)
			p.advance(30 * time.Second)
		},
		"the process dies between record and mail": func(t *testing.T, p *person) {
			p.returnWith(sandbox.Paid)
			equal(t, "mails before the process died", p.mails(), "")
			p.open(p.sandbox, p.other)
		},
		"mails cannot be delivered for an hour": func(t *testing.T, p *person) {
			p.post.setDown(errors.New("connection refused"))
			p.returnWith(sandbox.Paid)
			for range 60 {
				p.advance(time.Minute)
			}
			equal(t, "mails", p.mails(), "")
			p.post.setDown(nil)
			p.advance(time.Hour)
		},
		"the pay button is clicked twice": func(t *testing.T, p *person) {
			again := p.mustStart("")
			equal(t, "attempts", p.count("transactions"), 1)
			equal(t, "orders at the provider", p.count("sandbox_orders"), 1)
			equal(t, "state", again.State, payment.Pending)
			p.returnWith(sandbox.Paid)
		},
		"the browser returns ten times at once": func(_ *testing.T, p *person) {
			for _, err := range concurrently(10, func(int) error {
				_, err := p.Payment.Complete(p.ctx, p.txn, method.Return{Form: p.sandbox.Press(p.txn, sandbox.Paid)})
				return err
			}) {
				p.must(err)
			}
		},
		"the database refuses to serialise while settling": func(t *testing.T, p *person) {
			failures := []string{"40001", "40P01"}
			p.recorder.beforeCommit(func(x *recordedTx) error {
				if x.invoices == 0 || len(failures) == 0 {
					return nil
				}
				code := failures[0]
				failures = failures[1:]
				return &pgconn.PgError{Code: code, Message: "in the way of another"}
			})
			p.returnWith(sandbox.Paid)
			equal(t, "failures left", len(failures), 0)
			same(t, "invoices", p.texts("SELECT serial FROM invoices"), []string{"1"})
		},
		"the coupon is changed between start and payment": func(t *testing.T, p *person) {
			p.clock.Pass(time.Minute)
			_, err := p.enrol(fields{"coupon_code": "FULLSEAT", "fullname": "Asha Rao Bhat"})
			p.must(err)
			kept := func() string {
				r, err := p.Enrol.RegistrationOfVisitor(p.ctx, p.Visitor, p.registration)
				p.must(err)
				return r.FullName + ", " + r.CouponCode
			}
			equal(t, "for the next payment", kept(), "Asha Rao Bhat, FULLSEAT")
			equal(t, "charge", p.mustStart("").Charge, admission.INR(999_00))
			p.returnWith(sandbox.Paid)
			equal(t, "once this one is paid", kept(), "Asha Rao Bhat, MGROW500")
		},
		"the clock jumps back five minutes": func(_ *testing.T, p *person) {
			p.clock.Pass(-5 * time.Minute)
			p.returnWith(sandbox.Paid)
		},
		"the clock jumps ahead ten minutes": func(_ *testing.T, p *person) {
			p.clock.Pass(10 * time.Minute)
			p.returnWith(sandbox.Paid)
		},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, w *world) {
				p := w.paying(withCoupon)
				fault(t, p)
				p.expectState(p.txn, paidOnce)
			})
		})
	}
}

// TestHangingProviderTimesOut looks at how long the caller would have waited, and waits not at all.
func TestHangingProviderTimesOut(t *testing.T) {
	for call, most := range map[string]time.Duration{"start": 4 * time.Second, "complete": 8 * time.Second, "fetch": 4 * time.Second, "cancel": 4 * time.Second} {
		t.Run(call, func(t *testing.T) {
			onSQLite(t, func(t *testing.T, w *world) {
				hung := false
				hangs := func(ctx context.Context) error {
					deadline, ends := ctx.Deadline()
					if wait := time.Until(deadline); !ends || wait > most || wait < most-time.Second {
						t.Errorf("the caller waits %s", wait)
					}
					hung = true
					return context.DeadlineExceeded
				}
				p := w.enrolled(nil)
				if call != "start" {
					p.mustStart("")
				}
				w.sandbox.beforeNext(call, hangs)
				var seen payment.Transaction
				switch call {
				case "start":
					seen = p.mustStart("")
				case "complete":
					seen = p.returnWith(sandbox.Paid)
				case "fetch":
					seen = p.verifyPayment()
				case "cancel": // the other method does not depend on it
					seen = p.mustStart("second")
				}
				equal(t, "the provider was asked", hung, true)
				equal(t, "what the visitor sees", seen.Outcome(), payment.OutcomePending)
				equal(t, "state", seen.State, payment.Pending)
			})
		})
	}
}

func TestProviderDownLeavesPaymentsPending(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.enrolled(withCoupon)
		w.sandbox.setDown(method.ErrUnknown)
		equal(t, "at initiate", shown(p.mustStart("")), payment.OutcomePending)
		for range 10 {
			w.advance(2 * time.Minute)
			equal(t, "at verify", shown(p.verifyPayment()), payment.OutcomePending)
			equal(t, "at the return", shown(p.returnWith(sandbox.Paid)), payment.OutcomePending)
		}
		p.expectState(p.txn, paymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled"})
		w.sandbox.setDown(nil)
		p.mustStart("") // the page is loaded again
		p.returnWith(sandbox.Paid)
		p.expectState(p.txn, paidOnce)
	})
}

func TestTwoTabsWithOneGatewayShareAnAttempt(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		p := w.enrolled(withCoupon)
		ids := make([]string, 20)
		for _, err := range concurrently(20, func(i int) error {
			started, err := w.Payment.Start(w.ctx, p.Visitor, payment.StartRequest{RegistrationID: p.registration})
			ids[i] = started.ID
			return err
		}) {
			w.must(err)
		}
		for _, id := range ids {
			equal(t, "attempt", id, ids[0])
		}
		equal(t, "attempts", w.count("transactions"), 1)
		equal(t, "orders at the provider", w.count("sandbox_orders"), 1)
		equal(t, "coupon uses", w.count("coupon_uses"), 1)
	})
}

func TestTwoTabsWithTwoGateways(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(withCoupon)
		// The first tab is faster, and its provider's answer is lost.
		w.sandbox.afterNext("start", func(*method.Status) error { return method.ErrUnknown })
		w.recorder.beforeNext(func() { p.mustStart("") })
		second := p.mustStart("second")
		equal(t, "gateway of the attempt that both tabs have", second.Gateway, "sandbox")
		equal(t, "the provider's id", second.Ref, "sbx_"+second.ID)
		same(t, "what the other provider was asked", w.other.asked(), nil)
		p.returnWith(sandbox.Paid)
		p.expectState(p.txn, paidOnce)
	})
}

func TestAnotherGatewayCancelsTheFirst(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paying(withCoupon)
		first := p.txn
		w.sandbox.asked()
		second := p.mustStart("second")
		same(t, "what the first provider was asked", w.sandbox.asked(), []string{"cancel", "fetch"})
		p.expectState(first, paymentState{State: payment.Expired, Outcome: payment.OutcomeFailed, Step: enrol.StepPaying, Coupon: enrol.UseReleased, Timeline: "enrolled, payment expired"})
		p.expectState(second.ID, paymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled, payment expired"})
		w.advance(30 * time.Second)
		same(t, "the first is still asked about", w.sandbox.asked(), []string{"fetch"})
		equal(t, "the customer cannot pay it any more", w.texts("SELECT state FROM transactions WHERE id = $1", first)[0], "expired")
		w.other.press(second.ID, sandbox.Paid)
		w.clock.Pass(2 * time.Second)
		p.verifyPayment()
		p.expectState(second.ID, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt", Timeline: "enrolled, paid, payment expired"})
	})
}

func TestAnotherGatewayFindsTheFirstPaid(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paying(withCoupon)
		first := p.txn
		w.sandbox.press(first, sandbox.Paid)
		_, err := p.start("second")
		expectProblem(t, err, admission.Conflict, "", "You have already paid for this programme. Your receipt is in your e-mail.")
		p.expectState(first, paidOnce)
		equal(t, "attempts", w.count("transactions"), 1)
	})
}

func TestStartReturnsPaidAttempt(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.paying(withCoupon)
		w.sandbox.press(p.txn, sandbox.Paid)
		w.clock.Pass(2 * time.Second)
		again := p.mustStart("")
		equal(t, "state", again.State, payment.Paid)
		p.expectState(p.txn, paidOnce)
	})
}
