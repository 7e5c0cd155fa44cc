package invoice

import (
	"fmt"
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/india"
	"hiresure/admission/paper"
)

// CreditNote reduces an invoice, which itself stays unchanged (rule 53 of the CGST Rules, which names the fields).
// Amounts are minor units of INR and add up, as an invoice's do.
type CreditNote struct {
	ID             string
	Number         string // KSC/26-27/000001
	Series         string
	FinancialYear  string
	Serial         int64
	InvoiceID      string
	InvoiceNumber  string
	InvoiceDate    time.Time
	RegistrationID string
	TxnID          string
	RefundID       string // each refund has one note
	IssuedOn       time.Time
	Seller, Buyer  Party
	Description    string
	SAC            string
	RateBP         int
	PlaceOfSupply  string
	PlaceCode      string
	Tax            india.TaxSplit
	TotalMinor     int64
	Words          string
}

// Credit issues the credit note of a refund. charged is the payment's amount and refundedMinor its refunded total, in
// minor units of its currency. The note's amount is the difference to the payment's earlier notes, so that the notes of
// a fully refunded invoice add up to it. Credit returns nil without an invoice, and for a refund that has a note.
func (s *Service) Credit(tx Tx, txnID, refundID string, charged admission.Money, refundedMinor int64) (*CreditNote, error) {
	if err := paper.Renew(tx, txnID, s.Clock()); err != nil {
		return nil, err
	}
	invoices, err := tx.InvoicesOf(txnID)
	if err != nil || len(invoices) == 0 {
		return nil, err
	}
	notes, err := tx.CreditNotesOf(txnID)
	if err != nil {
		return nil, err
	}
	of := invoices[0]
	credited, reversed := int64(0), int64(0)
	for _, note := range notes {
		credited += note.TotalMinor
	}
	for _, again := range invoices[1:] {
		reversed += again.TotalMinor
	}
	before := of.TotalMinor - credited + reversed
	after := of.TotalMinor - admission.RoundHalfUp(of.TotalMinor*refundedMinor, charged.Minor)
	if after >= before { // also if this refund has a note
		return nil, nil
	}
	tax, err := india.RefundSplit(before, after, of.RateBP, of.Seller.StateCode, of.PlaceCode)
	if err != nil {
		return nil, fmt.Errorf("issue credit note: %w", err)
	}
	words, err := india.Words(before - after)
	if err != nil {
		return nil, fmt.Errorf("issue credit note: %w", err)
	}
	now := s.Clock()
	series := s.creditSeries(of.IssuedOn)
	year, serial, number, err := nextNumber(tx, series, now)
	if err != nil {
		return nil, err
	}
	note := &CreditNote{
		ID: admission.NewID(), Number: number, Series: series, FinancialYear: year, Serial: serial, InvoiceID: of.ID, InvoiceNumber: of.Number, InvoiceDate: of.IssuedOn,
		RegistrationID: of.RegistrationID, TxnID: txnID, RefundID: refundID, IssuedOn: now, Seller: of.Seller, Buyer: of.Buyer, Description: of.Description,
		SAC: of.SAC, RateBP: of.RateBP, PlaceOfSupply: of.PlaceOfSupply, PlaceCode: of.PlaceCode, Tax: tax, TotalMinor: before - after, Words: words,
	}
	if err := tx.AddCreditNote(note); err != nil {
		return nil, err
	}
	return note, paper.Queue(tx, paper.CreditNote, note.ID, note.RegistrationID, txnID, now)
}

// creditSeries returns the credit note series of the supplier who issued the invoice.
func (s *Service) creditSeries(issuedOn time.Time) string {
	for _, at := range []time.Time{issuedOn, s.Clock()} {
		if supplier := s.Supplier(at); supplier != nil && supplier.CreditSeries != "" {
			return supplier.CreditSeries
		}
	}
	return "CN"
}

// Reverse issues a new invoice for the amount of a bounced refund's credit note; nil if there is no such note or it is
// reversed already.
func (s *Service) Reverse(tx Tx, txnID, refundID string) (*Invoice, error) {
	if err := paper.Renew(tx, txnID, s.Clock()); err != nil {
		return nil, err
	}
	notes, err := tx.CreditNotesOf(txnID)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(notes, func(n CreditNote) bool { return n.RefundID == refundID })
	if i < 0 {
		return nil, nil
	}
	note := notes[i]
	invoices, err := tx.InvoicesOf(txnID)
	if err != nil || slices.ContainsFunc(invoices, func(i Invoice) bool { return i.Reverses == note.Number }) {
		return nil, err
	}
	first, now := invoices[0], s.Clock()
	year, serial, number, err := nextNumber(tx, first.Series, now)
	if err != nil {
		return nil, err
	}
	again := first
	again.ID, again.Number, again.FinancialYear, again.Serial, again.IssuedOn = admission.NewID(), number, year, serial, now
	again.ListMinor, again.DiscountMinor, again.Tax, again.TotalMinor, again.Words = note.TotalMinor, 0, note.Tax, note.TotalMinor, note.Words
	again.Issue, again.Reverses = len(invoices)+1, note.Number
	return &again, add(tx, &again)
}

// nextNumber takes the next number of a series.
func nextNumber(tx Tx, series string, at time.Time) (year string, serial int64, number string, err error) {
	year = india.FinancialYear(at)
	if serial, err = tx.NextSerial(series, year); err != nil {
		return "", 0, "", err
	}
	if number, err = india.InvoiceNumber(series, year, serial); err != nil {
		return "", 0, "", fmt.Errorf("number of series %s: %w", series, err)
	}
	return year, serial, number, nil
}
