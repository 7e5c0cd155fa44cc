package checkout_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"hiresure/admission/enrol"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
	"hiresure/store/storetest"
)

// mailed returns the paths of the links in the receipt mail.
func (s *site) mailed() (receipt, invoice string) {
	s.t.Helper()
	sent := s.deliver()
	if len(sent) != 1 {
		s.t.Fatalf("sent %d messages, want one", len(sent))
	}
	return strings.TrimPrefix(sent[0].Params["ReceiptURL"], s.url), strings.TrimPrefix(sent[0].Params["InvoiceURL"], s.url)
}

func TestReceiptLinksToTheTicket(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Paid, nil)
	link := `<a href="` + b.ticket(txn) + `">HS26-`
	b.get("/checkout/"+txn+"/receipt").is(http.StatusOK, "Ticket HS26-").holds(link)
	receipt, _ := s.mailed()
	s.stranger().get(receipt).is(http.StatusOK, "Ticket HS26-").holds(link)
}

func TestSlowDocumentPageSaysWhatFollows(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Paid, nil)
	for file, linked := range map[string]string{"invoice.pdf": "tax invoice", "receipt.pdf": "receipt", "ticket.pdf": "receipt"} {
		b.get("/checkout/"+txn+"/papers/"+file+"?wait").is(http.StatusAccepted, "or come back later from your "+linked+".")
	}
}

func TestInvoiceMeetsRule46(t *testing.T) {
	everywhere := []string{
		"Tax invoice", "Original for recipient", "Number KS/26-27/000001", "Date 21 November 2026", "Reverse charge No",
		"Aksharam Skill Academy Private Limited", "14, Third Cross, Lakeside Layout", "Bengaluru 560001, Karnataka (29), India GSTIN 29ABCDE1234F1ZW",
		"Billed to Ananya Deshmukh", "ananya.d@example.com +91 98200 41567",
		"Sr. No. Description SAC Quantity Amount in ₹ 1 Registration fee – HireSure mGrow Scholarship", "999293 1 1,270.34", "All amounts above the tax are without tax.",
		"This invoice is auto-generated, no signature needed.", "Download PDF Print Receipt",
	}
	for _, row := range []struct {
		sentence, stateCode, coupon string
		texts, not                  []string
	}{
		{
			"to another State: IGST alone", "27", "",
			[]string{"Place of supply Maharashtra (27)", "State Maharashtra (27)", "999293 1 1,270.34 Taxable value 1,270.34 IGST 18% 228.66 Total ₹1,499.00", "Taxable value Rate IGST Tax in all 999293 1,270.34 18% 228.66 228.66", "One Thousand Four Hundred Ninety Nine Rupees Only"},
			[]string{"CGST", "SGST", "UTGST", "Discount", "discount"},
		},
		{
			"within the State: CGST and SGST", "29", "",
			[]string{"Place of supply Karnataka (29)", "Taxable value 1,270.34 CGST 9% 114.33 SGST 9% 114.33 Total ₹1,499.00", "Rate CGST SGST Tax in all 999293 1,270.34 18% 114.33 114.33 228.66"},
			[]string{"IGST", "UTGST"},
		},
		{
			"with a coupon: a column without tax that adds up, and the discount once", "27", "MGROW500",
			[]string{"999293 1 1,270.34 Discount MGROW500 −423.73 Taxable value 846.61 IGST 18% 152.39 Total ₹999.00", "With tax: fee 1,499.00, discount 500.00.", "Nine Hundred Ninety Nine Rupees Only"},
			[]string{"CGST"},
		},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			s := newSite(t)
			s.at(sandbox.Paid, func(r *enrol.Registration) { r.StateCode, r.CouponCode = row.stateCode, row.coupon })
			receipt, invoice := s.mailed()
			anybody := s.stranger()
			a := anybody.get(invoice).is(http.StatusOK, append(row.texts, everywhere...)...).without(row.not...)
			for name, want := range map[string]string{"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"} {
				if got := a.header.Get(name); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			anybody.get(receipt).is(http.StatusOK, "Receipt", "Receipt ₹", " paid on 21 Nov 2026 ", "Student Ananya Deshmukh ananya.d@example.com Place of supply: ", "14 Scholarship exam March 2027 Sunday", "Paid on 21 Nov 2026, 12:04 Paid with Test money", "Bank reference (UTR) Copy bank reference 7", "Tax invoice KS/26-27/000001",
				"Issued by Aksharam Skill Academy Private Limited 14, Third Cross, Lakeside Layout Bengaluru 560001, Karnataka, India GSTIN 29ABCDE1234F1ZW", "Phone +91 80 0000 0101 E-mail support@hiresure.example").holds(`href="` + invoice + `"`)
		})
	}
}

func TestAMailedLinkWorksForNinetyDays(t *testing.T) {
	s := newSite(t)
	s.at(sandbox.Paid, nil)
	receipt, invoice := s.mailed()
	s.clock.Pass(90*24*time.Hour - time.Second)
	s.stranger().get(receipt).is(http.StatusOK, "Receipt")
	s.clock.Pass(time.Second)
	for _, address := range []string{receipt, invoice} {
		s.stranger().get(address).is(http.StatusNotFound, "This link has expired Links to receipts and invoices work for 90 days. Your receipt still exists.", "Sign in Ask for a new link Talk to us").
			holds(`href="/account/sign-in?next=%2Fhiresure"`, `href="mailto:support@hiresure.example"`).without("Ananya")
	}
	for _, address := range []string{"/receipt/nobody-knows", "/invoice/nobody-knows"} {
		s.stranger().get(address).is(http.StatusNotFound, "This page does not exist The address may be incomplete, or the page is gone.").without("Ananya", "expired")
	}
}

func TestAWithdrawnLinkOpensNothing(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Paid, nil)
	receipt, paper := s.mailed()
	s.stranger().get(receipt).is(http.StatusOK, "Ananya Deshmukh")
	if err := s.store.Update(t.Context(), func(tx store.Tx) error {
		n, err := tx.RevokeLinks(b.registration.ID, s.clock.Now())
		if n != 1 {
			t.Errorf("revoked %d", n)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{receipt, paper} {
		s.stranger().get(address).is(http.StatusNotFound, "This link has expired").without("Ananya")
	}
	b.get("/checkout/"+txn+"/receipt").is(http.StatusOK, "Ananya Deshmukh")
}

func TestDeletedPayerIsNotCongratulated(t *testing.T) {
	database := storetest.SQLite(t)
	s := newSiteOn(t, database)
	b, txn := s.at(sandbox.Paid, nil)
	_, err := storetest.SQL(t, database).Exec("UPDATE registrations SET erased_at = 1, full_name = '', email = '', paid_txn_id = '', ticket_key = ''")
	check(t, err)
	for _, b := range []*browser{b, s.stranger()} {
		b.get("/success?kspay_id="+txn).is(http.StatusNotFound, "We cannot find this payment").without("Congratulations", "Ananya")
	}
}

func TestWithoutASupplierThereIsAReceiptWithoutTax(t *testing.T) {
	s := newSite(t, withoutSupplier)
	b, txn := s.at(sandbox.Paid, nil)
	b.get("/success?kspay_id="+txn).is(http.StatusOK, "Receipt").without("Tax invoice")
	receipt, invoice := s.mailed()
	if invoice != "" {
		t.Errorf("the mail links to an invoice: %s", invoice)
	}
	s.stranger().get(receipt).is(http.StatusOK, "Receipt", "Paid ₹1,499.00", "Issued by Aksharam Skill Academy Private Limited", "support@hiresure.example").aboveFooter().without("GST", "Tax invoice")
	s.stranger().get(strings.Replace(receipt, "/receipt/", "/invoice/", 1)).is(http.StatusNotFound, "Invoice not found", "Receipt").aboveFooter().without("GSTIN")
}

func TestOwnersSessionOpensDocuments(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Paid, nil)
	b.get("/success?kspay_id=" + txn).holds(`href="/checkout/` + txn + `/receipt"`)
	b.get("/checkout/"+txn+"/receipt").is(http.StatusOK, "Ananya Deshmukh").holds(`href="/checkout/` + txn + `/invoice"`)
	b.get("/checkout/"+txn+"/invoice").is(http.StatusOK, "GSTIN 29ABCDE1234F1ZW")
	unpaid, open := s.at(sandbox.Pending, second)
	unpaid.get("/checkout/" + open + "/receipt").is(http.StatusNotFound)
}

// A link that opens nothing says where ticket and receipt are, to strangers and to payers, whatever exists.
func TestLostLinksSayWhatToDo(t *testing.T) {
	const signIn = "Or sign in with the mobile number that you enrolled with: your ticket and receipt are there."
	s := newSite(t)
	payer, _ := s.at(sandbox.Paid, nil)
	for _, row := range []struct{ sentence, address, says string }{
		{"a mailed receipt", "/receipt/mistyped", "This page does not exist The address may be incomplete, or the page is gone. Was it the link to a receipt or an invoice? Open it again from our e-mail. " + signIn},
		{"a mailed invoice", "/invoice/mistyped", "This page does not exist"},
		{"a mailed document", "/receipt/mistyped/receipt.pdf", "This page does not exist"},
		{"a receipt", "/checkout/mistyped/receipt", "We cannot find this payment The address seems to be incomplete. Open it again from our e-mail or from your browser’s history. " + signIn},
		{"a result", "/success?kspay_id=mistyped", "We cannot find this payment"},
		{"a ticket", "/ticket/mistyped", "This code does not open a ticket The address may be incomplete, or it belongs to a ticket that is no longer valid. Open it again from our e-mail. " + signIn},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			for _, b := range []*browser{s.stranger(), payer} {
				b.get(row.address).is(http.StatusNotFound, row.says, signIn, "Go to the scholarship page").holds(`<a class="button" href="/account/sign-in?next=%2Fhiresure">Sign in</a>`).without("Ananya", "1,499")
			}
		})
	}
}
