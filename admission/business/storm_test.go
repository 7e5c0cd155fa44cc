package business_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

// TestFourSourcesInAnyOrderPayOnce settles one payment by return, five copies of a webhook, poller and verify, in a hundred
// orders.
func TestFourSourcesInAnyOrderPayOnce(t *testing.T) { fourRoads(t, 100) }

func fourRoads(t *testing.T, orders int) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		random := rand.New(rand.NewPCG(4, 100))
		for range orders {
			p := w.Paying(businesstest.WithCoupon)
			w.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
			header, body := w.Sandbox.Bank.SignedWebhook(p.TxnID, "payment.paid")
			webhook := func() {
				_, _, err := w.Payment.ReceiveWebhook(w.Ctx, "sandbox", payment.Webhook{Header: header, Body: body})
				w.Must(err)
				w.RunJobs()
			}
			roads := []func(){
				func() { p.ReturnWith(sandbox.Paid) }, webhook, webhook, webhook, webhook, webhook, func() { w.Poll(p.TxnID) }, func() { p.VerifyPayment() },
			}
			order := random.Perm(len(roads))
			for _, road := range order {
				roads[road]()
			}
			if got := p.State(p.TxnID); got != businesstest.PaidOnce {
				t.Errorf("order %v:\n got %+v\nwant %+v", order, got, businesstest.PaidOnce)
			}
		}
		businesstest.Equal(t, "invoices", w.Count("invoices"), orders)
		businesstest.Equal(t, "receipt messages", w.Count("messages WHERE cause LIKE 'receipt:%'"), orders)
		businesstest.Equal(t, "events", w.Count("inbox"), orders)
	})
}

// TestFourConcurrentSourcesPayOnce does the same concurrently with fifty callers.
func TestFourConcurrentSourcesPayOnce(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(businesstest.WithCoupon)
		w.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
		for _, err := range businesstest.Concurrently(50, func(i int) (err error) {
			switch i % 4 {
			case 0:
				_, err = w.Payment.Complete(w.Ctx, p.TxnID, method.Return{Form: w.Sandbox.Press(p.TxnID, sandbox.Paid)})
			case 1:
				err = w.Sandbox.SendWebhook(p.TxnID, "payment.paid")
			case 2:
				_, err = w.Payment.Poll(w.Ctx, p.TxnID)
			case 3:
				_, err = w.Payment.Verify(w.Ctx, p.TxnID)
			}
			return err
		}) {
			w.Must(err)
		}
		p.ExpectState(p.TxnID, businesstest.PaidOnce)
	})
}

func TestTwoConcurrentPaymentsOfOneRegistration(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		for range 10 {
			p := w.Paying(businesstest.WithCoupon)
			first := p.TxnID
			second := p.MustStart("second").ID
			w.Sandbox.CaptureLate(first) // the customer had confirmed it in his bank's app, and then paid by the other method
			w.Second.PressWithoutReturn(second, sandbox.Paid)
			w.Clock.Pass(2 * time.Second)
			for _, err := range businesstest.Concurrently(2, func(i int) error {
				_, err := w.Payment.Verify(w.Ctx, []string{first, second}[i])
				return err
			}) {
				w.Must(err)
			}
			w.RunJobs()
			businesstest.Same(t, "states", w.Texts("SELECT state FROM transactions WHERE registration_id = $1 ORDER BY state", p.RegistrationID), []string{"paid", "refunded"})
			businesstest.Equal(t, "invoices", w.Count("invoices WHERE registration_id = $1", p.RegistrationID), 1)
			businesstest.Same(t, "coupon uses", w.Texts("SELECT state FROM coupon_uses WHERE txn_id IN ($1, $2) ORDER BY state", first, second), []string{"released", "used"})
			businesstest.Equal(t, "mails", len(p.Post.To(p.Email)), 3)
		}
	})
}

// crowd returns people who enrol concurrently.
func crowd(w *businesstest.World, n int, changes businesstest.Fields) []*businesstest.Person {
	w.T.Helper()
	people := make([]*businesstest.Person, n)
	for i := range people {
		people[i] = w.Somebody()
	}
	for _, err := range businesstest.Concurrently(n, func(i int) error {
		err := people[i].VerifyCode(access.ForPhone, people[i].Phone)
		if err == nil {
			_, err = people[i].SubmitEnrolment(changes)
		}
		return err
	}) {
		w.Must(err)
	}
	return people
}

func TestSerialsHaveNoGapAfterRollbacks(t *testing.T) { serialsWithoutGap(t, 50, 8) }

// serialsWithoutGap lets payers concurrently pay a number of registrations each. Every fifth change that took a serial is
// rolled back at its end, and the poller retries. If the provider does not answer in time, the payer presses again: this is
// forced once, and also happens on a busy machine, because the sandbox uses the same database.
func serialsWithoutGap(t *testing.T, payers, registrations int) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		payments := openPayments(w, payers*registrations)
		var taken atomic.Int64
		rolledBack := errors.New("rolled back")
		w.Recorder.BeforeCommit(func(x *businesstest.RecordedTx) error {
			if x.Invoices > 0 && taken.Add(1)%5 == 0 {
				return rolledBack
			}
			return nil
		})
		w.Sandbox.AfterNext("complete", func(*method.Status) error { return method.ErrUnknown })
		for _, err := range businesstest.Concurrently(payers, func(i int) error {
			for _, txn := range payments[i*registrations : (i+1)*registrations] {
				for settled := false; !settled; {
					paid, err := w.Payment.Complete(w.Ctx, txn, method.Return{Form: w.Sandbox.Press(txn, sandbox.Paid)})
					settled = err == nil && paid.State == payment.Paid
					for errors.Is(err, rolledBack) {
						var wait time.Duration
						wait, err = w.Payment.Poll(w.Ctx, txn)
						settled = err == nil && wait == 0
					}
					if err != nil {
						return err
					}
				}
			}
			return nil
		}) {
			w.Must(err)
		}
		w.Recorder.BeforeCommit(nil)
		n := payers * registrations
		if rolled := int(taken.Load()) - n; rolled < n/5 {
			t.Errorf("only %d of %d were rolled back", rolled, taken.Load())
		}
		businesstest.Same(t, "invoices, first, last, different ones", w.Texts("SELECT COUNT(*), MIN(serial), MAX(serial), COUNT(DISTINCT number) FROM invoices"),
			[]string{fmt.Sprintf("%d | 1 | %d | %d", n, n, n)})
		businesstest.Same(t, "counter", w.Texts("SELECT serial FROM invoice_series"), []string{strconv.Itoa(n)})
		businesstest.Equal(t, "receipt messages", w.Count("messages WHERE cause LIKE 'receipt:%'"), n)
		postpone(w) // a thousand mails are another test's
	})
}

// openPayments inserts open payments directly, in few transactions.
func openPayments(w *businesstest.World, n int) []string {
	w.T.Helper()
	payments := make([]string, n)
	w.Must(w.Database.Areas().Payment.Update(w.Ctx, func(tx payment.Tx) error {
		for i := range payments {
			r := enrol.Registration{
				ID: admission.NewID(), EventCode: "KS_Mgrow", FullName: "Asha Rao", Email: fmt.Sprintf("n%d@example.com", i), Phone: fmt.Sprintf("+9197%08d", i),
				Course: "Blockchain", StateCode: "29", Adult: true, Step: enrol.StepPaying, TermsAt: businesstest.Noon, CreatedAt: businesstest.Noon, ModifiedAt: businesstest.Noon,
			}
			p := payment.Transaction{
				ID: admission.NewID(), RegistrationID: r.ID, Gateway: "sandbox", List: admission.INR(1499_00), Discount: admission.INR(0), Charge: admission.INR(1499_00), State: payment.Pending,
				Checkout: map[string]any{}, CreatedAt: businesstest.Noon, ExpiresAt: businesstest.Noon.Add(30 * time.Minute), ModifiedAt: businesstest.Noon,
			}
			payments[i] = p.ID
			if err := errors.Join(tx.AddRegistration(&r), tx.AddTransaction(&p)); err != nil {
				return err
			}
		}
		return nil
	}))
	for _, err := range businesstest.Concurrently(8, func(k int) error {
		for i := k; i < n; i += 8 {
			if _, err := w.Sandbox.Bank.Start(w.Ctx, method.Intent{TxnID: payments[i], Amount: admission.INR(1499_00)}); err != nil {
				return err
			}
		}
		return nil
	}) {
		w.Must(err)
	}
	return payments
}

// postpone hides all jobs from the worker.
func postpone(w *businesstest.World) {
	w.T.Helper()
	for {
		jobs, err := w.Database.ClaimJobs(w.Ctx, []string{message.JobSMS, message.JobMail, payment.JobPoll, payment.JobEvent, payment.JobRefund}, w.Clock.Now(), 24*time.Hour, 1000)
		w.Must(err)
		if len(jobs) == 0 {
			return
		}
	}
}

func TestManyPayersOfLimitedCoupon(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		const limit = 4
		w.AddCoupon(enrol.Coupon{Code: "FOURSEATS", Terms: enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 500_00}, MaxUses: limit})
		people := crowd(w, 10*limit, businesstest.Fields{"coupon_code": "FOURSEATS"})
		var discounted, told atomic.Int64
		for _, err := range businesstest.Concurrently(len(people), func(i int) error {
			p := people[i]
			started, err := p.Start("")
			if problem := admission.AsProblem(err); problem != nil && problem.Kind == admission.Conflict && problem.Field == "coupon_code" {
				told.Add(1)
				if started, err = p.Start(""); err == nil && started.Charge != admission.INR(1499_00) {
					err = fmt.Errorf("the second start charges %s", started.Charge)
				}
			} else if err == nil {
				discounted.Add(1)
				if started.Charge != admission.INR(999_00) {
					err = fmt.Errorf("a discounted start charges %s", started.Charge)
				}
			}
			if err == nil {
				_, err = w.Payment.Complete(w.Ctx, p.TxnID, method.Return{Form: w.Sandbox.Press(p.TxnID, sandbox.Paid)})
			}
			return err
		}) {
			w.Must(err)
		}
		businesstest.Equal(t, "discounted", discounted.Load(), limit)
		businesstest.Equal(t, "told that it has just been used up", told.Load(), 9*limit)
		businesstest.Equal(t, "uses", w.Count("coupon_uses WHERE state = 'used'"), limit)
		businesstest.Equal(t, "paid", w.Count("transactions WHERE state = 'paid'"), 10*limit)
		postpone(w)
	})
}

func TestFiftyPayersOfLastCouponUse(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		people := crowd(w, 50, businesstest.Fields{"coupon_code": "LASTSEAT"})
		errs := businesstest.Concurrently(50, func(i int) error { _, err := people[i].Start(""); return err })
		winners := 0
		for _, err := range errs {
			if err == nil {
				winners++
				continue
			}
			businesstest.ExpectProblem(t, err, admission.Conflict, "coupon_code", "This coupon has just been used up.")
		}
		businesstest.Equal(t, "winners", winners, 1)
		businesstest.Equal(t, "attempts", w.Count("transactions"), 1)
		postpone(w)
	})
}

func TestConcurrentTicketsDiffer(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		const n = 60
		payments := openPayments(w, n)
		for _, err := range businesstest.Concurrently(n, func(i int) error {
			_, err := w.Payment.Complete(w.Ctx, payments[i], method.Return{Form: w.Sandbox.Press(payments[i], sandbox.Paid)})
			return err
		}) {
			w.Must(err)
		}
		businesstest.Same(t, "tickets, numbers, keys", w.Texts("SELECT COUNT(*), COUNT(DISTINCT ticket), COUNT(DISTINCT ticket_key) FROM registrations WHERE ticket <> '' AND ticket_key <> ''"), []string{"60 | 60 | 60"})
		businesstest.Same(t, "series", w.Texts("SELECT prefix, issued FROM ticket_series"), []string{"HS26 | 60"})
		postpone(w)
	})
}
