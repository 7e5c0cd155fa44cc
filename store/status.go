package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/registry"
	"hiresure/admission/status"
)

// UseEvents sets the programme events by which phases are decided. Call it before the first transaction; without it no event
// is known.
func (s *Store) UseEvents(events admission.Catalogue) { s.events = events }

// noEvents knows no event.
type noEvents struct{}

func (noEvents) EventBySlug(string) (event admission.Event, known bool) { return event, false }
func (noEvents) EventByCode(string) (event admission.Event, known bool) { return event, false }

// statusOf decides a status by the store's events and clock.
func (s *Store) statusOf(r *enrol.Registration, p status.Payment) status.Status {
	facts := status.Facts{Registration: *r, Payment: p}
	facts.Event, _ = s.events.EventByCode(r.EventCode)
	return status.Of(facts, s.clock())
}

// markChanged marks a registration whose phase the transaction may change. r is the registration as saved, or nil if only related
// rows change.
func (t *tx) markChanged(id string, r *enrol.Registration) {
	if t.phases == nil {
		t.phases = map[string]*enrol.Registration{}
	}
	if r != nil {
		copied := *r
		r = &copied
	} else {
		r = t.phases[id]
	}
	t.phases[id] = r
}

// writePhases sets the phases of the registrations that a transaction has changed, as its last statements.
func (s *Store) writePhases(t *tx) error {
	var unread, ask []string // registrations to load, and those whose payments to load
	for id, r := range t.phases {
		switch {
		case r == nil:
			unread, ask = append(unread, id), append(ask, id)
		case status.NeedsPayment(r):
			ask = append(ask, id)
		default:
			if err := t.setPhase(r, s.statusOf(r, status.Payment{})); err != nil {
				return err
			}
		}
	}
	if len(ask) == 0 {
		return nil
	}
	if len(unread) > 0 {
		var rows []registrationRow // locked like saved rows, so that the later of two transactions sees the other's changes
		if err := t.locked().Order("id").Find(&rows, "id IN ?", unread).Error; err != nil {
			return err
		}
		for i := range rows {
			t.phases[rows[i].ID] = (*enrol.Registration)(&rows[i])
		}
	}
	payments, err := t.PaymentFacts(ask)
	if err != nil {
		return err
	}
	slices.Sort(ask)
	for _, id := range ask {
		if r := t.phases[id]; r != nil { // nil if the transaction has deleted it
			if err := t.setPhase(r, s.statusOf(r, payments[id])); err != nil {
				return err
			}
		}
	}
	return nil
}

// setPhase stores a phase and the text of the badge if they differ.
func (t *tx) setPhase(r *enrol.Registration, to status.Status) error {
	until, badge := toMicros(to.Until), r.Status()
	return wrap("set phase", t.exec("UPDATE registrations SET phase = ?, phase_until = ?, profile_status = ? WHERE id = ? AND (phase <> ? OR phase_until <> ? OR profile_status <> ?)",
		to.Phase, until, badge, r.ID, to.Phase, until, badge))
}

// paymentFactsRow is a payment with the other facts of its registration's status.
type paymentFactsRow struct {
	Row         transactionRow `gorm:"embedded"` // exported for GORM
	Invoiced    bool
	ChargedBack bool
	RefundSent  int64 // in microseconds
}

func (t *tx) PaymentFacts(registrationIDs []string) (map[string]status.Payment, error) {
	var rows []paymentFactsRow
	err := t.db.Table("transactions").Select("transactions.*, EXISTS (SELECT 1 FROM invoices i WHERE i.txn_id = transactions.id) AS invoiced, "+
		"EXISTS (SELECT 1 FROM refunds f WHERE f.txn_id = transactions.id AND f.payment_id = transactions.payment_id AND f.state = ? AND f.reason = ?) AS charged_back, "+
		`(SELECT COALESCE(MAX(CASE WHEN f.posted_at > 0 THEN f.posted_at ELSE f.created_at END), 0) FROM refunds f
			WHERE f.txn_id = transactions.id AND f.payment_id = transactions.payment_id AND f.reason NOT IN ?
				AND f.state = CASE WHEN transactions.state = ? THEN ? ELSE ? END) AS refund_sent`,
		method.RefundDone, payment.ReasonDispute,
		[]payment.RefundReason{payment.ReasonRefundLoss, payment.ReasonDisputeLoss}, payment.RefundPending, method.RefundAccepted, method.RefundDone).
		Where(`id IN (
			SELECT CASE WHEN r.paid_txn_id <> '' THEN r.paid_txn_id ELSE (
				SELECT t.id FROM transactions t WHERE t.registration_id = r.id ORDER BY CASE WHEN t.state = ? THEN 0 ELSE 1 END, t.created_at DESC, t.id DESC LIMIT 1
			) END FROM registrations r WHERE r.id IN ?)`, payment.Review, registrationIDs).Find(&rows).Error
	facts := map[string]status.Payment{}
	for _, row := range rows {
		paid := payment.Transaction(row.Row)
		paid.Checkout = nil
		facts[paid.RegistrationID] = status.Payment{
			Transaction: &paid, Invoiced: row.Invoiced, Refund: status.Refund{SentAt: fromMicros(row.RefundSent), ChargedBack: row.ChargedBack},
		}
	}
	return facts, wrap("find payments of registrations", err)
}

func (t *tx) CountPhases(accountID string) (counts []registry.PhaseCount, err error) {
	err = t.db.Raw(`SELECT CASE WHEN event_code = ? THEN ? ELSE ? END AS product, phase, COUNT(*) AS n FROM registrations
		WHERE account_id = ? AND account_id <> '' GROUP BY 1, 2 ORDER BY 1, 2`,
		enrol.ApplicationCode, enrol.ProductApplication, enrol.ProductEnrolment, accountID).Scan(&counts).Error
	return counts, wrap("count phases", err)
}

// phaseList has the order of the index registrations_phase.
var phaseList = list[registrationRow]{
	name: "registrations in a phase", columns: []string{"modified_at", "id"}, down: true,
	position: func(row *registrationRow) []any { return []any{toMicros(row.ModifiedAt), row.ID} },
}

func (t *tx) RegistrationsInPhase(phase status.Phase, cursor string, limit int) (page []enrol.Registration, next string, err error) {
	rows, next, err := phaseList.page(t, string(phase), func(db *gorm.DB) *gorm.DB { return db.Where("phase = ?", phase) }, cursor, limit)
	return toRegistrations(rows), next, err
}

const phaseBatch = 200 // registrations that one transaction renews

// renewPhases renews a batch of phases, and of the terms by which staff find the registrations, of the ids that a query selects.
func (s *Store) renewPhases(ctx context.Context, query string, args ...any) (ids []string, err error) {
	err = s.update(ctx, func(t *tx) error {
		ids = nil
		if err := t.db.Raw(query+" LIMIT ?", append(slices.Clone(args), phaseBatch)...).Scan(&ids).Error; err != nil {
			return err
		}
		for _, id := range ids {
			t.markChanged(id, nil)
		}
		return t.renewTerms(ids)
	})
	return ids, err
}

// RenewPhases renews the phases whose time has passed, and those of rows that an older version of the program has written.
func (s *Store) RenewPhases(ctx context.Context) error {
	for {
		ids, err := s.renewPhases(ctx, "SELECT id FROM registrations WHERE phase_until > 0 AND phase_until <= ? ORDER BY phase_until", toMicros(s.clock()))
		if err != nil || len(ids) < phaseBatch {
			return wrap("renew phases", err)
		}
	}
}

// maxRenewed limits the registrations of one call of RenewEveryPhase.
const maxRenewed = 50 * phaseBatch

// RenewEveryPhase renews the phases of registrations with ids after one, which a revision of the content may change. It
// returns the id to continue after, "" at the end.
func (s *Store) RenewEveryPhase(ctx context.Context, after string) (next string, err error) {
	for renewed := 0; renewed < maxRenewed; renewed += phaseBatch {
		ids, err := s.renewPhases(ctx, "SELECT id FROM registrations WHERE id > ? ORDER BY id", after)
		if err != nil {
			return "", wrap("renew every phase", err)
		}
		if len(ids) < phaseBatch {
			return "", nil
		}
		after = ids[len(ids)-1]
	}
	return after, nil
}

// checkPhases reports each registration whose phase contradicts its facts. An expired phase counts after phaseMargin, as the
// job that renews it may be late.
func (s *Store) checkPhases(t *tx, report func(string)) error {
	now, after := s.clock(), ""
	for {
		var rows []struct {
			ID, Phase  string
			PhaseUntil int64
		}
		if err := t.db.Raw("SELECT id, phase, phase_until FROM registrations WHERE id > ? ORDER BY id LIMIT ?", after, phaseBatch).Scan(&rows).Error; err != nil {
			return err
		}
		if len(rows) == 0 {
			return nil
		}
		ids := make([]string, len(rows))
		for i, row := range rows {
			ids[i] = row.ID
		}
		after = ids[len(ids)-1]
		var registrations []registrationRow
		if err := t.db.Find(&registrations, "id IN ?", ids).Error; err != nil {
			return err
		}
		payments, err := t.PaymentFacts(ids)
		if err != nil {
			return err
		}
		byID := map[string]*enrol.Registration{}
		for i := range registrations {
			byID[registrations[i].ID] = (*enrol.Registration)(&registrations[i])
		}
		for _, row := range rows {
			ended := now.Sub(fromMicros(row.PhaseUntil)) // of a phase without an end, more than any margin
			late := ended >= 0 && ended < phaseMargin
			if want := s.statusOf(byID[row.ID], payments[row.ID]); string(want.Phase) != row.Phase && !late {
				report(fmt.Sprintf("registration %s has the phase %q, and its facts amount to %q", row.ID, row.Phase, want.Phase))
			}
		}
	}
}

// phaseMargin is how late the job that renews phases may be.
const phaseMargin = 15 * time.Minute
