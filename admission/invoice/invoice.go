// Package invoice issues tax invoices, credit notes and debit notes in gapless series.
package invoice

import (
	"fmt"
	"time"

	"hiresure/admission"
	"hiresure/admission/india"
	"hiresure/admission/paper"
)

// Supplier is the issuer of invoices from a date on.
type Supplier struct {
	Name, Address, GSTIN      string
	SAC, ApplicationSAC       string // for an exam's and the application's fee
	Series                    string // of invoices
	CreditSeries, DebitSeries string // of credit and debit notes
	FinancialSeries           string // of credit and debit notes without tax
	RateBP                    int    // 1800 is 18 %
}

// Party is a buyer or seller as printed.
type Party struct {
	Name, Address, GSTIN, Email, Phone, StateName, StateCode string
}

// Invoice is a tax invoice, fixed when the payment was confirmed, or a debit note to one. Amounts are minor units of INR and
// add up: Taxable + CGST + SGST + UTGST + IGST = Total = List − Discount − Adjustment.
type Invoice struct {
	ID              string
	Number          string // KS/26-27/000001
	Series          string
	FinancialYear   string
	Serial          int64
	RegistrationID  string
	TxnID           string
	IssuedOn        time.Time
	Seller, Buyer   Party
	Description     string
	SAC             string
	RateBP          int
	PlaceOfSupply   string // name of the State
	PlaceCode       string
	ListMinor       int64
	DiscountMinor   int64
	AdjustmentMinor int64 // the part of the price that was not received
	Tax             india.TaxSplit
	TotalMinor      int64
	Words           string
	Charged         admission.Money        // in the currency that was charged
	Exchange        admission.ExchangeRate // of that currency; zero for INR
	CouponCode      string
	PaymentMethod   string
	Issue           int    // 1 for the payment's invoice; later ones are debit notes
	Reverses        string // the number of the credit note that a debit note reverses; "" for an invoice
}

// BeforeDiscount returns the taxable value of the list price, so that list price less discount and adjustment is the taxable
// value without tax too.
func (i Invoice) BeforeDiscount() int64 { return i.taxableOf(i.ListMinor) }

// BeforeAdjustment returns the taxable value of the price.
func (i Invoice) BeforeAdjustment() int64 { return i.taxableOf(i.ListMinor - i.DiscountMinor) }

func (i Invoice) taxableOf(minor int64) int64 {
	split, err := india.SplitTax(minor, i.RateBP, i.Seller.StateCode, i.PlaceCode)
	if err != nil || minor == i.TotalMinor {
		return i.Tax.Taxable
	}
	return split.Taxable
}

// Link is a mailed link to the receipt and invoice of a registration.
type Link struct {
	TokenHash, RegistrationID string
	ExpiresAt, RevokedAt      time.Time
}

const LinkLife = 90 * 24 * time.Hour

// NewLink stores a mailed link to a registration's papers and returns its token.
func NewLink(tx Tx, registrationID string, now time.Time) (token string, err error) {
	token = admission.NewToken()
	return token, tx.AddLink(Link{TokenHash: admission.HashToken(token), RegistrationID: registrationID, ExpiresAt: now.Add(LinkLife)})
}

// Sale is the sale that an invoice documents.
type Sale struct {
	TxnID, RegistrationID string
	Application           bool // the application's fee, not an exam's
	Description           string
	Buyer                 Party                  // without its State
	StateCode             string                 // of the buyer: the place of supply
	List, Discount        int64                  // in paise
	Adjustment            int64                  // the part of the price that was not received, in paise
	Charged               admission.Money        // in the currency that was charged
	Exchange              admission.ExchangeRate // of that currency; zero for INR
	CouponCode            string
	PaymentMethod         string
	SoldBy                string // the merchant of record if that is not the supplier
}

// Tx is the part of a store transaction that this area uses. A rollback undoes NextSerial, so the series has no gap.
type Tx interface {
	paper.Tx

	NextSerial(series, financialYear string) (int64, error)
	AddInvoice(*Invoice) error
	// InvoiceOfTransaction returns a payment's invoice.
	InvoiceOfTransaction(txnID string) (*Invoice, error)
	// InvoicesOf returns a payment's invoice and its debit notes, and CreditNotesOf its credit notes, oldest first.
	InvoicesOf(txnID string) ([]Invoice, error)
	CreditNotesOf(txnID string) ([]CreditNote, error)
	AddCreditNote(*CreditNote) error
	AddLink(Link) error
	Link(tokenHash string) (*Link, error)
}

// Config holds a Service's dependencies.
type Config struct {
	Supplier func(at time.Time) *Supplier // nil if none is registered then: receipts without tax
	Clock    func() time.Time
	Alert    func(what string) // counts something that a person must look at
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Config }

// Issue issues an invoice with the next number of the supplier's series. It returns nil if nothing was paid, no supplier is
// registered, or another sold.
func (s *Service) Issue(tx Tx, sale Sale) (*Invoice, error) {
	now := s.Clock()
	supplier := s.Supplier(now)
	if supplier == nil || sale.Charged.Minor == 0 || sale.SoldBy != "" {
		return nil, nil
	}
	total := sale.List - sale.Discount - sale.Adjustment
	supplierCode := supplier.GSTIN[:2]
	supplierState, known := india.StateByCode(supplierCode)
	if !known {
		return nil, fmt.Errorf("issue invoice: GSTIN %q has no State", supplier.GSTIN)
	}
	place, known := india.StateByCode(sale.StateCode)
	if !known {
		return nil, fmt.Errorf("issue invoice: unknown State %q", sale.StateCode)
	}
	tax, err := india.SplitTax(total, supplier.RateBP, supplierCode, place.Code)
	if err != nil {
		return nil, fmt.Errorf("issue invoice: %w", err)
	}
	words, err := india.Words(total)
	if err != nil {
		return nil, fmt.Errorf("issue invoice: %w", err)
	}
	year, serial, number, err := s.nextNumber(tx, supplier.Series, now)
	if err != nil {
		return nil, err
	}
	sac := supplier.SAC
	if sale.Application {
		sac = supplier.ApplicationSAC
	}
	buyer := sale.Buyer
	buyer.StateName, buyer.StateCode = place.Name, place.Code
	invoice := &Invoice{
		ID: admission.NewID(), Number: number, Series: supplier.Series, FinancialYear: year, Serial: serial, RegistrationID: sale.RegistrationID, TxnID: sale.TxnID, IssuedOn: now,
		Seller: Party{Name: supplier.Name, Address: supplier.Address, GSTIN: supplier.GSTIN, StateName: supplierState.Name, StateCode: supplierState.Code},
		Buyer:  buyer, Description: sale.Description, SAC: sac, RateBP: supplier.RateBP, PlaceOfSupply: place.Name, PlaceCode: place.Code,
		ListMinor: sale.List, DiscountMinor: sale.Discount, AdjustmentMinor: sale.Adjustment, Tax: tax, TotalMinor: total, Words: words, Charged: sale.Charged,
		Exchange: sale.Exchange, CouponCode: sale.CouponCode, PaymentMethod: sale.PaymentMethod, Issue: 1,
	}
	return invoice, add(tx, invoice)
}

// add stores an invoice and queues its printing.
func add(tx Tx, i *Invoice) error {
	if err := tx.AddInvoice(i); err != nil {
		return err
	}
	return paper.Queue(tx, paper.Invoice, i.ID, i.RegistrationID, i.TxnID, i.IssuedOn)
}
