package mydata

import (
	"context"
	"time"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/message"
)

const (
	coolOff     = 7 * 24 * time.Hour
	lookAgain   = 24 * time.Hour     // at money that still moves
	stillPolled = 7 * 24 * time.Hour // so long a payment that was given up may still succeed
	lastWords   = 7 * 24 * time.Hour // so long we try to deliver the last message
	askDelivery = time.Minute        // whether it has arrived
)

// Deletion is a person's request to be deleted. What is left of it when it is done names nobody.
type Deletion struct {
	ID          string
	AccountID   string
	AskedAt     time.Time
	DueAt       time.Time // after which it cannot be taken back
	PostponedAt time.Time // money still moved then; zero where it never did
	DoneAt      time.Time // everything is deleted but the message that says so
	ClosedAt    time.Time // taken back, or done whole
}

// AskDeletion notes that the visitor, who has signed in a moment ago, wants to be deleted in seven days, and writes to the
// person. Again it changes nothing.
func (s *Service) AskDeletion(ctx context.Context, v admission.Visitor) error {
	if err := s.checkFresh(ctx, v); err != nil {
		return err
	}
	return s.Store.Update(ctx, func(tx Tx) error {
		a, err := own(tx, v)
		if err != nil {
			return err
		}
		open, err := tx.OpenDeletion(a.ID)
		if err != nil || open != nil {
			return err
		}
		if err := s.take(tx, v, "delete", a); err != nil {
			return err
		}
		now := s.Clock()
		d := Deletion{ID: admission.NewID(), AccountID: a.ID, AskedAt: now, DueAt: now.Add(coolOff)}
		if err := tx.SaveDeletion(&d); err != nil {
			return err
		}
		if err := tx.AddJob(admission.Job{Kind: JobDelete, Ref: d.ID, DueAt: d.DueAt}); err != nil {
			return err
		}
		return s.tell(tx, a, "deletion-asked:"+d.ID, "deletion-asked", map[string]string{"When": admission.Moment(d.DueAt)}, dataLink, leavingPage)
	})
}

// KeepAccount takes the visitor's request back, as long as nothing is deleted, and writes to the person. Without one it changes
// nothing.
func (s *Service) KeepAccount(ctx context.Context, v admission.Visitor) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		a, err := own(tx, v)
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
		return s.tell(tx, a, "deletion-kept:"+open.ID, "deletion-kept", askedOn(open), dataLink, dataPage)
	})
}

// Delete is the work of JobDelete: when the seven days are over and no money moves any more, everything goes that no law
// keeps; then the message that says so, once it has arrived.
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
	if wait := d.DueAt.Sub(s.Clock()); wait > 0 { // a clock was set back
		return wait, nil
	}
	var found Traces
	since := s.Clock().Add(-time.Minute) // what is under way has looked at its clock already
	if ready {                           // the look through the tables takes its time, and holds up nobody
		if err := s.Store.PatientView(ctx, func(tx Tx) error {
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
		d, a, err := s.standing(tx, id)
		if err != nil || a == nil {
			return err
		}
		unsettled, err := tx.Unsettled(a.ID, s.Clock().Add(-stillPolled))
		if err != nil {
			return err
		}
		if unsettled {
			again = lookAgain
			return s.postpone(tx, d, a)
		}
		if again = askDelivery; found == nil { // it has settled in this moment
			return nil
		}
		if err := tx.DeleteSessionsOf(a.ID); err != nil { // waits for who still writes; from here on nobody does
			return err
		}
		if err := tx.TracesSince(a, found, since); err != nil {
			return err
		}
		return s.erase(tx, d, a, found)
	})
	return again, err
}

// standing returns a request that stands, and its person, both locked; nobody where it does not.
func (s *Service) standing(tx Tx, id string) (*Deletion, *account.Account, error) {
	d, err := tx.DeletionForUpdate(id)
	if err != nil || d == nil || !d.ClosedAt.IsZero() || !d.DoneAt.IsZero() {
		return nil, nil, err
	}
	a, err := tx.AccountForUpdate(d.AccountID)
	return d, a, err
}

// due returns the deletion that a job is about, nil where it was taken back; ready says that it is time, and no money moves.
func (s *Service) due(tx Tx, id string) (d *Deletion, ready bool, err error) {
	d, err = tx.DeletionForUpdate(id)
	if err != nil || d == nil || !d.ClosedAt.IsZero() {
		return nil, false, err
	}
	if !d.DoneAt.IsZero() || s.Clock().Before(d.DueAt) {
		return d, false, nil
	}
	unsettled, err := tx.Unsettled(d.AccountID, s.Clock().Add(-stillPolled))
	return d, !unsettled, err
}

// postpone notes since when money still moves, and tells the person once.
func (s *Service) postpone(tx Tx, d *Deletion, a *account.Account) error {
	if !d.PostponedAt.IsZero() {
		return nil
	}
	d.PostponedAt = s.Clock()
	if err := tx.SaveDeletion(d); err != nil {
		return err
	}
	return s.tell(tx, a, "deletion-postponed:"+d.ID, "deletion-postponed", askedOn(d), dataLink, leavingPage)
}

func (s *Service) erase(tx Tx, d *Deletion, a *account.Account, found Traces) error {
	if err := tx.Erase(a, found, s.Clock()); err != nil {
		return err
	}
	d.DoneAt, d.AccountID = s.Clock(), ""
	if err := tx.SaveDeletion(d); err != nil {
		return err
	}
	return s.tell(tx, a, lastCause(d.ID), "deletion-done", askedOn(d), privacyLink, privacyPage)
}

func askedOn(d *Deletion) map[string]string {
	return map[string]string{"Asked": admission.Date(d.AskedAt)}
}

func lastCause(id string) string { return "deletion-done:" + id }

// forgetLast deletes the last message with its address, once it has arrived or was tried for long enough.
func (s *Service) forgetLast(ctx context.Context, d *Deletion) (again time.Duration, err error) {
	err = s.Store.Update(ctx, func(tx Tx) error {
		var m *message.Message
		if m, err = tx.MessageOf(lastCause(d.ID)); err != nil {
			return err
		}
		if again = 0; m != nil && m.SentAt.IsZero() && s.Clock().Before(d.DoneAt.Add(lastWords)) {
			again = askDelivery
			return nil
		}
		if err := tx.ForgetMessage(lastCause(d.ID)); err != nil {
			return err
		}
		d.ClosedAt = s.Clock()
		return tx.SaveDeletion(d)
	})
	return again, err
}
