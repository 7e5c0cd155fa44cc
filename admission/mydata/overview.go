package mydata

import (
	"context"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
)

// Overview is what My data shows.
type Overview struct {
	Account  account.Account
	Choices  []Choice
	Export   *Export // the last one that was asked for
	Deletion *Deletion
	Open     bool // a deletion would be postponed now: money still moves
	Sessions []access.Session
}

// Overview returns what the visitor sees of the own data.
func (s *Service) Overview(ctx context.Context, v admission.Visitor) (o Overview, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		a, err := own(tx, v)
		if err != nil {
			return err
		}
		o = Overview{Account: *a}
		if o.Choices, err = choices(tx, proven(a)); err != nil {
			return err
		}
		if o.Export, err = tx.LatestExport(a.ID); err != nil {
			return err
		}
		if o.Deletion, err = tx.OpenDeletion(a.ID); err != nil {
			return err
		}
		if o.Open, err = tx.Unsettled(a.ID, s.Clock().Add(-stillPolled)); err != nil {
			return err
		}
		o.Sessions, err = tx.SessionsOf(a.ID)
		return err
	})
	return o, err
}

// Deletion returns the visitor's request to be deleted that stands; nil for none.
func (s *Service) Deletion(ctx context.Context, v admission.Visitor) (d *Deletion, err error) {
	if v.AccountID == "" {
		return nil, nil
	}
	err = s.Store.View(ctx, func(tx Tx) (err error) {
		d, err = tx.OpenDeletion(v.AccountID)
		return err
	})
	return d, err
}
