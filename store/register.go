package store

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"gorm.io/gorm"

	"hiresure/admission"
	"hiresure/admission/india"
	"hiresure/admission/office"
	"hiresure/admission/payment"
)

// registerRow is a row of the invoice register: an invoice, a debit note, or a credit note with negative amounts.
type registerRow struct {
	Kind            office.Kind
	ID              string
	Number          string
	RegistrationID  string
	TxnID           string
	IssuedOn        time.Time `gorm:"serializer:micros"`
	BuyerName       string
	BuyerGSTIN      string `gorm:"column:buyer_gstin"`
	PlaceOfSupply   string
	PlaceCode       string
	SAC             string
	RateBP          int
	ListMinor       int64
	DiscountMinor   int64
	AdjustmentMinor int64
	CouponCode      string
	Tax             india.TaxSplit `gorm:"embedded;embeddedPrefix:tax_"`
	TotalMinor      int64
	Received        admission.Money        `gorm:"embedded;embeddedPrefix:received_"`
	Exchange        admission.ExchangeRate `gorm:"embedded;embeddedPrefix:exchange_"`
	PaymentMethod   string
	PaymentID       string
	Original        string
	OriginalOn      time.Time `gorm:"serializer:micros"`
	Reason          payment.RefundReason
}

func registerPosition(e *registerRow) []any { return []any{toMicros(e.IssuedOn), e.ID} }

// oldestFirst and newestFirst are the register in both orders.
var (
	oldestFirst = list[registerRow]{name: "the register", columns: []string{"issued_on", "id"}, position: registerPosition}
	newestFirst = list[registerRow]{name: "the register", columns: []string{"issued_on", "id"}, position: registerPosition, down: true}
)

// What the register reads of invoices i and credit notes n. A note after the deadline has no tax: its rate is 0, and so is that of the debit note that
// reverses it.
const (
	registerInvoices = `SELECT CASE WHEN i.issue = 1 THEN 'Invoice' ELSE 'Debit note' END AS kind, i.id, i.number, i.series, i.financial_year, i.serial, i.registration_id, i.txn_id, i.issued_on,
			i.buyer_name, i.buyer_gstin, i.place_of_supply, i.place_code, i.sac, CASE WHEN n.financial THEN 0 ELSE i.rate_bp END AS rate_bp, i.list_minor, i.discount_minor, i.adjustment_minor, i.coupon_code,
			i.tax_taxable, i.tax_cgst, i.tax_sgst, i.tax_utgst, i.tax_igst, i.total_minor, COALESCE(f.minor, i.charged_minor) AS received_minor, COALESCE(f.currency, i.charged_currency) AS received_currency,
			i.exchange_rupees, i.exchange_source, i.payment_method, t.payment_id, i.reverses AS original, COALESCE(n.issued_on, 0) AS original_on, COALESCE(f.reason, '') AS reason
		FROM invoices i JOIN transactions t ON t.id = i.txn_id LEFT JOIN credit_notes n ON n.number = i.reverses LEFT JOIN refunds f ON f.id = n.refund_id WHERE `
	registerNotes = `SELECT 'Credit note' AS kind, n.id, n.number, n.series, n.financial_year, n.serial, n.registration_id, n.txn_id, n.issued_on,
			n.buyer_name, n.buyer_gstin, n.place_of_supply, n.place_code, n.sac, CASE WHEN n.financial THEN 0 ELSE n.rate_bp END AS rate_bp, -n.total_minor AS list_minor, 0 AS discount_minor, 0 AS adjustment_minor, i.coupon_code,
			-n.tax_taxable AS tax_taxable, -n.tax_cgst AS tax_cgst, -n.tax_sgst AS tax_sgst, -n.tax_utgst AS tax_utgst, -n.tax_igst AS tax_igst, -n.total_minor AS total_minor, -f.minor AS received_minor, f.currency AS received_currency,
			i.exchange_rupees, i.exchange_source, i.payment_method, f.payment_id, n.invoice_number AS original, n.invoice_date AS original_on, f.reason
		FROM credit_notes n JOIN invoices i ON i.id = n.invoice_id JOIN refunds f ON f.id = n.refund_id WHERE `
)

// filterEntries returns the conditions of a query on invoices or credit notes.
func filterEntries(q office.RegisterQuery, table string) (c conditions) {
	c.add("TRUE")
	if !q.From.IsZero() {
		c.add(table+".issued_on >= ?", toMicros(q.From))
	}
	if !q.Until.IsZero() {
		c.add(table+".issued_on < ?", toMicros(q.Until))
	}
	if q.Event != "" {
		c.add(table+".registration_id IN (SELECT id FROM registrations WHERE event_code = ?)", q.Event)
	}
	if q.Series != "" {
		c.add(table+".series = ?", q.Series)
	}
	switch q.Place {
	case office.Home:
		c.add(table + ".place_code = " + table + ".seller_state_code")
	case office.Away:
		c.add(table + ".place_code <> " + table + ".seller_state_code")
	}
	if q.Rate != nil {
		c.add(table+".place_code = ?", q.Rate.PlaceCode)
		c.add("CASE WHEN n.financial THEN 0 ELSE "+table+".rate_bp END = ?", q.Rate.RateBP)
	}
	return c
}

// entriesOf returns the documents of a query as a table.
func entriesOf(q office.RegisterQuery) (sql string, values []any) {
	invoices, notes := filterEntries(q, "i"), filterEntries(q, "n")
	return "(" + registerInvoices + invoices.clause() + " UNION ALL " + registerNotes + notes.clause() + ") AS register", append(invoices.values, notes.values...)
}

func registerScope(q office.RegisterQuery) scope {
	table, values := entriesOf(q)
	return func(db *gorm.DB) *gorm.DB { return db.Table(table, values...) }
}

// Entries returns the documents of a query, oldest first. It ends with the first error.
func (s *Store) Entries(ctx context.Context, q office.RegisterQuery) iter.Seq2[office.Entry, error] {
	return mapRows(oldestFirst.all(ctx, s, registerScope(q)), func(row registerRow) (office.Entry, error) { return office.Entry(row), nil })
}

func (t *tx) FindEntries(q office.RegisterQuery, cursor string, newer bool, limit int) (page office.EntryPage, err error) {
	scope, err := json.Marshal(q)
	if err != nil {
		return page, wrap("read the register", err)
	}
	order := newestFirst
	if newer {
		order = oldestFirst
	}
	rows, newerPage, olderPage, err := order.eitherWay(t.sealer, string(scope), cursor, newer, limit, func(place []any, limit int) ([]registerRow, error) {
		rows, err := order.after(t.db, registerScope(q), place, limit)
		return rows, wrap("read the register", err)
	})
	if err != nil {
		return page, err
	}
	page.Newer, page.Older = newerPage, olderPage
	for _, row := range rows {
		page.Entries = append(page.Entries, office.Entry(row))
	}
	return page, nil
}

type taxSumRow struct {
	Kind          office.Kind
	RateBP        int
	PlaceCode     string
	PlaceOfSupply string
	Documents     int
	Tax           india.TaxSplit `gorm:"embedded;embeddedPrefix:tax_"`
	TotalMinor    int64
}

func (t *tx) SumEntries(q office.RegisterQuery) (sums office.RegisterSums, err error) {
	table, values := entriesOf(q)
	var rows []taxSumRow
	err = t.db.Raw(`SELECT kind, rate_bp, place_code, MAX(place_of_supply) AS place_of_supply, COUNT(*) AS documents, CAST(SUM(tax_taxable) AS BIGINT) AS tax_taxable, CAST(SUM(tax_cgst) AS BIGINT) AS tax_cgst,
			CAST(SUM(tax_sgst) AS BIGINT) AS tax_sgst, CAST(SUM(tax_utgst) AS BIGINT) AS tax_utgst, CAST(SUM(tax_igst) AS BIGINT) AS tax_igst, CAST(SUM(total_minor) AS BIGINT) AS total_minor
		FROM `+table+" GROUP BY kind, rate_bp, place_code ORDER BY place_code, rate_bp, kind", values...).Scan(&rows).Error
	if err != nil {
		return sums, wrap("add up the register", err)
	}
	for _, row := range rows {
		sums.Sums = append(sums.Sums, office.TaxSum{
			Kind: row.Kind, TaxRate: office.TaxRate{RateBP: row.RateBP, PlaceCode: row.PlaceCode}, PlaceOfSupply: row.PlaceOfSupply, Documents: row.Documents, Tax: row.Tax, TotalMinor: row.TotalMinor,
		})
	}
	err = t.db.Raw("SELECT kind, series, financial_year, MIN(serial) AS first, MAX(serial) AS last, COUNT(*) AS documents FROM "+table+" GROUP BY kind, series, financial_year ORDER BY series, financial_year, kind", values...).Scan(&sums.Runs).Error
	if err != nil {
		return sums, wrap("find the runs of the register", err)
	}
	err = t.db.Raw("SELECT DISTINCT series FROM invoice_series ORDER BY series").Scan(&sums.Series).Error
	return sums, wrap("find series", err)
}
