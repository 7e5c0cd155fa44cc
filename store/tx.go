package store

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"hiresure/admission"
)

// tx implements admission.Tx. What answers nothing goes through later, what is asked for an answer through db.
type tx struct {
	db     *gorm.DB
	later  *gorm.DB
	sealer sealer
	locks  bool // this transaction changes things, beside others that do
	again  bool // not the first try
}

// locked answers db with the rows it finds locked until the transaction ends. In a View it only reads.
func (t *tx) locked() *gorm.DB {
	if !t.locks {
		return t.db
	}
	return t.db.Clauses(clause.Locking{Strength: "UPDATE"})
}

// find answers the first row, or nil.
func find[Row any](db *gorm.DB, where string, args ...any) (*Row, error) {
	var row Row
	found := db.Where(where, args...).Limit(1).Find(&row)
	if found.Error != nil || found.RowsAffected == 0 {
		return nil, found.Error
	}
	return &row, nil
}

// once is an INSERT that changes nothing where an equal row stands.
func once(db *gorm.DB) *gorm.DB { return db.Clauses(clause.OnConflict{DoNothing: true}) }

// addOrChange is an INSERT that becomes an UPDATE where the id stands.
func addOrChange(db *gorm.DB) *gorm.DB {
	return db.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "id"}}, UpdateAll: true})
}

// change writes every column of a row that stands.
func change[Row any](db *gorm.DB, row *Row) error {
	return db.Model(row).Select("*").Updates(row).Error
}

// lock keeps other changes that lock the same name waiting until the transaction ends. It is for what has no row yet.
// SQLite's writers take turns anyhow.
func (t *tx) lock(name string) error {
	if !t.locks {
		return nil
	}
	return t.later.Exec("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", name).Error
}

// text makes what a browser sent fit for PostgreSQL, which takes neither invalid UTF-8 nor NUL.
func text(sent string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(sent, "\uFFFD"), "\x00", "\uFFFD")
}

func (t *tx) AddSession(s *admission.Session) error {
	row := sessionRow(*s)
	return wrap("add session", t.later.Create(&row).Error)
}

func (t *tx) Session(id string) (*admission.Session, error) {
	row, err := find[sessionRow](t.db, "id = ?", id)
	return (*admission.Session)(row), wrap("find session", err)
}

func (t *tx) SessionForUpdate(id string) (*admission.Session, error) {
	row, err := find[sessionRow](t.locked(), "id = ?", id)
	return (*admission.Session)(row), wrap("lock session", err)
}

func (t *tx) SessionByToken(tokenHash string) (*admission.Session, error) {
	row, err := find[sessionRow](t.db, "token_hash = ?", tokenHash)
	return (*admission.Session)(row), wrap("find session by token", err)
}

func (t *tx) SaveSession(s *admission.Session) error {
	row := sessionRow(*s)
	return wrap("save session", change(t.later, &row))
}

func (t *tx) DeleteSession(id string) error {
	return wrap("delete session", t.later.Where("id = ?", id).Delete(&sessionRow{}).Error)
}

// Hits counts the hits after since. Until the transaction ends, no other counts the same bucket.
func (t *tx) Hits(bucket string, since time.Time) (int, time.Time, error) {
	var found struct{ Hits, Oldest int64 }
	err := t.lock("hits " + bucket)
	if err == nil {
		err = t.db.Raw("SELECT COUNT(*) AS hits, COALESCE(MIN(at), 0) AS oldest FROM hits WHERE bucket = ? AND at > ?", bucket, toMicros(since)).Scan(&found).Error
	}
	return int(found.Hits), fromMicros(found.Oldest), wrap("count hits", err)
}

func (t *tx) AddHit(bucket string, at, until time.Time) error {
	return wrap("add hit", t.later.Exec("INSERT INTO hits (bucket, at, until) VALUES (?, ?, ?)", bucket, toMicros(at), toMicros(until)).Error)
}

func (t *tx) Spend(key string, until time.Time) (fresh bool, err error) {
	added := t.db.Exec("INSERT INTO spent (name, until) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", key, toMicros(until))
	return added.RowsAffected == 1, wrap("spend key", added.Error)
}

// AddEnquiry draws another reference where the first one met an equal one.
func (t *tx) AddEnquiry(e *admission.Enquiry) error {
	if t.again {
		e.Reference = admission.Reference("ENQ")
	}
	return wrap("add enquiry", t.later.Exec(`INSERT INTO enquiries (id, reference, full_name, email, phone, country, description, type, page, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		e.ID, e.Reference, e.FullName, e.Email, e.Phone, e.Country, e.Description, e.Type, text(e.Page), toMicros(e.CreatedAt)).Error)
}

// AddGrievance draws another ticket where the first one met an equal one.
func (t *tx) AddGrievance(g *admission.Grievance) error {
	if t.again {
		g.Ticket = admission.Reference("GRV")
	}
	row := grievanceRow(*g)
	return wrap("add grievance", t.later.Create(&row).Error)
}

func (t *tx) AddConsent(c admission.Consent) error {
	row := consentRow(c)
	row.UserAgent = text(row.UserAgent)
	return wrap("add consent", t.later.Create(&row).Error)
}

// LastConsents answers the last line of each purpose.
func (t *tx) LastConsents(subject string) (byPurpose map[string]admission.Consent, err error) {
	var lines []consentRow
	err = t.db.Order("at, id").Find(&lines, "subject = ?", subject).Error
	byPurpose = map[string]admission.Consent{}
	for _, line := range lines {
		byPurpose[line.Purpose] = admission.Consent(line)
	}
	return byPurpose, wrap("find consents", err)
}

func (t *tx) AddLead(l *admission.Lead) (fresh bool, err error) {
	row := leadRow(*l)
	added := once(t.db).Create(&row)
	return added.RowsAffected == 1, wrap("add lead", added.Error)
}

func (t *tx) Lead(id string) (*admission.Lead, error) {
	row, err := find[leadRow](t.db, "id = ?", id)
	return (*admission.Lead)(row), wrap("find lead", err)
}

func (t *tx) ForgetLead(eventCode, email string) error {
	return wrap("forget lead", t.later.Where("event_code = ? AND lower(email) = lower(?)", eventCode, email).Delete(&leadRow{}).Error)
}

func (t *tx) SaveCodeRequest(c *admission.CodeRequest) error {
	row := codeRequestRow(*c)
	row.Code = t.sealer.seal("code_requests", c.ID, []byte(c.Code))
	return wrap("save code request", addOrChange(t.later).Create(&row).Error)
}

func (t *tx) CodeRequestForUpdate(id string) (*admission.CodeRequest, error) {
	row, err := find[codeRequestRow](t.locked(), "id = ?", id)
	if err != nil || row == nil {
		return nil, wrap("lock code request", err)
	}
	return t.codeRequest(row), nil
}

// LatestCodeRequest answers the one sent last. Until the transaction ends, no other asks for the same.
func (t *tx) LatestCodeRequest(phone string, purpose admission.Purpose, eventCode string) (*admission.CodeRequest, error) {
	if err := t.lock("code request " + phone + " " + string(purpose) + " " + eventCode); err != nil {
		return nil, wrap("find code request", err)
	}
	latest := t.locked().Order("sent_at DESC, id DESC")
	row, err := find[codeRequestRow](latest, "phone = ? AND purpose = ? AND event_code = ?", phone, purpose, eventCode)
	if err != nil || row == nil {
		return nil, wrap("find code request", err)
	}
	return t.codeRequest(row), nil
}

// codeRequest opens the row's code. One that cannot be read, since the secret has changed, counts as none: then the next
// message to this phone brings a new one.
func (t *tx) codeRequest(row *codeRequestRow) *admission.CodeRequest {
	code, _ := t.sealer.open("code_requests", row.ID, row.Code)
	row.Code = string(code)
	return (*admission.CodeRequest)(row)
}

func (t *tx) AddRegistration(r *admission.Registration) error {
	row := registrationRow(*r)
	return wrap("add registration", t.later.Create(&row).Error)
}

func (t *tx) SaveRegistration(r *admission.Registration) error {
	row := registrationRow(*r)
	return wrap("save registration", change(t.later, &row))
}

func (t *tx) Registration(id string) (*admission.Registration, error) {
	row, err := find[registrationRow](t.db, "id = ?", id)
	return (*admission.Registration)(row), wrap("find registration", err)
}

func (t *tx) RegistrationForUpdate(id string) (*admission.Registration, error) {
	row, err := find[registrationRow](t.locked(), "id = ?", id)
	return (*admission.Registration)(row), wrap("lock registration", err)
}

func (t *tx) RegistrationOf(eventCode, phone string) (*admission.Registration, error) {
	row, err := find[registrationRow](t.locked(), "event_code = ? AND phone = ? AND refunded = ?", eventCode, phone, false)
	return (*admission.Registration)(row), wrap("find registration of phone", err)
}

// PhoneOfEmail answers whose e-mail it is in an event, whatever its case. Until the transaction ends, no other asks for
// the same, so that two phones cannot take one e-mail at once.
func (t *tx) PhoneOfEmail(eventCode, email string) (string, error) {
	if err := t.lock("e-mail " + eventCode + " " + strings.ToLower(email)); err != nil {
		return "", wrap("find phone of e-mail", err)
	}
	var phone string
	err := t.db.Model(&registrationRow{}).Select("phone").Order("created_at, id").Limit(1).
		Where("event_code = ? AND lower(email) = lower(?) AND refunded = ?", eventCode, email, false).Scan(&phone).Error
	return phone, wrap("find phone of e-mail", err)
}

func (t *tx) PhoneKnown(phone string) (bool, error) {
	row, err := find[registrationRow](t.db.Select("id"), "phone = ?", phone)
	return row != nil, wrap("find phone", err)
}

func (t *tx) AddEntry(e admission.Entry) error {
	row := entryRow(e)
	return wrap("add entry", t.later.Create(&row).Error)
}

func (t *tx) CouponForUpdate(eventCode, code string) (*admission.Coupon, error) {
	row, err := find[couponRow](t.locked(), "event_code = ? AND code = ?", eventCode, code)
	return (*admission.Coupon)(row), wrap("lock coupon", err)
}

func (t *tx) CouponSpent(couponID, phone string) (admission.CouponSpent, error) {
	var spent admission.CouponSpent
	err := t.db.Raw(`SELECT COUNT(*) AS uses, COUNT(CASE WHEN phone = ? THEN 1 END) AS by_phone, CAST(COALESCE(SUM(discount_minor), 0) AS BIGINT) AS discount_minor
		FROM coupon_uses WHERE coupon_id = ? AND (state = ? OR state = ? AND phone <> ?)`,
		phone, couponID, admission.UseTaken, admission.UseHeld, phone).Scan(&spent).Error
	return spent, wrap("count coupon uses", err)
}

func (t *tx) SaveCouponUse(u admission.CouponUse) error {
	row := couponUseRow(u)
	return wrap("save coupon use", addOrChange(t.later).Create(&row).Error)
}

func (t *tx) SetCouponUse(txnID string, state admission.UseState) error {
	return wrap("set coupon use", t.later.Model(&couponUseRow{}).Where("txn_id = ?", txnID).Update("state", state).Error)
}

func (t *tx) Referral(code string) (*admission.Referral, error) {
	row, err := find[referralRow](t.db, "code = ?", code)
	return (*admission.Referral)(row), wrap("find referral", err)
}

func (t *tx) AddReferralCredit(c admission.ReferralCredit) error {
	row := referralCreditRow(c)
	return wrap("add referral credit", once(t.later).Create(&row).Error)
}

func (t *tx) CancelReferralCredit(registrationID string, at time.Time) error {
	return wrap("cancel referral credit", t.later.Model(&referralCreditRow{}).Where("registration_id = ?", registrationID).Update("cancelled_at", toMicros(at)).Error)
}

func (t *tx) AddTransaction(p *admission.Transaction) error {
	row := transactionRow(*p)
	return wrap("add transaction", t.later.Create(&row).Error)
}

func (t *tx) SaveTransaction(p *admission.Transaction) error {
	row := transactionRow(*p)
	return wrap("save transaction", change(t.later, &row))
}

func (t *tx) Transaction(id string) (*admission.Transaction, error) {
	row, err := find[transactionRow](t.db, "id = ?", id)
	return (*admission.Transaction)(row), wrap("find transaction", err)
}

func (t *tx) TransactionForUpdate(id string) (*admission.Transaction, error) {
	row, err := find[transactionRow](t.locked(), "id = ?", id)
	return (*admission.Transaction)(row), wrap("lock transaction", err)
}

func (t *tx) TransactionByRef(gateway, ref string) (*admission.Transaction, error) {
	row, err := find[transactionRow](t.db, "gateway = ? AND ref = ? AND ref <> ''", gateway, ref)
	return (*admission.Transaction)(row), wrap("find transaction by ref", err)
}

func (t *tx) OpenTransaction(registrationID string) (*admission.Transaction, error) {
	open := []admission.PayState{admission.PayCreated, admission.PayPending, admission.PayReview}
	row, err := find[transactionRow](t.db, "registration_id = ? AND state IN ?", registrationID, open)
	return (*admission.Transaction)(row), wrap("find open transaction", err)
}

// PaidBetween answers what was charged from one moment until before another, refunded since or not.
func (t *tx) PaidBetween(gateway string, from, to time.Time) (ids []string, err error) {
	charged := []admission.PayState{admission.PayPaid, admission.PayRefundDue, admission.PayRefundPending, admission.PayRefunded}
	err = t.db.Model(&transactionRow{}).Order("settled_at, id").
		Where("gateway = ? AND settled_at >= ? AND settled_at < ? AND state IN ?", gateway, toMicros(from), toMicros(to), charged).
		Pluck("id", &ids).Error
	return ids, wrap("find paid transactions", err)
}

func (t *tx) SaveRefund(r *admission.Refund) error {
	row := refundRow(*r)
	return wrap("save refund", addOrChange(t.later).Create(&row).Error)
}

func (t *tx) OpenRefund(txnID string) (*admission.Refund, error) {
	row, err := find[refundRow](t.db, "txn_id = ? AND state = ?", txnID, admission.RefundAsked)
	return (*admission.Refund)(row), wrap("find open refund", err)
}

func (t *tx) AddInboxEvent(e *admission.InboxEvent) (fresh bool, err error) {
	added := t.db.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "gateway"}, {Name: "event_id"}}, DoNothing: true}).Create(&inboxRow{
		ID: e.ID, Gateway: e.Gateway, EventID: text(e.EventID), Type: text(e.Type), TxnID: text(e.TxnID), Ref: text(e.Ref),
		Body: t.sealer.seal("inbox", e.ID, e.Body), ReceivedAt: e.ReceivedAt,
	})
	return added.RowsAffected == 1, wrap("add inbox event", added.Error)
}

func (t *tx) InboxEvent(id string) (*admission.InboxEvent, error) {
	row, err := find[inboxRow](t.db, "id = ?", id)
	if err != nil || row == nil {
		return nil, wrap("find inbox event", err)
	}
	body, err := t.sealer.open("inbox", row.ID, row.Body)
	return &admission.InboxEvent{
		ID: row.ID, Gateway: row.Gateway, EventID: row.EventID, Type: row.Type, TxnID: row.TxnID, Ref: row.Ref,
		Body: body, ReceivedAt: row.ReceivedAt,
	}, err
}

func (t *tx) MarkHandled(inboxID, problem string, at time.Time) error {
	return wrap("mark inbox event", t.later.Exec("UPDATE inbox SET handled_at = ?, problem = ? WHERE id = ?", toMicros(at), problem, inboxID).Error)
}

// NextSerial counts in the caller's transaction: what is rolled back was never counted, so the series has no gap.
func (t *tx) NextSerial(series, financialYear string) (serial int64, err error) {
	err = t.db.Raw(`INSERT INTO invoice_series (series, financial_year, serial) VALUES (?, ?, 1)
		ON CONFLICT (series, financial_year) DO UPDATE SET serial = invoice_series.serial + 1 RETURNING serial`, series, financialYear).Scan(&serial).Error
	return serial, wrap("take serial", err)
}

func (t *tx) AddInvoice(i *admission.Invoice) error {
	row := invoiceRow(*i)
	return wrap("add invoice", t.later.Create(&row).Error)
}

func (t *tx) InvoiceOfTransaction(txnID string) (*admission.Invoice, error) {
	row, err := find[invoiceRow](t.db, "txn_id = ?", txnID)
	return (*admission.Invoice)(row), wrap("find invoice", err)
}

func (t *tx) AddLink(l admission.Link) error {
	row := linkRow(l)
	return wrap("add link", t.later.Create(&row).Error)
}

func (t *tx) Link(tokenHash string) (*admission.Link, error) {
	row, err := find[linkRow](t.db, "token_hash = ?", tokenHash)
	return (*admission.Link)(row), wrap("find link", err)
}

// AddMessage adds the job only where it added the message, and needs no answer for that: so neither waits for one.
func (t *tx) AddMessage(m *admission.Message) error {
	params, err := json.Marshal(m.Params)
	if err != nil {
		return wrap("add message", err)
	}
	if err := t.later.Exec(`INSERT INTO messages (id, cause, channel, recipient, template, params, created_at, sent_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (cause) DO NOTHING`,
		m.ID, m.Cause, m.Channel, m.To, m.Template, t.sealer.seal("messages", m.ID, params), toMicros(m.CreatedAt), toMicros(m.SentAt)).Error; err != nil {
		return wrap("add message", err)
	}
	return wrap("add message", t.later.Exec(`INSERT INTO jobs (kind, ref, due_at, attempts, last_error) SELECT ?, id, created_at, 0, '' FROM messages WHERE id = ?
		ON CONFLICT (kind, ref) DO NOTHING`, m.JobKind(), m.ID).Error)
}

// Message answers a message that was sent with empty Params.
func (t *tx) Message(id string) (*admission.Message, error) {
	row, err := find[messageRow](t.db, "id = ?", id)
	if err != nil || row == nil {
		return nil, wrap("find message", err)
	}
	m := &admission.Message{
		ID: row.ID, Cause: row.Cause, Channel: row.Channel, To: row.Recipient, Template: row.Template,
		CreatedAt: row.CreatedAt, SentAt: row.SentAt,
	}
	if row.Params == "" {
		m.Params = map[string]string{}
		return m, nil
	}
	params, err := t.sealer.open("messages", row.ID, row.Params)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(params, &m.Params); err != nil {
		return nil, fmt.Errorf("read message %s: %w", id, err)
	}
	return m, nil
}

// MarkSent also forgets what the message was filled with: a code, or the token of a receipt's link.
func (t *tx) MarkSent(id string, at time.Time) error {
	return wrap("mark message", t.later.Exec("UPDATE messages SET sent_at = ?, params = '' WHERE id = ?", toMicros(at), id).Error)
}

func (t *tx) AddJob(j admission.Job) error {
	return wrap("add job", t.later.Exec(`INSERT INTO jobs (kind, ref, due_at, attempts, last_error) VALUES (?, ?, ?, ?, '')
		ON CONFLICT (kind, ref) DO UPDATE SET due_at = excluded.due_at WHERE excluded.due_at < jobs.due_at`, j.Kind, j.Ref, toMicros(j.DueAt), j.Attempts).Error)
}
