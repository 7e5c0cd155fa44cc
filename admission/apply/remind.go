package apply

import (
	"context"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/paths"
)

// remindAfter is how long an application stands still before its first, second and third reminder. There is no fourth, however
// often it moves on in between.
var remindAfter = []time.Duration{24 * time.Hour, 3 * 24 * time.Hour, 7 * 24 * time.Hour}

// remindLater adds the job that looks after an application which stands still. Whoever has agreed to reminders by then, gets one.
func (s *Service) remindLater(tx Tx, r *enrol.Registration) error {
	return tx.AddJob(admission.Job{Kind: JobRemind, Ref: r.ID, DueAt: s.Clock().Add(remindAfter[0])})
}

// Remind is the work of JobRemind: a mail to somebody who stopped midway, agreed to reminders and still does. It returns when to
// look again; 0 for never. What has moved on since, or was typed into, is left in peace for as long again.
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
		typedAt, err := tx.LastDraftAt(r.ID)
		if err != nil {
			return err
		}
		still := r.ModifiedAt
		if typedAt.After(still) {
			still = typedAt
		}
		if again = still.Add(remindAfter[r.Reminded]).Sub(s.Clock()); again > 0 {
			return nil
		}
		again = 0
		held, err := tx.LastConsents(r.Phone)
		if err != nil || !held["reminders"].Given {
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

// title is what a page is called.
func (s *Service) title(place enrol.Place) string {
	switch place {
	case enrol.PlaceReview:
		return "Review"
	case enrol.PlacePayment:
		return "Payment"
	}
	return s.form().Step(string(place)).Title
}
