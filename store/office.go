package store

import (
	"context"
	"iter"
	"time"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/admission/mydata"
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
		"(state IN ('pending', 'review', 'refund_due', 'disputed') OR state = 'paid' AND refund_failed) AND (state IN ('review', 'disputed') OR state = 'pending' AND created_at < ? OR state IN ('refund_due', 'paid') AND refund_failed)", toMicros(opened))
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
			(SELECT COUNT(*) FROM registrations r JOIN transactions t ON t.id = r.paid_txn_id
				WHERE r.event_code <> @application AND t.settled_at >= @from AND t.settled_at < @until) AS enrolled,
			(SELECT COUNT(*) FROM transactions WHERE settled_at >= @from AND settled_at < @until AND `+charged+`) AS paid,
			(SELECT COALESCE(SUM(charge_minor), 0) FROM transactions WHERE settled_at >= @from AND settled_at < @until AND charge_currency = 'INR' AND `+charged+`) AS paid_minor,
			(SELECT COUNT(*) FROM refunds WHERE created_at >= @from AND created_at < @until) AS refunds,
			(SELECT COALESCE(SUM(minor), 0) FROM refunds WHERE created_at >= @from AND created_at < @until AND currency = 'INR') AS refunded_minor`,
		map[string]any{"from": toMicros(from), "until": toMicros(until), "application": enrol.ApplicationCode}).Scan(&n).Error
	return n, wrap("count a day", err)
}

// charged is the condition of payments that were charged.
const charged = "state IN ('paid', 'refund_due', 'refund_pending', 'refunded', 'disputed')"

func (t *tx) CountDocuments(registrationIDs []string) (map[string]int, error) {
	var rows []struct {
		RegistrationID string
		N              int
	}
	var required []document.Kind
	for _, fact := range document.Kinds {
		if fact.Required != "" {
			required = append(required, fact.Kind)
		}
	}
	err := t.db.Raw("SELECT registration_id, COUNT(DISTINCT kind) AS n FROM documents WHERE registration_id IN ? AND kind IN ? GROUP BY registration_id", registrationIDs, required).Scan(&rows).Error
	counts := map[string]int{}
	for _, row := range rows {
		counts[row.RegistrationID] = row.N
	}
	return counts, wrap("count documents", err)
}

func (t *tx) AttemptsOf(registrationID string, limit int) ([]payment.Transaction, error) {
	query := t.db.Order("created_at DESC, id DESC").Limit(limit).Where("registration_id = ?", registrationID)
	return findAll("find payments of a registration", query, func(row transactionRow) payment.Transaction {
		row.Checkout = nil // sealed
		return payment.Transaction(row)
	})
}

func (t *tx) RegistrationsOfPhone(phone string, limit int) ([]enrol.Registration, error) {
	query := t.db.Order("modified_at DESC, id DESC").Limit(limit).Where("phone = ?", phone)
	return findAll("find registrations of a phone", query, func(row registrationRow) enrol.Registration { return enrol.Registration(row) })
}

func (t *tx) MessagesTo(addresses []string, since time.Time, limit int) (all []office.Delivery, err error) {
	var rows []messageRow
	query := t.db.Omit("params", "content").Order("created_at DESC, id DESC").Limit(limit).Where("recipient IN ? AND created_at >= ?", addresses, toMicros(since))
	if err := query.Find(&rows).Error; err != nil {
		return nil, wrap("find messages", err)
	}
	var ids []string
	for _, row := range rows {
		ids = append(ids, row.ID)
	}
	failed := map[string]*admission.DeadJob{}
	var jobs []jobRow
	if err := t.db.Find(&jobs, "ref IN ? AND kind IN ? AND dead_at > 0", ids, office.MessageJobs).Error; err != nil {
		return nil, wrap("find failed messages", err)
	}
	for _, row := range jobs {
		failed[row.Ref] = &admission.DeadJob{Job: row.job(), DeadAt: row.DeadAt}
	}
	for _, row := range rows {
		m := message.Message{
			ID: row.ID, Cause: row.Cause, Channel: row.Channel, To: row.Recipient, Template: row.Template,
			CreatedAt: row.CreatedAt, SentAt: row.SentAt, TemplateVersion: row.TemplateVersion, Papers: row.Papers,
		}
		all = append(all, office.Delivery{Message: m, Job: failed[row.ID]})
	}
	return all, nil
}

type noteRow struct {
	ID, RegistrationID, AccountID string
	Who, Words                    string
	At                            time.Time `gorm:"serializer:micros"`
}

func (noteRow) TableName() string { return "staff_notes" }

func (t *tx) NotesOn(registrationID string) ([]office.Note, error) {
	return findAll("find notes", t.db.Order("at DESC, id DESC").Where("registration_id = ?", registrationID), func(row noteRow) office.Note { return office.Note(row) })
}

func (t *tx) AddNote(n office.Note) error {
	row := noteRow(n)
	row.Words = text(row.Words)
	return wrap("add note", add(t, &row))
}

type staffViewRow struct {
	ID, RegistrationID, AccountID, SessionID string
	Role, Purpose, Reason                    string
	At                                       time.Time `gorm:"serializer:micros"`
	Until                                    time.Time `gorm:"serializer:micros"`
	EndedAt                                  time.Time `gorm:"serializer:micros"`
}

func (staffViewRow) TableName() string { return "staff_views" }

func (t *tx) StaffView(id string) (*office.View, error) {
	row, err := find[staffViewRow](t.db, "id = ?", id)
	return (*office.View)(row), wrap("find a view of staff", err)
}

func (t *tx) OpenStaffView(registrationID, sessionID string, now time.Time) (*office.View, error) {
	row, err := find[staffViewRow](t.db, "registration_id = ? AND session_id = ? AND ended_at = 0 AND until > ?", registrationID, sessionID, toMicros(now))
	return (*office.View)(row), wrap("find an open view of staff", err)
}

func (t *tx) AddStaffView(v office.View) error {
	row := staffViewRow(v)
	row.Reason = text(row.Reason)
	return wrap("add a view of staff", add(t, &row))
}

func (t *tx) EndStaffView(id string, now time.Time) (bool, error) {
	at := toMicros(now)
	n, err := t.execCount("UPDATE staff_views SET ended_at = ? WHERE id = ? AND ended_at = 0 AND until > ?", at, id, at)
	return n == 1, wrap("end a view of staff", err)
}

func (t *tx) StaffViewsOf(a *account.Account, most int) ([]mydata.StaffView, error) {
	query := t.db.Where(ofRegistration, person(a)).Order("at DESC, id DESC").Limit(most)
	return findAll("find views of staff", query, func(row staffViewRow) mydata.StaffView {
		return mydata.StaffView{At: row.At, Role: row.Role, Purpose: row.Purpose}
	})
}
