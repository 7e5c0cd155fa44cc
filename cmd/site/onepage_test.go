package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"hiresure/admission/paper"
)

var (
	pageBox = regexp.MustCompile(`<page width="([\d.]+)" height="([\d.]+)">`)
	wordBox = regexp.MustCompile(`<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)</word>`)
)

// mustFit prints a paper and expects at most most pages, with a margin in points free of words.
func (p *printingSite) mustFit(sentence string, most int, margin float64, kind paper.Kind, ref, txn string) {
	p.t.Helper()
	body, err := p.site.papers.Print(p.t.Context(), paper.Paper{Kind: kind, Ref: ref, TxnID: txn, CausedAt: p.site.clock()})
	if err != nil {
		p.t.Fatal(err)
	}
	boxes := poppler(p.t, "pdftotext", string(body), "-bbox")
	pages := pageBox.FindAllStringSubmatch(boxes, -1)
	if len(pages) == 0 || len(pages) > most {
		p.t.Errorf("%s: the %s has %d pages, want %d", sentence, kind, len(pages), most)
		return
	}
	wide, high := points(p.t, pages[0][1]), points(p.t, pages[0][2])
	words := wordBox.FindAllStringSubmatch(boxes, -1)
	if len(words) < 40 {
		p.t.Errorf("%s: the %s has %d words", sentence, kind, len(words))
	}
	const near = 1 // a heading's box is higher than its letters: its middle counts
	for _, word := range words {
		left, right, middle := points(p.t, word[1]), points(p.t, word[3]), (points(p.t, word[2])+points(p.t, word[4]))/2
		if left < margin-near || right > wide-margin+near || middle < margin || middle > high-margin {
			p.t.Errorf("%s: on the %s %q stands at %s", sentence, kind, word[5], strings.Join(word[1:5], " "))
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
		p.supplier.GSTIN, p.supplier.Series, p.supplier.CreditSeries = of.supplier+"ABCDE1234F1ZW", fmt.Sprint("K", i), fmt.Sprint("C", i)
		txn := p.sell(of.name, of.code, 149900)
		for _, refunded := range []int64{3, 83333, 149900} {
			p.refund(txn, 149900, refunded)
		}
		issued := p.receipt(txn)
		sentence := size + ", " + of.sentence
		p.mustFit(sentence, 1, inch, paper.Invoice, issued.Invoice.ID, txn)
		p.mustFit(sentence, 1, inch, paper.CreditNote, issued.CreditNotes[1].ID, txn)
		p.mustFit(sentence, of.sheets, sheet, paper.Receipt, txn, txn)
		p.mustFit(sentence, of.sheets, sheet, paper.Ticket, txn, txn)
	}
}
