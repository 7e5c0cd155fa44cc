package invoice_test

import (
	"fmt"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/india"
	"hiresure/admission/invoice"
	"hiresure/admission/paper"
	"hiresure/integrations/payment/sandbox"
)

func TestFinancialYearTurnsAtMidnightInIndia(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		lastSecond := time.Date(2027, 3, 31, 18, 29, 59, 0, time.UTC)
		w.Catalogue[0].ClosesAt = lastSecond.AddDate(0, 1, 0)
		w.Clock.Set(lastSecond)
		w.Paid(nil)
		acrossMidnight := w.Paying(nil)
		w.Clock.Set(lastSecond.Add(time.Second))
		acrossMidnight.ReturnWith(sandbox.Paid) // started in the old year, confirmed in the new one
		w.Paid(nil)
		w.Clock.Set(lastSecond) // after a clock is set back, numbers follow it without a gap
		w.Paid(nil)
		businesstest.Same(t, "numbers and their days", w.Texts("SELECT number, issued_on FROM invoices ORDER BY number"), []string{
			fmt.Sprintf("KS/26-27/000001 | %d", lastSecond.UnixMicro()),
			fmt.Sprintf("KS/26-27/000002 | %d", lastSecond.UnixMicro()),
			fmt.Sprintf("KS/27-28/000001 | %d", lastSecond.Add(time.Second).UnixMicro()),
			fmt.Sprintf("KS/27-28/000002 | %d", lastSecond.Add(time.Second).UnixMicro()),
		})
	})
}

// The rows are those of the tax split's table; a zero total has no invoice.
func TestSplitsReachTheInvoice(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		for i, c := range []struct {
			total           int64
			supplier, state string
			tax             india.TaxSplit
		}{
			{1499_00, "29", "Karnataka", india.TaxSplit{Taxable: 127034, CGST: 11433, SGST: 11433}},
			{1499_00, "29", "Maharashtra", india.TaxSplit{Taxable: 127034, IGST: 22866}},
			{1499_50, "29", "Karnataka", india.TaxSplit{Taxable: 127076, CGST: 11437, SGST: 11437}},
			{2500_00, "07", "Delhi", india.TaxSplit{Taxable: 211864, CGST: 19068, SGST: 19068}},
			{2500_00, "07", "Uttar Pradesh", india.TaxSplit{Taxable: 211864, IGST: 38136}},
			{999_00, "04", "Chandigarh", india.TaxSplit{Taxable: 84662, CGST: 7619, UTGST: 7619}},
			{749_50, "38", "Ladakh", india.TaxSplit{Taxable: 63516, CGST: 5717, UTGST: 5717}},
			{1180_00, "34", "Puducherry", india.TaxSplit{Taxable: 100000, CGST: 9000, SGST: 9000}},
			{4_50_000_00, "36", "Telangana", india.TaxSplit{Taxable: 38135594, CGST: 3432203, SGST: 3432203}},
			{4_50_000_00, "36", "Andhra Pradesh", india.TaxSplit{Taxable: 38135593, IGST: 6864407}},
			{1499_01, "26", "Dadra and Nagar Haveli and Daman and Diu", india.TaxSplit{Taxable: 127035, CGST: 11433, UTGST: 11433}},
			{1_00, "27", "Maharashtra", india.TaxSplit{Taxable: 84, CGST: 8, SGST: 8}},
			{59, "29", "Karnataka", india.TaxSplit{Taxable: 49, CGST: 5, SGST: 5}},
			{1, "27", "Tamil Nadu", india.TaxSplit{Taxable: 1}},
			{2, "29", "Karnataka", india.TaxSplit{Taxable: 2}},
			{0, "29", "Karnataka", india.TaxSplit{}},
		} {
			w.Catalogue[0].Fee = admission.INR(c.total)
			w.Supplier.GSTIN = c.supplier + "ABCDE1234F1ZW"
			w.Supplier.Series = fmt.Sprintf("S%02d", i+1)
			p := w.Enrolled(businesstest.Fields{"state": c.state})
			p.MustStart("")
			if c.total == 0 {
				businesstest.Equal(t, "invoices of nothing", p.State(p.TxnID).Invoices, 0)
				continue
			}
			p.ReturnWith(sandbox.Paid)
			receipt, err := w.Receipts.ReceiptOfVisitor(w.Ctx, p.Visitor, p.TxnID)
			w.Must(err)
			invoice := receipt.Invoice
			businesstest.Equal(t, fmt.Sprintf("row %d: split", i+1), invoice.Tax, c.tax)
			businesstest.Equal(t, fmt.Sprintf("row %d: total", i+1), invoice.TotalMinor, c.total)
			businesstest.Equal(t, fmt.Sprintf("row %d: place of supply", i+1), invoice.PlaceOfSupply, c.state)
			businesstest.Equal(t, fmt.Sprintf("row %d: seller's State", i+1), invoice.Seller.StateCode, c.supplier)
			businesstest.Equal(t, fmt.Sprintf("row %d: number", i+1), invoice.Number, fmt.Sprintf("S%02d/26-27/000001", i+1))
		}
	})
}

func TestInvoiceIsFrozen(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(businesstest.Fields{"coupon_code": "MGROW500", "state": "Maharashtra"})
		receipt, err := w.Receipts.ReceiptOfVisitor(w.Ctx, p.Visitor, p.TxnID)
		w.Must(err)
		issued := *receipt.Invoice
		businesstest.Equal(t, "invoice", issued, invoice.Invoice{
			ID: issued.ID, Number: "KS/26-27/000001", Series: "KS", FinancialYear: "26-27", Serial: 1, RegistrationID: p.RegistrationID, TxnID: p.TxnID, IssuedOn: businesstest.Noon,
			Seller:      invoice.Party{Name: "Aksharam", Address: "Bengaluru", GSTIN: "29ABCDE1234F1ZW", StateName: "Karnataka", StateCode: "29"},
			Buyer:       invoice.Party{Name: "Asha Rao", Email: p.Email, Phone: "+91" + p.Phone, StateName: "Maharashtra", StateCode: "27"},
			Description: "Registration fee – HireSure mGrow Scholarship", SAC: "999293", RateBP: 1800, PlaceOfSupply: "Maharashtra", PlaceCode: "27",
			ListMinor: 1499_00, DiscountMinor: 500_00, Tax: india.TaxSplit{Taxable: 84661, IGST: 15239}, TotalMinor: 999_00,
			Words: "Nine Hundred Ninety Nine Rupees Only", Charged: admission.INR(999_00), CouponCode: "MGROW500", PaymentMethod: "sandbox", Issue: 1,
		})

		w.Supplier.Name, w.Catalogue[0].Title = "Another", "Another"
		later, err := w.Receipts.ReceiptOfVisitor(w.Ctx, p.Visitor, p.TxnID)
		w.Must(err)
		businesstest.Equal(t, "the same invoice later", *later.Invoice, issued)
	})
}

// After 30 November of the year after an invoice's, its GST can no longer be reversed.
func TestLateRefundHasFinancialCreditNote(t *testing.T) {
	const late = "refund after the last day to reverse its GST: a financial credit note was issued"
	for _, c := range []struct {
		name, refundedAt, credit, debit string
		alerts                          []string
	}{
		{"in the last second", "2027-11-30T23:59:59+05:30", "KSC/27-28/000001 | 127034 | 11433 | 11433 | 149900", "KSD/27-28/000001 | KSC/27-28/000001 | 127034 | 11433 | 149900", nil},
		{"a second later", "2027-12-01T00:00:00+05:30", "KSF/27-28/000001 | 149900 | 0 | 0 | 149900", "KSF/27-28/000002 | KSF/27-28/000001 | 149900 | 0 | 149900", []string{late}},
	} {
		t.Run(c.name, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				p := w.Paid(businesstest.Fields{"state": "Karnataka"})
				at, err := time.Parse(time.RFC3339, c.refundedAt)
				w.Must(err)
				w.Clock.Set(at.Add(-time.Second))
				w.AfterPayment(p.TxnID, sandbox.RefundedThere)
				businesstest.Same(t, "alerts", w.Alerts.All(), c.alerts)
				businesstest.Same(t, "credit note", w.Texts("SELECT number, tax_taxable, tax_cgst, tax_sgst, total_minor FROM credit_notes"), []string{c.credit})
				w.AfterPayment(p.TxnID, sandbox.RefundBounces)
				businesstest.Same(t, "debit note", w.Texts("SELECT number, reverses, tax_taxable, tax_cgst, total_minor FROM invoices WHERE issue = 2"), []string{c.debit})
				businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
			})
		})
	}
}

// serialTx hands out the serials after the given one.
type serialTx struct {
	invoice.Tx
	serial int64
}

func (tx *serialTx) NextSerial(string, string) (int64, error) { tx.serial++; return tx.serial, nil }
func (*serialTx) AddInvoice(*invoice.Invoice) error           { return nil }
func (*serialTx) AddPaper(*paper.Paper) (bool, error)         { return false, nil }

func TestNearlyFullSeriesAlerts(t *testing.T) {
	for _, c := range []struct {
		series string
		last   int64
		number string
		alerts []string
	}{
		{"KS", 0, "KS/26-27/000001", nil},
		{"KS", 889_999, "KS/26-27/890000", nil},
		{"KS", 899_999, "KS/26-27/900000", []string{"a number series is nearly full: KS"}},
		{"KS", 900_000, "KS/26-27/900001", nil},
		{"KS", 999_999, "KS/26-27/1000000", []string{"a number series is nearly full: KS"}},
		{"KSX", 989_999, "KSX/26-27/990000", []string{"a number series is nearly full: KSX"}},
	} {
		var alerts []string
		supplier := *businesstest.Supplier()
		supplier.Series = c.series
		service := invoice.Service{Config: invoice.Config{
			Supplier: func(time.Time) *invoice.Supplier { return &supplier }, Clock: func() time.Time { return businesstest.Noon },
			Alert: func(what string) { alerts = append(alerts, what) },
		}}
		issued, err := service.Issue(&serialTx{serial: c.last}, invoice.Sale{StateCode: "29", List: 1499_00, Charged: admission.INR(1499_00)})
		if err != nil || issued.Number != c.number {
			t.Errorf("%s after %d: %+v, %v", c.series, c.last, issued, err)
		}
		businesstest.Same(t, fmt.Sprint("alerts after ", c.last), alerts, c.alerts)
	}
}
