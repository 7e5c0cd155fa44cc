package store

import (
	"slices"

	"gorm.io/gorm"

	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
)

// latestRegistrations orders as the index registrations_account does.
var latestRegistrations = list[registrationRow]{
	name: "registrations", columns: []string{"modified_at", "id"}, down: true,
	place: func(row *registrationRow) []any { return []any{toMicros(row.ModifiedAt), row.ID} },
}

// ofAccount says the index's own condition too: a query that does not is answered without it.
func ofAccount(accountID string) scope {
	return func(db *gorm.DB) *gorm.DB { return db.Where("account_id = ? AND account_id <> ''", accountID) }
}

func (t *tx) RegistrationsPage(accountID, cursor string, most int) (page []enrol.Registration, next string, err error) {
	rows, next, err := latestRegistrations.page(t, accountID, ofAccount(accountID), cursor, most)
	return registrationsOf(rows), next, err
}

func (t *tx) RegistrationsFrom(accountID string, first, most int) ([]enrol.Registration, error) {
	rows, err := latestRegistrations.behind(t.db.Offset(first), ofAccount(accountID), nil, most)
	return registrationsOf(rows), wrap("list registrations", err)
}

func registrationsOf(rows []registrationRow) (all []enrol.Registration) {
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

func (t *tx) EntriesOf(registrationID string, most int) (entries []enrol.Entry, err error) {
	var rows []entryRow
	err = t.db.Order("at DESC, id DESC").Limit(most).Find(&rows, "registration_id = ?", registrationID).Error
	slices.Reverse(rows)
	for _, row := range rows {
		entries = append(entries, enrol.Entry(row))
	}
	return entries, wrap("find entries", err)
}
