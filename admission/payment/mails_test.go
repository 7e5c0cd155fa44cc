package payment_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"hiresure/admission/business/businesstest"
	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/staff"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
)

func TestMoneyMails(t *testing.T) {
	happens := func(w *businesstest.World, p *businesstest.Person, what ...sandbox.ChargeEvent) {
		for _, each := range what {
			w.Clock.Pass(time.Second)
			w.Sandbox.EventAfterPayment(p.TxnID, each)
			w.RunJobs()
		}
	}
	for sentence, c := range map[string]struct {
		begins        func(w *businesstest.World) (p *businesstest.Person, number string)
		template      string
		says, saysNot []string // params that are set, and that are not
	}{
		"a second payment goes back": {begins: func(w *businesstest.World) (*businesstest.Person, string) {
			p, _, second := paidTwiceWith(w, sandbox.Paid)
			p.VerifyPayment()
			w.RunJobs()
			return p, second
		}, template: "refund-started", saysNot: []string{"Free", "Ended"}},
		"a payment goes back where there was nothing to pay any more": {begins: func(w *businesstest.World) (*businesstest.Person, string) {
			p, first := w.AbandonedAttempt(nil)
			_, err := p.SubmitEnrolment(businesstest.Fields{"coupon_code": "FULLSEAT"})
			w.Must(err)
			p.MustStart("sandbox")
			w.Advance(2 * time.Minute)
			return p, first
		}, template: "refund-started", says: []string{"Free"}, saysNot: []string{"Ended"}},
		"one order is charged twice": {begins: func(w *businesstest.World) (*businesstest.Person, string) {
			p := w.Paid(nil)
			happens(w, p, sandbox.SecondCharge)
			return p, p.TxnID
		}, template: "refund-started", saysNot: []string{"Free", "Ended"}},
		"one order is charged again after its end": {begins: func(w *businesstest.World) (*businesstest.Person, string) {
			p := w.Paid(nil)
			happens(w, p, sandbox.RefundedThere, sandbox.SecondCharge)
			return p, p.TxnID
		}, template: "refund-started", says: []string{"Ended"}},
		"a payment is refunded": {begins: func(w *businesstest.World) (*businesstest.Person, string) {
			p := w.Paid(nil)
			happens(w, p, sandbox.RefundedThere)
			return p, p.TxnID
		}, template: "refunded", says: []string{"ArrivesBy", "Again"}, saysNot: []string{"Dispute"}},
		"a dispute opens": {begins: func(w *businesstest.World) (*businesstest.Person, string) {
			p := w.Paid(nil)
			happens(w, p, sandbox.DisputeOpens)
			return p, p.TxnID
		}, template: "dispute-open", says: []string{"Ticket", "TicketURL"}, saysNot: []string{"Application"}},
		"a dispute is lost": {begins: func(w *businesstest.World) (*businesstest.Person, string) {
			p := w.Paid(nil)
			happens(w, p, sandbox.DisputeOpens, sandbox.DisputeLost)
			return p, p.TxnID
		}, template: "dispute-lost", says: []string{"ReceiptURL"}},
		"a payment returned before we heard of it": {begins: func(w *businesstest.World) (*businesstest.Person, string) {
			return returnedUnheard(w, sandbox.RefundedThere)
		}, template: "refunded-review", says: []string{"Returned", "PayURL"}, saysNot: []string{"Dispute"}},
		"a dispute took a payment before we heard of it": {begins: func(w *businesstest.World) (*businesstest.Person, string) {
			return returnedUnheard(w, sandbox.DisputeOpens, sandbox.DisputeLost)
		}, template: "refunded-review", says: []string{"Returned", "PayURL", "Dispute"}},
		"a dispute is lost in part": {begins: func(w *businesstest.World) (*businesstest.Person, string) {
			p := w.Paid(nil)
			happens(w, p, sandbox.DisputeOpens, sandbox.DisputeLostInPart)
			return p, p.TxnID
		}, template: "dispute-part", says: []string{"ReceiptURL"}},
		"a part goes back": {begins: func(w *businesstest.World) (*businesstest.Person, string) {
			p := w.Paid(nil)
			happens(w, p, sandbox.PartRefundedThere)
			return p, p.TxnID
		}, template: "refunded-part", saysNot: []string{"Dispute"}},
		"a lost dispute is won after all": {begins: func(w *businesstest.World) (*businesstest.Person, string) {
			p := w.Paid(nil)
			happens(w, p, sandbox.DisputeOpens, sandbox.DisputeLost, sandbox.DisputeWon)
			return p, p.TxnID
		}, template: "dispute-back", says: []string{"Stands", "Ticket", "DebitNote", "PapersURL"}, saysNot: []string{"Owed"}},
		"a dispute lost in part is won after all": {begins: func(w *businesstest.World) (*businesstest.Person, string) {
			p := w.Paid(nil)
			happens(w, p, sandbox.DisputeOpens, sandbox.DisputeLostInPart, sandbox.DisputeWon)
			return p, p.TxnID
		}, template: "dispute-back", says: []string{"DebitNote"}, saysNot: []string{"Stands", "Owed"}},
		"a lost dispute is won after who lost it has enrolled anew": {begins: func(w *businesstest.World) (*businesstest.Person, string) {
			p := w.Paid(nil)
			old := p.TxnID
			happens(w, p, sandbox.DisputeOpens, sandbox.DisputeLost)
			_, err := p.SubmitEnrolment(nil)
			w.Must(err)
			p.MustStart("")
			p.ReturnWith(sandbox.Paid)
			p.TxnID = old
			happens(w, p, sandbox.DisputeWon)
			return p, old
		}, template: "dispute-back", says: []string{"Owed"}, saysNot: []string{"Stands"}},
		"a refund comes back, and what had ended with it stands again": {begins: func(w *businesstest.World) (*businesstest.Person, string) {
			p := w.Paid(nil)
			happens(w, p, sandbox.RefundedThere, sandbox.RefundBounces)
			return p, p.TxnID
		}, template: "refund-bounced", says: []string{"Stands", "Ticket", "DebitNote", "PapersURL"}},
		"a part of a refund comes back": {begins: func(w *businesstest.World) (*businesstest.Person, string) {
			p := w.Paid(nil)
			happens(w, p, sandbox.PartRefundedThere, sandbox.RefundBounces)
			return p, p.TxnID
		}, template: "refund-bounced", says: []string{"DebitNote"}, saysNot: []string{"Stands"}},
		"the refund of a second charge comes back": {begins: func(w *businesstest.World) (*businesstest.Person, string) {
			p := w.Paid(nil)
			happens(w, p, sandbox.SecondCharge, sandbox.RefundBounces)
			w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
			w.RunJobs()
			return p, p.TxnID
		}, template: "refund-bounced", saysNot: []string{"Stands", "DebitNote", "PapersURL"}},
		"a refund comes back to somebody who has enrolled anew": {begins: func(w *businesstest.World) (*businesstest.Person, string) {
			p := w.Paid(nil)
			old := p.TxnID
			happens(w, p, sandbox.RefundedThere)
			_, err := p.SubmitEnrolment(nil)
			w.Must(err)
			p.MustStart("")
			p.ReturnWith(sandbox.Paid)
			p.TxnID = old
			happens(w, p, sandbox.RefundBounces)
			return p, old
		}, template: "refund-bounced", saysNot: []string{"Stands"}},
	} {
		t.Run(sentence, func(t *testing.T) {
			businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
				p, number := c.begins(w)
				mails := p.Post.To(p.Email)
				i := slices.IndexFunc(mails, func(m message.Message) bool { return m.Template == c.template })
				if i < 0 {
					t.Fatalf("no %s among %v", c.template, mails)
				}
				businesstest.Equal(t, "number", mails[i].Params["Transaction"], number)
				for _, param := range c.says {
					if mails[i].Params[param] == "" {
						t.Errorf("it does not say %s: %v", param, mails[i].Params)
					}
				}
				for _, param := range c.saysNot {
					if mails[i].Params[param] != "" {
						t.Errorf("it says %s: %v", param, mails[i].Params)
					}
				}
			})
		})
	}
}

// returnedUnheard returns a payment that we hear of only after the events.
func returnedUnheard(w *businesstest.World, events ...sandbox.ChargeEvent) (p *businesstest.Person, txn string) {
	w.T.Helper()
	w.Sandbox.Deaf = true
	p = w.Paying(nil)
	w.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
	w.AfterPayment(p.TxnID, events...)
	w.Poll(p.TxnID)
	w.RunJobs()
	return p, p.TxnID
}

// secondWrongAmount returns a person whose first payment is in review and whose second one, also of a wrong amount, is refunded.
func secondWrongAmount(w *businesstest.World) (p *businesstest.Person, first string) {
	w.T.Helper()
	p, first = w.AbandonedAttempt(nil)
	w.Clock.Pass(15 * time.Second)
	w.Sandbox.AfterNext("fetch", onePaisaMore)
	w.Poll(first)
	businesstest.Equal(w.T, "the first", p.State(first).State, payment.Review)
	w.Second.PressWithoutReturn(p.TxnID, sandbox.WrongAmount)
	businesstest.Equal(w.T, "the second", p.VerifyPayment().State, payment.RefundDue)
	return p, first
}

// refundsAll orders the refunds of payments, so that no provider keeps money of them.
func refundsAll(w *businesstest.World, txns ...string) {
	w.T.Helper()
	w.Clock.Pass(time.Minute)
	for _, txn := range txns {
		w.Must(w.Payment.OrderRefund(w.Ctx, txn, staff.Actor{Name: "test"}))
	}
	w.RunJobs()
}

func TestMailsOfSecondWrongAmountNameTheReview(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p, first := secondWrongAmount(w)
		w.RunJobs()
		for _, template := range []string{"refund-due", "refund-started"} {
			params := p.Mailed(template).Params
			businesstest.Equal(t, template, params["InReview"]+params["Review"]+params["Ticket"], "yes")
		}
		refundsAll(w, first)
	})
}

func TestMailOfFailedSecondWrongAmountNamesTheReview(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p, first := secondWrongAmount(w)
		w.Second.BeforeNext("refund", func(context.Context) error { return method.ErrDeclined })
		w.RunJobs()
		params := p.Mailed("refund-failed").Params
		businesstest.Equal(t, "in review", params["InReview"], "yes")
		businesstest.Equal(t, "not the fee", params["Review"], "")
		refundsAll(w, first, p.TxnID)
	})
}

func TestMailOfFailedReviewRefundNamesTheFee(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := inReview(w)
		w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
		w.Sandbox.BeforeNext("refund", func(context.Context) error { return method.ErrDeclined })
		w.RunJobs()
		params := p.Mailed("refund-failed").Params
		businesstest.Equal(t, "not the fee", params["Review"], "yes")
		businesstest.Equal(t, "another is in review", params["InReview"], "")
		refundsAll(w, p.TxnID)
	})
}

func TestOneSMSADayForUnpaidAttempts(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(nil)
		sent := func() (mails, texts int) {
			w.RunJobs()
			return w.Count("messages WHERE template = 'payment-missing'"), w.Count("messages WHERE template = 'payment-missing-sms'")
		}
		for _, want := range []struct {
			later        time.Duration
			mails, texts int
		}{{31 * time.Minute, 1, 1}, {31 * time.Minute, 2, 1}, {24 * time.Hour, 3, 2}} {
			w.Clock.Pass(want.later)
			w.Poll(p.TxnID)
			mails, texts := sent()
			businesstest.Equal(t, "mails", mails, want.mails)
			businesstest.Equal(t, "SMS", texts, want.texts)
			p.MustStart("")
		}
	})
}

func TestDeletedPersonGetsNoSMS(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(nil)
		w.Must(w.Database.Update(w.Ctx, func(tx store.Tx) error {
			r, err := tx.RegistrationForUpdate(p.RegistrationID)
			w.Must(err)
			r.Phone, r.Email, r.ErasedAt = "erased:"+r.ID, "", w.Clock.Now()
			return tx.SaveRegistration(r)
		}))
		w.Clock.Pass(31 * time.Minute)
		w.Poll(p.TxnID)
		businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Expired)
		businesstest.Equal(t, "messages", w.Count("messages WHERE template LIKE 'payment-missing%'"), 0)
	})
}
