package business_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/staff"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store/storetest"
)

// TestMoneyStorm runs everything concurrently: payers, both gateways, every button, refunds, bounces, disputes, second
// charges, lost answers, expiry, and crashes. In the end all records agree to the paisa.
func TestMoneyStorm(t *testing.T) { stormOfMoney(t, 16, 2*time.Second) }

// leastActions is how many actions each caller takes on a machine that is too busy for more.
const leastActions = 30

// A storm is the callers' shared state. Calls hold alive for reading; a crash cancels running calls and holds it for writing.
type storm struct {
	*businesstest.World
	alive sync.RWMutex
	die   context.CancelFunc

	mutex    sync.Mutex
	payments []attempt
	done     map[string]int
}

type attempt struct {
	txn  string
	with *businesstest.Provider
	by   *businesstest.Person
}

func stormOfMoney(t *testing.T, callers int, lasts time.Duration) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		s := &storm{World: w, done: map[string]int{}}
		forever := w.Ctx
		w.Ctx, s.die = context.WithCancel(forever)
		ends := time.Now().Add(lasts)
		for caller, err := range businesstest.Concurrently(callers, func(i int) error {
			random := rand.New(rand.NewPCG(uint64(i), 35))
			for n := 0; n < leastActions || time.Now().Before(ends); n++ {
				if i == 0 && n%50 == 49 {
					s.restart(forever)
					continue
				}
				if err := s.act(random, i*1_000_000+n); err != nil {
					return err
				}
			}
			return nil
		}) {
			if err != nil {
				t.Errorf("caller %d: %v", caller, err)
			}
		}
		s.die()
		w.Ctx = forever
		w.Open(w.Sandbox, w.Second)
		s.settleAll()
		t.Logf("%d attempts, %d registrations, %d refunds, %d credit notes, %d webhooks: %v",
			w.Count("transactions"), w.Count("registrations"), w.Count("refunds"), w.Count("credit_notes"), w.Count("inbox"), s.done)
	})
}

// restart crashes the process and starts it again.
func (s *storm) restart(forever context.Context) {
	s.die()
	s.alive.Lock()
	defer s.alive.Unlock()
	s.Ctx, s.die = context.WithCancel(forever)
	s.Open(s.Sandbox, s.Second)
	s.count("restarted")
}

func (s *storm) count(what string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.done[what]++
}

// act performs one random action.
func (s *storm) act(random *rand.Rand, n int) error {
	s.alive.RLock()
	defer s.alive.RUnlock()
	what, err := s.randomAct(random, n)
	s.count(what)
	var down interface{ Timeout() bool }
	switch {
	case err == nil, s.Ctx.Err() != nil, admission.AsProblem(err) != nil, errors.As(err, &down),
		errors.Is(err, method.ErrUnknown), errors.Is(err, method.ErrDeclined), errors.Is(err, method.ErrNoCharge), errors.Is(err, admission.ErrUnavailable):
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

var laterEvents = []sandbox.ChargeEvent{
	sandbox.RefundedThere, sandbox.PartRefundedThere, sandbox.RefundBounces, sandbox.SecondCharge, sandbox.DisputeOpens, sandbox.DisputeWon, sandbox.DisputeLost, sandbox.DisputeLostInPart,
}

func (s *storm) randomAct(random *rand.Rand, n int) (what string, err error) {
	a, any := s.randomAttempt(random)
	choice := random.IntN(20)
	if !any {
		choice = 0
	}
	switch choice {
	case 0, 1, 2:
		return "enrols", s.enrol(random, n)
	case 3, 4, 5, 6:
		_, err = s.Payment.Complete(s.Ctx, a.txn, method.Return{Form: a.with.Press(a.txn, sandbox.Buttons[random.IntN(len(sandbox.Buttons))].Outcome)})
		return "presses a button", err
	case 7:
		_, err = s.Payment.Verify(s.Ctx, a.txn)
		return "verifies", err
	case 8:
		return "starts again", s.start(random, a.by)
	case 9, 10, 11:
		return "an event at the provider", a.with.Bank.Apply(s.Ctx, a.txn, laterEvents[random.IntN(len(laterEvents))])
	case 12:
		return "webhook", s.webhook(a, []string{"payment.paid", "refund.failed", "dispute.created"}[random.IntN(3)])
	case 13:
		return "staff send it back", s.Payment.OrderRefund(s.Ctx, a.txn, staff.Actor{Name: "storm"})
	case 14:
		return "a job sends it back", s.Database.Update(s.Ctx, businesstest.RefundJob(a.txn, s.Clock.Now()))
	case 15:
		if random.IntN(2) == 0 {
			_, err = s.Payment.AcceptReview(s.Ctx, a.txn, staff.Actor{Name: "storm"})
		} else {
			_, err = s.Payment.JudgeAgain(s.Ctx, a.txn, staff.Actor{Name: "storm"})
		}
		return "staff look", err
	case 16:
		call := []string{"start", "complete", "fetch", "cancel"}[random.IntN(4)]
		if random.IntN(2) == 0 {
			a.with.BeforeNext(call, func(context.Context) error { return method.ErrUnknown })
		} else {
			a.with.AfterNext(call, func(*method.Status) error { return method.ErrUnknown })
		}
		return "an answer is lost", nil
	case 17:
		call := []string{"refund", "fetch refund"}[random.IntN(2)]
		a.with.AfterRefund(call, func(*method.RefundStatus) error { return method.ErrUnknown })
		return "an answer about a refund is lost", nil
	case 18:
		s.Clock.Pass(time.Duration(random.IntN(300)) * time.Second)
		return "time passes", nil
	}
	_, err = s.Worker.RunDue(s.Ctx)
	return "works", err
}

// webhook sends a webhook of an attempt. Signatures expire after five minutes; if other callers have advanced the clock
// more, the provider signs again.
func (s *storm) webhook(a attempt, eventType string) error {
	for {
		signed := s.Clock.Now()
		if err := a.with.SendWebhook(a.txn, eventType); !errors.Is(err, method.ErrSignature) || s.Clock.Now().Sub(signed) < 5*time.Minute {
			return err
		}
	}
}

func (s *storm) randomAttempt(random *rand.Rand) (attempt, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.payments) == 0 {
		return attempt{}, false
	}
	latest := min(len(s.payments), 50)
	return s.payments[len(s.payments)-1-random.IntN(latest)], true
}

func (s *storm) enrol(random *rand.Rand, n int) error {
	p := &businesstest.Person{World: s.World, Phone: fmt.Sprintf("9%09d", n), Email: fmt.Sprintf("storm%d@example.com", n)}
	_, session, err := storetest.AddSession(s.Ctx, s.Database, s.Clock.Now().AddDate(10, 0, 0))
	if err != nil {
		return err
	}
	p.Visitor = admission.Visitor{SessionID: session.ID, IP: "198.51.100.7", UserAgent: "storm"}
	if err := p.VerifyCode(access.ForPhone, p.Phone); err != nil {
		return err
	}
	changes := []businesstest.Fields{nil, {"coupon_code": "MGROW500"}, {"coupon_code": "LASTSEAT"}, {"coupon_code": "FULLSEAT"}, {"referral_code": "SETU2025"}, {"state": "Maharashtra"}}
	if _, err := p.SubmitEnrolment(changes[random.IntN(len(changes))]); err != nil {
		return err
	}
	return s.start(random, p)
}

func (s *storm) start(random *rand.Rand, p *businesstest.Person) error {
	with := []*businesstest.Provider{s.Sandbox, s.Second}[random.IntN(2)]
	t, err := s.Payment.Start(s.Ctx, p.Visitor, payment.StartRequest{RegistrationID: p.RegistrationID, Gateway: with.Name})
	if err != nil || t.Gateway == payment.NoGateway {
		return err
	}
	if t.Gateway == s.Second.Name {
		with = s.Second
	} else {
		with = s.Sandbox
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.payments = append(s.payments, attempt{t.ID, with, p})
	return nil
}

// settleAll advances the clock and does staff's work until nothing is left to do.
func (s *storm) settleAll() {
	s.T.Helper()
	for _, with := range []*businesstest.Provider{s.Sandbox, s.Second} {
		with.ClearHooks()
	}
	for range 4 {
		for range 3 {
			s.Advance(20 * time.Minute)
		}
		s.Advance(24 * time.Hour)
		_, err := s.Payment.Reconcile(s.Ctx, s.Clock.Now().AddDate(0, 0, -35), s.Clock.Now().AddDate(0, 0, 1))
		s.Must(err)
		s.RunJobs()
		for _, txn := range s.Texts("SELECT id FROM transactions WHERE state IN ('refund_due', 'review') OR id IN (SELECT txn_id FROM refunds WHERE state IN ('failed', 'bounced'))") {
			if err := s.Payment.OrderRefund(s.Ctx, txn, staff.Actor{Name: "storm"}); admission.AsProblem(err) == nil {
				s.Must(err)
			}
		}
		for i, a := range s.payments { // no dispute lasts for ever
			if err := a.with.Bank.Apply(s.Ctx, a.txn, []sandbox.ChargeEvent{sandbox.DisputeWon, sandbox.DisputeLost}[i%2]); !errors.Is(err, method.ErrDeclined) && !errors.Is(err, method.ErrNoCharge) {
				s.Must(err)
			}
		}
		s.RunJobs()
	}
	s.Advance(8 * 24 * time.Hour)
	s.Advance(24 * time.Hour)
	left, err := s.Payment.Reconcile(s.Ctx, s.Clock.Now().AddDate(0, 0, -35), s.Clock.Now().AddDate(0, 0, 1))
	s.Must(err)
	s.ExpectedFaults = append(s.ExpectedFaults, s.Losses()...)
	for _, difference := range left {
		if strings.HasSuffix(difference.What, " more than was paid has left") && slices.ContainsFunc(s.ExpectedFaults, func(loss string) bool { return strings.Contains(loss, difference.TxnID) }) {
			continue
		}
		s.T.Errorf("still different: %+v\n%s", difference, strings.Join(s.Books(difference.TxnID), "\n"))
	}
	for _, txn := range s.Texts("SELECT id FROM transactions WHERE state NOT IN ('paid', 'failed', 'expired', 'refunded')") {
		s.T.Errorf("payment %s is not settled: %s", txn, strings.Join(s.Books(txn), "\n"))
	}
}
