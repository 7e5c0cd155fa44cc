package business_test

import (
	"slices"
	"testing"
	"time"

	"hiresure/admission/message"
	"hiresure/integrations/payment/sandbox"
)

func TestMoneyMails(t *testing.T) {
	const provider = "sbxpay_"
	happens := func(w *world, p *person, what ...sandbox.Afterwards) {
		for _, each := range what {
			w.clock.Pass(time.Second)
			w.sandbox.eventAfterPayment(p.txn, each)
			w.runJobs()
		}
	}
	for sentence, c := range map[string]struct {
		begins        func(w *world) (p *person, number string)
		template      string
		says, saysNot []string // params that are set, and that are not
	}{
		"a second payment goes back": {begins: func(w *world) (*person, string) {
			p, _, second := paidTwiceWith(w, sandbox.Paid)
			p.verifyPayment()
			w.runJobs()
			return p, second
		}, template: "refund-started", saysNot: []string{"Free", "Ended"}},
		"a payment goes back where there was nothing to pay any more": {begins: func(w *world) (*person, string) {
			p, first := w.abandonedAttempt(nil)
			_, err := p.enrol(fields{"coupon_code": "FULLSEAT"})
			w.must(err)
			p.mustStart("sandbox")
			w.advance(2 * time.Minute)
			return p, first
		}, template: "refund-started", says: []string{"Free"}, saysNot: []string{"Ended"}},
		"one order is charged twice": {begins: func(w *world) (*person, string) {
			p := w.paid(nil)
			happens(w, p, sandbox.SecondCharge)
			return p, provider + p.txn + "_2"
		}, template: "refund-started", saysNot: []string{"Free", "Ended"}},
		"one order is charged again after its end": {begins: func(w *world) (*person, string) {
			p := w.paid(nil)
			happens(w, p, sandbox.RefundedThere, sandbox.SecondCharge)
			return p, provider + p.txn + "_2"
		}, template: "refund-started", says: []string{"Ended"}},
		"a payment is refunded": {begins: func(w *world) (*person, string) {
			p := w.paid(nil)
			happens(w, p, sandbox.RefundedThere)
			return p, p.txn
		}, template: "refunded", saysNot: []string{"Dispute"}},
		"a dispute is lost": {begins: func(w *world) (*person, string) {
			p := w.paid(nil)
			happens(w, p, sandbox.DisputeOpens, sandbox.DisputeLost)
			return p, p.txn
		}, template: "refunded", says: []string{"Dispute"}},
		"a refund comes back, and what had ended with it stands again": {begins: func(w *world) (*person, string) {
			p := w.paid(nil)
			happens(w, p, sandbox.RefundedThere, sandbox.RefundBounces)
			return p, p.txn
		}, template: "refund-bounced", says: []string{"Stands", "Ticket", "InvoiceNumber", "PapersURL"}},
		"a part of a refund comes back": {begins: func(w *world) (*person, string) {
			p := w.paid(nil)
			happens(w, p, sandbox.PartRefundedThere, sandbox.RefundBounces)
			return p, p.txn
		}, template: "refund-bounced", says: []string{"InvoiceNumber"}, saysNot: []string{"Stands"}},
		"the refund of a second charge comes back": {begins: func(w *world) (*person, string) {
			p := w.paid(nil)
			happens(w, p, sandbox.SecondCharge, sandbox.RefundBounces)
			w.must(w.Payment.OrderRefund(w.ctx, p.txn, "test"))
			w.runJobs()
			return p, provider + p.txn + "_2"
		}, template: "refund-bounced", saysNot: []string{"Stands", "InvoiceNumber", "PapersURL"}},
		"a refund comes back to who has enrolled anew": {begins: func(w *world) (*person, string) {
			p := w.paid(nil)
			old := p.txn
			happens(w, p, sandbox.RefundedThere)
			_, err := p.enrol(nil)
			w.must(err)
			p.mustStart("")
			p.returnWith(sandbox.Paid)
			p.txn = old
			happens(w, p, sandbox.RefundBounces)
			return p, old
		}, template: "refund-bounced", saysNot: []string{"Stands"}},
	} {
		t.Run(sentence, func(t *testing.T) {
			onSQLite(t, func(t *testing.T, w *world) {
				p, number := c.begins(w)
				mails := p.post.to(p.email)
				i := slices.IndexFunc(mails, func(m message.Message) bool { return m.Template == c.template })
				if i < 0 {
					t.Fatalf("no %s among %v", c.template, mails)
				}
				equal(t, "number", mails[i].Params["Transaction"], number)
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
