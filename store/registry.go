package store

import (
	"slices"

	"gorm.io/gorm"

	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
)

// latestRegistrations has the order of the index registrations_account.
var latestRegistrations = list[registrationRow]{
	name: "registrations", columns: []string{"modified_at", "id"}, down: true,
	position: func(row *registrationRow) []any { return []any{toMicros(row.ModifiedAt), row.ID} },
}

// ofAccount repeats the condition of the partial index, without which a query does not use it.
func ofAccount(accountID string) scope {
	return func(db *gorm.DB) *gorm.DB { return db.Where("account_id = ? AND account_id <> ''", accountID) }
}

func (t *tx) RegistrationsPage(accountID, cursor string, limit int) (page []enrol.Registration, next string, err error) {
	rows, next, err := latestRegistrations.page(t, accountID, ofAccount(accountID), cursor, limit)
	return toRegistrations(rows), next, err
}

func (t *tx) RegistrationsFrom(accountID string, first, limit int) ([]enrol.Registration, error) {
	rows, err := latestRegistrations.after(t.db.Offset(first), ofAccount(accountID), nil, limit)
	return toRegistrations(rows), wrap("list registrations", err)
}

func toRegistrations(rows []registrationRow) (all []enrol.Registration) {
	for _, row := range rows {
		all = append(all, enrol.Registration(row))
	}
	return all
}

func (t *tx) InvoicesFor(txnIDs []string) (map[string]invoice.Invoice, error) {
	var rows []invoiceRow
	err := t.db.Find(&rows, "txn_id IN ? AND issue = 1", txnIDs).Error
	of := map[string]invoice.Invoice{}
	for _, row := range rows {
		of[row.TxnID] = invoice.Invoice(row)
	}
	return of, wrap("find invoices of payments", err)
}

func (t *tx) EntriesOf(registrationID string, limit int) ([]enrol.Entry, error) {
	latest := t.db.Order("at DESC, id DESC").Limit(limit).Where("registration_id = ?", registrationID)
	entries, err := findAll("find entries", latest, func(row entryRow) enrol.Entry { return enrol.Entry(row) })
	slices.Reverse(entries)
	return entries, err
}
