package office

import (
	"context"
	"strconv"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/staff"
)

// SavedView is a saved filter of the list of registrations. Filter is an encoded query of an address, without a text that was searched.
type SavedView struct {
	ID, AccountID string // AccountID: who saved it
	Name, Filter  string
	Shared        bool // everybody sees it
	CreatedAt     time.Time
}

// Limits of views, in characters and per account.
const (
	MaxViewName   = 60
	maxViewFilter = 1000
	maxViews      = 50
)

// ChangesView reports whether somebody may rename and remove a view: who saved it and, if everybody sees it, an admin.
func ChangesView(p *staff.Person, v SavedView) bool {
	return v.AccountID == p.ID || v.Shared && p.Can(staff.ManageStaff)
}

// checkViewName returns the name without spaces around it. Problem: Invalid for field name.
func checkViewName(name string) (string, error) {
	name = strings.TrimSpace(name)
	switch n := len([]rune(name)); {
	case n == 0:
		return "", admission.FieldProblem("name", "Write a name for this view")
	case n > MaxViewName:
		return "", admission.FieldProblem("name", "Use at most "+strconv.Itoa(MaxViewName)+" characters")
	}
	return name, nil
}

// checkViews returns Invalid for field name if another view of the same account has the name.
func checkViews(views []SavedView, v SavedView) error {
	for _, other := range views {
		if other.ID != v.ID && other.AccountID == v.AccountID && strings.EqualFold(other.Name, v.Name) {
			return admission.FieldProblem("name", "You have a view with this name already")
		}
	}
	return nil
}

// subject names a view in the log. Its name may name a person and is left out.
func (v SavedView) subject() string { return "view " + v.ID }

func (v SavedView) seenBy() string {
	if v.Shared {
		return "for everybody"
	}
	return "for one person"
}

// Views returns the views of an account and those that everybody sees, by name.
func (s *Service) Views(ctx context.Context, accountID string) (views []SavedView, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		views, err = tx.SavedViews(accountID)
		return err
	})
	return views, err
}

// SaveView saves a filter for somebody, or for everybody. Problems: Invalid for field name.
func (s *Service) SaveView(ctx context.Context, p *staff.Person, name, filter string, shared bool, by staff.Actor) error {
	name, err := checkViewName(name)
	if err != nil {
		return err
	}
	if len([]rune(filter)) > maxViewFilter {
		return admission.FieldProblem("name", "These filters are too long to save. Remove one first")
	}
	return s.Store.Update(ctx, func(tx Tx) error {
		if _, err := tx.StaffAccountForUpdate(p.ID); err != nil { // a double press waits here
			return err
		}
		views, err := tx.SavedViews(p.ID)
		if err != nil {
			return err
		}
		own := 0
		for _, v := range views {
			if v.AccountID == p.ID {
				own++
			}
		}
		v := SavedView{ID: admission.NewID(), AccountID: p.ID, Name: name, Filter: filter, Shared: shared, CreatedAt: s.Clock()}
		if err := checkViews(views, v); err != nil {
			return err
		}
		if own >= maxViews {
			return admission.FieldProblem("name", "You have "+strconv.Itoa(maxViews)+" views. Remove one first")
		}
		if err := tx.AddSavedView(v); err != nil {
			return err
		}
		return tx.LogAct(by.Did(v.CreatedAt, "saved a view", v.subject(), "", v.seenBy()))
	})
}

// RenameView renames a view that was called was when its page was shown. Problems: NotFound, also for views that the person may not change,
// Conflict if it has another name now, Invalid for field name.
func (s *Service) RenameView(ctx context.Context, p *staff.Person, id, was, name string, by staff.Actor) error {
	name, err := checkViewName(name)
	if err != nil {
		return err
	}
	return s.changeView(ctx, p, id, func(tx Tx, v SavedView) error {
		if v.Name != was {
			return admission.ConflictProblem("name", "This view was renamed to “"+v.Name+"” after you opened this page. Nothing was changed")
		}
		v.Name = name
		views, err := tx.SavedViews(v.AccountID)
		if err != nil {
			return err
		}
		if err := checkViews(views, v); err != nil {
			return err
		}
		if err := tx.RenameSavedView(v.ID, v.Name); err != nil {
			return err
		}
		return tx.LogAct(by.Did(s.Clock(), "renamed a view", v.subject(), "", v.seenBy()))
	})
}

// RemoveView removes a view. Problem: NotFound, also for views that the person may not change.
func (s *Service) RemoveView(ctx context.Context, p *staff.Person, id string, by staff.Actor) error {
	return s.changeView(ctx, p, id, func(tx Tx, v SavedView) error {
		if err := tx.DeleteSavedView(v.ID); err != nil {
			return err
		}
		return tx.LogAct(by.Did(s.Clock(), "removed a view", v.subject(), v.seenBy(), ""))
	})
}

// changeView locks the owner of a view that somebody may change, and calls work.
func (s *Service) changeView(ctx context.Context, p *staff.Person, id string, work func(tx Tx, v SavedView) error) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		find := func() (*SavedView, error) {
			v, err := tx.SavedView(id)
			if err == nil && (v == nil || !ChangesView(p, *v)) {
				err = admission.NotFoundProblem("View")
			}
			return v, err
		}
		v, err := find()
		if err != nil {
			return err
		}
		if _, err := tx.StaffAccountForUpdate(v.AccountID); err != nil {
			return err
		}
		if v, err = find(); err != nil { // as it is once nobody else changes it
			return err
		}
		return work(tx, *v)
	})
}
