package payment_test

import (
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/staff"
	"hiresure/integrations/payment/sandbox"
)

// inDollars returns a person who pays in dollars.
func inDollars(w *businesstest.World, changes businesstest.Fields) *businesstest.Person {
	w.T.Helper()
	w.Sandbox.Currencies = []string{"USD"}
	w.Open(w.Sandbox)
	return w.Paying(changes)
}

func dollars(minor int64) admission.Money { return admission.Money{Minor: minor, Currency: "USD"} }

// A payment in dollars is invoiced at its value in rupees. What goes back is credited at the same rate.
func TestInvoiceOfPaymentInDollars(t *testing.T) {
	const sums = "SELECT list_minor, discount_minor, adjustment_minor, total_minor, tax_taxable + tax_cgst + tax_sgst, charged_minor, charged_currency, exchange_rupees, exchange_source FROM invoices"
	const rate = " | USD | 887200 | RBI reference rate, 20 Nov 2026"
	for name, c := range map[string]struct {
		fields  businesstest.Fields
		arrives int64 // cents; 0: what was asked
		invoice string
		credit  string // of a refund of everything
	}{
		"$19.00":                  {invoice: "168568 | 0 | 0 | 168568 | 168568 | 1900" + rate, credit: "168568"},
		"with a coupon":           {fields: businesstest.WithCoupon, invoice: "168568 | 56248 | 0 | 112320 | 112320 | 1266" + rate, credit: "112320"},
		"$18.00 are accepted":     {arrives: 18_00, invoice: "168568 | 0 | 8872 | 159696 | 159696 | 1800" + rate, credit: "159696"},
		"$20.00 are accepted":     {arrives: 20_00, invoice: "168568 | 0 | 0 | 168568 | 168568 | 2000" + rate, credit: "168568"},
		"one cent, with a coupon": {fields: businesstest.Fields{"coupon_code": "ONEPAISA"}, invoice: "168568 | 168479 | 0 | 89 | 89 | 1" + rate, credit: "89"},
	} {
		t.Run(name, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				w.AddCoupon(enrol.Coupon{Code: "ONEPAISA", Terms: enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 1498_99}})
				p := inDollars(w, c.fields)
				w.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
				if c.arrives > 0 {
					w.Must(w.Sandbox.SetCharge(p.TxnID, dollars(c.arrives)))
				}
				w.Clock.Pass(3 * time.Second)
				if p.VerifyPayment().State == payment.Review {
					_, err := w.Payment.AcceptReview(w.Ctx, p.TxnID, staff.Actor{Name: "test"})
					w.Must(err)
					w.RunJobs()
				}
				businesstest.Same(t, "invoice", w.Texts(sums), []string{c.invoice})
				businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
				w.AfterPayment(p.TxnID, sandbox.RefundedThere)
				businesstest.Same(t, "credited", w.Texts("SELECT total_minor FROM credit_notes"), []string{c.credit})
			})
		})
	}
}

func TestExchangeRateIsFrozenAtTheStart(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := inDollars(w, nil)
		setRate(w, 90_0000)
		p.ReturnWith(sandbox.Paid)
		businesstest.Same(t, "invoice", w.Texts("SELECT total_minor, exchange_rupees FROM invoices"), []string{"168568 | 887200"})
	})
}

func TestWithoutExchangeRateNobodyPaysInACurrency(t *testing.T) {
	const alert = "no exchange rate for USD: nobody can pay in it"
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		paying := inDollars(w, nil)
		setRate(w, 0)
		for range 2 {
			_, err := w.Enrolled(nil).Start("")
			businesstest.ExpectProblem(t, err, admission.Unavailable, "", "Payment is not possible at the moment.")
		}
		businesstest.Same(t, "alerts of the day", w.Alerts.All(), []string{alert})
		paying.ReturnWith(sandbox.Paid)
		businesstest.Equal(t, "state of a payment that had started", paying.State(paying.TxnID).State, payment.Paid)
		w.Sandbox.Currencies = []string{"INR"}
		w.Open(w.Sandbox)
		businesstest.Equal(t, "charge in rupees", w.Paying(nil).MustStart("").Charge, admission.INR(1499_00))
	})
}

// setRate sets the rate of the dollar, in ten-thousandths of a rupee.
func setRate(w *businesstest.World, rupees int64) {
	price := w.Catalogue[0].Prices["USD"]
	price.Rate.Rupees = rupees
	w.Catalogue[0].Prices = map[string]admission.ForeignPrice{"USD": price}
}
