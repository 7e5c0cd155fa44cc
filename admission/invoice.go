package admission

import (
	"context"
	"fmt"
	"time"
)

// Supplier is who issues invoices, from a date on.
type Supplier struct {
	Name, Address, GSTIN, SAC, Series string
	RateBP                            int // 1800 is 18 %
}

// Party is a buyer or seller as printed.
type Party struct {
	Name, Address, GSTIN, Email, Phone, StateName, StateCode string
}

// Invoice is a tax invoice, frozen when the payment was confirmed. Amounts are minor units of INR and add up:
// Taxable + CGST + SGST + UTGST + IGST = Total = List − Discount.
type Invoice struct {
	ID             string
	Number         string // KS/26-27/000001
	Series         string
	FinancialYear  string
	Serial         int64
	RegistrationID string
	TxnID          string
	IssuedOn       time.Time
	Seller, Buyer  Party
	Description    string
	SAC            string
	RateBP         int
	PlaceOfSupply  string // name of the State
	PlaceCode      string
	ListMinor      int64
	DiscountMinor  int64
	Tax            TaxSplit
	TotalMinor     int64
	Words          string
	Charged        Money // in the currency that was charged
	CouponCode     string
	PaymentMethod  string
}

// Link is a mailed way to a receipt and an invoice: ninety days, one registration.
type Link struct {
	TokenHash, RegistrationID string
	ExpiresAt, RevokedAt      time.Time
}

const linkLife = 90 * 24 * time.Hour

// issueInvoice takes the next serial of the supplier's series and freezes the invoice. nil where nothing was paid, or
// no supplier is registered: then there is a receipt without tax.
func (o *Office) issueInvoice(tx Tx, t *Transaction, r *Registration) (*Invoice, error) {
	now := o.Clock()
	supplier := o.Supplier(now)
	if supplier == nil || t.Charge.Minor == 0 {
		return nil, nil
	}
	total := t.List.Minor - t.Discount.Minor
	supplierCode := supplier.GSTIN[:2]
	supplierState, known := StateByCode(supplierCode)
	if !known {
		return nil, fmt.Errorf("issue invoice: GSTIN %q has no State", supplier.GSTIN)
	}
	place, known := StateByCode(r.StateCode)
	if !known {
		return nil, fmt.Errorf("issue invoice: unknown State %q", r.StateCode)
	}
	tax, err := SplitTax(total, supplier.RateBP, supplierCode, place.Code)
	if err != nil {
		return nil, fmt.Errorf("issue invoice: %w", err)
	}
	words, err := Words(total)
	if err != nil {
		return nil, fmt.Errorf("issue invoice: %w", err)
	}
	year := FinancialYear(now)
	serial, err := tx.NextSerial(supplier.Series, year)
	if err != nil {
		return nil, err
	}
	number, err := InvoiceNumber(supplier.Series, year, serial)
	if err != nil {
		return nil, fmt.Errorf("issue invoice: %w", err)
	}
	event, _ := o.Events.EventByCode(r.EventCode)
	invoice := &Invoice{
		ID: NewID(), Number: number, Series: supplier.Series, FinancialYear: year, Serial: serial, RegistrationID: r.ID, TxnID: t.ID, IssuedOn: now,
		Seller:      Party{Name: supplier.Name, Address: supplier.Address, GSTIN: supplier.GSTIN, StateName: supplierState.Name, StateCode: supplierState.Code},
		Buyer:       Party{Name: r.FullName, Email: r.Email, Phone: r.Phone, StateName: place.Name, StateCode: place.Code},
		Description: "Registration fee – " + event.Title, SAC: supplier.SAC, RateBP: supplier.RateBP, PlaceOfSupply: place.Name, PlaceCode: place.Code,
		ListMinor: t.List.Minor, DiscountMinor: t.Discount.Minor, Tax: tax, TotalMinor: total, Words: words, Charged: t.Charge,
		CouponCode: t.CouponCode, PaymentMethod: t.Gateway,
	}
	return invoice, tx.AddInvoice(invoice)
}

// Receipt is what a mailed link opens.
type Receipt struct {
	Registration Registration
	Transaction  Transaction
	Event        Event
	Invoice      *Invoice // nil where there is none
}

// OpenReceipt answers what a mailed link's token opens; NotFound for one that is unknown, over, or revoked.
func (o *Office) OpenReceipt(ctx context.Context, token string) (receipt Receipt, err error) {
	err = o.Store.View(ctx, func(tx Tx) error {
		link, err := tx.Link(HashToken(token))
		if err != nil {
			return err
		}
		if link == nil || !link.RevokedAt.IsZero() || !o.Clock().Before(link.ExpiresAt) {
			return notFound("Receipt")
		}
		r, err := tx.Registration(link.RegistrationID)
		if err != nil {
			return err
		}
		receipt, err = o.receiptOf(tx, r)
		return err
	})
	return receipt, err
}

// ReceiptOfVisitor answers the receipt of a payment whose registration the visitor's session holds; NotFound for any
// other, and for one that did not pay the registration.
func (o *Office) ReceiptOfVisitor(ctx context.Context, v Visitor, txnID string) (receipt Receipt, err error) {
	err = o.Store.View(ctx, func(tx Tx) error {
		t, err := tx.Transaction(txnID)
		if err != nil {
			return err
		}
		if t == nil {
			return notFound("Receipt")
		}
		r, err := heldBy(tx, v, t.RegistrationID)
		if err != nil {
			return err
		}
		if r.PaidTxnID != t.ID {
			return notFound("Receipt")
		}
		receipt, err = o.receiptOf(tx, r)
		return err
	})
	return receipt, err
}

func (o *Office) receiptOf(tx Tx, r *Registration) (Receipt, error) {
	t, err := tx.Transaction(r.PaidTxnID)
	if err != nil {
		return Receipt{}, err
	}
	if t == nil {
		return Receipt{}, notFound("Receipt")
	}
	event, _ := o.Events.EventByCode(r.EventCode)
	invoice, err := tx.InvoiceOfTransaction(t.ID)
	return Receipt{*r, *t, event, invoice}, err
}
