package office

import (
	"context"
	"iter"
	"time"

	"hiresure/admission"
	"hiresure/admission/india"
	"hiresure/admission/payment"
	"hiresure/admission/staff"
)

// Kind is a kind of document of the invoice register.
type Kind string

// The kinds, as the register calls them.
const (
	TaxInvoice Kind = "Invoice"
	DebitNote  Kind = "Debit note"
	CreditNote Kind = "Credit note"
)

// Place selects documents by where the supply was.
type Place string

// The places of RegisterQuery.
const (
	Home Place = "home" // the supplier's State
	Away Place = "away" // another State
)

// RegisterQuery selects documents of the invoice register. A zero field selects all.
type RegisterQuery struct {
	From, Until time.Time // issued at or after the one, and before the other
	Event       string    // code
	Series      string
	Place       Place
	Rate        *TaxRate
}

// TaxRate is a rate in a State.
type TaxRate struct {
	RateBP    int // 0 for documents without tax
	PlaceCode string
}

// Entry is a row of the invoice register. The amounts of a credit note are negative.
type Entry struct {
	Kind                  Kind
	ID, Number            string
	RegistrationID, TxnID string
	IssuedOn              time.Time
	BuyerName, BuyerGSTIN string
	PlaceOfSupply         string
	PlaceCode             string
	SAC                   string
	RateBP                int // 0 for a note without tax
	ListMinor             int64
	DiscountMinor         int64
	AdjustmentMinor       int64
	CouponCode            string
	Tax                   india.TaxSplit
	TotalMinor            int64
	Received              admission.Money // in the currency that was charged
	Exchange              admission.ExchangeRate
	PaymentMethod         string
	PaymentID             string    // the provider's
	Original              string    // the number of the document that a note changes; "" for an invoice
	OriginalOn            time.Time // zero for an invoice
	Reason                payment.RefundReason
}

// LastDay returns the last day on which a credit note to the original may reverse its GST; zero for other documents.
func (e Entry) LastDay() time.Time {
	if e.Kind != CreditNote {
		return time.Time{}
	}
	return india.CreditNoteDeadline(e.OriginalOn).AddDate(0, 0, -1)
}

// EntryPage is a page of the register, the newest first.
type EntryPage struct {
	Entries      []Entry
	Newer, Older string // cursors of the pages before and after; "" for none
}

// TaxSum adds up the documents of a kind, rate and State.
type TaxSum struct {
	Kind Kind
	TaxRate
	PlaceOfSupply string
	Documents     int
	Tax           india.TaxSplit
	TotalMinor    int64
}

// Run is the serials of a series in a financial year.
type Run struct {
	Kind                  Kind
	Series, FinancialYear string
	First, Last           int64
	Documents             int64
}

// RegisterSums adds up a query.
type RegisterSums struct {
	Sums   []TaxSum // by State, rate and kind
	Runs   []Run
	Series []string // all that there are
}

// Documents returns how many documents of some kinds there are.
func (s RegisterSums) Documents(kinds ...Kind) (n int) {
	for _, sum := range s.Sums {
		for _, kind := range kinds {
			if sum.Kind == kind {
				n += sum.Documents
			}
		}
	}
	return n
}

// Add adds a document.
func (s *TaxSum) Add(e Entry) { s.add(1, e.Tax, e.TotalMinor) }

func (s *TaxSum) add(documents int, tax india.TaxSplit, totalMinor int64) {
	s.Documents += documents
	s.Tax.Taxable += tax.Taxable
	s.Tax.CGST += tax.CGST
	s.Tax.SGST += tax.SGST
	s.Tax.UTGST += tax.UTGST
	s.Tax.IGST += tax.IGST
	s.TotalMinor += totalMinor
}

// Total adds up all documents.
func (s RegisterSums) Total() (all TaxSum) {
	for _, sum := range s.Sums {
		all.add(sum.Documents, sum.Tax, sum.TotalMinor)
	}
	return all
}

// ByRate adds up the documents of each rate and State, of all kinds.
func (s RegisterSums) ByRate() (rates []TaxSum) {
	for _, sum := range s.Sums {
		if n := len(rates); n == 0 || rates[n-1].TaxRate != sum.TaxRate {
			rates = append(rates, TaxSum{TaxRate: sum.TaxRate, PlaceOfSupply: sum.PlaceOfSupply})
		}
		rates[len(rates)-1].add(sum.Documents, sum.Tax, sum.TotalMinor)
	}
	return rates
}

// Register returns a page of the invoice register with the sums of its query. cursor is "" for the first page; newer reads towards the first.
// Problem: NotFound for a cursor of another query.
func (s *Service) Register(ctx context.Context, q RegisterQuery, cursor string, newer bool, limit int) (page EntryPage, sums RegisterSums, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		if page, err = tx.FindEntries(q, cursor, newer, limit); err != nil {
			return err
		}
		sums, err = tx.SumEntries(q)
		return err
	})
	return page, sums, err
}

// ExportRegister logs an export of the register and returns the query limited to what is issued by now, with its sums. Entries reads it.
func (s *Service) ExportRegister(ctx context.Context, q RegisterQuery, e Export, by staff.Actor) (bounded RegisterQuery, sums RegisterSums, err error) {
	now := s.Clock()
	if q.Until.IsZero() || q.Until.After(now) {
		q.Until = now // one moment for all sheets
	}
	err = s.Store.Update(ctx, func(tx Tx) (err error) {
		if sums, err = tx.SumEntries(q); err != nil {
			return err
		}
		return tx.LogAct(e.act(by, now, "exported the invoice register", sums.Total().Documents))
	})
	return q, sums, err
}

// Entries returns the documents of a query, oldest first, read in batches. It ends with the first error.
func (s *Service) Entries(ctx context.Context, q RegisterQuery) iter.Seq2[Entry, error] {
	return s.Books.Entries(ctx, q)
}
