package business_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/india"
	"hiresure/admission/invoice"
	"hiresure/admission/payment"
	"hiresure/integrations/payment/sandbox"
)

func TestFinancialYearTurnsAtMidnightInIndia(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		lastSecond := time.Date(2027, 3, 31, 18, 29, 59, 0, time.UTC)
		w.catalogue[0].ClosesAt = lastSecond.AddDate(0, 1, 0)
		w.clock.Set(lastSecond)
		w.paid(nil)
		acrossMidnight := w.paying(nil)
		w.clock.Set(lastSecond.Add(time.Second))
		acrossMidnight.returnWith(sandbox.Paid) // started in the old year, confirmed in the new one
		w.paid(nil)
		w.clock.Set(lastSecond) // after a clock is set back, numbers follow it without a gap
		w.paid(nil)
		same(t, "numbers and their days", w.texts("SELECT number, issued_on FROM invoices ORDER BY number"), []string{
			fmt.Sprintf("KS/26-27/000001 | %d", lastSecond.UnixMicro()),
			fmt.Sprintf("KS/26-27/000002 | %d", lastSecond.UnixMicro()),
			fmt.Sprintf("KS/27-28/000001 | %d", lastSecond.Add(time.Second).UnixMicro()),
			fmt.Sprintf("KS/27-28/000002 | %d", lastSecond.Add(time.Second).UnixMicro()),
		})
	})
}

func TestReceiptWithoutSupplier(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		w.supplier = nil
		p := w.paid(nil)
		p.expectState(p.txn, paymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Mails: "receipt", Timeline: "enrolled, paid"})
		equal(t, "series", w.count("invoice_series"), 0)
		mail := p.post.to(p.email)[0]
		equal(t, "no invoice in the mail", mail.Params["InvoiceURL"]+mail.Params["InvoiceNumber"], "")
		token := strings.TrimPrefix(mail.Params["ReceiptURL"], "https://www.example.in/receipt/")
		receipt, err := w.Receipts.OpenReceipt(w.ctx, token)
		w.must(err)
		equal(t, "no invoice behind the link", receipt.Invoice == nil, true)
		equal(t, "amount", receipt.Transaction.Charge, admission.INR(1499_00))
	})
}

func TestReceiptNamesFutureDays(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		for i := range w.catalogue {
			w.catalogue[i].Days = []admission.Day{
				{What: "Mock test", On: time.Date(2026, 11, 20, 0, 0, 0, 0, admission.IST)},
				{What: "Scholarship exam", On: time.Date(2026, 11, 21, 0, 0, 0, 0, admission.IST), Brief: "Online."},
				{What: "Results", On: time.Date(2026, 12, 1, 0, 0, 0, 0, admission.IST)},
			}
		}
		p := w.paid(nil) // on 21 November
		w.runJobs()
		equal(t, "dates", p.post.to(p.email)[0].Params["Days"], "2026-11-21\tScholarship exam\tOnline.\n2026-12-01\tResults\t")
	})
}

// The rows are those of the tax split's table; a zero total has no invoice.
func TestSplitsReachTheInvoice(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
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
			w.catalogue[0].Fee = admission.INR(c.total)
			w.supplier.GSTIN = c.supplier + "ABCDE1234F1ZW"
			w.supplier.Series = fmt.Sprintf("S%02d", i+1)
			p := w.enrolled(fields{"state": c.state})
			p.mustStart("")
			if c.total == 0 {
				equal(t, "invoices of nothing", p.state(p.txn).Invoices, 0)
				continue
			}
			p.returnWith(sandbox.Paid)
			receipt, err := w.Receipts.ReceiptOfVisitor(w.ctx, p.Visitor, p.txn)
			w.must(err)
			invoice := receipt.Invoice
			equal(t, fmt.Sprintf("row %d: split", i+1), invoice.Tax, c.tax)
			equal(t, fmt.Sprintf("row %d: total", i+1), invoice.TotalMinor, c.total)
			equal(t, fmt.Sprintf("row %d: place of supply", i+1), invoice.PlaceOfSupply, c.state)
			equal(t, fmt.Sprintf("row %d: seller's State", i+1), invoice.Seller.StateCode, c.supplier)
			equal(t, fmt.Sprintf("row %d: number", i+1), invoice.Number, fmt.Sprintf("S%02d/26-27/000001", i+1))
		}
	})
}

func TestInvoiceIsFrozen(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paid(fields{"coupon_code": "MGROW500", "state": "Maharashtra"})
		receipt, err := w.Receipts.ReceiptOfVisitor(w.ctx, p.Visitor, p.txn)
		w.must(err)
		issued := *receipt.Invoice
		equal(t, "invoice", issued, invoice.Invoice{
			ID: issued.ID, Number: "KS/26-27/000001", Series: "KS", FinancialYear: "26-27", Serial: 1, RegistrationID: p.registration, TxnID: p.txn, IssuedOn: noon,
			Seller:      invoice.Party{Name: "Aksharam", Address: "Bengaluru", GSTIN: "29ABCDE1234F1ZW", StateName: "Karnataka", StateCode: "29"},
			Buyer:       invoice.Party{Name: "Asha Rao", Email: p.email, Phone: "+91" + p.phone, StateName: "Maharashtra", StateCode: "27"},
			Description: "Registration fee – HireSure mGrow Scholarship", SAC: "999293", RateBP: 1800, PlaceOfSupply: "Maharashtra", PlaceCode: "27",
			ListMinor: 1499_00, DiscountMinor: 500_00, Tax: india.TaxSplit{Taxable: 84661, IGST: 15239}, TotalMinor: 999_00,
			Words: "Nine Hundred Ninety Nine Rupees Only", Charged: admission.INR(999_00), CouponCode: "MGROW500", PaymentMethod: "sandbox", Issue: 1,
		})

		w.supplier.Name, w.catalogue[0].Title = "Another", "Another"
		later, err := w.Receipts.ReceiptOfVisitor(w.ctx, p.Visitor, p.txn)
		w.must(err)
		equal(t, "the same invoice later", *later.Invoice, issued)
	})
}

func TestReceiptLinkWorksForNinetyDays(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.paid(nil)
		w.runJobs()
		token := strings.TrimPrefix(p.post.to(p.email)[0].Params["ReceiptURL"], "https://www.example.in/receipt/")
		equal(t, "tokens stored in clear", w.count("links WHERE token_hash = $1", token), 0)
		w.clock.Set(noon.Add(90*24*time.Hour - time.Second))
		receipt, err := w.Receipts.OpenReceipt(w.ctx, token)
		w.must(err)
		equal(t, "registration", receipt.Registration.ID, p.registration)
		for _, bad := range []string{"", admission.NewToken(), token[1:], strings.ToUpper(token)} {
			_, err := w.Receipts.OpenReceipt(w.ctx, bad)
			expectProblem(t, err, admission.NotFound, "", "Receipt not found.")
		}
		w.clock.Set(noon.Add(90 * 24 * time.Hour))
		_, err = w.Receipts.OpenReceipt(w.ctx, token)
		expectProblem(t, err, admission.NotFound, "", "Receipt not found.")
	})
}
