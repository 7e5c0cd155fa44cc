package mydata

import (
	"context"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/document"
)

// Overview is what My data shows.
type Overview struct {
	Account   account.Account
	Documents []document.Document // of every application, also of one whose fee went back; the oldest first
	Views     []document.View     // those of others before the own ones, the latest first, at most mostViews
	Others    int                 // how often anybody but the person has opened a document
	Choices   []Choice
	Minor     bool    // under 18: nobody asks for a yes, which would be no consent (DPDP Act, section 9)
	Export    *Export // the last one that was asked for
	Deletion  *Deletion
	Open      bool // a deletion would be postponed now: money still moves
	Sessions  []access.Session
}

const mostViews = 50

// Overview returns what the visitor sees of the own data.
func (s *Service) Overview(ctx context.Context, v admission.Visitor) (o Overview, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		a, err := own(tx, v)
		if err != nil {
			return err
		}
		o = Overview{Account: *a}
		if err := o.addDocuments(tx, a); err != nil {
			return err
		}
		if o.Choices, err = choices(tx, proven(a)); err != nil {
			return err
		}
		if o.Minor, err = tx.UnderEighteen(a.ID); err != nil {
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

// addDocuments adds what is held of documents, and who has opened them.
func (o *Overview) addDocuments(tx Tx, a *account.Account) (err error) {
	if o.Documents, err = tx.HeldDocuments(a, mostRows); err != nil {
		return err
	}
	if o.Others, err = tx.ViewsByOthers(a); err != nil {
		return err
	}
	if o.Others > 0 {
		if o.Views, err = tx.ViewsOf(a, true, mostViews); err != nil {
			return err
		}
	}
	own, err := tx.ViewsOf(a, false, mostViews-len(o.Views))
	o.Views = append(o.Views, own...)
	return err
}

// Deletion returns the visitor's request to be deleted that stands; nil for none.
func (s *Service) Deletion(ctx context.Context, v admission.Visitor) (d *Deletion, err error) {
	if v.AccountID == "" {
		return nil, nil
	}
	err = s.Store.Read(ctx, func(tx Tx) (err error) { // for every page of who is signed in
		d, err = tx.OpenDeletion(v.AccountID)
		return err
	})
	return d, err
}
