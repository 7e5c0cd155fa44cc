package store

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/payment"
)

type refundOrderRow struct {
	ID, TxnID, RegistrationID string
	Amount                    admission.Money `gorm:"embedded"`
	LeftMinor                 int64
	Cause                     payment.Cause
	Words, Second             string
	AccountID, Who            string
	At                        time.Time `gorm:"serializer:micros"`
	ExpiresAt                 time.Time `gorm:"serializer:micros"`
	Decision                  payment.Decision
	DeciderID, Decider        string
	DecidedAt                 time.Time `gorm:"serializer:micros"`
	Answer                    string
}

func (refundOrderRow) TableName() string { return "refund_orders" }

func orderRow(o *payment.RefundOrder) refundOrderRow {
	row := refundOrderRow(*o)
	row.Words, row.Answer = text(row.Words), text(row.Answer)
	return row
}

func (t *tx) AddRefundOrder(o *payment.RefundOrder) error {
	row := orderRow(o)
	return wrap("add refund order", add(t, &row))
}

func (t *tx) SaveRefundOrder(o *payment.RefundOrder) error {
	row := orderRow(o)
	return wrap("save refund order", save(t, &row))
}

func (t *tx) RefundOrder(id string) (*payment.RefundOrder, error) {
	row, err := find[refundOrderRow](t.db, "id = ?", id)
	return (*payment.RefundOrder)(row), wrap("find refund order", err)
}

func (t *tx) OpenRefundOrder(txnID string) (*payment.RefundOrder, error) {
	row, err := find[refundOrderRow](t.db, "txn_id = ? AND decision = ''", txnID)
	return (*payment.RefundOrder)(row), wrap("find open refund order", err)
}

func (t *tx) RefundedBefore(phone string) (before bool, err error) {
	err = t.db.Raw(`SELECT EXISTS (SELECT 1 FROM registrations r JOIN transactions t ON t.registration_id = r.id JOIN refunds f ON f.txn_id = t.id
		WHERE r.phone = ? AND f.reason IN ? AND f.state NOT IN ('failed', 'bounced'))`, phone, []payment.RefundReason{payment.ReasonOrdered, payment.ReasonAtProvider}).Scan(&before).Error
	return before, wrap("find earlier refunds", err)
}

func (t *tx) RefundOrders(waiting bool, now time.Time, limit int) ([]payment.RefundOrder, error) {
	query := t.db.Order("at, id").Where("decision = '' AND expires_at > ?", toMicros(now))
	if !waiting {
		query = t.db.Order("at DESC, id").Where("decision NOT IN ? AND (decision <> '' OR expires_at <= ?)", []payment.Decision{payment.NotNeeded, payment.Kept}, toMicros(now))
	}
	return findAll("find refund orders", query.Limit(limit), func(row refundOrderRow) payment.RefundOrder { return payment.RefundOrder(row) })
}

func (t *tx) RefundOrdersOf(registrationID string) ([]payment.RefundOrder, error) {
	return findAll("find refund orders of a registration", t.db.Order("at, id").Where("registration_id = ?", registrationID), func(row refundOrderRow) payment.RefundOrder { return payment.RefundOrder(row) })
}
