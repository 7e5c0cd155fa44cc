package registry

import (
	"context"

	"hiresure/admission"
	"hiresure/admission/status"
)

// Home is the summary of a person's registrations.
type Home struct {
	Next   *Item // needs the person's action, or else changed last; nil: none
	Ticket *Item // the latest with an exam ticket; nil: none
}

// homeBatch is the number of registrations read at once.
const homeBatch = 20

// Home returns the summary of the visitor's registrations.
func (s *Service) Home(ctx context.Context, v admission.Visitor) (home Home, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		home = Home{}
		cursor, needsAction := "", false
		for {
			page, next, err := tx.RegistrationsPage(v.AccountID, cursor, homeBatch)
			if err != nil {
				return err
			}
			items, err := s.items(tx, page)
			if err != nil {
				return err
			}
			for i := range items {
				item := &items[i]
				if home.Next == nil || !needsAction && item.Assignee == status.Person {
					home.Next, needsAction = item, item.Assignee == status.Person
				}
				if r := item.Registration; home.Ticket == nil && r.Ticket != "" && !r.Refunded && item.Transaction != nil {
					home.Ticket = item
				}
			}
			if cursor = next; cursor == "" || needsAction && home.Ticket != nil {
				break
			}
		}
		if home.Next == nil {
			return nil
		}
		return withDocuments(tx, home.Next)
	})
	return home, err
}
