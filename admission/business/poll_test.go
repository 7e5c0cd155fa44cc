package business_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

// schedule returns the ages at which the poller queries an unpaid payment.
func schedule() []time.Duration {
	ages := []time.Duration{30 * time.Second, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute}
	for hour := 1; hour <= 24; hour++ {
		ages = append(ages, time.Duration(hour)*time.Hour)
	}
	for day := 2; day <= 7; day++ {
		ages = append(ages, time.Duration(day)*24*time.Hour)
	}
	return ages
}

func TestPollSchedule(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.clock.Set(noon.Add(123456789)) // between two microseconds, as any other moment
		p := w.paying(withCoupon)
		began := w.clock.Now()
		w.sandbox.asked()
		var ages []time.Duration
		for {
			due := w.texts("SELECT due_at FROM jobs WHERE kind = 'poll'")
			if len(due) == 0 {
				break
			}
			at := w.nextJob()
			w.clock.Set(at)
			w.runJobs()
			ages = append(ages, at.Sub(began).Round(time.Millisecond))
			want := []string{"fetch"}
			if len(ages) == 5 { // at thirty minutes the attempt ends
				want = []string{"fetch", "cancel", "fetch"}
			}
			same(t, "what the provider was asked at "+ages[len(ages)-1].String(), w.sandbox.asked(), want)
		}
		same(t, "ages", ages, schedule())
		p.expectState(p.txn, paymentState{State: payment.Expired, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Mails: "payment-missing", Timeline: "enrolled, payment expired"})
	})
}

// nextJob returns the time of the next poll.
func (w *world) nextJob() time.Time {
	w.t.Helper()
	var micros int64
	w.must(w.reads.QueryRow("SELECT MIN(due_at) FROM jobs WHERE kind = 'poll'").Scan(&micros))
	return time.UnixMicro(micros).UTC()
}

func TestPollerKeepsItsScheduleWhileTheProviderIsDown(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.paying(nil)
		w.sandbox.setDown(method.ErrUnknown)
		for _, age := range schedule()[:4] {
			w.clock.Set(noon.Add(age))
			w.runJobs()
			p.expectState(p.txn, paymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Timeline: "enrolled"})
		}
		w.sandbox.press(p.txn, sandbox.Paid)
		w.sandbox.setDown(nil)
		w.clock.Set(noon.Add(30 * time.Minute))
		w.runJobs()
		p.expectState(p.txn, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Invoices: 1, Mails: "receipt", Timeline: "enrolled, paid"})
	})
}

func TestLatePollerContinues(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.paying(nil)
		for age, wait := range map[time.Duration]time.Duration{
			31 * time.Second: 89 * time.Second, 4 * time.Minute: time.Minute, 20 * time.Minute: 10 * time.Minute,
		} {
			w.clock.Set(noon.Add(age))
			equal(t, "wait at "+age.String(), w.poll(p.txn), wait)
		}
		w.clock.Set(noon.Add(3 * time.Hour)) // all workers were down
		equal(t, "wait after three hours", w.poll(p.txn), time.Hour)
		equal(t, "state", p.state(p.txn).State, payment.Expired)
		w.clock.Set(noon.Add(8 * 24 * time.Hour))
		equal(t, "wait after eight days", w.poll(p.txn), 0)
	})
}

func TestPollerFindsLatePayment(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		for _, c := range []struct{ pays, found time.Duration }{
			{40 * time.Minute, time.Hour}, {90 * time.Minute, 2 * time.Hour}, {30 * time.Hour, 48 * time.Hour}, {6*24*time.Hour + time.Hour, 7 * 24 * time.Hour},
		} {
			p := w.paying(withCoupon)
			began := w.clock.Now()
			for _, age := range schedule() {
				if age > c.found {
					break
				}
				if age == c.found {
					w.clock.Set(began.Add(c.pays))
					w.sandbox.captureLate(p.txn)
				}
				w.clock.Set(began.Add(age))
				w.runJobs()
			}
			p.expectState(p.txn, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "payment-missing, receipt-late", Timeline: "enrolled, paid, payment expired"})
			equal(t, "planned questions", w.count("jobs WHERE kind = 'poll' AND ref = $1", p.txn), 0)
		}
	})
}

func TestWebhookSettlesLatePayment(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.paying(withCoupon)
		w.advance(30 * time.Minute)
		w.advance(3 * time.Hour)
		w.sandbox.captureLate(p.txn)
		w.must(w.sandbox.webhook(p.txn, "payment.captured"))
		p.expectState(p.txn, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "payment-missing, receipt-late", Timeline: "enrolled, paid, payment expired"})
	})
}

func TestVerifyQueriesEveryTwoSecondsAtMost(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.paying(nil)
		p.verifyPayment()
		w.sandbox.asked()
		for range 20 {
			p.verifyPayment()
			w.clock.Pass(100 * time.Millisecond)
		}
		same(t, "questions within two seconds", w.sandbox.asked(), nil)
		p.verifyPayment()
		same(t, "questions after two seconds", w.sandbox.asked(), []string{"fetch"})
		p.returnWith(sandbox.Paid)
		w.sandbox.asked()
		w.clock.Pass(time.Hour)
		p.verifyPayment()
		same(t, "questions about what is paid", w.sandbox.asked(), nil)
		_, err := w.Payment.Verify(w.ctx, admission.NewID())
		expectProblem(t, err, admission.NotFound, "", "Payment not found.")
	})
}

func TestCodeAfterClockJump(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		for _, jump := range []time.Duration{-5 * time.Minute, 5 * time.Minute} {
			p := w.somebody()
			sent, err := w.Access.RequestCode(w.ctx, p.Visitor, access.PhoneCodeInput{Purpose: access.ForPhone, Phone: p.phone, Email: p.email, EventCode: "KS_Mgrow"})
			w.must(err)
			w.clock.Pass(jump)
			_, err = w.Access.VerifyCode(w.ctx, p.Visitor, access.EnteredCode{Purpose: access.ForPhone, RequestID: sent.RequestID, Phone: p.phone, Code: "000000"})
			if code := w.recorder.code("+91" + p.phone); code != "000000" {
				expectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP")
			}
			_, err = w.Access.VerifyCode(w.ctx, p.Visitor, access.EnteredCode{Purpose: access.ForPhone, RequestID: sent.RequestID, Phone: p.phone, Code: w.recorder.code("+91" + p.phone)})
			w.must(err)
			_, err = p.enrol(nil)
			w.must(err)
		}
	})
}

func TestReconciliationFindsEachKindOfDifference(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.open(w.sandbox) // both sandboxes write into one book
		w.paid(nil)
		free := w.enrolled(fields{"coupon_code": "FULLSEAT"})
		free.mustStart("")
		refundedHere := w.paid(nil)
		_, err := w.Payment.Refund(w.ctx, refundedHere.txn)
		w.must(err)
		found, err := w.Payment.Reconcile(w.ctx, noon, noon.AddDate(0, 0, 1))
		w.must(err)
		same(t, "differences where all is well", found, nil)

		unknown := admission.NewID()
		_, err = w.sandbox.bank.Start(w.ctx, method.Intent{TxnID: unknown, Amount: admission.INR(1499_00)})
		w.must(err)
		w.sandbox.press(unknown, sandbox.Paid)
		missed := w.paying(nil)
		w.sandbox.press(missed.txn, sandbox.Paid)
		wrong := w.paying(nil)
		wrong.returnWith(sandbox.WrongAmount)
		refundedThere := w.paid(nil)
		_, err = w.sandbox.bank.Refund(w.ctx, method.Intent{TxnID: refundedThere.txn}, method.Charge{PaymentID: "sbxpay_" + refundedThere.txn}, "by hand", admission.INR(1499_00))
		w.must(err)
		invented := w.paying(nil)
		_, err = w.Payment.Settle(w.ctx, invented.txn, method.Status{TxnID: invented.txn, State: method.ChargePaid, Charges: heldCharge("sbxpay_"+invented.txn, admission.INR(1499_00))})
		w.must(err)

		want := []payment.Difference{
			{TxnID: unknown, Gateway: "sandbox", What: "charged, but not in our books"},
			{TxnID: missed.txn, Gateway: "sandbox", What: "charged there, pending here"},
			{TxnID: wrong.txn, Gateway: "sandbox", What: "charged ₹1,498.99 for ₹1,499.00"},
			{TxnID: refundedThere.txn, Gateway: "sandbox", What: "refunded there, paid here"},
			{TxnID: invented.txn, Gateway: "sandbox", What: "paid in our books, not charged there"},
		}
		found, err = w.Payment.Reconcile(w.ctx, noon, noon.AddDate(0, 0, 1))
		w.must(err)
		byTxn := func(a, b payment.Difference) int { return slices.Compare([]string{a.TxnID}, []string{b.TxnID}) }
		slices.SortFunc(found, byTxn)
		slices.SortFunc(want, byTxn)
		same(t, "differences", found, want)
		for _, day := range []time.Time{noon.AddDate(0, 0, -1), noon.AddDate(0, 0, 1)} {
			found, err = w.Payment.Reconcile(w.ctx, day, day.AddDate(0, 0, 1))
			w.must(err)
			same(t, "differences of another day", found, nil)
		}

		w.sandbox.setDown(errors.New("no answer"))
		if _, err = w.Payment.Reconcile(w.ctx, noon, noon.AddDate(0, 0, 1)); err == nil {
			t.Error("a provider that does not answer looked like one without charges")
		}
		w.sandbox.setDown(nil)

		// Staff resolve the differences.
		_, err = w.sandbox.bank.Refund(w.ctx, method.Intent{TxnID: unknown}, method.Charge{PaymentID: "sbxpay_" + unknown}, "by hand", admission.INR(1499_00))
		w.must(err)
		w.advance(30 * time.Second)
		for _, txn := range []string{wrong.txn, refundedThere.txn} {
			_, err = w.Payment.Refund(w.ctx, txn)
			w.must(err)
		}
		w.sandbox.press(invented.txn, sandbox.Paid)
	})
}

func TestReconciliationAcrossMidnight(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		midnight := time.Date(2026, 11, 21, 18, 30, 0, 0, time.UTC)
		w.clock.Set(midnight.Add(-10 * time.Second))
		p := w.paying(nil)
		w.sandbox.press(p.txn, sandbox.Paid)
		w.clock.Set(midnight.Add(20 * time.Second))
		w.runJobs()
		equal(t, "state", p.state(p.txn).State, payment.Paid)
		for _, day := range []time.Time{midnight.Add(-time.Second), midnight} {
			found, err := w.Payment.Reconcile(w.ctx, day, day.AddDate(0, 0, 1))
			w.must(err)
			same(t, "differences", found, nil)
		}
	})
}

// A charge may be days older than its settlement, so that day's list does not contain it.
func TestPaymentAcceptedLaterIsNoDifference(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paying(nil)
		p.returnWith(sandbox.WrongAmount)
		w.advance(5 * 24 * time.Hour)
		_, err := w.Payment.AcceptReview(w.ctx, p.txn, "test")
		w.must(err)
		found, err := w.Payment.Reconcile(w.ctx, w.clock.Now(), w.clock.Now().AddDate(0, 0, 1))
		w.must(err)
		same(t, "differences", found, nil)
	})
}
