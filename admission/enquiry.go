package admission

import (
	"context"
	"time"

	"hiresure/forms"
)

// Enquiry is a question from the landing page.
type Enquiry struct {
	ID          string
	Reference   string // what a visitor quotes: ENQ-7K3M-9QTX
	FullName    string
	Email       string
	Phone       string // E.164
	Country     string // ISO 3166 alpha-2, lower case
	Description string
	Type        string // enquiryType on the wire; always KS_SCHOLARSHIP
	Page        string
	CreatedAt   time.Time
}

const enquiryType = "KS_SCHOLARSHIP"

// SendEnquiry checks the enquiry form and keeps it, with its acknowledgement, or answers a Problem and keeps nothing.
func (o *Office) SendEnquiry(ctx context.Context, v Visitor, in map[string]string) (Enquiry, error) {
	clean, faults := forms.Get("enquiry").Check(in, forms.Env{})
	if problem := refuse(faults); problem != nil {
		return Enquiry{}, problem
	}
	if err := o.PassHuman(ctx, v); err != nil {
		return Enquiry{}, err
	}
	e := Enquiry{
		ID: NewID(), Reference: Reference("ENQ"), FullName: clean["fullname"], Email: clean["email"],
		Phone: forms.E164(clean["countryCode"], clean["phone"]), Country: clean["countryCode"],
		Description: clean["description"], Type: enquiryType, Page: v.Page, CreatedAt: o.Clock(),
	}
	hourly := []limit{perIP("enquiry", v, 20, time.Hour), perMailbox(e.Email)}
	err := o.Store.Update(ctx, func(tx Tx) error {
		if err := o.within(tx, v, hourly...); err != nil {
			return err
		}
		if err := tx.AddEnquiry(&e); err != nil {
			return err
		}
		if err := o.recordConsents(tx, v, e.Phone, e.ID, clean["consents"]); err != nil {
			return err
		}
		if err := o.count(tx, hourly...); err != nil {
			return err
		}
		return o.send(tx, Message{
			Cause: "enquiry:" + e.ID, Channel: Email, To: e.Email, Template: "enquiry",
			Params: map[string]string{"Name": e.FullName, "Reference": e.Reference},
		})
	})
	return e, err
}

// Grievance is a complaint with a ticket number and the dates by which we must answer.
type Grievance struct {
	ID, Ticket, FullName, Email, Phone, Category, Message string
	CreatedAt, AcknowledgeBy, RedressBy                   time.Time
}

// SendGrievance keeps a complaint, mails its ticket number to the writer, and all of it to the grievance officer.
func (o *Office) SendGrievance(ctx context.Context, v Visitor, in map[string]string) (Grievance, error) {
	form := forms.Get("grievance")
	clean, faults := form.Check(in, forms.Env{})
	if problem := refuse(faults); problem != nil {
		return Grievance{}, problem
	}
	if err := o.PassHuman(ctx, v); err != nil {
		return Grievance{}, err
	}
	now := o.Clock()
	g := Grievance{
		ID: NewID(), Ticket: Reference("GRV"), FullName: clean["name"], Email: clean["email"], Phone: clean["phone"],
		Category: clean["category"], Message: clean["message"], CreatedAt: now,
		// E-Commerce Rules 2020: acknowledge within 48 hours, redress within one month, counted here as 30 days.
		AcknowledgeBy: now.Add(48 * time.Hour), RedressBy: now.In(IST).AddDate(0, 0, 30),
	}
	hourly := []limit{perIP("grievance", v, 20, time.Hour), perMailbox(g.Email)}
	err := o.Store.Update(ctx, func(tx Tx) error {
		if err := o.within(tx, v, hourly...); err != nil {
			return err
		}
		if err := tx.AddGrievance(&g); err != nil {
			return err
		}
		if err := o.count(tx, hourly...); err != nil {
			return err
		}
		redressBy := g.RedressBy.In(IST).Format("2 January 2006")
		if err := o.send(tx, Message{
			Cause: "grievance:" + g.ID, Channel: Email, To: g.Email, Template: "grievance",
			Params: map[string]string{"Name": g.FullName, "Ticket": g.Ticket, "RedressBy": redressBy},
		}); err != nil {
			return err
		}
		// The officer's mailbox has no limit: a complaint that was kept is always told.
		return o.send(tx, Message{
			Cause: "grievance-officer:" + g.ID, Channel: Email, To: o.GrievanceEmail, Template: "grievance-officer",
			Params: map[string]string{
				"Ticket": g.Ticket, "Name": g.FullName, "Email": g.Email, "Phone": g.Phone, "Category": label(form.Field("category"), g.Category),
				"Message": g.Message, "RedressBy": redressBy,
			},
		})
	})
	return g, err
}

// label is an option in the words that its visitor chose.
func label(f *forms.Field, value string) string {
	for _, option := range f.Options {
		if option.Value == value {
			return option.Label
		}
	}
	return value
}
