package store

import (
	"context"
	"iter"
	"time"

	"hiresure/admission/office"
	"hiresure/admission/payment"
)

var _ office.Books = (*Store)(nil)

func (t *tx) PaymentsBeginning(prefix string, limit int) (ids []string, err error) {
	err = t.db.Raw("SELECT id FROM transactions WHERE id LIKE ? ORDER BY id LIMIT ?", prefix+"%", limit).Scan(&ids).Error
	return ids, wrap("find payments", err)
}

func (t *tx) RevokeLinks(registrationID string, now time.Time) (int64, error) {
	at := toMicros(now)
	n, err := t.execCount("UPDATE links SET revoked_at = ? WHERE registration_id = ? AND revoked_at = 0 AND expires_at > ?", at, registrationID, at)
	return n, wrap("revoke links", err)
}

// StoredFiles returns the files of all rows. It ends with the first error.
func (s *Store) StoredFiles(ctx context.Context) iter.Seq2[office.File, error] {
	return mapRows(s.Files(ctx, ""), func(f FileRow) (office.File, error) { return office.File{ID: f.ID, Object: f.Object}, nil })
}

type takenRow struct {
	Kind      office.CaseKind `gorm:"primaryKey"`
	Ref       string          `gorm:"primaryKey"`
	AccountID string
	At        time.Time `gorm:"column:taken_at;serializer:micros"`
}

func (takenRow) TableName() string { return "staff_cases" }

const maxCases = 500

func (t *tx) UnsettledPayments(opened time.Time) ([]payment.Transaction, error) {
	query := t.db.Order("created_at, id").Limit(maxCases).Where(
		"state IN ('pending', 'review', 'refund_due') AND (state = 'review' OR state = 'pending' AND created_at < ? OR state = 'refund_due' AND refund_failed)", toMicros(opened))
	return findAll("find payments that wait for a person", query, func(row transactionRow) payment.Transaction {
		row.Checkout = nil // sealed
		return payment.Transaction(row)
	})
}

func (t *tx) TakenCases() ([]office.Taken, error) {
	return findAll("find taken cases", t.db.Order("kind, ref"), func(row takenRow) office.Taken { return office.Taken(row) })
}

func (t *tx) TakeCase(c office.Taken) (before string, err error) {
	held, err := find[takenRow](t.locked(), "kind = ? AND ref = ?", c.Kind, c.Ref)
	if err != nil {
		return "", wrap("find taken case", err)
	}
	if held != nil {
		before = held.AccountID
	}
	row := takenRow(c)
	return before, wrap("take a case", upsert(t, &row, "kind", "ref"))
}

func (t *tx) Numbers(from, until time.Time) (n office.Numbers, err error) {
	err = t.db.Raw(`SELECT
			(SELECT COUNT(*) FROM enquiries WHERE created_at >= @from AND created_at < @until) AS enquiries,
			(SELECT COUNT(*) FROM registrations WHERE created_at >= @from AND created_at < @until) AS enrolled,
			(SELECT COUNT(*) FROM transactions WHERE settled_at >= @from AND settled_at < @until AND `+charged+`) AS paid,
			(SELECT COALESCE(SUM(charge_minor), 0) FROM transactions WHERE settled_at >= @from AND settled_at < @until AND charge_currency = 'INR' AND `+charged+`) AS paid_minor,
			(SELECT COUNT(*) FROM refunds WHERE created_at >= @from AND created_at < @until) AS refunds,
			(SELECT COALESCE(SUM(minor), 0) FROM refunds WHERE created_at >= @from AND created_at < @until AND currency = 'INR') AS refunded_minor`,
		map[string]any{"from": toMicros(from), "until": toMicros(until)}).Scan(&n).Error
	return n, wrap("count a day", err)
}

// charged is the condition of payments that were charged.
const charged = "state IN ('paid', 'refund_due', 'refund_pending', 'refunded', 'disputed')"
