package payment_test

import (
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
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
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		w.Clock.Set(businesstest.Noon.Add(123456789)) // between two microseconds, as any other moment
		p := w.Paying(businesstest.WithCoupon)
		began := w.Clock.Now()
		w.Sandbox.Calls()
		var ages []time.Duration
		for {
			due := w.Texts("SELECT due_at FROM jobs WHERE kind = 'poll'")
			if len(due) == 0 {
				break
			}
			at := nextJob(w)
			w.Clock.Set(at)
			w.RunJobs()
			ages = append(ages, at.Sub(began).Round(time.Millisecond))
			want := []string{"fetch"}
			if len(ages) == 5 { // at thirty minutes the attempt ends
				want = []string{"fetch", "cancel", "fetch"}
			}
			businesstest.Same(t, "what the provider was asked at "+ages[len(ages)-1].String(), w.Sandbox.Calls(), want)
		}
		businesstest.Same(t, "ages", ages, schedule())
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Expired, Outcome: payment.OutcomeFailed, Step: enrol.StepUnpaid, Coupon: enrol.UseReleased, Mails: "payment-missing", Timeline: "enrolled, payment expired"})
	})
}

// nextJob returns the time of the next poll.
func nextJob(w *businesstest.World) time.Time {
	w.T.Helper()
	var micros int64
	w.Must(w.Reads.QueryRow("SELECT MIN(due_at) FROM jobs WHERE kind = 'poll'").Scan(&micros))
	return time.UnixMicro(micros).UTC()
}

func TestPollerKeepsItsScheduleWhileTheProviderIsDown(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(nil)
		w.Sandbox.SetDown(method.ErrUnknown)
		for _, age := range schedule()[:4] {
			w.Clock.Set(businesstest.Noon.Add(age))
			w.RunJobs()
			p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Timeline: "enrolled"})
		}
		w.Clock.Set(businesstest.Noon.Add(30 * time.Minute))
		businesstest.Equal(t, "wait after thirty minutes", w.Poll(p.TxnID), 2*time.Minute)
		w.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
		w.Sandbox.SetDown(nil)
		w.RunJobs()
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Invoices: 1, Mails: "receipt", Timeline: "enrolled, paid"})
	})
}

func TestLatePollerContinues(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(nil)
		for age, wait := range map[time.Duration]time.Duration{
			31 * time.Second: 89 * time.Second, 4 * time.Minute: time.Minute, 20 * time.Minute: 10 * time.Minute,
		} {
			w.Clock.Set(businesstest.Noon.Add(age))
			businesstest.Equal(t, "wait at "+age.String(), w.Poll(p.TxnID), wait)
		}
		w.Clock.Set(businesstest.Noon.Add(3 * time.Hour)) // all workers were down
		businesstest.Equal(t, "wait after three hours", w.Poll(p.TxnID), time.Hour)
		businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Expired)
		w.Clock.Set(businesstest.Noon.Add(8 * 24 * time.Hour))
		businesstest.Equal(t, "wait after eight days", w.Poll(p.TxnID), 0)
	})
}

func TestPollerFindsLatePayment(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		for _, c := range []struct{ pays, found time.Duration }{
			{40 * time.Minute, time.Hour}, {90 * time.Minute, 2 * time.Hour}, {30 * time.Hour, 48 * time.Hour}, {6*24*time.Hour + time.Hour, 7 * 24 * time.Hour},
		} {
			p := w.Paying(businesstest.WithCoupon)
			began := w.Clock.Now()
			for _, age := range schedule() {
				if age > c.found {
					break
				}
				if age == c.found {
					w.Clock.Set(began.Add(c.pays))
					w.Sandbox.CaptureLate(p.TxnID)
				}
				w.Clock.Set(began.Add(age))
				w.RunJobs()
			}
			p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "payment-missing, receipt-late", Timeline: "enrolled, paid, payment expired"})
			businesstest.Equal(t, "planned questions", w.Count("jobs WHERE kind = 'poll' AND ref = $1", p.TxnID), 0)
		}
	})
}

func TestWebhookSettlesLatePayment(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(businesstest.WithCoupon)
		w.Advance(30 * time.Minute)
		w.Advance(3 * time.Hour)
		w.Sandbox.CaptureLate(p.TxnID)
		w.Must(w.Sandbox.SendWebhook(p.TxnID, "payment.captured"))
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "payment-missing, receipt-late", Timeline: "enrolled, paid, payment expired"})
	})
}

func TestVerifyQueriesEveryTwoSecondsAtMost(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(nil)
		p.VerifyPayment()
		w.Sandbox.Calls()
		for range 20 {
			p.VerifyPayment()
			w.Clock.Pass(100 * time.Millisecond)
		}
		businesstest.Same(t, "questions within two seconds", w.Sandbox.Calls(), nil)
		p.VerifyPayment()
		businesstest.Same(t, "questions after two seconds", w.Sandbox.Calls(), []string{"fetch"})
		p.ReturnWith(sandbox.Paid)
		w.Sandbox.Calls()
		w.Clock.Pass(time.Hour)
		p.VerifyPayment()
		businesstest.Same(t, "questions about what is paid", w.Sandbox.Calls(), nil)
		_, err := w.Payment.Verify(w.Ctx, admission.NewID())
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Payment not found.")
	})
}

// Only a payer whose bank has the payment is told that it waits.
func TestWhoNeverTriedToPayGetsNoMailAboutTheBank(t *testing.T) {
	for name, row := range map[string]struct {
		press sandbox.Outcome
		mails string
	}{
		"left the provider's page": {"", ""},
		"the bank is silent":       {sandbox.Pending, "payment-pending"},
		"refused, then left":       {sandbox.DeclinedTry, ""},
	} {
		t.Run(name, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				p := w.Paying(nil)
				if row.press != "" {
					w.Sandbox.PressWithoutReturn(p.TxnID, row.press)
				}
				w.Clock.Pass(3 * time.Minute)
				w.Poll(p.TxnID)
				businesstest.Equal(t, "payments at the bank", w.Count("transactions WHERE at_bank"), map[bool]int{true: 1}[row.press == sandbox.Pending])
				w.Must(w.Payment.Wait(w.Ctx, p.TxnID))
				w.RunJobs()
				businesstest.Equal(t, "mails", p.Mails(), row.mails)
			})
		})
	}
}
