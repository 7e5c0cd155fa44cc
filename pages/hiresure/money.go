package hiresure

import (
	"context"

	"hiresure/admission"
	"hiresure/admission/registry"
	"hiresure/pages"
	"hiresure/web"
)

// moneyView holds the notes about the money of a registration.
type moneyView struct {
	Notes   []pages.MoneyNote
	Receipt string // address
}

// moneyOf returns the notes about the money of a registration; empty before it is paid, and for nil.
func (h *home) moneyOf(ctx context.Context, v admission.Visitor, item *registry.Item) (view moneyView, err error) {
	if item == nil || item.Registration.PaidTxnID == "" {
		return view, nil
	}
	txn := item.Registration.PaidTxnID
	receipt, err := h.Receipts.ReceiptOfVisitor(ctx, v, txn)
	if err != nil {
		return view, err
	}
	return moneyView{pages.MoneyNotes(receipt, h.Clock()), web.OwnReceiptPath(txn)}, nil
}
