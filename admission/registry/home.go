package registry

import (
	"context"
	"slices"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/status"
)

// Home is the summary of a person's registrations.
type Home struct {
	Next   *Item // needs the person's action, or else changed last; nil: none
	Ticket *Item // the latest with an exam ticket; nil: none
}

// homeBatch is the number of registrations read at once.
const homeBatch = 20

// HomeWithoutAccount returns the last enrolment that the visitor's session may see. For a phone that it verified it is that
// phone's; "" means any.
func (s *Service) HomeWithoutAccount(ctx context.Context, v admission.Visitor, phone string) (home Home, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		home = Home{}
		session, err := tx.Session(v.SessionID)
		if err != nil || session == nil || session.AccountID != "" {
			return err
		}
		for _, id := range slices.Backward(session.Registered) {
			r, err := tx.Registration(id)
			if err != nil {
				return err
			}
			if !r.HasPerson() || r.IsApplication() || phone != "" && r.Phone != phone {
				continue
			}
			items, err := s.Items(tx, []enrol.Registration{*r})
			if err != nil {
				return err
			}
			home.Next = &items[0]
			home.setTicket(home.Next)
			return nil
		}
		return nil
	})
	return home, err
}

// setTicket makes an item the ticket if it has one and there is none yet.
func (h *Home) setTicket(item *Item) {
	if r := item.Registration; h.Ticket == nil && r.Ticket != "" && !r.Refunded && item.Transaction != nil {
		h.Ticket = item
	}
}

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
			items, err := s.Items(tx, page)
			if err != nil {
				return err
			}
			for i := range items {
				item := &items[i]
				if home.Next == nil || !needsAction && item.Assignee == status.Person {
					home.Next, needsAction = item, item.Assignee == status.Person
				}
				home.setTicket(item)
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
