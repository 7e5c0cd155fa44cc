package apply

import (
	"context"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/paths"
)

// remindAfter lists the inactivity before each reminder of an application. There are three in all, however often it
// moves on.
var remindAfter = []time.Duration{24 * time.Hour, 3 * 24 * time.Hour, 7 * 24 * time.Hour}

// queueReminder queues JobRemind, which checks for consent when it runs.
func (s *Service) queueReminder(tx Tx, r *enrol.Registration) error {
	return tx.AddJob(admission.Job{Kind: JobRemind, Ref: r.ID, DueAt: s.Clock().Add(remindAfter[0])})
}

// Remind handles JobRemind: it mails a reminder of an unfinished application if its person consents to reminders. It
// returns the delay before the next check (0: none). An application or draft changed since is not due yet.
func (s *Service) Remind(ctx context.Context, registrationID string) (again time.Duration, err error) {
	err = s.Store.Update(ctx, func(tx Tx) error {
		again = 0
		r, err := tx.RegistrationForUpdate(registrationID)
		if err != nil || r == nil || r.Refunded || r.Paid() || r.Reminded >= len(remindAfter) {
			return err
		}
		event, known := s.Events.EventByCode(r.EventCode)
		if !known || event.Closed(s.Clock()) != "" {
			return nil
		}
		lastChange, err := tx.LastDraftAt(r.ID)
		if err != nil {
			return err
		}
		if lastChange.Before(r.ModifiedAt) {
			lastChange = r.ModifiedAt
		}
		if again = lastChange.Add(remindAfter[r.Reminded]).Sub(s.Clock()); again > 0 {
			return nil
		}
		again = 0
		consents, err := tx.LastConsents(r.Phone)
		if err != nil || !consents["reminders"].Given {
			return err
		}
		r.Reminded++
		if err := s.sendReminder(tx, r, event); err != nil {
			return err
		}
		if r.Reminded < len(remindAfter) {
			again = remindAfter[r.Reminded] - remindAfter[r.Reminded-1]
		}
		return tx.SaveRegistration(r)
	})
	return again, err
}

func (s *Service) sendReminder(tx Tx, r *enrol.Registration, event admission.Event) error {
	params := map[string]string{"Name": r.FullName, "Programme": event.Title, "Next": s.title(r.Step.Fact().Lands), "ContinueURL": s.BaseURL + paths.Form}
	number := string(rune('0' + r.Reminded))
	if r.Reminded == len(remindAfter) {
		params["Last"] = "yes"
	}
	return s.Messages.Send(tx, message.Message{Cause: "application-reminder:" + r.ID + ":" + number, Channel: message.Email, To: r.Email, Template: "application-reminder", Params: params})
}

// title returns a page's title.
func (s *Service) title(place enrol.Place) string {
	switch place {
	case enrol.PlaceReview:
		return "Review"
	case enrol.PlacePayment:
		return "Payment"
	}
	return s.form().Step(string(place)).Title
}
