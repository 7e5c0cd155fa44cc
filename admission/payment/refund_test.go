package payment_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/staff"
	"hiresure/integrations/payment/call"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
)

func TestRefundIsSentOnce(t *testing.T) {
	for name, fault := range map[string]func(*businesstest.Person){
		"the job runs ten times at once": func(p *businesstest.Person) {
			for _, err := range businesstest.Concurrently(10, func(int) error { _, err := p.Payment.Refund(p.Ctx, p.TxnID); return err }) {
				p.Must(err)
			}
		},
		"the provider's answer is lost": func(p *businesstest.Person) {
			p.Sandbox.AfterRefund("refund", func(*method.RefundStatus) error { return method.ErrUnknown })
			if _, err := p.Payment.Refund(p.Ctx, p.TxnID); !errors.Is(err, method.ErrUnknown) {
				p.T.Errorf("got %v", err)
			}
			businesstest.Equal(p.T, "state", p.Texts("SELECT state FROM transactions WHERE id = $1", p.TxnID)[0], "refund_pending")
			_, err := p.Payment.Refund(p.Ctx, p.TxnID)
			p.Must(err)
		},
		"the process dies between refund and record": func(p *businesstest.Person) {
			p.Sandbox.AfterRefund("refund", func(*method.RefundStatus) error {
				p.Recorder.BeforeCommit(func(*businesstest.RecordedTx) error { return errors.New("the process is gone") })
				return nil
			})
			if _, err := p.Payment.Refund(p.Ctx, p.TxnID); err == nil {
				p.T.Error("the record stood")
			}
			p.Recorder.BeforeCommit(nil)
			p.Open(p.Sandbox, p.Second)
			_, err := p.Payment.Refund(p.Ctx, p.TxnID)
			p.Must(err)
		},
		"it is asked for again when it is done": func(p *businesstest.Person) {
			for range 3 {
				_, err := p.Payment.Refund(p.Ctx, p.TxnID)
				p.Must(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
				p := w.Paid(nil)
				fault(p)
				p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepComplete, Invoices: 1, Mails: "receipt, refunded", Timeline: "enrolled, paid, refunded"})
				businesstest.Same(t, "refunds", w.Texts("SELECT minor, state FROM refunds"), []string{"149900 | done"})
			})
		})
	}
}

func TestRefundsAtTheProvider(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		intent, charge := method.Intent{TxnID: p.TxnID}, method.Charge{PaymentID: "sbxpay_" + p.TxnID}
		_, err := w.Sandbox.Refund(w.Ctx, intent, charge, "too much", admission.INR(1499_01))
		if !errors.Is(err, method.ErrDeclined) {
			t.Errorf("more than was captured: %v", err)
		}
		for range 2 { // one id, one refund
			_, err = w.Sandbox.Refund(w.Ctx, intent, charge, "part", admission.INR(500_00))
			w.Must(err)
		}
		w.Must(w.Sandbox.SendWebhook(p.TxnID, "refund.processed"))
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Invoices: 1, Mails: "receipt, refunded-part", Timeline: "enrolled, paid, partly refunded"})
		businesstest.Same(t, "refunded so far", w.Texts("SELECT refunded_minor FROM transactions"), []string{"50000"})
		_, err = w.Payment.Refund(w.Ctx, p.TxnID) // the rest
		w.Must(err)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepComplete, Invoices: 1, Mails: "receipt, refunded, refunded-part", Timeline: "enrolled, paid, partly refunded, refunded"})
		businesstest.Same(t, "refunded", w.Texts("SELECT refunded_minor FROM transactions"), []string{"149900"})
	})
}

func TestAnswerAboutAnotherPaymentRefundsNothing(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, first, second := paidTwice(w)
		p.VerifyPayment()
		w.Second.AfterNext("fetch", func(s *method.Status) error { s.TxnID = first; return nil })
		_, err := w.Payment.Refund(w.Ctx, second)
		if err == nil {
			t.Error("an answer about another payment was taken for this one's")
		}
		businesstest.Equal(t, "refunds", w.Count("refunds"), 0)
		w.RunJobs()
		businesstest.Equal(t, "state", p.State(second).State, payment.Refunded)
	})
}

func TestEmptyChargeIsNotRefunded(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, _, second := paidTwice(w)
		p.VerifyPayment()
		w.Second.AfterNext("fetch", func(s *method.Status) error { s.Charges = nil; return nil })
		_, err := w.Payment.Refund(w.Ctx, second)
		w.Must(err)
		businesstest.Equal(t, "refunds", w.Count("refunds"), 0)
	})
}

func TestRefundAfterDeletionHasItsReason(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, _, _ := paidTwice(w)
		p.VerifyPayment()
		w.Must(w.Database.Update(w.Ctx, func(tx store.Tx) error {
			r, err := tx.RegistrationForUpdate(p.RegistrationID)
			if err != nil {
				return err
			}
			r.ErasedAt = w.Clock.Now()
			return tx.SaveRegistration(r)
		}))
		w.RunJobs()
		businesstest.Same(t, "refunds", w.Texts("SELECT state, reason FROM refunds"), []string{"done | paid for a deleted registration"})
	})
}

func TestRefundKeepsProviderID(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, _, second := paidTwice(w)
		p.VerifyPayment()
		accepted := func(number string) func(s *method.RefundStatus) error {
			return func(s *method.RefundStatus) error {
				s.State, s.ProviderID = method.RefundAccepted, number
				return nil
			}
		}
		w.Second.AfterRefund("refund", accepted("one"))
		w.RunJobs()
		businesstest.Same(t, "number", w.Texts("SELECT provider_id, state FROM refunds"), []string{"one | accepted"})
		w.Second.AfterRefund("fetch refund", accepted("another"))
		w.Advance(time.Hour)
		businesstest.Same(t, "number", w.Texts("SELECT provider_id, state FROM refunds"), []string{"one | accepted"})
		w.Advance(time.Hour)
		businesstest.Equal(t, "state", p.State(second).State, payment.Refunded)
	})
}

// Whoever operates reads why a refund failed in the log and in the stored refund, and nothing personal.
func TestFailedRefundKeepsReason(t *testing.T) {
	body := []byte(`{"error":{"code":"BAD_REQUEST_ERROR","description":"Asha Rao, 9820041567"}}`)
	for _, c := range []struct {
		sentence string
		fail     func(p *businesstest.Person)
		alert    string
		refunds  []string
	}{
		{"our own words", func(p *businesstest.Person) {
			p.Sandbox.BeforeNext("refund", func(context.Context) error {
				return fmt.Errorf("cashfree: refund: %w: two charges", method.ErrDeclined)
			})
		}, "refund failed", []string{"failed | two charges"}},
		{"the provider's code", func(p *businesstest.Person) {
			p.Sandbox.BeforeNext("refund", func(context.Context) error {
				return fmt.Errorf("razorpay: refund: %w", &call.Refused{Status: 400, Body: body})
			})
		}, "refund failed", []string{"failed | status 400, BAD_REQUEST_ERROR"}},
		{"nothing", func(p *businesstest.Person) {
			p.Sandbox.BeforeNext("refund", func(context.Context) error { return method.ErrDeclined })
		}, "refund failed", []string{"failed | "}},
		{"the status of an accepted refund", func(p *businesstest.Person) {
			p.Sandbox.AfterRefund("refund", func(s *method.RefundStatus) error { s.State = method.RefundAccepted; return nil })
			_, err := p.Payment.Refund(p.Ctx, p.TxnID)
			p.Must(err)
			p.Sandbox.AfterRefund("fetch refund", func(s *method.RefundStatus) error {
				s.State, s.Reason = method.RefundFailed, "status failed, lost_or_stolen_card"
				return nil
			})
		}, "refund failed", []string{"failed | status failed, lost_or_stolen_card", "done | "}},
		{"the status of a bounced refund", func(p *businesstest.Person) {
			p.RunRefund(p.TxnID)
			p.Clock.Pass(15 * time.Second)
		}, bouncedAlert, []string{"bounced | status failed, account_closed"}},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
				var log lockedLog
				w.Payment.Log = slog.New(slog.NewTextHandler(&log, nil))
				p := w.Paying(nil)
				p.ReturnWith(sandbox.BouncingRefund)
				c.fail(p)
				ref := append(w.Texts("SELECT id FROM refunds"), p.TxnID)[0]
				_, err := w.Payment.Refund(w.Ctx, ref)
				w.Must(err)
				businesstest.Same(t, "refunds", w.Texts("SELECT state, failure_reason FROM refunds ORDER BY posted_at"), c.refunds)
				_, reason, _ := strings.Cut(c.refunds[0], " | ")
				if line := fmt.Sprintf("msg=%q txn=%s reason=%q", c.alert, p.TxnID, cmp.Or(reason, "the provider gave none")); !strings.Contains(log.lines.String(), line+"\n") {
					t.Errorf("the log lacks %s:\n%s", line, &log.lines)
				}
			})
		})
	}
}

func TestFailedRefundIsNotSubtracted(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		told := watch(w)
		p, second := failedSecond(w)
		*told = nil
		w.Must(w.Sandbox.SendWebhook(p.TxnID, "payment.paid"))
		w.RunJobs()
		i := slices.IndexFunc(*told, func(in method.Intent) bool { return in.TxnID == p.TxnID })
		if i < 0 {
			t.Fatal("nobody was asked")
		}
		businesstest.Equal(t, "sent back of the second charge", (*told)[i].SentBack[second].Minor, 0)
		w.Clock.Pass(time.Second)
		w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
		w.RunJobs()
		*told = nil
		w.Clock.Pass(time.Second)
		w.Must(w.Sandbox.SendWebhook(p.TxnID, "payment.paid"))
		w.RunJobs()
		businesstest.Equal(t, "sent back of it once it is", (*told)[0].SentBack[second].Minor, 1499_00)
	})
}

// Another process may still be posting the refund: it is posted again only after a while.
func TestRefundBeingPostedIsNotPostedAgain(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		w.Sandbox.BeforeNext("refund", func(context.Context) error { return method.ErrUnknown })
		if _, err := w.Payment.Refund(w.Ctx, p.TxnID); !errors.Is(err, method.ErrUnknown) {
			t.Fatalf("a refund without an answer: %v", err)
		}
		for _, passed := range []time.Duration{0, 59 * time.Second} {
			w.Clock.Pass(passed)
			w.Sandbox.Calls()
			again, err := w.Payment.Refund(w.Ctx, p.TxnID)
			w.Must(err)
			businesstest.Equal(t, "asks again in", again, time.Minute)
			businesstest.Same(t, "the provider's calls", w.Sandbox.Calls(), []string{"fetch", "fetch refund"})
		}
		w.Clock.Pass(time.Second)
		w.RunRefund(p.TxnID)
		businesstest.Same(t, "refunds", w.Texts("SELECT minor, state FROM refunds"), []string{"149900 | done"})
	})
}

func TestRefundPapersAreIssuedOnce(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(nil)
		p.ReturnWith(sandbox.BouncingRefund)
		w.RunRefund(p.TxnID)
		w.Clock.Pass(15 * time.Second)
		w.Must(w.Sandbox.SendWebhook(p.TxnID, "refund.failed"))
		w.RunJobs()
		refund := w.Texts("SELECT id FROM refunds")[0]
		w.Must(w.Database.Update(w.Ctx, func(tx store.Tx) error {
			if note, err := w.Invoices.Credit(tx, p.TxnID, refund, admission.INR(1499_00), 0); err != nil || note != nil {
				t.Errorf("a second credit note: %+v, %v", note, err)
			}
			again, err := w.Invoices.Debit(tx, p.TxnID, refund)
			if again != nil {
				t.Errorf("a second debit note: %+v", again)
			}
			return err
		}))
		businesstest.Same(t, "invoices", w.Texts("SELECT number, reverses FROM invoices ORDER BY issue"), []string{"KS/26-27/000001 | ", "KSD/26-27/000001 | KSC/26-27/000001"})
		businesstest.Equal(t, "credit notes", w.Count("credit_notes"), 1)

		w.Clock.Pass(time.Second)
		w.RunRefund(p.TxnID) // the bounced amount is refunded again, with a new credit note
		businesstest.Same(t, "credit notes", w.Texts("SELECT number, total_minor FROM credit_notes ORDER BY number"), []string{"KSC/26-27/000001 | 149900", "KSC/26-27/000002 | 149900"})
	})
}

// A refund is posted once and polled afterwards, however long the provider takes.
func TestAcceptedRefundIsPolledNotPostedAgain(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		w.Sandbox.LateAfter, w.Sandbox.Bank.LateAfter = 10*24*time.Hour, 10*24*time.Hour
		p := w.Paying(nil)
		p.ReturnWith(sandbox.SlowRefund)
		w.Must(w.Database.Update(w.Ctx, businesstest.RefundJob(p.TxnID, w.Clock.Now())))
		w.Sandbox.Calls()
		for hour := range 10*24 + 2 {
			switch hour { // an hour after the refund was sent
			case 7 * 24:
				businesstest.Same(t, "alerts before seven days have passed", w.Alerts.All(), nil)
			case 7*24 + 1:
				businesstest.Same(t, "alerts once they have", w.Alerts.All(), []string{"refund not completed seven days after it was accepted"})
			}
			w.Advance(time.Hour)
		}
		calls := map[string]int{}
		for _, call := range w.Sandbox.Calls() {
			calls[call]++
		}
		businesstest.Equal(t, "posted", calls["refund"], 1)
		businesstest.Equal(t, "asked about at least daily", calls["fetch refund"] >= 10, true)
		businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Refunded)
		businesstest.Same(t, "alerts", w.Alerts.All(), []string{"refund not completed seven days after it was accepted"})
	})
}
