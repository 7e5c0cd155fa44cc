package payment_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/staff"
	"hiresure/integrations/payment/sandbox"
)

// arrives returns a person whose payment is in review because another amount was paid.
func arrives(w *businesstest.World, amount admission.Money, changes businesstest.Fields) *businesstest.Person {
	w.T.Helper()
	p := w.Paying(changes)
	w.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
	w.Must(w.Sandbox.SetCharge(p.TxnID, amount))
	w.Clock.Pass(3 * time.Second)
	businesstest.Equal(w.T, "state", p.VerifyPayment().State, payment.Review)
	return p
}

// accept accepts a payment in review and lets the provider refund what is above the fee.
func accept(w *businesstest.World, p *businesstest.Person) {
	w.T.Helper()
	w.Clock.Pass(time.Second)
	_, err := w.Payment.AcceptReview(w.Ctx, p.TxnID, staff.Actor{Name: "test"})
	w.Must(err)
	w.Clock.Pass(time.Second)
	w.RunJobs()
}

func acceptedInvoices(w *businesstest.World) []string {
	return w.Texts("SELECT number, list_minor, discount_minor, adjustment_minor, total_minor, tax_taxable + tax_cgst + tax_sgst + tax_utgst + tax_igst, words FROM invoices ORDER BY issue")
}

func TestAcceptedReviewIsInvoicedAsReceived(t *testing.T) {
	for _, c := range []struct {
		name, coupon      string
		arrived           int64
		ifAccepted        string
		invoice, refund   string
		mails             string
		wholeCredit, paid string
	}{
		{
			"a paisa less", "", 1498_99, "if accepted, the invoice is over ₹1,498.99, with an adjustment of ₹0.01 to the fee of ₹1,499.00",
			"KS/26-27/000001 | 149900 | 0 | 1 | 149899 | 149899 | One Thousand Four Hundred Ninety Eight Rupees And Ninety Nine Paise Only", "", "payment-checked, receipt", "149899", "₹1,498.99",
		},
		{
			"less with a coupon", "MGROW500", 900_00, "if accepted, the invoice is over ₹900.00, with an adjustment of ₹99.00 to the fee of ₹999.00",
			"KS/26-27/000001 | 149900 | 50000 | 9900 | 90000 | 90000 | Nine Hundred Rupees Only", "", "payment-checked, receipt", "90000", "₹900.00",
		},
		{
			"more", "", 1549_00, "if accepted, the invoice is over the fee of ₹1,499.00, and ₹50.00 goes back",
			"KS/26-27/000001 | 149900 | 0 | 0 | 149900 | 149900 | One Thousand Four Hundred Ninety Nine Rupees Only", "5000 | done | paid above the fee", "payment-checked, receipt, refunded-part", "149900", "₹1,549.00",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				p := arrives(w, admission.INR(c.arrived), businesstest.Fields{"coupon_code": c.coupon})
				inReview, err := w.Payment.Verify(w.Ctx, p.TxnID)
				w.Must(err)
				businesstest.Equal(t, "what staff read before", inReview.IfAccepted(), c.ifAccepted)
				accept(w, p)
				businesstest.Same(t, "invoice", acceptedInvoices(w), []string{c.invoice})
				businesstest.Equal(t, "refunds", strings.Join(w.Texts("SELECT minor, state, reason FROM refunds"), ", "), c.refund)
				businesstest.Equal(t, "mails", p.Mails(), c.mails)
				businesstest.Equal(t, "the mail names what was paid", p.Mailed("receipt").Params["Amount"], c.paid)
				businesstest.Same(t, "credit notes", creditNotes(w), nil)
				businesstest.Same(t, "site verify", w.VerifyBooks(), nil)

				w.AfterPayment(p.TxnID, sandbox.RefundedThere)
				businesstest.Equal(t, "state after the refund", p.State(p.TxnID).State, payment.Refunded)
				businesstest.Same(t, "credited", w.Texts("SELECT total_minor FROM credit_notes"), []string{c.wholeCredit})
				businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
				businesstest.Same(t, "differences", reconcileNextDay(w), nil)
			})
		})
	}
}

func TestReviewInAnotherCurrencyIsNotAccepted(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := arrives(w, admission.Money{Minor: 20_00, Currency: "USD"}, nil)
		inReview, err := w.Payment.Verify(w.Ctx, p.TxnID)
		w.Must(err)
		businesstest.Equal(t, "what staff read before", inReview.IfAccepted(), "$20.00 was paid, the fee is ₹1,499.00: it can only go back")
		_, err = w.Payment.AcceptReview(w.Ctx, p.TxnID, staff.Actor{Name: "test"})
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "the provider holds $20.00, the fee is ₹1,499.00: this payment can only go back")
		businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Review)
		w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
	})
}

func TestRefundOfExcess(t *testing.T) {
	const stuck = " was ₹50.00 above its price, of which ₹0.00 went back, and no refund of it is under way: site refund "
	for name, test := range map[string]func(t *testing.T, w *businesstest.World, p *businesstest.Person){
		"refused, then sent again": func(t *testing.T, w *businesstest.World, p *businesstest.Person) {
			w.Sandbox.BeforeNext("refund", func(context.Context) error { return method.ErrDeclined })
			accept(w, p)
			businesstest.Same(t, "alerts", w.Alerts.All()[1:], []string{"refund failed"})
			businesstest.Equal(t, "mails", p.Mails(), "payment-checked, receipt, refund-failed")
			businesstest.Equal(t, "the mail says why it was due", p.Mailed("refund-failed").Params["Excess"], "yes")
			businesstest.Same(t, "site verify", w.VerifyBooks(), []string{"payment " + p.TxnID + stuck + p.TxnID + " --as NAME"})
			w.Clock.Pass(time.Second)
			w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
			w.RunJobs()
			businesstest.Equal(t, "mails", p.Mails(), "payment-checked, receipt, refund-failed, refunded-part")
			businesstest.ExpectProblem(t, w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}), admission.Conflict, "", "payment "+p.TxnID+" is paid; only refund_due and review go back from here")
		},
		"refused, then sent by hand": func(t *testing.T, w *businesstest.World, p *businesstest.Person) {
			w.Sandbox.BeforeNext("refund", func(context.Context) error { return method.ErrDeclined })
			accept(w, p)
			w.Clock.Pass(time.Second)
			w.Must(w.Sandbox.SetRefunded(p.TxnID, 50_00))
			w.Clock.Pass(time.Second)
			businesstest.ExpectProblem(t, w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}), admission.Conflict, "", "payment "+p.TxnID+" is paid; only refund_due and review go back from here")
			businesstest.Same(t, "refunds", w.Texts("SELECT minor, state, reason FROM refunds ORDER BY state"), []string{"5000 | done | at the provider", "5000 | failed | paid above the fee"})
		},
		"sent by hand before": func(t *testing.T, w *businesstest.World, p *businesstest.Person) {
			w.Must(w.Sandbox.SetRefunded(p.TxnID, 50_00))
			accept(w, p)
			businesstest.Same(t, "refunds", w.Texts("SELECT minor, state, reason FROM refunds"), []string{"5000 | done | at the provider"})
		},
		"bounced, then sent again": func(t *testing.T, w *businesstest.World, p *businesstest.Person) {
			accept(w, p)
			w.AfterPayment(p.TxnID, sandbox.RefundBounces)
			businesstest.Same(t, "site verify", w.VerifyBooks(), []string{"payment " + p.TxnID + stuck + p.TxnID + " --as NAME"})
			w.Clock.Pass(time.Second)
			w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "test"}))
			w.RunJobs()
			businesstest.Same(t, "refunds", w.Texts("SELECT minor, state, reason FROM refunds ORDER BY state"), []string{"5000 | bounced | paid above the fee", "5000 | done | paid above the fee"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				p := arrives(w, admission.INR(1549_00), nil)
				test(t, w, p)
				businesstest.Same(t, "refunded", w.Texts("SELECT refunded_minor FROM transactions"), []string{"5000"})
				businesstest.Same(t, "credit notes", creditNotes(w), nil)
				businesstest.Equal(t, "state", p.State(p.TxnID).State, payment.Paid)

				w.AfterPayment(p.TxnID, sandbox.DisputeOpens, sandbox.DisputeLost)
				businesstest.Same(t, "credited after a lost dispute", w.Texts("SELECT total_minor FROM credit_notes"), []string{"149900"})
				businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
				businesstest.Same(t, "differences", reconcileNextDay(w), nil)
			})
		})
	}
}
