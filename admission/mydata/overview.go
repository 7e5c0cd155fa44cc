package mydata

import (
	"context"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/document"
)

// Overview is the content of the page My data.
type Overview struct {
	Account   account.Account
	Documents []document.Document // of all applications, including refunded ones; oldest first
	Views     []document.View     // by others first, then own; latest first, at most mostViews
	Others    int                 // number of views by others
	Looks     []StaffView         // latest first, at most maxViews
	Choices   []Choice
	Minor     bool    // under 18: consent is not asked for, as it would be invalid (DPDP Act, section 9)
	Export    *Export // the latest
	Deletion  *Deletion
	Money     Unsettled
	Sessions  []access.Session
}

// StaffView is a time that staff looked at a person's pages as that person.
type StaffView struct {
	At            time.Time
	Role, Purpose string
}

const maxViews = 50

// Overview returns the visitor's own data.
func (s *Service) Overview(ctx context.Context, v admission.Visitor) (o Overview, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		a, err := visitorAccount(tx, v)
		if err != nil {
			return err
		}
		o = Overview{Account: *a}
		if err := o.addDocuments(tx, a); err != nil {
			return err
		}
		if o.Looks, err = tx.StaffViewsOf(a, maxViews); err != nil {
			return err
		}
		if o.Choices, err = choices(tx, verifiedAddresses(a)); err != nil {
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
		if o.Money, err = tx.Unsettled(a.ID, s.Clock().Add(-lateSuccessPeriod)); err != nil {
			return err
		}
		o.Sessions, err = tx.SessionsOf(a.ID)
		return err
	})
	return o, err
}

// addDocuments adds documents and their views.
func (o *Overview) addDocuments(tx Tx, a *account.Account) (err error) {
	if o.Documents, err = tx.PersonDocuments(a, maxRows); err != nil {
		return err
	}
	if o.Others, err = tx.ViewsByOthers(a); err != nil {
		return err
	}
	if o.Others > 0 {
		if o.Views, err = tx.ViewsOf(a, true, maxViews); err != nil {
			return err
		}
	}
	own, err := tx.ViewsOf(a, false, maxViews-len(o.Views))
	o.Views = append(o.Views, own...)
	return err
}

// Deletion returns the visitor's open deletion request, nil for none, and the money that may postpone it.
func (s *Service) Deletion(ctx context.Context, v admission.Visitor) (d *Deletion, money Unsettled, err error) {
	if v.AccountID == "" {
		return nil, money, nil
	}
	err = s.Store.Read(ctx, func(tx Tx) (err error) { // runs for every page of a signed-in visitor
		if d, err = tx.OpenDeletion(v.AccountID); err != nil || d == nil {
			return err
		}
		money, err = tx.Unsettled(v.AccountID, s.Clock().Add(-lateSuccessPeriod))
		return err
	})
	return d, money, err
}
