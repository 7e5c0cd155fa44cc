package payment_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
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

var (
	meera  = staff.Actor{Name: "Meera Nambiar", Account: "meera"}
	arvind = staff.Actor{Name: "Arvind Kulkarni", Account: "arvind"}
)

// order orders the refund of a part of a payment, in paise; 0 for all that is left.
func order(w *businesstest.World, txnID string, minor int64, by staff.Actor) (payment.RefundOrder, error) {
	w.T.Helper()
	draft, err := w.Payment.DraftRefund(w.Ctx, txnID, minor)
	if err != nil {
		return payment.RefundOrder{}, err
	}
	return w.Payment.RefundFee(w.Ctx, payment.FeeRefund{TxnID: txnID, Minor: draft.Amount.Minor, LeftMinor: draft.Left.Minor, Cause: "complaint", Words: "C-0121"}, by)
}

func orders(w *businesstest.World) string {
	return strings.Join(w.Texts("SELECT minor, decision, who, decider FROM refund_orders ORDER BY at, id"), ", ")
}

func acts(w *businesstest.World) string {
	return strings.Join(w.Texts(`SELECT who, what, becomes, reason FROM staff_log ORDER BY n`), ", ")
}

func TestAPartOfAFeeGoesBackAndTheSeatStays(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		w.Clock.Pass(time.Hour)
		draft, err := w.Payment.DraftRefund(w.Ctx, p.TxnID, 1000_00)
		w.Must(err)
		businesstest.Equal(t, "what it would do", fmt.Sprintf("%s of %s, second person: %q, whole: %t, credit note %q of %d + %d", draft.Amount, draft.Left, draft.Second, draft.Whole(), draft.Note.Number, draft.Note.Tax.Taxable, draft.Note.Tax.Tax()),
			`₹1,000.00 of ₹1,499.00, second person: "", whole: false, credit note "" of 84746 + 15254`)
		businesstest.Equal(t, "credit notes before", w.Count("credit_notes"), 0)

		placed, err := order(w, p.TxnID, 1000_00, meera)
		w.Must(err)
		businesstest.Equal(t, "decision", placed.Decision, payment.NotNeeded)
		p.ExpectState(p.TxnID, businesstest.PaymentState{
			State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Invoices: 1, Mails: "receipt, refunded-part", Timeline: "enrolled, paid, partly refunded, refund ordered",
		})
		businesstest.Same(t, "refunds", w.Texts("SELECT minor, state, reason, cause FROM refunds"), []string{"100000 | done | ordered | complaint"})
		businesstest.Same(t, "credit notes", w.Texts("SELECT total_minor, tax_taxable, total_minor - tax_taxable FROM credit_notes"), []string{"100000 | 84746 | 15254"})
		businesstest.Same(t, "log", w.Texts(`SELECT who, what, reason FROM staff_log`), []string{"Meera Nambiar | refund ordered | Agreed in a complaint"})
		businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
	})
}

func TestAWholeFeeGoesBackAndEndsTheRegistration(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(businesstest.WithCoupon)
		w.Clock.Pass(time.Hour)
		w.Sandbox.AfterRefund("refund", func(s *method.RefundStatus) error { s.State = method.RefundAccepted; return nil })
		_, err := order(w, p.TxnID, 0, meera)
		w.Must(err)
		businesstest.Equal(t, "while it is under way", p.State(p.TxnID).State, payment.RefundPending)
		businesstest.ExpectProblem(t, second(order(w, p.TxnID, 0, arvind)), admission.Conflict, "", "The whole fee is being refunded already.")
		w.Clock.Pass(2 * time.Hour)
		p.ExpectState(p.TxnID, businesstest.PaymentState{
			State: payment.Refunded, Outcome: payment.OutcomePending, Step: enrol.StepComplete, Coupon: enrol.UseReleased, Invoices: 1, Mails: "receipt, refunded", Timeline: "enrolled, paid, refund ordered, refunded",
		})
		businesstest.Equal(t, "refunds at the provider", len(w.Texts("SELECT id FROM refunds")), 1)
		businesstest.ExpectProblem(t, second(order(w, p.TxnID, 0, arvind)), admission.Conflict, "", "The whole fee was refunded.")
		businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
	})
}

func second[T any](_ T, err error) error { return err }

func TestPartsOfAFeeAddUpToIt(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		w.Clock.Pass(time.Hour)
		for i, minor := range []int64{1, 333_33, 700_00, 0} {
			placed, err := order(w, p.TxnID, minor, meera)
			w.Must(err)
			if i > 0 { // one refund of a payer is enough for one person
				businesstest.Equal(t, "why it needs a second person", placed.Second, "This payer got a refund before.")
				_, err := w.Payment.ApproveRefund(w.Ctx, placed.ID, arvind)
				w.Must(err)
			}
			w.RunJobs()
			w.Clock.Pass(time.Hour)
			businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
		}
		businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Refunded)
		businesstest.Same(t, "notes", w.Texts("SELECT SUM(total_minor), SUM(tax_taxable), COUNT(*) FROM credit_notes"), w.Texts("SELECT total_minor, tax_taxable, 4 FROM invoices"))
	})
}

func TestWhatCannotBeRefundedSaysWhy(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		w.Clock.Pass(time.Hour)
		fee := payment.FeeRefund{TxnID: p.TxnID, Minor: 100_00, LeftMinor: 1499_00, Cause: "other", Words: "asked by phone"}
		for _, row := range []struct {
			name   string
			change func(*payment.FeeRefund)
			kind   admission.Kind
			field  string
			want   string
		}{
			{"no reason", func(f *payment.FeeRefund) { f.Cause = "" }, admission.Invalid, "cause", "Choose a reason."},
			{"an invented reason", func(f *payment.FeeRefund) { f.Cause = "fun" }, admission.Invalid, "cause", "Choose a reason."},
			{"no words", func(f *payment.FeeRefund) { f.Words = " " }, admission.Invalid, "words", "Write what happened."},
			{"very many words", func(f *payment.FeeRefund) { f.Words = strings.Repeat("क", 501) }, admission.Invalid, "words", "Write at most 500 characters."},
			{"nothing", func(f *payment.FeeRefund) { f.Minor = 0 }, admission.Invalid, "amount", "Enter an amount above 0."},
			{"less than nothing", func(f *payment.FeeRefund) { f.Minor = -1 }, admission.Invalid, "amount", "Enter an amount above 0."},
			{"a paisa more than the fee", func(f *payment.FeeRefund) { f.Minor = 1499_01 }, admission.Invalid, "amount", "At most ₹1,499.00 can be refunded."},
			{"an old page", func(f *payment.FeeRefund) { f.LeftMinor = 1599_00 }, admission.Conflict, "", "The payment has changed in the meantime: now ₹1,499.00 can be refunded. Nothing was done."},
			{"no payment", func(f *payment.FeeRefund) { f.TxnID = "7nb1" }, admission.NotFound, "", "Payment not found."},
		} {
			t.Run(row.name, func(t *testing.T) {
				changed := fee
				row.change(&changed)
				_, err := w.Payment.RefundFee(w.Ctx, changed, meera)
				businesstest.ExpectProblem(t, err, row.kind, row.field, row.want)
			})
		}
		w.Sandbox.BeforeNext("fetch", func(context.Context) error { return method.ErrUnknown })
		_, err := w.Payment.RefundFee(w.Ctx, fee, meera)
		businesstest.ExpectProblem(t, err, admission.Unavailable, "", "The gateway does not answer. Nothing was refunded. Try again in a few minutes.")

		w.Sandbox.EventAfterPayment(p.TxnID, sandbox.DisputeOpens)
		_, err = w.Payment.RefundFee(w.Ctx, fee, meera)
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "The payer’s bank decides a dispute about this payment. A refund now could pay the payer twice.")
		businesstest.Equal(t, "refunds", w.Count("refunds"), 0)
		businesstest.Equal(t, "orders", orders(w), "")
		businesstest.Equal(t, "log", acts(w), "")
	})
}

// What the provider's own staff refunded meanwhile is recorded before ours, so that no more goes back than was paid.
func TestAnOrderSeesWhatWasRefundedAtTheProvider(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		w.Clock.Pass(time.Hour)
		w.Must(w.Sandbox.Apply(w.Ctx, p.TxnID, sandbox.PartRefundedThere)) // no event reaches us
		_, err := order(w, p.TxnID, 0, meera)
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "The payment has changed in the meantime: now ₹1,349.10 can be refunded. Nothing was done.")
		w.RunJobs()
		businesstest.Same(t, "refunds", w.Texts("SELECT minor, reason FROM refunds"), []string{"14990 | at the provider"})
		businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
	})
}

func TestTwoPeopleAtOnceRefundOnce(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		w.Clock.Pass(time.Hour)
		done := 0
		for _, err := range businesstest.Concurrently(6, func(i int) error {
			_, err := w.Payment.RefundFee(w.Ctx, payment.FeeRefund{TxnID: p.TxnID, Minor: 500_00, LeftMinor: 1499_00, Cause: "other", Words: "pressed"}, staff.Actor{Name: "one", Account: fmt.Sprint(i)})
			return err
		}) {
			if err == nil {
				done++
			} else if !admission.HasKind(err, admission.Conflict) {
				t.Error(err)
			}
		}
		w.RunJobs()
		businesstest.Equal(t, "done", done, 1)
		businesstest.Same(t, "refunds", w.Texts("SELECT minor, state FROM refunds"), []string{"50000 | done"})
		businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
	})
}

func TestALargeRefundNeedsASecondPerson(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		w.Payment.RefundLimit = 1000_00
		p := w.Paid(nil)
		w.Clock.Pass(time.Hour)
		placed, err := order(w, p.TxnID, 1000_01, meera)
		w.Must(err)
		businesstest.Equal(t, "why", placed.Second, "It is above ₹1,000.00.")
		w.RunJobs()
		businesstest.Equal(t, "refunds", w.Count("refunds"), 0)
		businesstest.Equal(t, "mails", p.Mails(), "receipt")

		businesstest.ExpectProblem(t, second(order(w, p.TxnID, 5_00, arvind)), admission.Conflict, "", "Meera Nambiar has already requested a refund. It waits for approval.")
		businesstest.ExpectProblem(t, second(w.Payment.ApproveRefund(w.Ctx, placed.ID, meera)), admission.Conflict, "", "Nobody can approve their own request.")
		businesstest.ExpectProblem(t, second(w.Payment.ApproveRefund(w.Ctx, "none", arvind)), admission.NotFound, "", "Request not found.")
		businesstest.ExpectProblem(t, second(w.Payment.DeclineRefund(w.Ctx, placed.ID, " ", arvind)), admission.Invalid, "answer", "Write why you decline it.")

		approved := 0
		for _, err := range businesstest.Concurrently(4, func(int) error { return second(w.Payment.ApproveRefund(w.Ctx, placed.ID, arvind)) }) {
			if err == nil {
				approved++
			} else if !admission.HasKind(err, admission.Conflict) {
				t.Error(err)
			}
		}
		businesstest.Equal(t, "approved", approved, 1)
		w.RunJobs()
		businesstest.Same(t, "refunds", w.Texts("SELECT minor, state FROM refunds"), []string{"100001 | done"})
		businesstest.Equal(t, "orders", orders(w), "100001 | approved | Meera Nambiar | Arvind Kulkarni")
		businesstest.Same(t, "log", w.Texts(`SELECT who, what FROM staff_log ORDER BY n`), []string{"Meera Nambiar | asked for a refund", "Arvind Kulkarni | refund ordered"})
		businesstest.ExpectProblem(t, second(w.Payment.DeclineRefund(w.Ctx, placed.ID, "late", arvind)), admission.Conflict, "", "This request has ended. Nothing was done.")
		businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
	})
}

func TestARequestEndsWithoutARefund(t *testing.T) {
	for name, row := range map[string]struct {
		end  func(w *businesstest.World, id string)
		want string
	}{
		"declined": {func(w *businesstest.World, id string) {
			w.Must(second(w.Payment.DeclineRefund(w.Ctx, id, "no proof", arvind)))
		}, "149900 | declined | Meera Nambiar | Arvind Kulkarni"},
		"withdrawn": {func(w *businesstest.World, id string) { w.Must(second(w.Payment.DeclineRefund(w.Ctx, id, "", meera))) }, "149900 | withdrawn | Meera Nambiar | Meera Nambiar"},
		"nobody decided for three days": {func(w *businesstest.World, id string) {
			w.Clock.Pass(72 * time.Hour)
			businesstest.ExpectProblem(w.T, second(w.Payment.ApproveRefund(w.Ctx, id, arvind)), admission.Conflict, "", "This request has ended. Nothing was done.")
		}, "149900 |  | Meera Nambiar | "},
	} {
		t.Run(name, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				w.Payment.RefundLimit = 100_00
				p := w.Paid(nil)
				w.Clock.Pass(time.Hour)
				placed, err := order(w, p.TxnID, 0, meera)
				w.Must(err)
				row.end(w, placed.ID)
				w.RunJobs()
				businesstest.Equal(t, "orders", orders(w), row.want)
				businesstest.Equal(t, "refunds", w.Count("refunds"), 0)
				_, err = order(w, p.TxnID, 0, arvind) // another can be asked for
				w.Must(err)
			})
		})
	}
}

// A refund of a fee that fails or bounces is a case until staff send it again or keep it.
func TestAFailedRefundOfAFeeWaitsForStaff(t *testing.T) {
	for name, row := range map[string]struct {
		minor   int64
		fault   func(w *businesstest.World, p *businesstest.Person)
		between string
	}{
		"a part, declined":    {100_00, declined, "paid | 10000 | failed"},
		"the whole, declined": {0, declined, "paid | 149900 | failed"},
		"a part, bounced":     {100_00, bounced, "paid | 10000 | bounced"},
		"the whole, bounced":  {0, bounced, "paid | 149900 | bounced"},
	} {
		t.Run(name, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				p := w.Paid(nil)
				w.Clock.Pass(time.Hour)
				if name == "a part, declined" || name == "the whole, declined" {
					row.fault(w, p)
				}
				_, err := order(w, p.TxnID, row.minor, meera)
				w.Must(err)
				w.RunJobs()
				if strings.HasSuffix(name, "bounced") {
					row.fault(w, p)
				}
				state := func() string {
					return strings.Join(w.Texts("SELECT t.state, f.minor, f.state FROM transactions t JOIN refunds f ON f.txn_id = t.id WHERE t.refund_failed"), ", ")
				}
				businesstest.Equal(t, "what waits", state(), row.between)
				businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
				w.Clock.Pass(time.Hour)
				w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, arvind))
				w.RunJobs()
				businesstest.Equal(t, "what waits then", state(), "")
				businesstest.Equal(t, "refunds that are done", w.Count("refunds WHERE state = 'done'"), 1)
				businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
			})
		})
	}
	t.Run("staff keep it", func(t *testing.T) {
		businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
			p := w.Paid(nil)
			w.Clock.Pass(time.Hour)
			businesstest.ExpectProblem(t, w.Payment.KeepFee(w.Ctx, p.TxnID, "paid in cash", meera), admission.Conflict, "", "This refund does not wait any more. Nothing was done.")
			declined(w, p)
			_, err := order(w, p.TxnID, 100_00, meera)
			w.Must(err)
			w.RunJobs()
			businesstest.ExpectProblem(t, w.Payment.KeepFee(w.Ctx, p.TxnID, "", meera), admission.Invalid, "words", "Write what happens with the money.")
			w.Must(w.Payment.KeepFee(w.Ctx, p.TxnID, "sent by bank transfer, UTR 1", meera))
			businesstest.Equal(t, "cases", w.Count("transactions WHERE refund_failed"), 0)
			businesstest.ExpectProblem(t, w.Payment.OrderRefund(w.Ctx, p.TxnID, arvind), admission.Conflict, "", "payment "+p.TxnID+" is paid; only refund_due and review go back from here")
		})
	})
}

// A failed refund waits until what staff sent at the provider covers it.
func TestAFailedRefundEndsWhenItIsSentByHand(t *testing.T) {
	for minor, waits := range map[int64]int{99_99: 1, 100_00: 0, 100_01: 0} {
		t.Run(fmt.Sprint(minor), func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				p := w.Paid(nil)
				w.Clock.Pass(time.Hour)
				declined(w, p)
				_, err := order(w, p.TxnID, 100_00, meera)
				w.Must(err)
				w.RunJobs()
				businesstest.Equal(t, "cases before", w.Count("transactions WHERE refund_failed"), 1)
				w.Clock.Pass(time.Hour)
				_, err = w.Sandbox.Bank.Refund(w.Ctx, method.Intent{TxnID: p.TxnID}, method.Charge{PaymentID: "sbxpay_" + p.TxnID}, "by hand", admission.INR(minor))
				w.Must(err)
				w.Must(w.Sandbox.SendWebhook(p.TxnID, "refund.processed"))
				w.RunJobs()
				businesstest.Equal(t, "cases", w.Count("transactions WHERE refund_failed"), waits)
				businesstest.Same(t, "refunds", w.Texts("SELECT minor, state, reason FROM refunds ORDER BY reason"), []string{fmt.Sprint(minor, " | done | at the provider"), "10000 | failed | ordered"})
				businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
			})
		})
	}
}

func declined(w *businesstest.World, _ *businesstest.Person) {
	w.Sandbox.BeforeNext("refund", func(context.Context) error { return fmt.Errorf("%w: closed account", method.ErrDeclined) })
}

func bounced(w *businesstest.World, p *businesstest.Person) {
	w.Clock.Pass(time.Hour)
	w.Sandbox.EventAfterPayment(p.TxnID, sandbox.RefundBounces)
	w.RunJobs()
}

var errGone = errors.New("the process is gone")

func TestAnOrderIsStoredWithItsRefundOrNotAtAll(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		w.Clock.Pass(time.Hour)
		draft, err := w.Payment.DraftRefund(w.Ctx, p.TxnID, 0)
		w.Must(err)
		changes := 0
		w.Recorder.BeforeCommit(func(*businesstest.RecordedTx) error {
			if changes++; changes == 2 { // the first records what the provider holds
				return errGone
			}
			return nil
		})
		_, err = w.Payment.RefundFee(w.Ctx, payment.FeeRefund{TxnID: p.TxnID, Minor: draft.Amount.Minor, LeftMinor: draft.Left.Minor, Cause: "other", Words: "x"}, meera)
		businesstest.Equal(t, "error", errors.Is(err, errGone), true)
		w.Recorder.BeforeCommit(nil)
		w.RunJobs()
		businesstest.Equal(t, "orders, refunds and acts", fmt.Sprint(w.Count("refund_orders"), w.Count("refunds"), w.Count("staff_log")), "0 0 0")
	})
}
