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

func courseLabel(code string) string { return strings.ReplaceAll(code, "_", " ") }

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
			return tx.AddJob(Job{Kind: JobLead, Ref: lead.ID, DueAt: o.Clock()})
		}
		return nil
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
