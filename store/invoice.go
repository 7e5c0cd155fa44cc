package store

import (
	"context"
	"iter"
	"time"

	"gorm.io/gorm"

	"hiresure/admission"
	"hiresure/admission/india"
	"hiresure/admission/invoice"
)

type invoiceRow struct {
	ID              string
	Number          string
	Series          string
	FinancialYear   string
	Serial          int64
	RegistrationID  string
	TxnID           string
	IssuedOn        time.Time     `gorm:"serializer:micros"`
	Seller          invoice.Party `gorm:"embedded;embeddedPrefix:seller_"`
	Buyer           invoice.Party `gorm:"embedded;embeddedPrefix:buyer_"`
	Description     string
	SAC             string
	RateBP          int
	PlaceOfSupply   string
	PlaceCode       string
	ListMinor       int64
	DiscountMinor   int64
	AdjustmentMinor int64
	Tax             india.TaxSplit `gorm:"embedded;embeddedPrefix:tax_"`
	TotalMinor      int64
	Words           string
	Charged         admission.Money        `gorm:"embedded;embeddedPrefix:charged_"`
	Exchange        admission.ExchangeRate `gorm:"embedded;embeddedPrefix:exchange_"`
	CouponCode      string
	PaymentMethod   string
	Issue           int
	Reverses        string
}

type creditNoteRow struct {
	ID             string
	Number         string
	Series         string
	FinancialYear  string
	Serial         int64
	InvoiceID      string
	InvoiceNumber  string
	InvoiceDate    time.Time `gorm:"serializer:micros"`
	RegistrationID string
	TxnID          string
	RefundID       string
	IssuedOn       time.Time     `gorm:"serializer:micros"`
	Seller         invoice.Party `gorm:"embedded;embeddedPrefix:seller_"`
	Buyer          invoice.Party `gorm:"embedded;embeddedPrefix:buyer_"`
	Description    string
	SAC            string
	RateBP         int
	PlaceOfSupply  string
	PlaceCode      string
	Tax            india.TaxSplit `gorm:"embedded;embeddedPrefix:tax_"`
	TotalMinor     int64
	Words          string
	Financial      bool
}

func (creditNoteRow) TableName() string { return "credit_notes" }

func (invoiceRow) TableName() string { return "invoices" }

type linkRow struct {
	TokenHash      string
	RegistrationID string
	ExpiresAt      time.Time `gorm:"serializer:micros"`
	RevokedAt      time.Time `gorm:"serializer:micros"`
}

func (linkRow) TableName() string { return "links" }

// NextSerial returns the next serial of a series. A rollback undoes it, so that the series has no gap.
func (t *tx) NextSerial(series, financialYear string) (serial int64, err error) {
	err = t.db.Raw(`INSERT INTO invoice_series (series, financial_year, serial) VALUES (?, ?, 1)
		ON CONFLICT (series, financial_year) DO UPDATE SET serial = invoice_series.serial + 1 RETURNING serial`, series, financialYear).Scan(&serial).Error
	return serial, wrap("take serial", err)
}

func (t *tx) AddInvoice(i *invoice.Invoice) error {
	row := invoiceRow(*i)
	return wrap("add invoice", add(t, &row))
}

func (t *tx) InvoiceOfTransaction(txnID string) (*invoice.Invoice, error) {
	row, err := find[invoiceRow](t.db.Order("issue"), "txn_id = ?", txnID)
	return (*invoice.Invoice)(row), wrap("find invoice", err)
}

func (t *tx) InvoicesOf(txnID string) ([]invoice.Invoice, error) {
	return findAll("find invoices", t.db.Order("issue").Where("txn_id = ?", txnID), func(row invoiceRow) invoice.Invoice { return invoice.Invoice(row) })
}

// InvoicesIssued returns the invoices of an event, without debit notes, issued at or after from and before until, in the order of their serials.
func (s *Store) InvoicesIssued(ctx context.Context, eventCode string, from, until time.Time) iter.Seq2[invoice.Invoice, error] {
	issued := invoicesBySerial.all(ctx, s, func(db *gorm.DB) *gorm.DB {
		return db.Where("issue = 1 AND issued_on >= ? AND issued_on < ? AND registration_id IN (SELECT id FROM registrations WHERE event_code = ?)", toMicros(from), toMicros(until), eventCode)
	})
	return mapRows(issued, func(row invoiceRow) (invoice.Invoice, error) { return invoice.Invoice(row), nil })
}

var invoicesBySerial = list[invoiceRow]{
	name: "invoices by serial", columns: []string{"series", "financial_year", "serial"},
	position: func(i *invoiceRow) []any { return []any{i.Series, i.FinancialYear, i.Serial} },
}

func (t *tx) AddCreditNote(n *invoice.CreditNote) error {
	row := creditNoteRow(*n)
	return wrap("add credit note", add(t, &row))
}

func (t *tx) CreditNotesOf(txnID string) ([]invoice.CreditNote, error) {
	ofPayment := t.db.Order("issued_on, series, serial").Where("txn_id = ?", txnID)
	return findAll("find credit notes", ofPayment, func(row creditNoteRow) invoice.CreditNote { return invoice.CreditNote(row) })
}

func (t *tx) AddLink(l invoice.Link) error {
	row := linkRow(l)
	return wrap("add link", add(t, &row))
}

func (t *tx) Link(tokenHash string) (*invoice.Link, error) {
	row, err := find[linkRow](t.db, "token_hash = ?", tokenHash)
	return (*invoice.Link)(row), wrap("find link", err)
}
