package mydata

import (
	"context"
	"time"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/message"
)

const (
	cancelPeriod          = 7 * 24 * time.Hour
	moneyCheckInterval    = 24 * time.Hour     // interval of checks for unsettled money
	lateSuccessPeriod     = 7 * 24 * time.Hour // an expired payment may still succeed for this long
	lastMessageTimeout    = 7 * 24 * time.Hour // how long delivery of the last message is tried
	deliveryCheckInterval = time.Minute        // interval of checks for its delivery
)

// Deletion is a person's deletion request. After completion it contains no personal data.
type Deletion struct {
	ID          string
	AccountID   string
	AskedAt     time.Time
	DueAt       time.Time // end of the time to cancel
	PostponedAt time.Time // first time that unsettled money postponed it; zero for never
	DoneAt      time.Time // all data but the last message is deleted
	ClosedAt    time.Time // cancelled, or completed
}

// UnsettledKind is why money is unsettled; of several, the greatest counts.
type UnsettledKind int

const (
	Settled       UnsettledKind = iota
	MayArrive                   // a payment failed or expired, and may still succeed
	PaymentOpen                 // started, and perhaps never made
	PaymentReview               // received, and being checked
	RefundOpen                  // due or sent
	DisputeOpen
)

// Unsettled is money that postpones a deletion.
type Unsettled struct {
	Kind      UnsettledKind
	CreatedAt time.Time // of the payment
}

// Until returns when a payment that may still arrive no longer does.
func (u Unsettled) Until() time.Time { return u.CreatedAt.Add(lateSuccessPeriod) }

// Delays reports whether a payment may still arrive after the day of the deletion.
func (u Unsettled) Delays(d Deletion) bool {
	return (u.Kind == MayArrive || u.Kind == PaymentOpen) && u.Until().After(d.DueAt)
}

// RequestDeletion requests the deletion of the visitor, who must have signed in recently, in seven days, and notifies the person. It does
// nothing if it was requested already.
func (s *Service) RequestDeletion(ctx context.Context, v admission.Visitor) error {
	if err := s.checkFresh(ctx, v); err != nil {
		return err
	}
	return s.Store.Update(ctx, func(tx Tx) error {
		a, err := visitorAccount(tx, v)
		if err != nil {
			return err
		}
		open, err := tx.OpenDeletion(a.ID)
		if err != nil || open != nil {
			return err
		}
		if err := s.limitRequests(tx, v, "delete", a); err != nil {
			return err
		}
		now := s.Clock()
		d := Deletion{ID: admission.NewID(), AccountID: a.ID, AskedAt: now, DueAt: now.Add(cancelPeriod)}
		if err := tx.SaveDeletion(&d); err != nil {
			return err
		}
		if err := tx.AddJob(admission.Job{Kind: JobDelete, Ref: d.ID, DueAt: d.DueAt}); err != nil {
			return err
		}
		return s.notify(tx, a, "deletion-asked:"+d.ID, "deletion-asked", map[string]string{"When": admission.Moment(d.DueAt)}, dataLink, leavingPage)
	})
}

// CancelDeletion cancels the visitor's deletion request, unless the deletion has begun, and notifies the person. It does nothing without one.
func (s *Service) CancelDeletion(ctx context.Context, v admission.Visitor) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		a, err := visitorAccount(tx, v)
		if err != nil {
			return err
		}
		open, err := tx.OpenDeletion(a.ID)
		if err != nil || open == nil {
			return err
		}
		open.ClosedAt = s.Clock()
		if err := tx.SaveDeletion(open); err != nil {
			return err
		}
		return s.notify(tx, a, "deletion-kept:"+open.ID, "deletion-kept", askedOn(open), dataLink, dataPage)
	})
}

// Delete handles JobDelete: after seven days, once no money is unsettled, it deletes all data that the law does not require, and after its
// delivery also the last message.
func (s *Service) Delete(ctx context.Context, id string) (again time.Duration, err error) {
	var d *Deletion
	var ready bool
	if err := s.Store.View(ctx, func(tx Tx) (err error) {
		d, ready, err = s.due(tx, id)
		return err
	}); err != nil || d == nil {
		return 0, err
	}
	if !d.DoneAt.IsZero() {
		return s.forgetLast(ctx, d)
	}
	if wait := d.DueAt.Sub(s.Clock()); wait > 0 { // the clock was set back
		return wait, nil
	}
	var found Traces
	since := s.Clock().Add(-time.Minute) // covers transactions that began before
	if ready {                           // the search is slow, so it runs without locks
		if err := s.Store.LongView(ctx, func(tx Tx) error {
			a, err := tx.Account(d.AccountID)
			if err == nil && a != nil {
				found, err = tx.Traces(a)
			}
			return err
		}); err != nil {
			return 0, err
		}
	}
	err = s.Store.Update(ctx, func(tx Tx) error {
		again = 0
		d, a, err := s.openDeletion(tx, id)
		if err != nil || a == nil {
			return err
		}
		unsettled, err := tx.Unsettled(a.ID, s.Clock().Add(-lateSuccessPeriod))
		if err != nil {
			return err
		}
		if unsettled.Kind != Settled {
			again = moneyCheckInterval
			return s.postpone(tx, d, a)
		}
		if again = deliveryCheckInterval; found == nil { // settled just now
			return nil
		}
		if err := tx.DeleteSessionsOf(a.ID); err != nil { // waits for running writes; later ones find no session
			return err
		}
		if err := tx.TracesSince(a, found, since); err != nil {
			return err
		}
		return s.erase(tx, d, a, found)
	})
	return again, err
}

// openDeletion returns an open request and its account, both locked; nil if it is not open.
func (s *Service) openDeletion(tx Tx, id string) (*Deletion, *account.Account, error) {
	d, err := tx.DeletionForUpdate(id)
	if err != nil || d == nil || !d.ClosedAt.IsZero() || !d.DoneAt.IsZero() {
		return nil, nil, err
	}
	a, err := tx.AccountForUpdate(d.AccountID)
	return d, a, err
}

// due returns the deletion of a job, nil if it was cancelled. ready reports whether it is due and no money is unsettled.
func (s *Service) due(tx Tx, id string) (d *Deletion, ready bool, err error) {
	d, err = tx.DeletionForUpdate(id)
	if err != nil || d == nil || !d.ClosedAt.IsZero() {
		return nil, false, err
	}
	if !d.DoneAt.IsZero() || s.Clock().Before(d.DueAt) {
		return d, false, nil
	}
	unsettled, err := tx.Unsettled(d.AccountID, s.Clock().Add(-lateSuccessPeriod))
	return d, unsettled.Kind == Settled, err
}

// postpone records that unsettled money postpones a deletion and notifies the person once.
func (s *Service) postpone(tx Tx, d *Deletion, a *account.Account) error {
	if !d.PostponedAt.IsZero() {
		return nil
	}
	d.PostponedAt = s.Clock()
	if err := tx.SaveDeletion(d); err != nil {
		return err
	}
	return s.notify(tx, a, "deletion-postponed:"+d.ID, "deletion-postponed", askedOn(d), dataLink, leavingPage)
}

func (s *Service) erase(tx Tx, d *Deletion, a *account.Account, found Traces) error {
	if err := tx.Erase(a, found, s.Clock()); err != nil {
		return err
	}
	d.DoneAt, d.AccountID = s.Clock(), ""
	if err := tx.SaveDeletion(d); err != nil {
		return err
	}
	return s.notify(tx, a, lastCause(d.ID), "deletion-done", askedOn(d), privacyLink, privacyPage)
}

func askedOn(d *Deletion) map[string]string {
	return map[string]string{"Asked": admission.Date(d.AskedAt)}
}

func lastCause(id string) string { return "deletion-done:" + id }

// forgetLast deletes the last message, and with it the address, after its delivery or lastWords.
func (s *Service) forgetLast(ctx context.Context, d *Deletion) (again time.Duration, err error) {
	err = s.Store.Update(ctx, func(tx Tx) error {
		var m *message.Message
		if m, err = tx.MessageOf(lastCause(d.ID)); err != nil {
			return err
		}
		if again = 0; m != nil && m.SentAt.IsZero() && s.Clock().Before(d.DoneAt.Add(lastMessageTimeout)) {
			again = deliveryCheckInterval
			return nil
		}
		if err := tx.DeleteMessage(lastCause(d.ID)); err != nil {
			return err
		}
		d.ClosedAt = s.Clock()
		return tx.SaveDeletion(d)
	})
	return again, err
}
