package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/invoice"
	"hiresure/admission/office"
	"hiresure/store"
	"hiresure/store/storetest"
)

// sums returns the sums of a query of the register.
func sums(t *testing.T, s *store.Store, q office.RegisterQuery) (found office.RegisterSums) {
	t.Helper()
	if err := s.View(t.Context(), func(tx store.Tx) (err error) {
		found, err = tx.SumEntries(q)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

// addUp adds up the rows of a query, and returns their numbers.
func addUp(t *testing.T, s *store.Store, q office.RegisterQuery) (numbers []string, total office.TaxSum) {
	t.Helper()
	for e, err := range s.Entries(t.Context(), q) {
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, e.Number)
		total.Add(e)
		if e.Tax.Total() != e.TotalMinor || e.ListMinor-e.DiscountMinor-e.AdjustmentMinor != e.TotalMinor {
			t.Errorf("%s does not add up: %+v", e.Number, e)
		}
		if (e.Kind == office.CreditNote) != (e.TotalMinor < 0) || (e.Kind == office.TaxInvoice) != (e.Original == "") || e.Kind != office.TaxInvoice && (e.OriginalOn.IsZero() || e.Reason == "") {
			t.Errorf("%s: %+v", e.Number, e)
		}
	}
	return numbers, total
}

func TestRegisterEqualsTheBooks(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, address string) {
		b := newBooks(t, address)
		differences, err := b.store.Verify(t.Context(), func(time.Time) bool { return true })
		if err != nil || len(differences) > 0 {
			t.Fatalf("the books differ: %v, %v", differences, err)
		}
		all := sums(t, b.store, office.RegisterQuery{})
		numbers, total := addUp(t, b.store, office.RegisterQuery{})
		if total != all.Total() || len(numbers) < 10 {
			t.Errorf("the rows %v add up to %+v, the sums are %+v", numbers, total, all.Total())
		}
		// What the payments with an invoice have kept, of the charges and refunds that verify compares.
		kept := b.text(`SELECT CAST((SELECT SUM(charge_minor) FROM transactions WHERE id IN (SELECT txn_id FROM invoices))
			- (SELECT SUM(minor) FROM refunds WHERE state = 'done' AND id IN (SELECT refund_id FROM credit_notes)) AS TEXT)`)
		if is := fmt.Sprint(all.Total().TotalMinor); is != kept {
			t.Errorf("the register has %s paise, the payments have kept %s", is, kept)
		}
		for kind, query := range map[office.Kind]string{
			office.TaxInvoice: "SELECT COUNT(*) FROM invoices WHERE issue = 1", office.DebitNote: "SELECT COUNT(*) FROM invoices WHERE issue > 1", office.CreditNote: "SELECT COUNT(*) FROM credit_notes",
		} {
			if is, want := fmt.Sprint(all.Documents(kind)), b.text(query); is != want || is == "0" {
				t.Errorf("%s of kind %s, want %s", is, kind, want)
			}
		}
		for _, run := range all.Runs {
			if run.First != 1 || run.Last != run.Documents || run.FinancialYear != "26-27" {
				t.Errorf("a run with a gap: %+v", run)
			}
		}

		var parts []office.TaxSum
		for _, q := range []office.RegisterQuery{{Place: office.Home}, {Place: office.Away}} {
			parts = append(parts, sums(t, b.store, q).Total())
		}
		if home, away := parts[0], parts[1]; home.Tax.IGST != 0 || home.Tax.CGST != home.Tax.SGST || home.Tax.CGST == 0 || away.Tax.CGST != 0 || away.Tax.IGST == 0 || home.TotalMinor+away.TotalMinor != total.TotalMinor {
			t.Errorf("at home %+v, away %+v", home, away)
		}
		rest := total.TotalMinor
		for _, rate := range all.ByRate() {
			_, of := addUp(t, b.store, office.RegisterQuery{Rate: &rate.TaxRate})
			rest -= of.TotalMinor
		}
		if len(all.ByRate()) != 2 || rest != 0 {
			t.Errorf("the rates %+v leave %d", all.ByRate(), rest)
		}
		rest = total.TotalMinor
		for _, series := range all.Series {
			rest -= sums(t, b.store, office.RegisterQuery{Series: series}).Total().TotalMinor
		}
		if len(all.Series) != 3 || rest != 0 {
			t.Errorf("the series %v leave %d", all.Series, rest)
		}
		for _, none := range []office.RegisterQuery{{Until: noon.Add(-time.Hour)}, {From: b.now.Add(time.Hour)}, {Event: "F"}, {Series: "' OR 1=1 --"}} {
			if found := sums(t, b.store, none); found.Total().Documents != 0 {
				t.Errorf("%+v finds %+v", none, found)
			}
		}
		if found := sums(t, b.store, office.RegisterQuery{From: noon, Until: b.now.Add(time.Hour), Event: "E"}); found.Total() != total {
			t.Errorf("the event's are %+v", found.Total())
		}
		b.turnPages(numbers)
	})
}

// turnPages reads the register forth and back.
func (b *books) turnPages(oldestFirst []string) {
	b.t.Helper()
	read := func(cursor string, newer bool) (page office.EntryPage) {
		b.must(b.store.View(b.ctx, func(tx store.Tx) (err error) {
			page, err = tx.FindEntries(office.RegisterQuery{}, cursor, newer, 4)
			return err
		}))
		return page
	}
	var forth, back []string
	page := read("", false)
	if page.Newer != "" {
		b.t.Error("the first page has a newer one")
	}
	for {
		for _, e := range page.Entries {
			forth = append([]string{e.Number}, forth...)
		}
		if page.Older == "" {
			break
		}
		page = read(page.Older, false)
	}
	back = append(back, numbersOf(page)...)
	for page.Newer != "" {
		page = read(page.Newer, true)
		back = append(numbersOf(page), back...)
	}
	if want := strings.Join(oldestFirst, " "); strings.Join(forth, " ") != want || len(back) != len(forth) {
		b.t.Errorf("the pages have %v, and back %v, want %v", forth, back, want)
	}
	err := b.store.View(b.ctx, func(tx store.Tx) error {
		_, err := tx.FindEntries(office.RegisterQuery{Series: "KS"}, read("", false).Older, false, 4)
		return err
	})
	if problem := admission.AsProblem(err); problem == nil || problem.Kind != admission.NotFound {
		b.t.Errorf("a cursor of another query: %v", err)
	}
}

func numbersOf(page office.EntryPage) (numbers []string) {
	for _, e := range page.Entries {
		numbers = append(numbers, e.Number)
	}
	return numbers
}

// A refund after the deadline has a credit note without tax: its amount is in no rate.
func TestRegisterHasNotesWithoutTax(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, address string) {
		b := newBooks(t, address)
		b.now = time.Date(2027, 12, 2, 12, 0, 0, 0, admission.IST)
		before := sums(t, b.store, office.RegisterQuery{})
		b.must(b.store.Update(b.ctx, func(tx store.Tx) error {
			_, err := (&invoice.Service{Config: invoice.Config{
				Supplier: func(time.Time) *invoice.Supplier { return businesstest.Supplier() }, Clock: func() time.Time { return b.now }, Alert: func(string) {},
			}}).Credit(tx, b.id("plain"), b.text("SELECT id FROM refunds WHERE id NOT IN (SELECT refund_id FROM credit_notes) LIMIT 1"), admission.INR(1499_00), 500_00)
			return err
		}))
		after := sums(t, b.store, office.RegisterQuery{})
		without := sums(t, b.store, office.RegisterQuery{Rate: &office.TaxRate{PlaceCode: "29"}})
		if after.Total().TotalMinor != before.Total().TotalMinor-500_00 || after.Total().Tax.CGST != before.Total().Tax.CGST || without.Total().TotalMinor != -500_00 || without.Total().Tax.Taxable != -500_00 {
			t.Errorf("from %+v to %+v, without tax %+v", before.Total(), after.Total(), without.Total())
		}
	})
}
