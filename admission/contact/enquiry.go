// Package contact stores enquiries and complaints.
package contact

import (
	"context"
	"errors"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/consent"
	"hiresure/admission/message"
	"hiresure/forms"
)

// Tx is the part of a transaction that this package uses. AddEnquiry and AddGrievance replace a reference that exists already.
type Tx interface {
	access.Tx
	consent.Tx
	AddEnquiry(*Enquiry) error
	AddGrievance(*Grievance) error
}

// Config configures a Service. All fields are required except Forms.
type Config struct {
	Store          admission.Store[Tx]
	Forms          *forms.Set // nil: the built-in forms
	Messages       *message.Service
	Access         *access.Service
	Consents       consent.Ledger
	Clock          func() time.Time
	GrievanceEmail func() string // of the grievance officer, who receives every complaint
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Config }

// Enquiry is an enquiry from the landing page.
type Enquiry struct {
	ID          string
	Reference   string // shown to the visitor: ENQ-7K3M-9QTX
	FullName    string
	Email       string
	Phone       string // E.164
	Country     string // ISO 3166 alpha-2, lower case
	Description string
	Type        string // enquiryType on the wire; always KS_SCHOLARSHIP
	Page        string
	CreatedAt   time.Time
	Answers     map[string]string // fields without a column, by name; nil for none
	FormVersion int               // version of the form; 0 before forms had versions
	Source      string            // origin of the visit (admission.Source)
}

const enquiryType = "KS_SCHOLARSHIP"

// The forms of this package.
const (
	EnquiryForm   = "enquiry"
	GrievanceForm = "grievance"
)

const keepConsents = "consents" // fields stored in the consent ledger

// CheckForms returns an error for a field that an enquiry or a complaint cannot store.
func CheckForms(set *forms.Set) error {
	return errors.Join(
		set.Get(EnquiryForm).CheckKeep("full_name", "email", "country", "phone", "description", keepConsents),
		set.Get(GrievanceForm).CheckKeep("full_name", "email", "phone", "category", "message"),
	)
}

// SendEnquiry validates and stores an enquiry and sends an acknowledgement, or returns a Problem.
func (s *Service) SendEnquiry(ctx context.Context, v admission.Visitor, in map[string]string) (Enquiry, error) {
	form := s.Forms.Get(EnquiryForm)
	clean, faults := form.Check(in, forms.Env{})
	if problem := admission.FormProblem(faults); problem != nil {
		return Enquiry{}, problem
	}
	passed, err := s.Access.CheckHuman(ctx, v)
	if err != nil {
		return Enquiry{}, err
	}
	kept, answers := form.Kept(clean)
	e := Enquiry{
		ID: admission.NewID(), Reference: admission.Reference("ENQ"), FullName: kept["full_name"], Email: kept["email"],
		Phone: forms.E164(kept["country"], kept["phone"]), Country: kept["country"],
		Description: kept["description"], Type: enquiryType, Page: v.Page, CreatedAt: s.Clock(), Answers: answers, FormVersion: form.Version,
		Source: admission.Source(in["source"]),
	}
	mail, err := s.allow(ctx, v, passed, "enquiry", e.Email)
	if err != nil {
		return Enquiry{}, err
	}
	err = s.Store.Update(ctx, func(tx Tx) error {
		if err := tx.AddEnquiry(&e); err != nil {
			return err
		}
		if err := s.Consents.Record(tx, v, e.Phone, e.ID, kept[keepConsents]); err != nil || !mail {
			return err
		}
		return s.Messages.Send(tx, message.Message{
			Cause: "enquiry:" + e.ID, Channel: message.Email, To: e.Email, Template: "enquiry",
			Params: map[string]string{"Name": e.FullName, "Reference": e.Reference},
		})
	})
	return e, err
}

// allow records the human check and counts submissions by address and by mailbox. It returns a Problem if the address is above its limit. mail is false if only the
// mailbox is: the submission is stored without an acknowledgement, else anybody could silence a person by writing in their name.
func (s *Service) allow(ctx context.Context, v admission.Visitor, passed *access.Passed, what, email string) (mail bool, err error) {
	if s.Access.RateLimitsOff && passed == nil {
		return true, nil
	}
	err = s.Store.Update(ctx, func(tx Tx) error {
		if err := passed.Enter(tx, v); err != nil {
			return err
		}
		if err := s.Access.Take(tx, v, access.SubmissionLimits(what, v)...); err != nil {
			return err
		}
		err := s.Access.Take(tx, v, access.PerMailbox(email))
		if mail = admission.AsProblem(err) == nil; !mail {
			return nil
		}
		return err
	})
	if err == nil {
		passed.Opened(v)
	}
	return mail, err
}

// Grievance is a complaint with a ticket number and the dates for our replies.
type Grievance struct {
	ID, Ticket, FullName, Email, Phone, Category, Message string
	CreatedAt, AcknowledgeBy, RedressBy                   time.Time
	Answers                                               map[string]string // as of an enquiry
	FormVersion                                           int
}

// stored normalizes an Indian number, by which a person's data is found for export and deletion; other numbers stay as typed.
func stored(phone string) string {
	if ten := forms.TenDigits(phone); len(ten) == 10 && ten[0] >= '6' {
		return admission.IndianPhone(ten)
	}
	return phone
}

// SendGrievance stores a complaint, mails the ticket number to its author, and the complaint to the grievance officer.
func (s *Service) SendGrievance(ctx context.Context, v admission.Visitor, in map[string]string) (Grievance, error) {
	form := s.Forms.Get(GrievanceForm)
	clean, faults := form.Check(in, forms.Env{})
	if problem := admission.FormProblem(faults); problem != nil {
		return Grievance{}, problem
	}
	passed, err := s.Access.CheckHuman(ctx, v)
	if err != nil {
		return Grievance{}, err
	}
	now := s.Clock()
	kept, answers := form.Kept(clean)
	g := Grievance{
		ID: admission.NewID(), Ticket: admission.Reference("GRV"), FullName: kept["full_name"], Email: kept["email"], Phone: stored(kept["phone"]),
		Category: kept["category"], Message: kept["message"], CreatedAt: now, Answers: answers, FormVersion: form.Version,
		// E-Commerce Rules 2020: acknowledge within 48 hours, redress within one month (30 days here).
		AcknowledgeBy: now.Add(48 * time.Hour), RedressBy: now.In(admission.IST).AddDate(0, 0, 30),
	}
	mail, err := s.allow(ctx, v, passed, "grievance", g.Email)
	if err != nil {
		return Grievance{}, err
	}
	err = s.Store.Update(ctx, func(tx Tx) error {
		if err := tx.AddGrievance(&g); err != nil {
			return err
		}
		redressBy := admission.Date(g.RedressBy)
		if mail {
			if err := s.Messages.Send(tx, message.Message{
				Cause: "grievance:" + g.ID, Channel: message.Email, To: g.Email, Template: "grievance",
				Params: map[string]string{"Name": g.FullName, "Ticket": g.Ticket, "RedressBy": redressBy},
			}); err != nil {
				return err
			}
		}
		// No limit for the officer's mailbox: every stored complaint is forwarded.
		return s.Messages.Send(tx, message.Message{
			Cause: "grievance-officer:" + g.ID, Channel: message.Email, To: s.GrievanceEmail(), Template: "grievance-officer",
			Params: map[string]string{
				"Ticket": g.Ticket, "Name": g.FullName, "Email": g.Email, "Phone": admission.FormatMobile(g.Phone), "Category": form.Display("category", g.Category),
				"Message": g.Message + form.DisplayAnswers(g.Answers), "RedressBy": redressBy,
			},
		})
	})
	return g, err
}
