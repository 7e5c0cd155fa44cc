// Package contact takes what people write to us: enquiries and complaints.
package contact

import (
	"context"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/consent"
	"hiresure/admission/message"
	"hiresure/forms"
)

// Tx is what this area needs of a transaction. AddEnquiry and AddGrievance draw another reference where it met an equal one.
type Tx interface {
	access.Tx
	consent.Tx
	AddEnquiry(*Enquiry) error
	// Together runs work, which adds an enquiry, consents, hits and messages and reads nothing, and sends them in one go at
	// its end. Their errors come then.
	Together(work func() error) error
	AddGrievance(*Grievance) error
}

// Needs is everything that a Service works with; all of it is required.
type Needs struct {
	Store          admission.Store[Tx]
	Access         *access.Service
	Consents       consent.Ledger
	Clock          func() time.Time
	GrievanceEmail func() string // of the grievance officer, who gets every complaint
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Needs }

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
func (s *Service) SendEnquiry(ctx context.Context, v admission.Visitor, in map[string]string) (Enquiry, error) {
	clean, faults := forms.Get("enquiry").Check(in, forms.Env{})
	if problem := admission.FormProblem(faults); problem != nil {
		return Enquiry{}, problem
	}
	if err := s.Access.PassHuman(ctx, v); err != nil {
		return Enquiry{}, err
	}
	e := Enquiry{
		ID: admission.NewID(), Reference: admission.Reference("ENQ"), FullName: clean["fullname"], Email: clean["email"],
		Phone: forms.E164(clean["countryCode"], clean["phone"]), Country: clean["countryCode"],
		Description: clean["description"], Type: enquiryType, Page: v.Page, CreatedAt: s.Clock(),
	}
	hourly := []access.Limit{access.PerAddress("enquiry", v, 20, time.Hour), access.PerMailbox(e.Email)}
	err := s.Store.Update(ctx, func(tx Tx) error {
		if err := s.Access.Within(tx, v, hourly...); err != nil {
			return err
		}
		return tx.Together(func() error { return s.add(tx, v, &e, clean["consents"], hourly) })
	})
	return e, err
}

func (s *Service) add(tx Tx, v admission.Visitor, e *Enquiry, consents string, hourly []access.Limit) error {
	if err := tx.AddEnquiry(e); err != nil {
		return err
	}
	if err := s.Consents.Record(tx, v, e.Phone, e.ID, consents); err != nil {
		return err
	}
	if err := s.Access.Count(tx, hourly...); err != nil {
		return err
	}
	return message.Send(tx, s.Clock(), message.Message{
		Cause: "enquiry:" + e.ID, Channel: message.Email, To: e.Email, Template: "enquiry",
		Params: map[string]string{"Name": e.FullName, "Reference": e.Reference},
	})
}

// Grievance is a complaint with a ticket number and the dates by which we must answer.
type Grievance struct {
	ID, Ticket, FullName, Email, Phone, Category, Message string
	CreatedAt, AcknowledgeBy, RedressBy                   time.Time
}

// SendGrievance keeps a complaint, mails its ticket number to the writer, and all of it to the grievance officer.
func (s *Service) SendGrievance(ctx context.Context, v admission.Visitor, in map[string]string) (Grievance, error) {
	form := forms.Get("grievance")
	clean, faults := form.Check(in, forms.Env{})
	if problem := admission.FormProblem(faults); problem != nil {
		return Grievance{}, problem
	}
	if err := s.Access.PassHuman(ctx, v); err != nil {
		return Grievance{}, err
	}
	now := s.Clock()
	g := Grievance{
		ID: admission.NewID(), Ticket: admission.Reference("GRV"), FullName: clean["name"], Email: clean["email"], Phone: clean["phone"],
		Category: clean["category"], Message: clean["message"], CreatedAt: now,
		// E-Commerce Rules 2020: acknowledge within 48 hours, redress within one month, counted here as 30 days.
		AcknowledgeBy: now.Add(48 * time.Hour), RedressBy: now.In(admission.IST).AddDate(0, 0, 30),
	}
	hourly := []access.Limit{access.PerAddress("grievance", v, 20, time.Hour), access.PerMailbox(g.Email)}
	err := s.Store.Update(ctx, func(tx Tx) error {
		if err := s.Access.Within(tx, v, hourly...); err != nil {
			return err
		}
		if err := tx.AddGrievance(&g); err != nil {
			return err
		}
		if err := s.Access.Count(tx, hourly...); err != nil {
			return err
		}
		redressBy := admission.Date(g.RedressBy)
		if err := message.Send(tx, s.Clock(), message.Message{
			Cause: "grievance:" + g.ID, Channel: message.Email, To: g.Email, Template: "grievance",
			Params: map[string]string{"Name": g.FullName, "Ticket": g.Ticket, "RedressBy": redressBy},
		}); err != nil {
			return err
		}
		// The officer's mailbox has no limit: a complaint that was kept is always told.
		return message.Send(tx, s.Clock(), message.Message{
			Cause: "grievance-officer:" + g.ID, Channel: message.Email, To: s.GrievanceEmail(), Template: "grievance-officer",
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
