package store

import (
	"fmt"
	"slices"
	"time"

	"hiresure/admission/account"
	"hiresure/admission/message"
	"hiresure/admission/mydata"
	"hiresure/admission/paper"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
)

type exportRow struct {
	ID        string
	AccountID string
	AskedAt   time.Time `gorm:"serializer:micros"`
	Done      int
	Size      int64
	Parts     int
	ReadyAt   time.Time `gorm:"serializer:micros"`
	ExpiresAt time.Time `gorm:"serializer:micros"`
	FailedAt  time.Time `gorm:"serializer:micros"`
}

func (exportRow) TableName() string { return "exports" }

type exportPartRow struct {
	ExportID  string `gorm:"primaryKey"`
	Part      int    `gorm:"primaryKey;autoIncrement:false"`
	Sealed    string
	ExpiresAt time.Time `gorm:"serializer:micros"`
}

func (exportPartRow) TableName() string { return "export_parts" }

type deletionRow struct {
	ID          string
	AccountID   string
	AskedAt     time.Time `gorm:"serializer:micros"`
	DueAt       time.Time `gorm:"serializer:micros"`
	PostponedAt time.Time `gorm:"serializer:micros"`
	DoneAt      time.Time `gorm:"serializer:micros"`
	ClosedAt    time.Time `gorm:"serializer:micros"`
}

func (deletionRow) TableName() string { return "deletions" }

// AddExport stores an export and deletes the account's earlier ones.
func (t *tx) AddExport(e *mydata.Export) error {
	for _, statement := range []string{
		"DELETE FROM export_parts WHERE export_id IN (SELECT id FROM exports WHERE account_id = ?)",
		"DELETE FROM exports WHERE account_id = ?",
	} {
		if err := t.exec(statement, e.AccountID); err != nil {
			return wrap("delete exports of before", err)
		}
	}
	row := exportRow(*e)
	return wrap("add export", add(t, &row))
}

func (t *tx) SaveExport(e *mydata.Export) error {
	row := exportRow(*e)
	return wrap("save export", save(t, &row))
}

func (t *tx) Export(id string) (*mydata.Export, error) {
	row, err := find[exportRow](t.db, "id = ?", id)
	return (*mydata.Export)(row), wrap("find export", err)
}

func (t *tx) ExportForUpdate(id string) (*mydata.Export, error) {
	row, err := find[exportRow](t.locked(), "id = ?", id)
	return (*mydata.Export)(row), wrap("lock export", err)
}

func (t *tx) LatestExport(accountID string) (*mydata.Export, error) {
	row, err := find[exportRow](t.db.Order("asked_at DESC, id DESC"), "account_id = ?", accountID)
	return (*mydata.Export)(row), wrap("find latest export", err)
}

func (t *tx) DeleteExport(id string) error {
	if err := t.exec("DELETE FROM export_parts WHERE export_id = ?", id); err != nil {
		return wrap("delete export", err)
	}
	return wrap("delete export", t.exec("DELETE FROM exports WHERE id = ?", id))
}

// partPlace returns the id that a part is sealed under, so that parts cannot be swapped.
func partPlace(exportID string, part int) string { return fmt.Sprint(exportID, "/", part) }

func (t *tx) AddExportPart(e *mydata.Export, part int, piece []byte) error {
	row := exportPartRow{ExportID: e.ID, Part: part, Sealed: t.sealer.seal("export_parts", partPlace(e.ID, part), piece), ExpiresAt: e.ExpiresAt}
	return wrap("add part of export", add(t, &row))
}

func (t *tx) ExportPart(exportID string, part int) ([]byte, error) {
	row, err := find[exportPartRow](t.db, "export_id = ? AND part = ?", exportID, part)
	if err != nil || row == nil {
		return nil, wrap("find part of export", err)
	}
	return t.sealer.open("export_parts", partPlace(exportID, part), row.Sealed)
}

func (t *tx) UnderEighteen(accountID string) (bool, error) {
	var adult []bool
	err := t.db.Raw(`SELECT adult FROM registrations WHERE account_id = ? AND account_id <> '' AND (adult OR guardian_phone <> '')
		ORDER BY created_at DESC, id LIMIT 1`, accountID).Scan(&adult).Error
	return len(adult) > 0 && !adult[0], wrap("find the age of account", err)
}

func (t *tx) OpenDeletion(accountID string) (*mydata.Deletion, error) {
	row, err := find[deletionRow](t.locked(), "account_id = ? AND closed_at = 0", accountID)
	return (*mydata.Deletion)(row), wrap("find open deletion", err)
}

func (t *tx) DeletionForUpdate(id string) (*mydata.Deletion, error) {
	row, err := find[deletionRow](t.locked(), "id = ?", id)
	return (*mydata.Deletion)(row), wrap("lock deletion", err)
}

func (t *tx) SaveDeletion(d *mydata.Deletion) error {
	row := deletionRow(*d)
	return wrap("save deletion", upsert(t, &row, "id"))
}

// unsettledKinds are the states of payments that are unsettled. A payment in any other state has an open refund.
var unsettledKinds = map[payment.State]mydata.UnsettledKind{
	payment.Failed: mydata.MayArrive, payment.Expired: mydata.MayArrive,
	payment.Created: mydata.PaymentOpen, payment.Pending: mydata.PaymentOpen, payment.Review: mydata.PaymentReview,
	payment.Disputed: mydata.DisputeOpen,
}

// Unsettled returns the account's unsettled money. It locks its registrations, so that no payment starts meanwhile.
func (t *tx) Unsettled(accountID string, since time.Time) (found mydata.Unsettled, err error) {
	var ids []string
	err = t.locked().Model(&registrationRow{}).Select("id").Where("account_id = ? AND account_id <> ''", accountID).Order("id").Find(&ids).Error
	if err != nil || len(ids) == 0 {
		return found, wrap("lock registrations of account", err)
	}
	moving := []payment.State{payment.Created, payment.Pending, payment.Review, payment.RefundDue, payment.RefundPending, payment.Disputed}
	var rows []transactionRow
	err = t.db.Select("state", "created_at").Where(`registration_id IN ? AND (state IN ? OR state IN ? AND created_at > ?
		OR EXISTS (SELECT 1 FROM refunds WHERE refunds.txn_id = transactions.id AND refunds.state IN ?))`,
		ids, moving, []payment.State{payment.Failed, payment.Expired}, toMicros(since), []method.RefundState{method.RefundAsked, method.RefundAccepted}).
		Order("created_at").Find(&rows).Error
	for _, row := range rows {
		kind, known := unsettledKinds[row.State]
		if !known || kind == mydata.MayArrive && !row.CreatedAt.After(since) {
			kind = mydata.RefundOpen
		}
		if kind >= found.Kind {
			found = mydata.Unsettled{Kind: kind, CreatedAt: row.CreatedAt}
		}
	}
	return found, wrap("find unsettled payments", err)
}

func (t *tx) AddFormerAddress(accountID, address string, until time.Time) error {
	return wrap("add former address", t.exec(`INSERT INTO former_addresses (account_id, address, until) VALUES (?, ?, ?)
		ON CONFLICT (account_id, address) DO UPDATE SET until = excluded.until`, accountID, address, toMicros(until)))
}

func (t *tx) MessageOf(cause string) (*message.Message, error) {
	row, err := find[messageRow](t.db.Select("id"), "cause = ?", cause)
	if err != nil || row == nil {
		return nil, wrap("find message of cause", err)
	}
	return t.Message(row.ID)
}

func (t *tx) DeleteMessage(cause string) error {
	if err := t.exec("DELETE FROM jobs WHERE kind IN ? AND ref IN (SELECT id FROM messages WHERE cause = ?)",
		[]string{message.JobSMS, message.JobMail}, cause); err != nil {
		return wrap("forget job of message", err)
	}
	return wrap("forget message", t.exec("DELETE FROM messages WHERE cause = ?", cause))
}

// Traces returns the keys of a person's rows in each table.
func (t *tx) Traces(a *account.Account) (mydata.Traces, error) {
	found := mydata.Traces{}
	for _, h := range holdings {
		if err := t.traces(found, h, "", person(a)); err != nil {
			return nil, err
		}
	}
	var err error
	if found["idempotency_keys"], err = t.idempotentAnswersOf(a); err != nil {
		return nil, err
	}
	found[sharedSessions], err = t.findSharedSessions(a, found["registrations"])
	return found, err
}

// TracesSince adds the keys of a person's rows written since a time to found, as far as an index finds them.
func (t *tx) TracesSince(a *account.Account, found mydata.Traces, since time.Time) error {
	values := person(a)
	values["since"] = toMicros(since)
	for _, h := range holdings {
		if err := t.traces(found, h, h.recent, values); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) traces(found mydata.Traces, h holding, condition string, person map[string]any) error {
	if h.where == "" {
		return nil
	}
	query := "SELECT DISTINCT " + h.key + " FROM " + h.table + " WHERE " + h.where
	if condition != "" {
		query += " AND " + condition
	}
	var keys []string
	if err := t.db.Raw(query, person).Scan(&keys).Error; err != nil {
		return wrap("look for traces in "+h.table, err)
	}
	keys = append(keys, found[h.table]...)
	slices.Sort(keys)
	found[h.table] = slices.Compact(keys)
	return nil
}

func (t *tx) Erase(a *account.Account, found mydata.Traces, at time.Time) error {
	steps := []func() error{
		func() error {
			return t.execInBatches(found["consents"], "INSERT INTO erasing (ref) SELECT id FROM consents WHERE id IN @keys", nil)
		},
		func() error { return t.eraseJobs(found) },
		func() error { return t.eraseFromSessions(a, found) },
		func() error { return t.eraseFiles(found["registrations"], at) },
		func() error { return t.erasePapers(found["registrations"], at) },
	}
	for _, h := range holdings {
		for _, statement := range h.erase {
			steps = append(steps, func() error {
				return wrap("erase "+h.table, t.execInBatches(found[h.table], statement, map[string]any{"now": toMicros(at), "account": a.ID}))
			})
		}
	}
	steps = append(steps, func() error { return t.exec("DELETE FROM erasing") })
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// eraseBuyers removes the buyer from tax documents of erased registrations after the legal period: see papersRetainedFrom.
func (t *tx) eraseBuyers(now time.Time, limit int) (forgotten int, err error) {
	before := toMicros(papersRetainedFrom(now))
	for table, kind := range map[string]paper.Kind{"invoices": paper.Invoice, "credit_notes": paper.CreditNote} {
		var ids []string
		if err := t.db.Raw(`SELECT p.id FROM `+table+` p JOIN registrations r ON r.id = p.registration_id
			WHERE r.erased_at > 0 AND p.issued_on < ? AND p.buyer_name <> '' ORDER BY p.id LIMIT ?`, before, limit).Scan(&ids).Error; err != nil {
			return 0, err
		}
		forgotten += len(ids)
		if err := t.deletePapers(now, "kind = ? AND ref IN ?", kind, ids); err != nil {
			return 0, err
		}
		for _, statement := range []string{
			"INSERT INTO erasing (ref) SELECT id FROM " + table + " WHERE id IN @keys",
			"UPDATE " + table + " SET buyer_name = '', buyer_address = '', buyer_gstin = '', buyer_email = '', buyer_phone = '' WHERE id IN @keys",
			"DELETE FROM erasing WHERE ref IN @keys",
		} {
			if err := t.execInBatches(ids, statement, nil); err != nil {
				return 0, err
			}
		}
	}
	return forgotten, nil
}
