package admission

import (
	"context"
	"strings"
	"time"

	"hiresure/forms"
)

// Lead is an enrolment that somebody began and left, kept because they agreed to be reminded.
type Lead struct {
	ID, EventCode, FullName, Email, Phone string
	CreatedAt                             time.Time
}

// remindAfter is how long somebody who left an enrolment is left in peace.
const remindAfter = 24 * time.Hour

// SaveLead keeps an abandoned enrolment, once for an e-mail and event, if the visitor agreed to reminders; else nothing.
func (o *Office) SaveLead(ctx context.Context, v Visitor, eventCode string, in map[string]string) error {
	event, err := o.openEvent(eventCode, "")
	if err != nil {
		return err
	}
	clean, faults := forms.Get("enrolment").CheckOnly(in, EnrolmentEnv(event), "fullname", "email", "phone_number", "consents")
	if problem := refuse(faults); problem != nil {
		return problem
	}
	if !strings.Contains(","+clean["consents"]+",", ",reminders,") {
		return invalid("consents", "Nothing is kept without your consent.")
	}
	lead := Lead{ID: NewID(), EventCode: event.Code, FullName: clean["fullname"], Email: clean["email"], Phone: indian(clean["phone_number"]), CreatedAt: o.Clock()}
	hourly := perIP("lead", v, 20, time.Hour)
	return o.Store.Update(ctx, func(tx Tx) error {
		if err := o.within(tx, v, hourly); err != nil {
			return err
		}
		if r, err := tx.RegistrationOf(event.Code, lead.Phone); err != nil || r != nil {
			return err
		}
		fresh, err := tx.AddLead(&lead)
		if err != nil || !fresh {
			return err
		}
		if err := o.count(tx, hourly); err != nil {
			return err
		}
		if err := o.recordConsents(tx, v, lead.Email, lead.ID, "reminders"); err != nil {
			return err
		}
		if o.LeadWebhook {
			if err := tx.AddJob(Job{Kind: JobLead, Ref: lead.ID, DueAt: o.Clock()}); err != nil {
				return err
			}
		}
		return tx.AddJob(Job{Kind: JobRemind, Ref: lead.ID, DueAt: o.Clock().Add(remindAfter)})
	})
}

// LeadByID answers a lead, or nil.
func (o *Office) LeadByID(ctx context.Context, id string) (lead *Lead, err error) {
	err = o.Store.View(ctx, func(tx Tx) (err error) {
		lead, err = tx.Lead(id)
		return err
	})
	return lead, err
}

// Remind is the work of JobRemind: one mail to somebody who left an enrolment, unless they have enrolled since, or can
// no longer.
func (o *Office) Remind(ctx context.Context, leadID string) error {
	return o.Store.Update(ctx, func(tx Tx) error {
		lead, err := tx.Lead(leadID)
		if err != nil || lead == nil {
			return err
		}
		if r, err := tx.RegistrationOf(lead.EventCode, lead.Phone); err != nil || r != nil {
			return err
		}
		event, known := o.Events.EventByCode(lead.EventCode)
		if !known || event.Closed(o.Clock()) != "" {
			return nil
		}
		return o.send(tx, Message{
			Cause: "reminder:" + lead.ID, Channel: Email, To: lead.Email, Template: "enrolment-reminder",
			Params: map[string]string{
				"Name": lead.FullName, "Programme": event.Title, "LastDay": event.ClosesAt.In(IST).Add(-time.Second).Format("2 January 2006"),
				"ContinueURL": o.BaseURL + "/apply/" + event.Slug,
			},
		})
	})
}
