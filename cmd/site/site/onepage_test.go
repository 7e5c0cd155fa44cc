package site_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"hiresure/admission/paper"
	"hiresure/cmd/site/sitetest"
)

var (
	pageBox = regexp.MustCompile(`<page width="([\d.]+)" height="([\d.]+)">`)
	wordBox = regexp.MustCompile(`<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)</word>`)
)

// mustFit prints a paper and expects at most most pages, with a margin in points free of words.
func (p *printingSite) mustFit(sentence string, most int, margin float64, kind paper.Kind, ref, txn string) {
	p.T.Helper()
	body, err := p.Site.Papers.Print(p.T.Context(), paper.Paper{Kind: kind, Ref: ref, TxnID: txn, CausedAt: p.Site.Clock()})
	if err != nil {
		p.T.Fatal(err)
	}
	boxes := sitetest.Poppler(p.T, "pdftotext", string(body), "-bbox")
	pages := pageBox.FindAllStringSubmatch(boxes, -1)
	if len(pages) == 0 || len(pages) > most {
		p.T.Errorf("%s: the %s has %d pages, want %d", sentence, kind, len(pages), most)
		return
	}
	wide, high := points(p.T, pages[0][1]), points(p.T, pages[0][2])
	words := wordBox.FindAllStringSubmatch(boxes, -1)
	if len(words) < 40 {
		p.T.Errorf("%s: the %s has %d words", sentence, kind, len(words))
	}
	const near = 1 // a heading's box is higher than its letters: its middle counts
	for _, word := range words {
		left, right, middle := points(p.T, word[1]), points(p.T, word[3]), (points(p.T, word[2])+points(p.T, word[4]))/2
		if left < margin-near || right > wide-margin+near || middle < margin || middle > high-margin {
			p.T.Errorf("%s: on the %s %q stands at %s", sentence, kind, word[5], strings.Join(word[1:5], " "))
		}
	}
}

func points(t *testing.T, text string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Every paper fits on one page without clipping: with the longest names, two taxes, a credit note's additional line and a
// receipt with three refunds. With names of three lines, receipt and ticket may take two pages.
func TestPapersAreOnePage(t *testing.T) { testPaperSize(t, "letter") } // A4, which is higher, has a long test

func testPaperSize(t *testing.T, size string) {
	const inch, sheet = 72, 37 // margins of invoices and credit notes, and of the others
	p := openPrintingSite(t, size)
	for i, of := range []struct {
		sentence, supplier, code, name string
		sheets                         int
	}{
		{"a union territory", "04", "04", "Asha Pillai", 1},
		{"the longest names", "26", "26", "Venkata Naga Satya Lakshmi Prasanna Kumari Chintalapudi", 2},
	} {
		p.Supplier.GSTIN, p.Supplier.Series, p.Supplier.CreditSeries = of.supplier+"ABCDE1234F1ZW", fmt.Sprint("K", i), fmt.Sprint("C", i)
		txn := p.Sell(of.name, of.code, 149900)
		for _, refunded := range []int64{3, 83333, 149900} {
			p.Refund(txn, 149900, refunded)
		}
		issued := p.Receipt(txn)
		sentence := size + ", " + of.sentence
		p.mustFit(sentence, 1, inch, paper.Invoice, issued.Invoice.ID, txn)
		p.mustFit(sentence, 1, inch, paper.CreditNote, issued.CreditNotes[1].ID, txn)
		p.mustFit(sentence, of.sheets, sheet, paper.Receipt, txn, txn)
		p.mustFit(sentence, of.sheets, sheet, paper.Ticket, txn, txn)
	}
}
