package business_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/integrations/payment/sandbox"
)

// paidOnce is where everybody ends who has paid and has got what follows from it, once.
var paidOnce = at{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt", Timeline: "enrolled, paid"}

// shown is what a visitor is told of an attempt.
func shown(t payment.Transaction) payment.Outcome { return t.Outcome() }

// TestFaultsBeforeAPaymentIsPaid puts somebody at the open checkout, lets something go wrong, and wants the payment paid,
// once, all the same.
func TestFaultsBeforeAPaymentIsPaid(t *testing.T) {
	for name, fault := range map[string]func(*testing.T, *person){
		"one webhook comes fifty times at once": func(t *testing.T, p *person) {
			p.till.press(p.txn, sandbox.Paid)
			header, body := p.till.bank.SignedWebhook(p.txn, "payment.paid")
			for _, err := range together(50, func(int) error {
				ack, _, err := p.Payment.TakeWebhook(p.ctx, "sandbox", payment.Webhook{Header: header, Body: body})
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
		"the webhook comes before the redirect": func(_ *testing.T, p *person) { p.returns(sandbox.WebhookFirst) },
		"the webhook comes twice before the redirect": func(t *testing.T, p *person) {
			p.returns(sandbox.WebhookTwice)
			equal(t, "events", p.count("inbox"), 1)
		},
		"the redirect is lost, the webhook comes": func(t *testing.T, p *person) {
			equal(t, "state before the worker comes", p.returns(sandbox.WebhookOnly).State, payment.Pending)
		},
		"the redirect comes, the webhook is lost": func(_ *testing.T, p *person) { p.returns(sandbox.Paid) },
		"redirect and webhook are lost, the poller asks": func(t *testing.T, p *person) {
			p.till.press(p.txn, sandbox.Paid)
			p.pass(29 * time.Second)
			equal(t, "payments paid after 29 s", p.count("transactions WHERE state = 'paid'"), 0)
			p.pass(time.Second)
		},
		"events come out of order": func(t *testing.T, p *person) {
			p.till.press(p.txn, sandbox.Paid)
			for _, event := range []string{"payment.paid", "payment.authorized", "refund.processed", "payment.failed"} {
				p.must(p.till.webhook(p.txn, event))
				p.work()
			}
			equal(t, "events", p.count("inbox"), 4)
		},
		"the query says success, the provider says nothing": func(t *testing.T, p *person) {
			form := map[string][]string{"payment_status": {"Success"}, "kspay_id": {p.txn}, "provider_payment_id": {"sbxpay_" + p.txn}, "outcome": {"paid"}}
			_, err := p.Payment.Complete(p.ctx, p.txn, payment.Return{Form: form})
			refused(t, err, admission.Invalid, "", "Something went wrong.")
			p.stand(p.txn, at{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled"})
			p.returns(sandbox.Paid)
		},
		"the browser brings the button of another payment": func(t *testing.T, p *person) {
			_, err := p.Payment.Complete(p.ctx, p.txn, payment.Return{Form: p.till.Press(admission.NewID(), sandbox.Paid)})
			refused(t, err, admission.Invalid, "", "Something went wrong.")
			p.stand(p.txn, at{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled"})
			p.returns(sandbox.Paid)
		},
		"the provider times out twice after the charge": func(t *testing.T, p *person) {
			equal(t, "what the visitor sees", shown(p.returns(sandbox.Timeout)), payment.OutcomePending)
			p.clock.pass(2 * time.Second)
			equal(t, "what the visitor sees", shown(p.verifies()), payment.OutcomePending)
			p.clock.pass(2 * time.Second)
			p.verifies()
		},
		"the provider answers 500 three times after the charge": func(t *testing.T, p *person) {
			equal(t, "what the visitor sees", shown(p.returns(sandbox.Error500)), payment.OutcomePending)
			for range 2 {
				p.clock.pass(2 * time.Second)
				equal(t, "what the visitor sees", shown(p.verifies()), payment.OutcomePending)
			}
			p.clock.pass(2 * time.Second)
			p.verifies()
		},
		"the answer is torn": func(t *testing.T, p *person) {
			p.till.afterNext("complete", func(*payment.Status) error { return fmt.Errorf("%w: unexpected end of JSON", payment.ErrUnknown) })
			equal(t, "what the visitor sees", shown(p.returns(sandbox.Paid)), payment.OutcomePending)
			p.clock.pass(2 * time.Second)
			p.verifies()
		},
		"the provider is down while a webhook is handled": func(t *testing.T, p *person) {
			p.till.press(p.txn, sandbox.Paid)
			p.must(p.till.webhook(p.txn, "payment.paid"))
			p.till.setDown(payment.ErrUnknown)
			p.work()
			equal(t, "events handled", p.count("inbox WHERE handled_at <> 0"), 0)
			p.till.setDown(nil)
			p.pass(time.Second)
		},
		"the process dies between charge and record": func(t *testing.T, p *person) {
			p.till.afterNext("complete", func(*payment.Status) error {
				p.notary.atTheEnd(func(*witness) error { return errors.New("the process is gone") })
				return nil
			})
			if _, err := p.Payment.Complete(p.ctx, p.txn, payment.Return{Form: p.till.Press(p.txn, sandbox.Paid)}); err == nil {
				t.Error("the record stood")
			}
			p.notary.atTheEnd(nil)
			p.open(p.till, p.other)
			p.pass(30 * time.Second)
		},
		"the process dies between record and mail": func(t *testing.T, p *person) {
			p.returns(sandbox.Paid)
			equal(t, "mails before the process died", p.mails(), "")
			p.open(p.till, p.other)
		},
		"mails cannot be delivered for an hour": func(t *testing.T, p *person) {
			p.post.setDown(errors.New("connection refused"))
			p.returns(sandbox.Paid)
			for range 60 {
				p.pass(time.Minute)
			}
			equal(t, "mails", p.mails(), "")
			p.post.setDown(nil)
			p.pass(time.Hour)
		},
		"the pay button is clicked twice": func(t *testing.T, p *person) {
			again := p.starts("")
			equal(t, "attempts", p.count("transactions"), 1)
			equal(t, "orders at the provider", p.count("sandbox_orders"), 1)
			equal(t, "state", again.State, payment.Pending)
			p.returns(sandbox.Paid)
		},
		"the browser returns ten times at once": func(_ *testing.T, p *person) {
			for _, err := range together(10, func(int) error {
				_, err := p.Payment.Complete(p.ctx, p.txn, payment.Return{Form: p.till.Press(p.txn, sandbox.Paid)})
				return err
			}) {
				p.must(err)
			}
		},
		"the database refuses to serialise while settling": func(t *testing.T, p *person) {
			failures := []string{"40001", "40P01"}
			p.notary.atTheEnd(func(x *witness) error {
				if x.invoices == 0 || len(failures) == 0 {
					return nil
				}
				code := failures[0]
				failures = failures[1:]
				return &pgconn.PgError{Code: code, Message: "in the way of another"}
			})
			p.returns(sandbox.Paid)
			equal(t, "failures left", len(failures), 0)
			same(t, "invoices", p.texts("SELECT serial FROM invoices"), []string{"1"})
		},
		"the coupon is changed between start and payment": func(t *testing.T, p *person) {
			p.clock.pass(time.Minute)
			_, err := p.enrol(fields{"coupon_code": "FULLSEAT", "fullname": "Asha Rao Bhat"})
			p.must(err)
			kept := func() string {
				r, err := p.Enrol.RegistrationOfVisitor(p.ctx, p.Visitor, p.registration)
				p.must(err)
				return r.FullName + ", " + r.CouponCode
			}
			equal(t, "for the next payment", kept(), "Asha Rao Bhat, FULLSEAT")
			equal(t, "charge", p.starts("").Charge, admission.INR(999_00))
			p.returns(sandbox.Paid)
			equal(t, "once this one is paid", kept(), "Asha Rao Bhat, MGROW500")
		},
		"the clock jumps back five minutes": func(_ *testing.T, p *person) {
			p.clock.pass(-5 * time.Minute)
			p.returns(sandbox.Paid)
		},
		"the clock jumps ahead ten minutes": func(_ *testing.T, p *person) {
			p.clock.pass(10 * time.Minute)
			p.returns(sandbox.Paid)
		},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				p := w.paying(withCoupon)
				fault(t, p)
				p.stand(p.txn, paidOnce)
			})
		})
	}
}

func TestWebhookBeforeTheStartsAnswerWasKept(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(withCoupon)
		w.till.afterNext("start", func(s *payment.Status) error {
			w.till.press(s.TxnID, sandbox.Paid)
			w.must(w.till.webhook(s.TxnID, "payment.paid"))
			return nil
		})
		p.starts("")
		p.stand(p.txn, paidOnce)
	})
}

func TestForgedWebhookIsKeptNowhere(t *testing.T) {
	once(t, func(t *testing.T, w *world) {
		p := w.paying(nil)
		w.till.press(p.txn, sandbox.Paid)
		const header = "X-Sandbox-Signature"
		sign := func(key string, at time.Time, body []byte) string {
			derived := hmac.New(sha256.New, []byte(key))
			derived.Write([]byte("sandbox/webhook"))
			mac := hmac.New(sha256.New, derived.Sum(nil))
			stamp := strconv.FormatInt(at.Unix(), 10)
			mac.Write(append([]byte(stamp+"."), body...))
			return "t=" + stamp + ",v1=" + hex.EncodeToString(mac.Sum(nil))
		}
		good := strings.Repeat("g", 32)
		for name, forge := range map[string]func(http.Header, []byte) []byte{
			"no header":       func(h http.Header, b []byte) []byte { h.Del(header); return b },
			"an empty header": func(h http.Header, b []byte) []byte { h.Set(header, ""); return b },
			"two headers":     func(h http.Header, b []byte) []byte { h.Add(header, h.Get(header)); return b },
			"another secret":  func(h http.Header, b []byte) []byte { h.Set(header, sign(strings.Repeat("x", 32), noon, b)); return b },
			"a plain hash": func(h http.Header, b []byte) []byte {
				h.Set(header, "t=0,v1="+admission.HashToken(string(b)))
				return b
			},
			"a body with a space": func(_ http.Header, b []byte) []byte { return append(b, ' ') },
			"a body of other fields": func(_ http.Header, b []byte) []byte {
				return bytes.Replace(b, []byte("payment.paid"), []byte("payment.done"), 1)
			},
			"a flipped bit": func(_ http.Header, b []byte) []byte { b[len(b)/2] ^= 1; return b },
			"another time": func(h http.Header, b []byte) []byte {
				h.Set(header, strings.Replace(h.Get(header), "t=1", "t=2", 1))
				return b
			},
			"an old signature": func(h http.Header, b []byte) []byte {
				h.Set(header, sign(good, noon.Add(-5*time.Minute-time.Second), b))
				return b
			},
			"a signature from ahead": func(h http.Header, b []byte) []byte {
				h.Set(header, sign(good, noon.Add(5*time.Minute+time.Second), b))
				return b
			},
			"the signature of a body": func(h http.Header, b []byte) []byte {
				return []byte(`{"id":"1","type":"payment.paid","txn_id":"` + p.txn + `"}`)
			},
			"an empty body": func(http.Header, []byte) []byte { return nil },
		} {
			headers, body := w.till.bank.SignedWebhook(p.txn, "payment.paid")
			body = forge(headers, body)
			if _, _, err := w.Payment.TakeWebhook(w.ctx, "sandbox", payment.Webhook{Header: headers, Body: body}); !errors.Is(err, payment.ErrSignature) {
				t.Errorf("%s: got %v", name, err)
			}
		}
		headers, body := w.other.bank.SignedWebhook(p.txn, "payment.paid")
		if _, _, err := w.Payment.TakeWebhook(w.ctx, "sandbox", payment.Webhook{Header: headers, Body: body}); !errors.Is(err, payment.ErrSignature) {
			t.Errorf("the other provider's signature: got %v", err)
		}
		_, _, err := w.Payment.TakeWebhook(w.ctx, "nobody", payment.Webhook{Header: headers, Body: body})
		refused(t, err, admission.NotFound, "", "Gateway not found.")
		equal(t, "events", w.count("inbox"), 0)
		equal(t, "jobs", w.count("jobs WHERE kind = 'event'"), 0)
		p.stand(p.txn, at{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Timeline: "enrolled"})

		for what, at := range map[string]time.Time{"as old as allowed": noon.Add(-5 * time.Minute), "as far ahead as allowed": noon.Add(5 * time.Minute)} {
			headers, body := w.till.bank.SignedWebhook(p.txn, "payment.paid")
			headers.Set(header, sign(good, at, body))
			if _, _, err := w.Payment.TakeWebhook(w.ctx, "sandbox", payment.Webhook{Header: headers, Body: body}); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
		w.work()
	})
}

func TestReplayedWebhookChangesNothing(t *testing.T) {
	once(t, func(t *testing.T, w *world) {
		p := w.paying(withCoupon)
		header, body := w.till.bank.SignedWebhook(p.txn, "payment.paid")
		for range 3 { // before, and after it is paid
			_, _, err := w.Payment.TakeWebhook(w.ctx, "sandbox", payment.Webhook{Header: header, Body: body})
			w.must(err)
			w.work()
			w.till.press(p.txn, sandbox.Paid)
			p.clock.pass(2 * time.Second)
			p.verifies()
		}
		equal(t, "events", w.count("inbox"), 1)
		p.stand(p.txn, paidOnce)
	})
}

func TestWebhookOfAnUnknownPaymentWaitsAnHour(t *testing.T) {
	once(t, func(t *testing.T, w *world) {
		w.must(w.till.webhook(admission.NewID(), "payment.paid"))
		w.pass(59 * time.Minute)
		same(t, "alerts", w.alerts.all(), nil)
		equal(t, "events handled", w.count("inbox WHERE handled_at <> 0"), 0)
		w.pass(time.Minute)
		same(t, "alerts", w.alerts.all(), []string{"webhook of an unknown payment"})
		same(t, "events", w.texts("SELECT problem FROM inbox"), []string{"unknown payment"})
		w.pass(time.Hour)
		equal(t, "alerts", len(w.alerts.all()), 1)
	})
}

func TestWebhookOfAnotherProviderMovesNothing(t *testing.T) {
	once(t, func(t *testing.T, w *world) {
		p := w.paying(nil)
		w.must(w.other.webhook(p.txn, "payment.paid")) // well signed, but it is not their payment
		w.till.asked()
		w.pass(time.Hour)
		equal(t, "questions to the other provider", len(w.other.asked()), 0)
		same(t, "alerts", w.alerts.all(), []string{"webhook of an unknown payment"})
	})
}

// TestNobodyWaitsForAProviderThatHangs looks at how long the caller would have waited, and waits not at all.
func TestNobodyWaitsForAProviderThatHangs(t *testing.T) {
	for call, most := range map[string]time.Duration{"start": 4 * time.Second, "complete": 8 * time.Second, "fetch": 4 * time.Second, "cancel": 4 * time.Second} {
		t.Run(call, func(t *testing.T) {
			once(t, func(t *testing.T, w *world) {
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
					p.starts("")
				}
				w.till.beforeNext(call, hangs)
				var seen payment.Transaction
				switch call {
				case "start":
					seen = p.starts("")
				case "complete":
					seen = p.returns(sandbox.Paid)
				case "fetch":
					seen = p.verifies()
				case "cancel": // the other method does not depend on it
					seen = p.starts("second")
				}
				equal(t, "the provider was asked", hung, true)
				equal(t, "what the visitor sees", seen.Outcome(), payment.OutcomePending)
				equal(t, "state", seen.State, payment.Pending)
			})
		})
	}
}

func TestProviderThatIsDownLeavesEverythingPending(t *testing.T) {
	once(t, func(t *testing.T, w *world) {
		p := w.enrolled(withCoupon)
		w.till.setDown(payment.ErrUnknown)
		equal(t, "at initiate", shown(p.starts("")), payment.OutcomePending)
		for range 10 {
			w.pass(2 * time.Minute)
			equal(t, "at verify", shown(p.verifies()), payment.OutcomePending)
			equal(t, "at the return", shown(p.returns(sandbox.Paid)), payment.OutcomePending)
		}
		p.stand(p.txn, at{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled"})
		w.till.setDown(nil)
		p.starts("") // the page is loaded again
		p.returns(sandbox.Paid)
		p.stand(p.txn, paidOnce)
	})
}

func TestTwoTabsWithOneGatewayShareAnAttempt(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(withCoupon)
		ids := make([]string, 20)
		for _, err := range together(20, func(i int) error {
			started, err := w.Payment.Start(w.ctx, p.Visitor, payment.Ask{RegistrationID: p.registration})
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

func TestTwoTabsWithTwoGatewaysAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(withCoupon)
		// The first tab is faster by a moment, and its provider's answer is lost.
		w.till.afterNext("start", func(*payment.Status) error { return payment.ErrUnknown })
		w.notary.beforeNext(func() { p.starts("") })
		second := p.starts("second")
		equal(t, "gateway of the attempt that both tabs have", second.Gateway, "sandbox")
		equal(t, "the provider's id", second.Ref, "sbx_"+second.ID)
		same(t, "what the other provider was asked", w.other.asked(), nil)
		p.returns(sandbox.Paid)
		p.stand(p.txn, paidOnce)
	})
}

func TestAnotherGatewayCancelsTheFirst(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paying(withCoupon)
		first := p.txn
		w.till.asked()
		second := p.starts("second")
		same(t, "what the first provider was asked", w.till.asked(), []string{"cancel", "fetch"})
		p.stand(first, at{State: payment.Expired, Outcome: payment.OutcomeFailed, Step: enrol.StepPaying, Coupon: enrol.UseReleased, Timeline: "enrolled, payment expired"})
		p.stand(second.ID, at{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Coupon: enrol.UseHeld, Timeline: "enrolled, payment expired"})
		w.pass(30 * time.Second)
		same(t, "the first is still asked about", w.till.asked(), []string{"fetch"})
		equal(t, "the customer cannot pay it any more", w.texts("SELECT state FROM transactions WHERE id = $1", first)[0], "expired")
		w.other.press(second.ID, sandbox.Paid)
		w.clock.pass(2 * time.Second)
		p.verifies()
		p.stand(second.ID, at{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt", Timeline: "enrolled, paid, payment expired"})
	})
}

func TestAnotherGatewayFindsTheFirstPaid(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paying(withCoupon)
		first := p.txn
		w.till.press(first, sandbox.Paid)
		_, err := p.start("second")
		refused(t, err, admission.Conflict, "", "You have already paid for this programme. Your receipt is in your e-mail.")
		p.stand(first, paidOnce)
		equal(t, "attempts", w.count("transactions"), 1)
	})
}

func TestStartOfAPaidAttemptAnswersIt(t *testing.T) {
	once(t, func(t *testing.T, w *world) {
		p := w.paying(withCoupon)
		w.till.press(p.txn, sandbox.Paid)
		w.clock.pass(2 * time.Second)
		again := p.starts("")
		equal(t, "state", again.State, payment.Paid)
		p.stand(p.txn, paidOnce)
	})
}

func TestRefundIsSentOnce(t *testing.T) {
	for name, fault := range map[string]func(*person){
		"the job runs ten times at once": func(p *person) {
			for _, err := range together(10, func(int) error { _, err := p.Payment.Refund(p.ctx, p.txn); return err }) {
				p.must(err)
			}
		},
		"the provider's answer is lost": func(p *person) {
			p.till.afterRefund("refund", func(*payment.RefundStatus) error { return payment.ErrUnknown })
			if _, err := p.Payment.Refund(p.ctx, p.txn); !errors.Is(err, payment.ErrUnknown) {
				p.t.Errorf("got %v", err)
			}
			equal(p.t, "state", p.texts("SELECT state FROM transactions WHERE id = $1", p.txn)[0], "refund_pending")
			_, err := p.Payment.Refund(p.ctx, p.txn)
			p.must(err)
		},
		"the process dies between refund and record": func(p *person) {
			p.till.afterRefund("refund", func(*payment.RefundStatus) error {
				p.notary.atTheEnd(func(*witness) error { return errors.New("the process is gone") })
				return nil
			})
			if _, err := p.Payment.Refund(p.ctx, p.txn); err == nil {
				p.t.Error("the record stood")
			}
			p.notary.atTheEnd(nil)
			p.open(p.till, p.other)
			_, err := p.Payment.Refund(p.ctx, p.txn)
			p.must(err)
		},
		"it is asked for again when it is done": func(p *person) {
			for range 3 {
				_, err := p.Payment.Refund(p.ctx, p.txn)
				p.must(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				p := w.paid(nil)
				fault(p)
				p.stand(p.txn, at{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepComplete, Invoices: 1, Mails: "receipt, refunded", Timeline: "enrolled, paid, refunded"})
				same(t, "refunds", w.texts("SELECT minor, state FROM refunds"), []string{"149900 | done"})
			})
		})
	}
}

func TestRefundsAtTheProvider(t *testing.T) {
	once(t, func(t *testing.T, w *world) {
		p := w.paid(nil)
		intent, charge := payment.Intent{TxnID: p.txn}, payment.Charge{PaymentID: "sbxpay_" + p.txn}
		_, err := w.till.Refund(w.ctx, intent, charge, "too much", admission.INR(1499_01))
		if !errors.Is(err, payment.ErrDeclined) {
			t.Errorf("more than was captured: %v", err)
		}
		for range 2 { // one id, one refund
			_, err = w.till.Refund(w.ctx, intent, charge, "part", admission.INR(500_00))
			w.must(err)
		}
		w.must(w.till.webhook(p.txn, "refund.processed"))
		p.stand(p.txn, at{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Invoices: 1, Mails: "receipt, refunded-part", Timeline: "enrolled, paid, partly refunded"})
		same(t, "refunded so far", w.texts("SELECT refunded_minor FROM transactions"), []string{"50000"})
		_, err = w.Payment.Refund(w.ctx, p.txn) // the rest
		w.must(err)
		p.stand(p.txn, at{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepComplete, Invoices: 1, Mails: "receipt, refunded, refunded-part", Timeline: "enrolled, paid, partly refunded, refunded"})
		same(t, "refunded", w.texts("SELECT refunded_minor FROM transactions"), []string{"149900"})
	})
}
