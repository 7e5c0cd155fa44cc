package site_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission/paper"
	"hiresure/cmd/site/sitetest"
)

// printingSite prints papers of payments that a test stores.
type printingSite struct{ *sitetest.PrintingSite }

func openPrintingSite(t *testing.T, size string, changes ...string) *printingSite {
	return &printingSite{sitetest.OpenPrintingSite(t, size, changes...)}
}

// words returns the sorted words of a text.
func words(text string) string {
	all := strings.Fields(strings.ReplaceAll(text, "₹", " ₹ ")) // pdftotext sometimes adds a space there
	slices.Sort(all)
	return strings.Join(all, " ")
}

// mustRead prints a paper and compares its words with the issued document.
func (p *printingSite) mustRead(sentence string, kind paper.Kind, ref, txn, want string) {
	p.T.Helper()
	body, err := p.Site.Papers.Print(p.T.Context(), paper.Paper{Kind: kind, Ref: ref, TxnID: txn, CausedAt: p.Site.Clock()})
	if err != nil {
		p.T.Fatal(err)
	}
	if got := words(sitetest.Poppler(p.T, "pdftotext", string(body))); got != words(want) {
		p.T.Errorf("%s: the %s says\n%s, want\n%s", sentence, kind, got, words(want))
	}
}

// letterOf returns the text of an invoice or a credit note except items, sums and words. The State is the buyer's.
func letterOf(title, of, number, state, txn, paid, notes string) string {
	return title + " HireSure Original for recipient Number " + number + " Date 21 November 2026 Place of supply " + state + " Reverse charge No Supplier Aksharam Skill Academy Private Limited 14, Third Cross, Lakeside Layout Bengaluru 560001 " +
		of + " Asha Pillai State " + state + " asha@example.com +91 98200 41567 Sr. No. Description SAC Quantity Amount in ₹ 1 Registration fee – HireSure mGrow Scholarship 999293 1 In words Tax by SAC 999293 Taxable value Rate Tax in all 18% " +
		paid + " Payment ID " + txn + " " + notes
}

// The rows are those of TestSplitTaxVectors in admission/india, without a total of 0, which has no invoice.
func TestPaperOfEachTax(t *testing.T) {
	p := openPrintingSite(t, "letter")
	for i, test := range []struct {
		supplier, seller, code, buyer string
		total                         int64
		items, taxes, sum, words      string // taxable value and taxes as items, as a table, the total
	}{
		{"29", "Karnataka", "29", "Karnataka", 149900, "1,270.34 CGST 9% 114.33 SGST 9% 114.33", "1,270.34 CGST 114.33 SGST 114.33 228.66", "1,499.00", "One Thousand Four Hundred Ninety Nine Rupees Only"},
		{"29", "Karnataka", "27", "Maharashtra", 149900, "1,270.34 IGST 18% 228.66", "1,270.34 IGST 228.66 228.66", "1,499.00", "One Thousand Four Hundred Ninety Nine Rupees Only"},
		{"29", "Karnataka", "29", "Karnataka", 149950, "1,270.76 CGST 9% 114.37 SGST 9% 114.37", "1,270.76 CGST 114.37 SGST 114.37 228.74", "1,499.50", "One Thousand Four Hundred Ninety Nine Rupees And Fifty Paise Only"},
		{"07", "Delhi", "07", "Delhi", 250000, "2,118.64 CGST 9% 190.68 SGST 9% 190.68", "2,118.64 CGST 190.68 SGST 190.68 381.36", "2,500.00", "Two Thousand Five Hundred Rupees Only"},
		{"07", "Delhi", "09", "Uttar Pradesh", 250000, "2,118.64 IGST 18% 381.36", "2,118.64 IGST 381.36 381.36", "2,500.00", "Two Thousand Five Hundred Rupees Only"},
		{"04", "Chandigarh", "04", "Chandigarh", 99900, "846.62 CGST 9% 76.19 UTGST 9% 76.19", "846.62 CGST 76.19 UTGST 76.19 152.38", "999.00", "Nine Hundred Ninety Nine Rupees Only"},
		{"38", "Ladakh", "38", "Ladakh", 74950, "635.16 CGST 9% 57.17 UTGST 9% 57.17", "635.16 CGST 57.17 UTGST 57.17 114.34", "749.50", "Seven Hundred Forty Nine Rupees And Fifty Paise Only"},
		{"34", "Puducherry", "34", "Puducherry", 118000, "1,000.00 CGST 9% 90.00 SGST 9% 90.00", "1,000.00 CGST 90.00 SGST 90.00 180.00", "1,180.00", "One Thousand One Hundred Eighty Rupees Only"},
		{"36", "Telangana", "36", "Telangana", 45000000, "3,81,355.94 CGST 9% 34,322.03 SGST 9% 34,322.03", "3,81,355.94 CGST 34,322.03 SGST 34,322.03 68,644.06", "4,50,000.00", "Four Lakh Fifty Thousand Rupees Only"},
		{"36", "Telangana", "37", "Andhra Pradesh", 45000000, "3,81,355.93 IGST 18% 68,644.07", "3,81,355.93 IGST 68,644.07 68,644.07", "4,50,000.00", "Four Lakh Fifty Thousand Rupees Only"},
		{"26", "Dadra and Nagar Haveli and Daman and Diu", "26", "Dadra and Nagar Haveli and Daman and Diu", 149901, "1,270.35 CGST 9% 114.33 UTGST 9% 114.33", "1,270.35 CGST 114.33 UTGST 114.33 228.66", "1,499.01", "One Thousand Four Hundred Ninety Nine Rupees And One Paisa Only"},
		{"27", "Maharashtra", "27", "Maharashtra", 100, "0.84 CGST 9% 0.08 SGST 9% 0.08", "0.84 CGST 0.08 SGST 0.08 0.16", "1.00", "One Rupee Only"},
		{"29", "Karnataka", "29", "Karnataka", 59, "0.49 CGST 9% 0.05 SGST 9% 0.05", "0.49 CGST 0.05 SGST 0.05 0.10", "0.59", "Zero Rupees And Fifty Nine Paise Only"},
		{"27", "Maharashtra", "33", "Tamil Nadu", 1, "0.01", "0.01 0.00", "0.01", "Zero Rupees And One Paisa Only"},
		{"29", "Karnataka", "29", "Karnataka", 2, "0.02", "0.02 0.00", "0.02", "Zero Rupees And Two Paise Only"},
	} {
		sentence := fmt.Sprintf("row %d", i+1)
		p.Supplier.GSTIN, p.Supplier.Series = test.supplier+"ABCDE1234F1ZW", fmt.Sprintf("S%02d", i+1)
		txn := p.Sell("Asha Pillai", test.code, test.total)
		taxable, _, _ := strings.Cut(test.items, " ")
		want := letterOf("Tax invoice", "Billed to", fmt.Sprintf("S%02d/26-27/000001", i+1), test.buyer+" ("+test.code+")", txn, "Paid on 21 Nov 2026", "This invoice is auto-generated, no signature needed.") +
			" State " + test.seller + " (" + test.supplier + ") GSTIN " + p.Supplier.GSTIN + " " + taxable + " Taxable value " + test.items + " Total ₹" + test.sum + " " + test.taxes + " " + test.words + " All amounts above the tax are without tax."
		p.mustRead(sentence, paper.Invoice, p.Receipt(txn).Invoice.ID, txn, want)
	}
}

// The credit notes of an invoice refunded in three parts add up to it for each tax.
func TestPapersOfPartialRefunds(t *testing.T) {
	p := openPrintingSite(t, "a4")
	for _, test := range []struct {
		code, state string
		notes       [3]string // taxable value and taxes as items, and as a table
	}{
		{"29", "Karnataka", [3]string{
			"423.72 Taxable value 423.72 CGST 9% 38.14 SGST 9% 38.14 423.72 CGST 38.14 SGST 38.14 76.28",
			"282.49 Taxable value 282.49 CGST 9% 25.42 SGST 9% 25.42 282.49 CGST 25.42 SGST 25.42 50.84",
			"564.13 Taxable value 564.13 CGST 9% 50.77 SGST 9% 50.77 564.13 CGST 50.77 SGST 50.77 101.54",
		}},
		{"27", "Maharashtra", [3]string{
			"423.73 Taxable value 423.73 IGST 18% 76.27 423.73 IGST 76.27 76.27",
			"282.48 Taxable value 282.48 IGST 18% 50.85 282.48 IGST 50.85 50.85",
			"564.13 Taxable value 564.13 IGST 18% 101.54 564.13 IGST 101.54 101.54",
		}},
	} {
		p.Supplier.Series, p.Supplier.CreditSeries = "K"+test.code, "C"+test.code
		txn := p.Sell("Asha Pillai", test.code, 149900)
		for i, back := range []struct {
			refunded           int64
			reason, sum, words string
		}{
			{50000, "Part of the fee returned", "500.00", "Five Hundred Rupees Only"}, {83333, "Part of the fee returned", "333.33", "Three Hundred Thirty Three Rupees And Thirty Three Paise Only"},
			{149900, "Enrolment cancelled", "665.67", "Six Hundred Sixty Five Rupees And Sixty Seven Paise Only"},
		} {
			p.Refund(txn, 149900, back.refunded)
			want := letterOf("Credit note", "Recipient", fmt.Sprintf("C%s/26-27/%06d", test.code, i+1), test.state+" ("+test.code+")", txn, "Refunded on 21 Nov 2026 to the source of payment", "This credit note is auto-generated, no signature needed.") +
				" State Karnataka (29) GSTIN " + p.Supplier.GSTIN + " Against tax invoice K" + test.code + "/26-27/000001 of 21 Nov 2026 " + back.reason + " " + test.notes[i] + " Credited ₹" + back.sum + " " + back.words
			p.mustRead(fmt.Sprintf("%s, refund %d", test.state, i+1), paper.CreditNote, p.Receipt(txn).CreditNotes[i].ID, txn, want)
		}
	}
}

// The financial year of a number is that of the issue time in India, to the second.
func TestPapersAtTheEndOfTheFinancialYear(t *testing.T) {
	p := openPrintingSite(t, "letter")
	turn := time.Date(2027, 3, 31, 18, 30, 0, 0, time.UTC) // midnight in India
	for _, test := range []struct {
		at         time.Time
		date, paid string
	}{
		{turn.Add(-time.Second), "KS/26-27/00000131 March 2027", "Paid on 31 Mar 2027"}, {turn, "KS/27-28/0000011 April 2027", "Paid on 1 Apr 2027"}, {turn, "KS/27-28/0000021 April 2027", "Paid on 1 Apr 2027"},
	} {
		p.Passes(test.at.Sub(p.Site.Clock()))
		txn := p.Sell("Asha Pillai", "29", 149900)
		body, err := p.Site.Papers.Print(t.Context(), paper.Paper{Kind: paper.Invoice, Ref: p.Receipt(txn).Invoice.ID, TxnID: txn, CausedAt: test.at})
		if err != nil {
			t.Fatal(err)
		}
		mustContain(t, "an invoice", string(body), test.date, test.paid)
	}
}

func TestDevanagariName(t *testing.T) {
	const name = "श्रीमती विद्युल्लता क्षीरसागर"
	for _, size := range []string{"letter", "a4"} {
		p := openPrintingSite(t, size)
		txn := p.Sell(name, "27", 149900)
		p.Refund(txn, 149900, 149900)
		of := p.Receipt(txn)
		for kind, ref := range map[paper.Kind]string{paper.Invoice: of.Invoice.ID, paper.CreditNote: of.CreditNotes[0].ID, paper.Receipt: txn} {
			body, err := p.Site.Papers.Print(t.Context(), paper.Paper{Kind: kind, Ref: ref, TxnID: txn, CausedAt: p.Site.Clock()})
			if err != nil {
				t.Fatal(err)
			}
			mustContain(t, string(kind), string(body), name)
			for _, font := range strings.Split(strings.TrimSpace(sitetest.Poppler(t, "pdffonts", string(body))), "\n")[2:] {
				if !strings.Contains(font, " yes yes yes") && !strings.Contains(font, " Type 3 ") { // the day on a ticket is an outline font
					t.Errorf("%s on %s has a font that is not inside: %s", kind, size, font)
				}
			}
		}
	}
}
