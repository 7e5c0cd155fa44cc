package invoice

import (
	"fmt"
	"time"

	"hiresure/admission"
	"hiresure/admission/india"
	"hiresure/admission/paper"
)

// CreditNote reduces an invoice, which itself stays unchanged (rule 53 of the CGST Rules, which names the fields).
// Amounts are minor units of INR and add up, as an invoice's do. A financial note comes after india.CreditNoteDeadline: it
// has no tax, since that can no longer be reversed.
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
	Financial      bool
}

// Credit issues the credit note of a refund. charged is the payment's amount and refundedMinor its refunded total, in
// minor units of its currency. The note's amount is the difference to the payment's earlier notes, so that the notes of
// a fully refunded invoice add up to it. Credit returns nil without an invoice, and for a refund that has a note.
func (s *Service) Credit(tx Tx, txnID, refundID string, charged admission.Money, refundedMinor int64) (*CreditNote, error) {
	if err := paper.Renew(tx, txnID, s.Clock(), paper.Receipt, paper.Ticket); err != nil {
		return nil, err
	}
	note, err := s.DraftCredit(tx, txnID, charged, refundedMinor)
	if err != nil || note == nil {
		return nil, err
	}
	if note.Words, err = india.Words(note.TotalMinor); err != nil {
		return nil, fmt.Errorf("issue credit note: %w", err)
	}
	note.ID, note.RefundID = admission.NewID(), refundID
	if note.FinancialYear, note.Serial, note.Number, err = s.nextNumber(tx, note.Series, note.IssuedOn); err != nil {
		return nil, err
	}
	if note.Financial {
		s.Alert("refund after the last day to reverse its GST: a financial credit note was issued")
	}
	if err := tx.AddCreditNote(note); err != nil {
		return nil, err
	}
	return note, paper.Queue(tx, paper.CreditNote, note.ID, note.RegistrationID, txnID, note.IssuedOn)
}

// DraftCredit returns the credit note that Credit would issue, without number and words.
func (s *Service) DraftCredit(tx Tx, txnID string, charged admission.Money, refundedMinor int64) (*CreditNote, error) {
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
	now := s.Clock()
	financial := !now.Before(india.CreditNoteDeadline(of.IssuedOn))
	by := s.noteSupplier(of.IssuedOn)
	tax, series := india.TaxSplit{Taxable: before - after}, by.FinancialSeries
	if !financial {
		series = by.CreditSeries
		if tax, err = india.RefundSplit(before, after, of.RateBP, of.Seller.StateCode, of.PlaceCode); err != nil {
			return nil, fmt.Errorf("issue credit note: %w", err)
		}
	}
	return &CreditNote{
		Series: series, InvoiceID: of.ID, InvoiceNumber: of.Number, InvoiceDate: of.IssuedOn, RegistrationID: of.RegistrationID, TxnID: txnID, IssuedOn: now,
		Seller: of.Seller, Buyer: of.Buyer, Description: of.Description, SAC: of.SAC, RateBP: of.RateBP, PlaceOfSupply: of.PlaceOfSupply, PlaceCode: of.PlaceCode,
		Tax: tax, TotalMinor: before - after, Financial: financial,
	}, nil
}

// noteSupplier returns the supplier of notes to an invoice: who issued it, or else who issues invoices now.
func (s *Service) noteSupplier(issuedOn time.Time) Supplier {
	for _, at := range []time.Time{issuedOn, s.Clock()} {
		if supplier := s.Supplier(at); supplier != nil {
			return *supplier
		}
	}
	return Supplier{CreditSeries: "CN", DebitSeries: "CN", FinancialSeries: "CN"}
}

// nearlyFull is the serial from which every ten thousandth alerts that a series ends at a million or later.
const nearlyFull = 900_000

// nextNumber takes the next number of a series.
func (s *Service) nextNumber(tx Tx, series string, at time.Time) (year string, serial int64, number string, err error) {
	year = india.FinancialYear(at)
	if serial, err = tx.NextSerial(series, year); err != nil {
		return "", 0, "", err
	}
	if number, err = india.InvoiceNumber(series, year, serial); err != nil {
		return "", 0, "", fmt.Errorf("number of series %s: %w", series, err)
	}
	if serial >= nearlyFull && serial%10_000 == 0 {
		s.Alert("a number series is nearly full: " + series)
	}
	return year, serial, number, nil
}
