package store

import (
	"encoding/json"
	"iter"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
)

type transactionRow struct {
	ID              string
	RegistrationID  string
	Gateway         string
	Ref             string
	PaymentID       string
	Means           method.Means    `gorm:"embedded;embeddedPrefix:means_"`
	List            admission.Money `gorm:"embedded;embeddedPrefix:list_"`
	Discount        admission.Money `gorm:"embedded;embeddedPrefix:discount_"`
	Charge          admission.Money `gorm:"embedded;embeddedPrefix:charge_"`
	ForeignList     int64
	Exchange        admission.ExchangeRate `gorm:"embedded;embeddedPrefix:exchange_"`
	Arrived         admission.Money        `gorm:"embedded;embeddedPrefix:arrived_"`
	AdjustmentMinor int64
	RefundedMinor   int64
	CouponCode      string
	State           payment.State
	StateBefore     payment.State
	RefundFailed    bool
	AttemptFailed   bool
	AtBank          bool
	ReturnURL       string
	Checkout        map[string]any `gorm:"serializer:json"` // sealed: see sealedCheckout
	CreatedAt       time.Time      `gorm:"serializer:micros;autoCreateTime:false"`
	ExpiresAt       time.Time      `gorm:"serializer:micros"`
	FetchedAt       time.Time      `gorm:"serializer:micros"`
	SettledAt       time.Time      `gorm:"serializer:micros"`
	ModifiedAt      time.Time      `gorm:"serializer:micros"`
	MerchantRef     string
	Payer           payment.Payer `gorm:"embedded;embeddedPrefix:payer_"`
	NextURL         string
	DisputedAt      time.Time `gorm:"serializer:micros"`
	SoldBy          string
}

func (transactionRow) TableName() string { return "transactions" }

type refundRow struct {
	ID, TxnID, ProviderID string
	Amount                admission.Money `gorm:"embedded"`
	State                 method.RefundState
	CreatedAt             time.Time `gorm:"serializer:micros;autoCreateTime:false"`
	PaymentID             string
	Reason                payment.RefundReason
	Cause                 payment.Cause
	PostedAt              time.Time `gorm:"serializer:micros"`
	ChangedAt             time.Time `gorm:"serializer:micros"`
	AlertedAt             time.Time `gorm:"serializer:micros"`
	FailureReason         string
}

func (refundRow) TableName() string { return "refunds" }

type inboxRow struct {
	ID, Gateway, EventID, Type, TxnID, Ref, PaymentID string

	Dispute    method.Dispute
	Body       string    // sealed
	ReceivedAt time.Time `gorm:"serializer:micros"`
	HandledAt  time.Time `gorm:"serializer:micros"`
	Problem    string
}

func (inboxRow) TableName() string { return "inbox" }

// sealedCheckout is the only field of a stored checkout. A provider's checkout data may contain secrets that allow to pay or
// to read the payment.
const sealedCheckout = "sealed"

// sealedRow returns the row of a payment with its checkout sealed.
func (t *tx) sealedRow(p *payment.Transaction) (transactionRow, error) {
	row := transactionRow(*p)
	if p.Checkout == nil {
		return row, nil
	}
	clear, err := json.Marshal(p.Checkout)
	row.Checkout = map[string]any{sealedCheckout: t.sealer.seal("transactions", p.ID, clear)}
	return row, err
}

// findTransaction returns the first payment that db and a condition select, or nil. A checkout sealed with an earlier secret
// is dropped, so that the payment is started again.
func (t *tx) findTransaction(what string, db *gorm.DB, condition string, args ...any) (*payment.Transaction, error) {
	row, err := find[transactionRow](db, condition, args...)
	if row == nil || err != nil {
		return nil, wrap(what, err)
	}
	if sealed, is := row.Checkout[sealedCheckout].(string); is {
		row.Checkout = nil
		if clear, unreadable := t.sealer.open("transactions", row.ID, sealed); unreadable == nil {
			err = json.Unmarshal(clear, &row.Checkout)
		}
	}
	return (*payment.Transaction)(row), wrap(what, err)
}

func (t *tx) AddTransaction(p *payment.Transaction) error {
	t.markChanged(p.RegistrationID, nil)
	row, err := t.sealedRow(p)
	if err == nil {
		err = add(t, &row)
	}
	return wrap("add transaction", err)
}

func (t *tx) SaveTransaction(p *payment.Transaction) error {
	t.markChanged(p.RegistrationID, nil)
	row, err := t.sealedRow(p)
	if err == nil {
		err = save(t, &row)
	}
	return wrap("save transaction", err)
}

func (t *tx) Transaction(id string) (*payment.Transaction, error) {
	return t.findTransaction("find transaction", t.db, "id = ?", id)
}

func (t *tx) TransactionForUpdate(id string) (*payment.Transaction, error) {
	return t.findTransaction("lock transaction", t.locked(), "id = ?", id)
}

func (t *tx) TransactionByRef(gateway, ref string) (*payment.Transaction, error) {
	return t.findTransaction("find transaction by ref", t.db, "gateway = ? AND ref = ? AND ref <> ''", gateway, ref)
}

func (t *tx) TransactionByPayment(gateway, paymentID string) (*payment.Transaction, error) {
	return t.findTransaction("find transaction by payment", t.db, "gateway = ? AND payment_id = ? AND payment_id <> ''", gateway, paymentID)
}

func (t *tx) OpenTransaction(registrationID string) (*payment.Transaction, error) {
	return t.findTransaction("find open transaction", t.db, "registration_id = ? AND state IN ?", registrationID, []payment.State{payment.Created, payment.Pending})
}

func (t *tx) LastTransaction(registrationID string) (*payment.Transaction, error) {
	return t.findTransaction("find last transaction", t.db.Order("created_at DESC, id DESC"), "registration_id = ?", registrationID)
}

func (t *tx) ReviewOf(registrationID string) (*payment.Transaction, error) {
	return t.findTransaction("find transaction in review", t.db, "registration_id = ? AND state = ?", registrationID, payment.Review)
}

func (t *tx) SurplusOf(registrationID, paidTxnID string) ([]payment.Transaction, error) {
	charged := []payment.State{payment.RefundDue, payment.RefundPending, payment.Refunded}
	query := t.db.Order("settled_at, id").Where("registration_id = ? AND id <> ? AND state IN ?", registrationID, paidTxnID, charged)
	return findAll("find surplus payments", query, func(row transactionRow) payment.Transaction {
		row.Checkout = nil // sealed
		return payment.Transaction(row)
	})
}

func (t *tx) HasEntry(registrationID string, kind enrol.EntryKind, detail string) (bool, error) {
	row, err := find[entryRow](t.db, "registration_id = ? AND what = ? AND detail = ?", registrationID, kind, detail)
	return row != nil, wrap("find entry", err)
}

func (t *tx) PaidBetween(gateway string, from, to time.Time) iter.Seq2[string, error] {
	charged := []payment.State{payment.Paid, payment.RefundDue, payment.RefundPending, payment.Refunded, payment.Disputed}
	paid := settledTransactions.rows(t, func(db *gorm.DB) *gorm.DB {
		return db.Select("id", "settled_at").Where("gateway = ? AND settled_at >= ? AND settled_at < ? AND state IN ?", gateway, toMicros(from), toMicros(to), charged)
	})
	return mapRows(paid, func(row transactionRow) (string, error) { return row.ID, nil })
}

var settledTransactions = list[transactionRow]{
	name: "settled transactions", columns: []string{"settled_at", "id"},
	position: func(row *transactionRow) []any { return []any{toMicros(row.SettledAt), row.ID} },
}

func (t *tx) SaveRefund(r *payment.Refund) error {
	row := refundRow(*r)
	return wrap("save refund", upsert(t, &row, "id"))
}

func (t *tx) Refund(id string) (*payment.Refund, error) {
	row, err := find[refundRow](t.db, "id = ?", id)
	return (*payment.Refund)(row), wrap("find refund", err)
}

func (t *tx) RefundForUpdate(id string) (*payment.Refund, error) {
	row, err := find[refundRow](t.locked(), "id = ?", id)
	return (*payment.Refund)(row), wrap("lock refund", err)
}

func (t *tx) OpenRefund(txnID, paymentID string) (*payment.Refund, error) {
	row, err := find[refundRow](t.db, "txn_id = ? AND payment_id = ? AND state IN ?", txnID, paymentID, []method.RefundState{method.RefundAsked, method.RefundAccepted})
	return (*payment.Refund)(row), wrap("find open refund", err)
}

func (t *tx) RefundsOf(txnID string) ([]payment.Refund, error) {
	return findAll("find refunds", t.db.Order("created_at, id").Where("txn_id = ?", txnID), func(row refundRow) payment.Refund { return payment.Refund(row) })
}

func (t *tx) AddInboxEvent(e *payment.InboxEvent) (fresh bool, err error) {
	added := t.db.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "gateway"}, {Name: "event_id"}}, DoNothing: true}).Create(&inboxRow{
		ID: e.ID, Gateway: e.Gateway, EventID: text(e.EventID), Type: text(e.Type), TxnID: text(e.TxnID), Ref: text(e.Ref), PaymentID: text(e.PaymentID), Dispute: e.Dispute,
		Body: t.sealer.seal("inbox", e.ID, e.Body), ReceivedAt: e.ReceivedAt,
	})
	return added.RowsAffected == 1, wrap("add inbox event", added.Error)
}

func (t *tx) InboxEvent(id string) (*payment.InboxEvent, error) {
	row, err := find[inboxRow](t.db, "id = ?", id)
	if err != nil || row == nil {
		return nil, wrap("find inbox event", err)
	}
	body, err := t.sealer.open("inbox", row.ID, row.Body)
	return &payment.InboxEvent{
		ID: row.ID, Gateway: row.Gateway, EventID: row.EventID, Type: row.Type, TxnID: row.TxnID, Ref: row.Ref, PaymentID: row.PaymentID, Dispute: row.Dispute,
		Body: body, ReceivedAt: row.ReceivedAt,
	}, err
}

func (t *tx) MarkHandled(inboxID, problem string, at time.Time) error {
	return wrap("mark inbox event", t.exec("UPDATE inbox SET handled_at = ?, problem = ? WHERE id = ?", toMicros(at), problem, inboxID))
}
