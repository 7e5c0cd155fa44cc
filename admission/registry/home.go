package registry

import (
	"context"

	"hiresure/admission"
	"hiresure/admission/status"
)

// Home is what a person sees first of all own registrations.
type Home struct {
	Next   *Item // what waits for the person, or else what has changed last; nil: there is none
	Ticket *Item // the latest that owns a ticket of an exam; nil for none
}

// homeBatch is how many registrations are looked through at once.
const homeBatch = 20

// Home looks through all registrations of the visitor's account, the latest change first.
func (s *Service) Home(ctx context.Context, v admission.Visitor) (home Home, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		home = Home{}
		cursor, waits := "", false
		for {
			page, next, err := tx.RegistrationsBehind(v.AccountID, cursor, homeBatch)
			if err != nil {
				return err
			}
			items, err := s.items(tx, page)
			if err != nil {
				return err
			}
			for i := range items {
				item := &items[i]
				if home.Next == nil || !waits && item.Assignee == status.Person {
					home.Next, waits = item, item.Assignee == status.Person
				}
				if r := item.Registration; home.Ticket == nil && r.Ticket != "" && !r.Refunded && item.Transaction != nil {
					home.Ticket = item
				}
			}
			if cursor = next; cursor == "" || waits && home.Ticket != nil {
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
