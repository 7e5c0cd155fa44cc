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
	each(t, func(t *testing.T, w *world) {
		random := rand.New(rand.NewPCG(4, 100))
		for range orders {
			p := w.paying(withCoupon)
			w.sandbox.press(p.txn, sandbox.Paid)
			header, body := w.sandbox.bank.SignedWebhook(p.txn, "payment.paid")
			webhook := func() {
				_, _, err := w.Payment.ReceiveWebhook(w.ctx, "sandbox", payment.Webhook{Header: header, Body: body})
				w.must(err)
				w.runJobs()
			}
			roads := []func(){
				func() { p.returnWith(sandbox.Paid) }, webhook, webhook, webhook, webhook, webhook, func() { w.poll(p.txn) }, func() { p.verifyPayment() },
			}
			order := random.Perm(len(roads))
			for _, road := range order {
				roads[road]()
			}
			if got := p.state(p.txn); got != paidOnce {
				t.Errorf("order %v:\n got %+v\nwant %+v", order, got, paidOnce)
			}
		}
		equal(t, "invoices", w.count("invoices"), orders)
		equal(t, "receipt messages", w.count("messages WHERE cause LIKE 'receipt:%'"), orders)
		equal(t, "events", w.count("inbox"), orders)
	})
}

// TestFourConcurrentSourcesPayOnce does the same concurrently with fifty callers.
func TestFourConcurrentSourcesPayOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		p := w.paying(withCoupon)
		w.sandbox.press(p.txn, sandbox.Paid)
		for _, err := range concurrently(50, func(i int) (err error) {
			switch i % 4 {
			case 0:
				_, err = w.Payment.Complete(w.ctx, p.txn, method.Return{Form: w.sandbox.Press(p.txn, sandbox.Paid)})
			case 1:
				err = w.sandbox.webhook(p.txn, "payment.paid")
			case 2:
				_, err = w.Payment.Poll(w.ctx, p.txn)
			case 3:
				_, err = w.Payment.Verify(w.ctx, p.txn)
			}
			return err
		}) {
			w.must(err)
		}
		p.expectState(p.txn, paidOnce)
	})
}

func TestTwoConcurrentPaymentsOfOneRegistration(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		for range 10 {
			p := w.paying(withCoupon)
			first := p.txn
			second := p.mustStart("second").ID
			w.sandbox.captureLate(first) // the customer had confirmed it in his bank's app, and then paid by the other method
			w.other.press(second, sandbox.Paid)
			w.clock.Pass(2 * time.Second)
			for _, err := range concurrently(2, func(i int) error {
				_, err := w.Payment.Verify(w.ctx, []string{first, second}[i])
				return err
			}) {
				w.must(err)
			}
			w.runJobs()
			same(t, "states", w.texts("SELECT state FROM transactions WHERE registration_id = $1 ORDER BY state", p.registration), []string{"paid", "refunded"})
			equal(t, "invoices", w.count("invoices WHERE registration_id = $1", p.registration), 1)
			same(t, "coupon uses", w.texts("SELECT state FROM coupon_uses WHERE txn_id IN ($1, $2) ORDER BY state", first, second), []string{"released", "used"})
			equal(t, "mails", len(p.post.to(p.email)), 2)
		}
	})
}

// crowd returns people who enrol concurrently.
func (w *world) crowd(n int, changes fields) []*person {
	w.t.Helper()
	people := make([]*person, n)
	for i := range people {
		people[i] = w.somebody()
	}
	for _, err := range concurrently(n, func(i int) error {
		err := people[i].verifyCode(access.ForPhone, people[i].phone)
		if err == nil {
			_, err = people[i].enrol(changes)
		}
		return err
	}) {
		w.must(err)
	}
	return people
}

func TestSerialsHaveNoGapAfterRollbacks(t *testing.T) { serialsWithoutGap(t, 50, 8) }

// serialsWithoutGap lets payers concurrently pay a number of registrations each. Every fifth change that took a serial is
// rolled back at its end, and the poller retries. If the provider does not answer in time, the payer presses again: this is
// forced once, and also happens on a busy machine, because the sandbox uses the same database.
func serialsWithoutGap(t *testing.T, payers, registrations int) {
	onBoth(t, func(t *testing.T, w *world) {
		payments := w.openPayments(payers * registrations)
		var taken atomic.Int64
		rolledBack := errors.New("rolled back")
		w.recorder.beforeCommit(func(x *recordedTx) error {
			if x.invoices > 0 && taken.Add(1)%5 == 0 {
				return rolledBack
			}
			return nil
		})
		w.sandbox.afterNext("complete", func(*method.Status) error { return method.ErrUnknown })
		for _, err := range concurrently(payers, func(i int) error {
			for _, txn := range payments[i*registrations : (i+1)*registrations] {
				for settled := false; !settled; {
					paid, err := w.Payment.Complete(w.ctx, txn, method.Return{Form: w.sandbox.Press(txn, sandbox.Paid)})
					settled = err == nil && paid.State == payment.Paid
					for errors.Is(err, rolledBack) {
						var wait time.Duration
						wait, err = w.Payment.Poll(w.ctx, txn)
						settled = err == nil && wait == 0
					}
					if err != nil {
						return err
					}
				}
			}
			return nil
		}) {
			w.must(err)
		}
		w.recorder.beforeCommit(nil)
		n := payers * registrations
		if rolled := int(taken.Load()) - n; rolled < n/5 {
			t.Errorf("only %d of %d were rolled back", rolled, taken.Load())
		}
		same(t, "invoices, first, last, different ones", w.texts("SELECT COUNT(*), MIN(serial), MAX(serial), COUNT(DISTINCT number) FROM invoices"),
			[]string{fmt.Sprintf("%d | 1 | %d | %d", n, n, n)})
		same(t, "counter", w.texts("SELECT serial FROM invoice_series"), []string{strconv.Itoa(n)})
		equal(t, "receipt messages", w.count("messages WHERE cause LIKE 'receipt:%'"), n)
		w.postpone() // a thousand mails are another test's
	})
}

// openPayments inserts open payments directly, in few transactions.
func (w *world) openPayments(n int) []string {
	w.t.Helper()
	payments := make([]string, n)
	w.must(w.database.Areas().Payment.Update(w.ctx, func(tx payment.Tx) error {
		for i := range payments {
			r := enrol.Registration{
				ID: admission.NewID(), EventCode: "KS_Mgrow", FullName: "Asha Rao", Email: fmt.Sprintf("n%d@example.com", i), Phone: fmt.Sprintf("+9197%08d", i),
				Course: "Blockchain", StateCode: "29", Adult: true, Step: enrol.StepPaying, TermsAt: noon, CreatedAt: noon, ModifiedAt: noon,
			}
			p := payment.Transaction{
				ID: admission.NewID(), RegistrationID: r.ID, Gateway: "sandbox", List: admission.INR(1499_00), Discount: admission.INR(0), Charge: admission.INR(1499_00), State: payment.Pending,
				Checkout: map[string]any{}, CreatedAt: noon, ExpiresAt: noon.Add(30 * time.Minute), ModifiedAt: noon,
			}
			payments[i] = p.ID
			if err := errors.Join(tx.AddRegistration(&r), tx.AddTransaction(&p)); err != nil {
				return err
			}
		}
		return nil
	}))
	for _, err := range concurrently(8, func(k int) error {
		for i := k; i < n; i += 8 {
			if _, err := w.sandbox.bank.Start(w.ctx, method.Intent{TxnID: payments[i], Amount: admission.INR(1499_00)}); err != nil {
				return err
			}
		}
		return nil
	}) {
		w.must(err)
	}
	return payments
}

// postpone hides all jobs from the worker.
func (w *world) postpone() {
	w.t.Helper()
	for {
		jobs, err := w.database.ClaimJobs(w.ctx, []string{message.JobSMS, message.JobMail, payment.JobPoll, payment.JobEvent, payment.JobRefund}, w.clock.Now(), 24*time.Hour, 1000)
		w.must(err)
		if len(jobs) == 0 {
			return
		}
	}
}

func TestManyPayersOfLimitedCoupon(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		const limit = 4
		w.coupon(enrol.Coupon{Code: "FOURSEATS", Terms: enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 500_00}, MaxUses: limit})
		people := w.crowd(10*limit, fields{"coupon_code": "FOURSEATS"})
		var discounted, told atomic.Int64
		for _, err := range concurrently(len(people), func(i int) error {
			p := people[i]
			started, err := p.start("")
			if problem := admission.AsProblem(err); problem != nil && problem.Kind == admission.Conflict && problem.Field == "coupon_code" {
				told.Add(1)
				if started, err = p.start(""); err == nil && started.Charge != admission.INR(1499_00) {
					err = fmt.Errorf("the second start charges %s", started.Charge)
				}
			} else if err == nil {
				discounted.Add(1)
				if started.Charge != admission.INR(999_00) {
					err = fmt.Errorf("a discounted start charges %s", started.Charge)
				}
			}
			if err == nil {
				_, err = w.Payment.Complete(w.ctx, p.txn, method.Return{Form: w.sandbox.Press(p.txn, sandbox.Paid)})
			}
			return err
		}) {
			w.must(err)
		}
		equal(t, "discounted", discounted.Load(), limit)
		equal(t, "told that it has just been used up", told.Load(), 9*limit)
		equal(t, "uses", w.count("coupon_uses WHERE state = 'used'"), limit)
		equal(t, "paid", w.count("transactions WHERE state = 'paid'"), 10*limit)
		w.postpone()
	})
}

func TestFiftyPayersOfLastCouponUse(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		people := w.crowd(50, fields{"coupon_code": "LASTSEAT"})
		errs := concurrently(50, func(i int) error { _, err := people[i].start(""); return err })
		winners := 0
		for _, err := range errs {
			if err == nil {
				winners++
				continue
			}
			expectProblem(t, err, admission.Conflict, "coupon_code", "This coupon has just been used up.")
		}
		equal(t, "winners", winners, 1)
		equal(t, "attempts", w.count("transactions"), 1)
		w.postpone()
	})
}
