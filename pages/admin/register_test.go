package admin_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"hiresure/admission"
	"hiresure/admission/india"
	"hiresure/admission/invoice"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/store"
	"hiresure/web"
)

// issue adds invoices of two people, the second under a hostile name, and a credit note of the first.
func (s *site) issue() {
	s.t.Helper()
	now := s.clock.Now()
	home := india.TaxSplit{Taxable: 127034, CGST: 11433, SGST: 11433}
	away := india.TaxSplit{Taxable: 127034, IGST: 22866}
	seller := invoice.Party{StateCode: "29"}
	check(s.t, s.store.Update(s.t.Context(), func(tx store.Tx) error {
		one := invoice.Invoice{
			ID: admission.NewID(), Number: "KS/26-27/000843", Series: "KS", FinancialYear: "26-27", Serial: 843, RegistrationID: personID(1), TxnID: "7nb1ac9c00000000000000000b", IssuedOn: now.Add(-time.Hour), Issue: 1,
			Seller: seller, Buyer: invoice.Party{Name: "Lakshmi Venkataraman"}, SAC: "999293", RateBP: 1800, PlaceOfSupply: "Karnataka", PlaceCode: "29", ListMinor: 149900, Tax: home, TotalMinor: 149900, Charged: admission.INR(149900), PaymentMethod: "razorpay",
		}
		two := one
		two.ID, two.Number, two.Serial, two.RegistrationID, two.TxnID, two.IssuedOn = admission.NewID(), "KS/26-27/000844", 844, personID(2), "7nb1ac9c00000000000000000c", now.Add(-time.Minute)
		two.Buyer, two.PlaceOfSupply, two.PlaceCode, two.Tax, two.CouponCode = invoice.Party{Name: `=HYPERLINK("http://evil.example")`}, "Manipur", "14", away, "MGROW500"
		refund := payment.Refund{ID: admission.NewID(), TxnID: one.TxnID, Amount: admission.INR(149900), State: method.RefundDone, Reason: payment.ReasonOrdered, CreatedAt: now}
		note := invoice.CreditNote{
			ID: admission.NewID(), Number: "KSC/26-27/000001", Series: "KSC", FinancialYear: "26-27", Serial: 1, InvoiceID: one.ID, InvoiceNumber: one.Number, InvoiceDate: one.IssuedOn, RegistrationID: one.RegistrationID, TxnID: one.TxnID,
			RefundID: refund.ID, IssuedOn: now, Seller: seller, Buyer: one.Buyer, SAC: one.SAC, RateBP: 1800, PlaceOfSupply: one.PlaceOfSupply, PlaceCode: one.PlaceCode, Tax: home, TotalMinor: 149900,
		}
		return errors.Join(tx.AddInvoice(&one), tx.AddInvoice(&two), tx.SaveRefund(&refund), tx.AddCreditNote(&note))
	}))
}

func TestInvoiceRegister(t *testing.T) {
	s := newSite(t)
	s.register()
	s.issue()
	b := s.setUp("arvind@academy.example", "Arvind Kulkarni", "finance")
	b.get(web.StaffPath).is(http.StatusOK, "Print")
	b.get(web.StaffRegisterPath).is(http.StatusOK, "Invoice register", "Invoices 3 KS/26-27/000842 to 000844, no gap", "Credit notes 1 KSC/26-27/000001", "KSC/26-27/000001 to KS/26-27/000843", "−1,270.34", "Manipur (14)", "18%",
		`=HYPERLINK("http://evil.example")`, "IGST ₹228.66", "Total ₹2,998.00", "These 4 documents", "All 4 documents", "Tax by rate and State", "Karnataka (29) 2 0.00 18% 0.00 0.00 0.00 0.00")
	b.lacks("Debit notes", `=HYPERLINK("`)
	b.get(web.StaffRegisterPath+"?from=&to=&place=away&series=KS&event=KS_Mgrow").is(http.StatusOK, "KS/26-27/000844", "Total ₹1,499.00")
	b.lacks("KSC/26-27", "no gap")
	b.get(web.StaffRegisterPath+"?from=yesterday&to=2000-01-01").is(http.StatusOK, "Enter a date like 28/11/2026", "No documents here")
	b.lacks("XLSX for the accountant")
	b.get(web.StaffRegisterPath + "?older=forged").is(http.StatusNotFound)
	for _, who := range []string{"support", "reviewer", "content"} {
		other := s.setUp(who+"@academy.example", "Meera Nambiar", who)
		other.get(web.StaffPath).lacks(web.StaffRegisterPath)
		other.get(web.StaffRegisterPath).is(http.StatusForbidden)
		other.post(web.StaffRegisterPath, "format", "csv").is(http.StatusForbidden)
	}
}

func TestInvoiceRegisterAsAFile(t *testing.T) {
	s := newSite(t)
	s.register()
	s.issue()
	b := s.setUp("arvind@academy.example", "Arvind Kulkarni", "finance")
	b.clock.Pass(11 * time.Minute) // since the sign-in
	filter := []string{"from", "2026-11-01", "to", "2026-11-30", "format", "xlsx"}
	b.post(web.StaffRegisterPath, filter...).is(http.StatusOK, "You are about to download the invoice register", "Confirm that it is you")
	b.post(web.StaffRegisterPath, append(filter, "confirm_code", b.code())...)
	for name, want := range map[string]string{
		"Content-Type": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "Content-Disposition": `attachment; filename="invoice-register-2026-11-01-2026-11-30.xlsx"`, "Cache-Control": "private, no-store",
	} {
		if is := b.header.Get(name); is != want {
			t.Errorf("%s is %q, want %q", name, is, want)
		}
	}
	book, err := excelize.OpenReader(strings.NewReader(b.page))
	check(t, err)
	defer func() { check(t, book.Close()) }()
	if is := strings.Join(book.GetSheetList(), "|"); is != "Tax by rate and State|No tax|18% 14 Manipur|18% 29 Karnataka" {
		t.Errorf("sheets %q", is)
	}
	rows, err := book.GetRows("Tax by rate and State", excelize.Options{RawCellValue: true})
	check(t, err)
	if is := fmt.Sprint(rows[2:]); is != "[[Manipur (14) 18.00 1 1270.34 0.00 0.00 0.00 228.66 1499.00] [Karnataka (29) 18.00 2 0.00 0.00 0.00 0.00 0.00 0.00] [Total of 3   1270.34 0.00 0.00 0.00 228.66 2998.00]]" {
		t.Errorf("tax by rate and State: %s", is)
	}
	rows, err = book.GetRows("18% 29 Karnataka", excelize.Options{RawCellValue: true})
	check(t, err)
	if len(rows) != 4 || strings.Join(rows[2], "|") != "KSC/26-27/000001|Credit note|46347|Lakshmi Venkataraman||Karnataka (29)|999293|-1499.00|0.00|0.00||-1270.34|18.00|-114.33|-114.33|0.00|0.00|-1499.00|-1499.00|INR||razorpay||KS/26-27/000843|46347|ordered|46721" {
		t.Errorf("the sheet of Karnataka: %q", rows)
	}

	b.post(web.StaffRegisterPath, "from", "", "to", "", "place", "away", "format", "csv")
	if is := b.header.Get("Content-Disposition"); is != `attachment; filename="invoice-register.csv"` || !strings.Contains(b.page, `"'=HYPERLINK(""http://evil.example"")"`) || !strings.HasSuffix(b.page, "Total of 1,,,,,,,1499.00,0.00,0.00,,1270.34,,0.00,0.00,0.00,228.66,1499.00,,,,,,,,,\r\n") || strings.Contains(b.page, "Lakshmi") {
		t.Errorf("%s: %s", is, b.page)
	}
	b.post(web.StaffRegisterPath, "format", "pdf").is(http.StatusBadRequest)
	b.post(web.StaffRegisterPath, "format", "csv", "from", "yesterday").is(http.StatusBadRequest)
	s.logged("exported the invoice register", "invoice register: from=2026-11-01, to=2026-11-30; XLSX, 4 rows; ", "invoice register: place=away; CSV, 1 row; ")
}

// logged expects acts of the log: what they were done to, the count and the reason.
func (s *site) logged(what string, want ...string) {
	s.t.Helper()
	var is []string
	for act, err := range s.store.Acts(s.t.Context()) {
		check(s.t, err)
		if act.What == what {
			is = append(is, act.Whom+"; "+act.Is+"; "+act.Reason)
		}
	}
	if strings.Join(is, "\n") != strings.Join(want, "\n") {
		s.t.Errorf("the log has\n%s\nwant\n%s", strings.Join(is, "\n"), strings.Join(want, "\n"))
	}
}
