package invoice

import (
	"slices"

	"hiresure/admission"
	"hiresure/admission/paper"
)

// Debit issues the debit note of a bounced refund: an Invoice over the amount and tax of the refund's credit note (CGST Act
// 2017, section 34(3)). It returns nil if there is no credit note or it is reversed already.
func (s *Service) Debit(tx Tx, txnID, refundID string) (*Invoice, error) {
	if err := paper.Renew(tx, txnID, s.Clock(), paper.Receipt, paper.Ticket); err != nil {
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
	by := s.noteSupplier(first.IssuedOn)
	series := by.DebitSeries
	if note.Financial {
		series = by.FinancialSeries
	}
	year, serial, number, err := s.nextNumber(tx, series, now)
	if err != nil {
		return nil, err
	}
	debit := first
	debit.ID, debit.Number, debit.Series, debit.FinancialYear, debit.Serial, debit.IssuedOn = admission.NewID(), number, series, year, serial, now
	debit.ListMinor, debit.DiscountMinor, debit.AdjustmentMinor, debit.Tax, debit.TotalMinor, debit.Words = note.TotalMinor, 0, 0, note.Tax, note.TotalMinor, note.Words
	debit.Issue, debit.Reverses = len(invoices)+1, note.Number
	return &debit, add(tx, &debit)
}
