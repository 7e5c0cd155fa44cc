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

// Lead is an enrolment that somebody began and left, kept because they agreed to be reminded.
type Lead struct {
	ID, EventCode, FullName, Email, Phone string
	CreatedAt                             time.Time
}

// remindAfter is how long somebody who left an enrolment is left in peace.
const remindAfter = 24 * time.Hour

// SaveLead keeps an abandoned enrolment, once for an e-mail and event, if the visitor agreed to reminders; else nothing.
// Whoever calls it learns nothing of the person: it looks up nobody, and does the same for an e-mail that is kept already.
// Whether the person has enrolled is judged when the lead is used.
func (s *Service) SaveLead(ctx context.Context, v admission.Visitor, eventCode string, in map[string]string) error {
	event, err := s.openProgramme(eventCode, "")
	if err != nil {
		return err
	}
	clean, faults := s.form().CheckOnly(in, FormEnv(event), "fullname", "email", "phone_number", "consents")
	if problem := admission.FormProblem(faults); problem != nil {
		return problem
	}
	if !strings.Contains(","+clean["consents"]+",", ",reminders,") {
		return admission.FieldProblem("consents", "Nothing is kept without your consent.")
	}
	if err := s.Access.PassHuman(ctx, v); err != nil {
		return err
	}
	lead := Lead{ID: admission.NewID(), EventCode: event.Code, FullName: clean["fullname"], Email: clean["email"], Phone: admission.IndianPhone(clean["phone_number"]), CreatedAt: s.Clock()}
	return s.Store.Update(ctx, func(tx Tx) error {
		if err := s.Access.Take(tx, v, access.SubmissionLimits("lead", v)...); err != nil {
			return err
		}
		// Where the e-mail is kept already no lead has this id, and the jobs find nothing to do.
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
	})
}

// hasEnrolled reports whether the person of a lead has enrolled since.
func (l *Lead) hasEnrolled(tx Tx) (bool, error) {
	registration, err := tx.RegistrationIDOf(l.EventCode, l.Phone)
	return registration != "", err
}

// LeadByID returns the lead that JobLead forwards, or nil: it is gone, or the person has enrolled since.
func (s *Service) LeadByID(ctx context.Context, id string) (lead *Lead, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		if lead, err = tx.Lead(id); err != nil || lead == nil {
			return err
		}
		enrolled, err := lead.hasEnrolled(tx)
		if err != nil {
			return err
		}
		wanted, err := lead.wanted(tx)
		if enrolled || !wanted {
			lead = nil
		}
		return err
	})
	return lead, err
}

// wanted reports whether the consent stands without which a lead is not kept.
func (l *Lead) wanted(tx Tx) (bool, error) {
	said, err := tx.LastConsents(l.Email)
	return said["reminders"].Given, err
}

// Remind is the work of JobRemind: one mail to somebody who left an enrolment, unless they can enrol no longer. Of who
// has enrolled since, or has taken the consent back, what was abandoned is forgotten.
func (s *Service) Remind(ctx context.Context, leadID string) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		lead, err := tx.Lead(leadID)
		if err != nil || lead == nil {
			return err
		}
		enrolled, err := lead.hasEnrolled(tx)
		if err != nil {
			return err
		}
		if wanted, err := lead.wanted(tx); err != nil {
			return err
		} else if enrolled || !wanted {
			return tx.ForgetLead(lead.EventCode, lead.Email)
		}
		event, known := s.Events.EventByCode(lead.EventCode)
		if !known || event.Closed(s.Clock()) != "" {
			return nil
		}
		return s.Messages.Send(tx, message.Message{
			Cause: "reminder:" + lead.ID, Channel: message.Email, To: lead.Email, Template: "enrolment-reminder",
			Params: map[string]string{
				"Name": lead.FullName, "Programme": event.Title, "LastDay": admission.Date(event.ClosesAt.Add(-time.Second)),
				"ContinueURL": s.BaseURL + paths.Apply(event.Slug),
			},
		})
	})
}
