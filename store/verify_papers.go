package store

import (
	"fmt"
	"time"

	"hiresure/admission/india"
	"hiresure/admission/invoice"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
)

// paperChecks compare invoices and credit notes with their series, payments and refunds.
func paperChecks(invoiced func(at time.Time) bool) []bookCheck {
	return []bookCheck{
		{sentence: "series %v %v has %v documents of %v numbers, the first is %v, the last %v, the counter stands at %v", query: `
			SELECT i.series, i.financial_year, COUNT(*), COUNT(DISTINCT i.serial), MIN(i.serial), MAX(i.serial), COALESCE(s.serial, 0)
			FROM (SELECT series, financial_year, serial FROM invoices UNION ALL SELECT series, financial_year, serial FROM credit_notes) AS i
			LEFT JOIN invoice_series s ON s.series = i.series AND s.financial_year = i.financial_year
			GROUP BY i.series, i.financial_year, s.serial
			HAVING COUNT(*) <> COUNT(DISTINCT i.serial) OR MIN(i.serial) <> 1 OR MAX(i.serial) <> COUNT(*) OR MAX(i.serial) <> COALESCE(s.serial, 0)
			ORDER BY i.series, i.financial_year`},
		{sentence: "series %v %v has no document, the counter stands at %v", query: `
			SELECT s.series, s.financial_year, s.serial FROM invoice_series s
			WHERE NOT EXISTS (SELECT 1 FROM invoices i WHERE i.series = s.series AND i.financial_year = s.financial_year)
				AND NOT EXISTS (SELECT 1 FROM credit_notes n WHERE n.series = s.series AND n.financial_year = s.financial_year) ORDER BY s.series, s.financial_year`},
		{sentence: "payment %[1]v has paid registration %[2]v and has no invoice", query: `
			SELECT t.id, r.id, t.settled_at FROM registrations r JOIN transactions t ON t.id = r.paid_txn_id AND t.registration_id = r.id
			WHERE t.charge_minor > 0 AND t.sold_by = '' AND t.state IN ('paid', 'disputed', 'refund_due', 'refund_pending', 'refunded')
				AND NOT EXISTS (SELECT 1 FROM invoices i WHERE i.txn_id = t.id AND i.issue = 1) ORDER BY t.id`,
			filter: func(row []any) bool {
				micros, isInt := row[2].(int64)
				return !isInt || invoiced(fromMicros(micros))
			}},
		{sentence: "refund %v of payment %v is done and has no credit note", query: `
			SELECT f.id, t.id FROM refunds f JOIN transactions t ON t.id = f.txn_id AND t.payment_id = f.payment_id JOIN registrations r ON r.id = t.registration_id AND r.paid_txn_id = t.id
			WHERE f.state = 'done' AND f.minor > 0 AND t.adjustment_minor >= 0 AND ` + noLoss + ` AND EXISTS (SELECT 1 FROM invoices i WHERE i.txn_id = t.id)
				AND NOT EXISTS (SELECT 1 FROM credit_notes n WHERE n.refund_id = f.id) ORDER BY f.id`},
		{sentence: "refund %v bounced and no debit note reverses its credit note %v", query: `
			SELECT f.id, n.number FROM refunds f JOIN credit_notes n ON n.refund_id = f.id
			WHERE f.state = 'bounced' AND NOT EXISTS (SELECT 1 FROM invoices i WHERE i.txn_id = n.txn_id AND i.reverses = n.number) ORDER BY f.id`},
		{sentence: "credit notes of payment %v take back %v, its invoice is over %v", query: `
			SELECT i.txn_id, n.total AS credited_minor, i.total_minor FROM invoices i
			JOIN (SELECT c.txn_id, CAST(SUM(c.total_minor) AS BIGINT) - COALESCE((SELECT CAST(SUM(a.total_minor) AS BIGINT) FROM invoices a WHERE a.txn_id = c.txn_id AND a.issue > 1), 0) AS total
				FROM credit_notes c GROUP BY c.txn_id) AS n ON n.txn_id = i.txn_id
			WHERE i.issue = 1 AND n.total > i.total_minor ORDER BY i.txn_id`},
	}
}

var (
	invoices = list[invoiceRow]{
		name: "invoices", columns: []string{"id"}, position: func(i *invoiceRow) []any { return []any{i.ID} },
	}
	creditNotes = list[creditNoteRow]{
		name: "credit notes", columns: []string{"id"}, position: func(n *creditNoteRow) []any { return []any{n.ID} },
	}
)

// byKey finds the rows with one of the wanted values in a column, by that value.
func byKey[R any](t *tx, name string, wanted []string, key func(*R) string) (map[string]*R, error) {
	var rows []R
	if err := t.db.Where(name+" IN ?", wanted).Find(&rows).Error; err != nil {
		return nil, err
	}
	found := make(map[string]*R, len(rows))
	for i := range rows {
		found[key(&rows[i])] = &rows[i]
	}
	return found, nil
}

func values[R any](page []R, of func(*R) string) (all []string) {
	for i := range page {
		all = append(all, of(&page[i]))
	}
	return all
}

func (t *tx) checkInvoices(report func(string)) error {
	for page, err := range invoices.batches(t, allRows) {
		if err != nil {
			return err
		}
		payments, err := byKey(t, "id", values(page, func(i *invoiceRow) string { return i.TxnID }), func(p *transactionRow) string { return p.ID })
		if err != nil {
			return err
		}
		notes, err := byKey(t, "number", values(page, func(i *invoiceRow) string { return i.Reverses }), func(n *creditNoteRow) string { return n.Number })
		if err != nil {
			return err
		}
		refunds, err := t.refundsOfNotes(notes)
		if err != nil {
			return err
		}
		for _, i := range page {
			var refund *refundRow
			note := notes[i.Reverses]
			if note != nil {
				refund = refunds[note.RefundID]
			}
			if wrong := invoiceFault(invoice.Invoice(i), payments[i.TxnID], note, refund); wrong != "" {
				report(fmt.Sprintf("invoice %s of payment %s %s", i.Number, i.TxnID, wrong))
			}
		}
	}
	return nil
}

func (t *tx) refundsOfNotes(notes map[string]*creditNoteRow) (map[string]*refundRow, error) {
	var ids []string
	for _, note := range notes {
		ids = append(ids, note.RefundID)
	}
	return byKey(t, "id", ids, func(f *refundRow) string { return f.ID })
}

// invoiceFault returns the first fault of an invoice, or "".
func invoiceFault(i invoice.Invoice, p *transactionRow, reversed *creditNoteRow, refund *refundRow) string {
	switch {
	case p == nil:
		return "is of a payment that is not there"
	case i.RegistrationID != p.RegistrationID:
		return "names registration " + i.RegistrationID + ", its payment is of " + p.RegistrationID
	case p.SoldBy != "":
		return "is of a sale by " + p.SoldBy
	case p.Charge.Minor == 0:
		return "is of a payment that cost nothing"
	case p.State == payment.Created, p.State == payment.Pending, p.State == payment.Failed, p.State == payment.Expired, p.State == payment.Review:
		return "is of a payment that is " + string(p.State)
	case i.Charged != p.Charge:
		return "says that " + i.Charged.String() + " was charged, the payment says " + p.Charge.String()
	case i.TotalMinor != i.ListMinor-i.DiscountMinor-i.AdjustmentMinor:
		return "has a total that is not its list price less its discount and adjustment"
	case i.Exchange != p.Exchange:
		return "says that its currency is worth " + i.Exchange.String() + ", the payment says " + p.Exchange.String()
	}
	list, discount, missing := (*payment.Transaction)(p).InvoiceSums()
	switch {
	case i.Issue == 1 && i.AdjustmentMinor != missing:
		return "has another adjustment than the payment"
	case i.Issue == 1 && (i.ListMinor != list || i.DiscountMinor != discount):
		return "has another price than the payment"
	}
	if wrong := documentFault(i.Number, i.Series, i.FinancialYear, i.Serial, i.IssuedOn, i.TotalMinor, i.Words); wrong != "" {
		return wrong
	}
	if wrong := placesFault(i.Seller, i.Buyer, i.PlaceOfSupply, i.PlaceCode); wrong != "" {
		return wrong
	}
	if i.Issue == 1 {
		return taxFault(i.Tax, i.TotalMinor, i.RateBP, i.Seller.StateCode, i.PlaceCode, 0)
	}
	switch {
	case reversed == nil || reversed.TxnID != i.TxnID:
		return "reverses a credit note that is not there"
	case refund == nil || refund.State != method.RefundBounced:
		return "reverses credit note " + reversed.Number + ", whose refund has not bounced"
	case i.TotalMinor != reversed.TotalMinor || i.Tax != reversed.Tax:
		return "is over another sum than credit note " + reversed.Number + ", which it reverses"
	}
	return ""
}

func (t *tx) checkCreditNotes(report func(string)) error {
	for page, err := range creditNotes.batches(t, allRows) {
		if err != nil {
			return err
		}
		noted, err := byKey(t, "id", values(page, func(n *creditNoteRow) string { return n.InvoiceID }), func(i *invoiceRow) string { return i.ID })
		if err != nil {
			return err
		}
		refunds, err := byKey(t, "id", values(page, func(n *creditNoteRow) string { return n.RefundID }), func(f *refundRow) string { return f.ID })
		if err != nil {
			return err
		}
		for _, n := range page {
			if wrong := creditNoteFault(invoice.CreditNote(n), noted[n.InvoiceID], refunds[n.RefundID]); wrong != "" {
				report(fmt.Sprintf("credit note %s of payment %s %s", n.Number, n.TxnID, wrong))
			}
		}
	}
	return nil
}

// creditNoteFault returns the first fault of a credit note, or "".
func creditNoteFault(n invoice.CreditNote, of *invoiceRow, refund *refundRow) string {
	switch {
	case refund == nil || refund.TxnID != n.TxnID:
		return "goes with refund " + n.RefundID + ", which is not there"
	case refund.State != method.RefundDone && refund.State != method.RefundBounced:
		return "goes with refund " + n.RefundID + ", which is " + string(refund.State)
	case of == nil || of.TxnID != n.TxnID || of.Number != n.InvoiceNumber || !of.IssuedOn.Equal(n.InvoiceDate):
		return "is to invoice " + n.InvoiceNumber + ", which is not there"
	case n.RegistrationID != of.RegistrationID:
		return "names registration " + n.RegistrationID + ", its invoice " + of.RegistrationID
	}
	if wrong := documentFault(n.Number, n.Series, n.FinancialYear, n.Serial, n.IssuedOn, n.TotalMinor, n.Words); wrong != "" {
		return wrong
	}
	if wrong := placesFault(n.Seller, n.Buyer, n.PlaceOfSupply, n.PlaceCode); wrong != "" {
		return wrong
	}
	switch late := !n.IssuedOn.Before(india.CreditNoteDeadline(of.IssuedOn)); {
	case n.Financial && !late:
		return "has no tax, though it was issued in time to reverse it"
	case !n.Financial && late:
		return "reverses tax after the last day for it"
	case n.Financial && n.Tax != (india.TaxSplit{Taxable: n.TotalMinor}):
		return "has tax, though it is a financial one"
	case n.Financial:
		return ""
	}
	// Its heads are the difference of two rounded splits.
	return taxFault(n.Tax, n.TotalMinor, n.RateBP, n.Seller.StateCode, n.PlaceCode, 1)
}

// documentFault returns the first fault in the fields that invoices and credit notes share, or "".
func documentFault(number, series, year string, serial int64, issuedOn time.Time, totalMinor int64, said string) string {
	if want := india.FinancialYear(issuedOn); year != want {
		return "is of financial year " + year + ", but was issued in " + want
	}
	if want, err := india.InvoiceNumber(series, year, serial); err != nil || number != want {
		return fmt.Sprintf("is number %d of series %s %s, which its own number does not say", serial, series, year)
	}
	if want, err := india.Words(totalMinor); err != nil || said != want {
		return "does not say its total in words"
	}
	return ""
}

// placesFault returns the first fault in the places of seller and buyer, or "".
func placesFault(seller, buyer invoice.Party, place, placeCode string) string {
	if buyer.StateCode != placeCode {
		return "has a buyer in State " + buyer.StateCode + " and its place of supply in " + placeCode
	}
	if named, known := india.StateByName(place); !known || named.Code != placeCode {
		return "has " + place + " as its place of supply, whose code is not " + placeCode
	}
	if len(seller.GSTIN) < 2 || seller.GSTIN[:2] != seller.StateCode {
		return "has a seller in State " + seller.StateCode + ", whose GSTIN is of another"
	}
	return ""
}

// taxFault returns the first fault of the tax heads, or "". Each may be off by off paise.
func taxFault(tax india.TaxSplit, totalMinor int64, rateBP int, seller, place string, off int64) string {
	if tax.Total() != totalMinor {
		return "does not add up: value and tax are not its total"
	}
	want, err := india.SplitTax(totalMinor, rateBP, seller, place)
	if err != nil {
		return "has a tax that cannot be: " + err.Error()
	}
	for _, head := range []struct{ got, want int64 }{{tax.CGST, want.CGST}, {tax.SGST, want.SGST}, {tax.UTGST, want.UTGST}, {tax.IGST, want.IGST}} {
		if head.got < head.want-off || head.got > head.want+off {
			return "has not the tax of a supply from State " + seller + " to " + place
		}
	}
	if tax.CGST != tax.SGST+tax.UTGST {
		return "has halves of its tax that differ"
	}
	return ""
}
