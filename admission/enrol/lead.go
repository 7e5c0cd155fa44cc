package enrol

import (
	"context"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/message"
	"hiresure/paths"
)

// Lead is an abandoned enrolment of somebody who agreed to be reminded.
type Lead struct {
	ID, EventCode, FullName, Email, Phone string
	CreatedAt                             time.Time
}

// remindAfter is the delay before an abandoned enrolment's reminder.
const remindAfter = 24 * time.Hour

// SaveLead stores an abandoned enrolment once per e-mail and event. Without consent to reminders it rejects it. It
// reveals nothing about the person: it does the same for a known e-mail and does not look up registrations. JobLead and
// JobRemind check later whether the person has enrolled.
func (s *Service) SaveLead(ctx context.Context, v admission.Visitor, eventCode string, in map[string]string) error {
	event, err := s.openProgramme(eventCode, "")
	if err != nil {
		return err
	}
	clean, faults := s.form().CheckOnly(in, FormEnv(event, s.Clock()), "fullname", "email", "phone_number", "consents")
	if problem := admission.FormProblem(faults); problem != nil {
		return problem
	}
	if !strings.Contains(","+clean["consents"]+",", ",reminders,") {
		return admission.FieldProblem("consents", "Nothing is kept without your consent.")
	}
	passed, err := s.Access.CheckHuman(ctx, v)
	if err != nil {
		return err
	}
	lead := Lead{ID: admission.NewID(), EventCode: event.Code, FullName: clean["fullname"], Email: clean["email"], Phone: admission.IndianPhone(clean["phone_number"]), CreatedAt: s.Clock()}
	if err := s.Store.Update(ctx, func(tx Tx) error {
		if err := passed.Enter(tx, v); err != nil {
			return err
		}
		if err := s.Access.Take(tx, v, access.SubmissionLimits("lead", v)...); err != nil {
			return err
		}
		// If the e-mail is stored already, no lead has this id and the jobs do nothing.
		if _, err := tx.AddLead(&lead); err != nil {
			return err
		}
		if err := s.Consents.Record(tx, v, lead.Email, lead.ID, "reminders"); err != nil {
			return err
		}
		if s.LeadWebhook {
			if err := tx.AddJob(admission.Job{Kind: JobLead, Ref: lead.ID, DueAt: s.Clock()}); err != nil {
				return err
			}
		}
		return tx.AddJob(admission.Job{Kind: JobRemind, Ref: lead.ID, DueAt: s.Clock().Add(remindAfter)})
	}); err != nil {
		return err
	}
	passed.Opened(v)
	return nil
}

// current reports whether the lead's person has not enrolled since and still consents to reminders.
func (l *Lead) current(tx Tx) (bool, error) {
	registration, err := tx.RegistrationIDOf(l.EventCode, l.Phone)
	if err != nil || registration != "" {
		return false, err
	}
	consents, err := tx.LastConsents(l.Email)
	return consents["reminders"].Given, err
}

// LeadByID returns the lead for JobLead; nil if it is gone, has enrolled or has withdrawn consent.
func (s *Service) LeadByID(ctx context.Context, id string) (lead *Lead, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		if lead, err = tx.Lead(id); err != nil || lead == nil {
			return err
		}
		current, err := lead.current(tx)
		if !current {
			lead = nil
		}
		return err
	})
	return lead, err
}

// Remind handles JobRemind: it sends one reminder if the event is still open. It deletes the lead instead if the person
// has enrolled or withdrawn consent.
func (s *Service) Remind(ctx context.Context, leadID string) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		lead, err := tx.Lead(leadID)
		if err != nil || lead == nil {
			return err
		}
		if current, err := lead.current(tx); err != nil {
			return err
		} else if !current {
			return tx.DeleteLead(lead.EventCode, lead.Email)
		}
		event, known := s.Events.EventByCode(lead.EventCode)
		if !known || event.Closed(s.Clock()) != "" {
			return nil
		}
		return s.Messages.Send(tx, message.Message{
			Cause: "reminder:" + lead.ID, Channel: message.Email, To: lead.Email, Template: "enrolment-reminder",
			Params: map[string]string{
				"Name": lead.FullName, "Programme": event.Title, "LastDay": event.LastDay(),
				"ContinueURL": s.BaseURL + paths.Apply(event.Slug),
			},
		})
	})
}
