package store

import (
	"slices"

	"gorm.io/gorm"

	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/payment"
	"hiresure/admission/registry"
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

func (t *tx) RegistrationsBehind(accountID, cursor string, most int) (page []enrol.Registration, next string, err error) {
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

func (t *tx) CountRegistrations(accountID string) (counts []registry.Count, err error) {
	err = t.db.Raw(`SELECT event_code, step, refunded, reviewed, COUNT(*) AS n FROM (
			SELECT event_code, step, refunded, EXISTS (SELECT 1 FROM transactions WHERE registration_id = registrations.id AND state = ?) AS reviewed
			FROM registrations WHERE account_id = ? AND account_id <> ''
		) AS own GROUP BY event_code, step, refunded, reviewed ORDER BY event_code, step, refunded, reviewed`, payment.Review, accountID).Scan(&counts).Error
	return counts, wrap("count registrations", err)
}

func (t *tx) PaymentsFor(registrationIDs []string) (map[string]payment.Transaction, error) {
	var rows []transactionRow
	err := t.db.Omit("checkout").Where(`id IN (
		SELECT CASE WHEN r.paid_txn_id <> '' THEN r.paid_txn_id ELSE (
			SELECT t.id FROM transactions t WHERE t.registration_id = r.id ORDER BY CASE WHEN t.state = ? THEN 0 ELSE 1 END, t.created_at DESC, t.id DESC LIMIT 1
		) END FROM registrations r WHERE r.id IN ?)`, payment.Review, registrationIDs).Find(&rows).Error
	of := map[string]payment.Transaction{}
	for _, row := range rows {
		of[row.RegistrationID] = payment.Transaction(row)
	}
	return of, wrap("find payments of registrations", err)
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
