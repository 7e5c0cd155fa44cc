package admin_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/store"
	"hiresure/web"
)

// wait adds payments in some states, begun an hour ago, and messages and papers that failed for good.
func (s *site) wait(states ...payment.State) {
	s.t.Helper()
	now := s.clock.Now()
	check(s.t, s.store.Update(s.t.Context(), func(tx store.Tx) error {
		var errs []error
		for i, state := range states {
			id := "000000000000000000000000p" + string(rune('a'+i))
			errs = append(errs,
				tx.AddRegistration(&enrol.Registration{ID: "r" + id, EventCode: "E", Phone: id, CreatedAt: now}),
				tx.AddTransaction(&payment.Transaction{
					ID: id, RegistrationID: "r" + id, MerchantRef: id, Gateway: "closed", State: state, Charge: admission.INR(149900), Arrived: admission.INR(139900),
					CreatedAt: now.Add(-70 * time.Minute), SettledAt: now.Add(-26 * time.Minute), Payer: payment.Payer{Name: "Payer <" + string(rune('A'+i)) + ">", Phone: "+919444918306"},
				}))
		}
		errs = append(errs, tx.AddMessage(&message.Message{ID: "m1", Cause: "c", Channel: message.Email, To: "jo@exmaple.com", Template: "receipt", Content: message.Content{Subject: "You are enrolled"}}),
			tx.AddJob(admission.Job{Kind: "paper", Ref: "p1", DueAt: now}))
		return errors.Join(errs...)
	}))
	due, err := s.store.ClaimJobs(s.t.Context(), []string{"mail", "paper"}, now.Add(time.Hour), time.Minute, 10)
	check(s.t, err)
	for _, job := range due {
		job.Failures = append(job.Failures, admission.Failure{At: now, Error: "550 no such mailbox"})
		check(s.t, s.store.BuryJob(s.t.Context(), job, now))
	}
}

// dispute opens a dispute of a payment, five minutes ago.
func (s *site) dispute(txn string) {
	s.t.Helper()
	check(s.t, s.store.Update(s.t.Context(), func(tx store.Tx) error {
		t, err := tx.TransactionForUpdate(txn)
		check(s.t, err)
		t.State, t.DisputedAt = payment.Disputed, s.clock.Now().Add(-5*time.Minute)
		return tx.SaveTransaction(t)
	}))
}

func TestTodayShowsWhatWaits(t *testing.T) {
	s := newSite(t)
	s.wait(payment.Pending, payment.Review, payment.Pending, payment.Paid, payment.Pending, payment.Pending)
	b := s.setUp("kavya@academy.example", "Kavya Hegde", "admin")
	b.get(web.StaffPath).is(http.StatusOK, "Five payments cannot wait", "2 more below.", "Everything 7", "Mine 0", "Unassigned 7",
		"Payments with no answer 4 All 4", "Payer <A> +91 94449 18306 ₹1,499.00", "1 h 10 min, no answer", "Ask the gateway",
		"Payments in review 1", "Asked for ₹1,499.00, received ₹1,399.00 Not enrolled until somebody decides 26 min",
		"Messages that did not arrive 1", "jo@exmaple.com You are enrolled 550 no such mailbox", "Send again", "Failed jobs 1", "paper p1", "Run again", "Paid 1, ₹1,499.00")
	b.lacks("Payer <A>", "Payer &lt;F&gt;") // escaped; more than three are behind All
	b.get(web.StaffPath+"?kind=no+answer").is(http.StatusOK, "Payer <F>")
	b.lacks("Failed jobs")

	meera := s.setUp("meera@academy.example", "Meera Nambiar", "support")
	meera.get(web.StaffPath).is(http.StatusOK, "Four payments cannot wait", "1 more below.", "Send again")
	meera.lacks("in review", "Failed jobs", "Run again")
	meera.post("/admin/take", "kind", "no answer", "ref", "000000000000000000000000pa").leads("/admin?said=taken")
	meera.get("/admin?said=taken").is(http.StatusOK, "It is yours now.", "Mine 1", "Meera Nambiar")
	meera.get("/admin?whose=mine").is(http.StatusOK, "Payer <A>")
	meera.lacks("Payer &lt;C&gt;")
	meera.post("/admin/take", "kind", "in review", "ref", "000000000000000000000000pb").leads("/admin?said=over") // not hers to see
	b.post("/admin/take", "kind", "no answer", "ref", "000000000000000000000000pa").leads("/admin?said=taken")
	b.get("/admin?whose=mine").is(http.StatusOK, "Payer <A>")

	meera.post("/admin/send-again", "ref", "mail m1").leads("/admin?said=again")
	meera.post("/admin/send-again", "ref", "mail m1").leads("/admin?said=over")
	meera.post("/admin/send-again", "ref", "paper p1").is(http.StatusBadRequest) // no message
	meera.post("/admin/send-again", "ref", "mail").is(http.StatusBadRequest)     // not all of them
	meera.post("/admin/run-again", "ref", "paper p1").is(http.StatusForbidden)
	b.post("/admin/run-again", "ref", "paper p1").leads("/admin?said=again")
	b.get("/admin?said=%3Cscript%3E").is(http.StatusOK)
	b.lacks("<script>", "Failed jobs")
	s.dispute("000000000000000000000000pd")
	b.get(web.StaffPath).is(http.StatusOK, "Open disputes 1", "₹1,499.00 disputed Answer at closed before its deadline", "5 min")
	meera.get(web.StaffPath).is(http.StatusOK)
	meera.lacks("disputed")
	farida := s.setUp("farida@academy.example", "Farida Merchant", "reviewer")
	farida.get(web.StaffPath).is(http.StatusOK, "You are all caught up")
	farida.post("/admin/ask-gateway", "ref", "000000000000000000000000pa").is(http.StatusForbidden)

	b.get(web.StaffLogPath).is(http.StatusOK, "Took a case", "Meera Nambiar → Kavya Hegde", "Failed jobs retried", "Denied: ask gateway")
}

func TestTheGatewayIsAskedAtAPress(t *testing.T) {
	s := newSite(t)
	s.wait(payment.Paid, payment.Failed)
	b := s.setUp("meera@academy.example", "Meera Nambiar", "support")
	b.post("/admin/ask-gateway", "ref", "000000000000000000000000pa").leads("/admin?said=paid")
	b.get(b.location).is(http.StatusOK, "The payment has arrived. Ticket and receipt go out now.")
	b.post("/admin/ask-gateway", "ref", "000000000000000000000000pb").leads("/admin?said=failed")
	b.post("/admin/ask-gateway", "ref", "nobody").leads("/admin?said=over")
	n := 0
	for act, err := range s.store.Acts(t.Context()) {
		check(t, err)
		if act.What == "asked the gateway" && strings.HasPrefix(act.Whom, "payment 0000") && act.Who == "Meera Nambiar" {
			n++
		}
	}
	if n != 2 {
		t.Errorf("%d rows of the log", n)
	}
}
