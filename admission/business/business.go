// Package business builds the Services of all areas over one store.
package business

import (
	"errors"
	"log/slog"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/apply"
	"hiresure/admission/consent"
	"hiresure/admission/contact"
	"hiresure/admission/correct"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/message"
	"hiresure/admission/mydata"
	"hiresure/admission/paper"
	"hiresure/admission/payment"
	"hiresure/admission/receipt"
	"hiresure/admission/registry"
	"hiresure/admission/staff"
	"hiresure/forms"
)

// Stores holds each area's view of the store.
type Stores struct {
	Access   admission.Store[access.Tx]
	Account  admission.Store[account.Tx]
	Apply    admission.Store[apply.Tx]
	Contact  admission.Store[contact.Tx]
	Correct  admission.Store[correct.Tx]
	Document admission.Store[document.Tx]
	Enrol    admission.Store[enrol.Tx]
	Message  admission.Store[message.Tx]
	MyData   admission.Store[mydata.Tx]
	Paper    admission.Store[paper.Tx]
	Payment  admission.Store[payment.Tx]
	Registry admission.Store[registry.Tx]
	Staff    admission.Store[staff.Tx]
}

// Config holds the dependencies of all areas. All but Forms, Gateways, Scanner, Printer, RateLimitsOff, SMSPerHour and
// LeadWebhook are required.
type Config struct {
	Stores         Stores
	Events         admission.Catalogue
	Forms          *forms.Set                           // nil: the embedded forms
	Supplier       func(at time.Time) *invoice.Supplier // nil if none is registered then: receipts without tax
	Gateways       payment.Catalogue                    // the first that is offered is the default
	Human          access.HumanCheck
	Files          admission.Files
	Inspector      document.Inspector
	Scanner        document.Scanner // nil: no malware scan
	Printer        paper.Printer    // nil: no papers are printed
	Notifier       message.Notifier
	Clock          func() time.Time
	Pepper         []byte        // 32 bytes, kept outside of the database
	TokenKey       []byte        // 32 bytes, kept outside of the database
	StaffKey       []byte        // 32 bytes, kept outside of the database
	NoticeVersion  func() string // of the current privacy notice
	BaseURL        string        // the site's origin, without a trailing slash
	GrievanceEmail func() string // the grievance officer's, who gets every complaint
	RateLimitsOff  bool
	SMSPerHour     int   // limit on codes by SMS; 0 means 2,000
	RefundLimit    int64 // in paise; a larger refund of a fee needs a second person
	LeadWebhook    bool  // forward abandoned enrolments
	Log            *slog.Logger
	Alert          func(what string) // raises an alert for operators
}

// Services holds the areas' Services. They are safe for concurrent use and keep no state.
type Services struct {
	Access   *access.Service
	Account  *account.Service
	Apply    *apply.Service
	Contact  *contact.Service
	Correct  *correct.Service
	Document *document.Service
	Enrol    *enrol.Service
	Invoices *invoice.Service
	Messages *message.Service
	MyData   *mydata.Service
	Papers   *paper.Service
	Payment  *payment.Service
	Receipts *receipt.Service
	Tokens   *account.Tokens
	Registry *registry.Service
	Staff    *staff.Service
}

// New builds the Services. It returns an error that names each missing dependency.
func New(n Config) (*Services, error) {
	var errs []error
	for _, need := range []struct {
		name    string
		missing bool
	}{
		{"Stores", n.Stores.Access == nil || n.Stores.Account == nil || n.Stores.Apply == nil || n.Stores.Contact == nil || n.Stores.Correct == nil || n.Stores.Document == nil || n.Stores.Enrol == nil || n.Stores.Message == nil || n.Stores.MyData == nil || n.Stores.Paper == nil || n.Stores.Payment == nil || n.Stores.Registry == nil || n.Stores.Staff == nil},
		{"Events", n.Events == nil}, {"Supplier", n.Supplier == nil}, {"Human", n.Human == nil}, {"Files", n.Files == nil}, {"Inspector", n.Inspector == nil}, {"Notifier", n.Notifier == nil},
		{"Clock", n.Clock == nil}, {"Log", n.Log == nil}, {"Alert", n.Alert == nil}, {"Pepper of 32 bytes", len(n.Pepper) != 32}, {"TokenKey of 32 bytes", len(n.TokenKey) != 32}, {"StaffKey of 32 bytes", len(n.StaffKey) != 32},
		{"BaseURL", n.BaseURL == ""}, {"NoticeVersion", n.NoticeVersion == nil}, {"GrievanceEmail", n.GrievanceEmail == nil},
	} {
		if need.missing {
			errs = append(errs, errors.New("the business needs "+need.name))
		}
	}
	errs = append(errs, enrol.CheckForm(n.Forms.Get(enrol.FormName)), contact.CheckForms(n.Forms), account.CheckForms(n.Forms), apply.CheckForm(n.Forms))
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	papers := &paper.Service{Config: paper.Config{Store: n.Stores.Paper, Files: n.Files, Printer: n.Printer, Clock: n.Clock}}
	messages := &message.Service{Config: message.Config{Store: n.Stores.Message, Notifier: n.Notifier, Papers: papers.ForMail, Clock: n.Clock, Log: n.Log, Alert: n.Alert}}
	s := &Services{
		Access: &access.Service{Config: access.Config{
			Store: n.Stores.Access, Messages: messages, Events: n.Events, Forms: n.Forms, Human: n.Human, Clock: n.Clock, Pepper: n.Pepper, RateLimitsOff: n.RateLimitsOff, SMSPerHour: n.SMSPerHour, Log: n.Log, Alert: n.Alert,
		}},
		Invoices: &invoice.Service{Config: invoice.Config{Supplier: n.Supplier, Clock: n.Clock, Alert: n.Alert}},
		Messages: messages,
		Papers:   papers,
		Receipts: &receipt.Service{Config: receipt.Config{Store: n.Stores.Payment, Events: n.Events, Clock: n.Clock}},
		Registry: &registry.Service{Config: registry.Config{Store: n.Stores.Registry, Events: n.Events, Clock: n.Clock}},
	}
	s.Account = &account.Service{Config: account.Config{Store: n.Stores.Account, Messages: messages, Forms: n.Forms, Access: s.Access, Clock: n.Clock, BaseURL: n.BaseURL}}
	s.Staff = &staff.Service{Config: staff.Config{Store: n.Stores.Staff, Access: s.Access, Clock: n.Clock, Key: n.StaffKey, BaseURL: n.BaseURL, Alert: n.Alert}}
	s.Tokens = &account.Tokens{Accounts: s.Account, Key: n.TokenKey}
	consents := consent.Ledger{NoticeVersion: n.NoticeVersion, Clock: n.Clock}
	s.Apply = &apply.Service{Config: apply.Config{Store: n.Stores.Apply, Messages: messages, Events: n.Events, Forms: n.Forms, Access: s.Access, Consents: consents, Clock: n.Clock, BaseURL: n.BaseURL}}
	s.Contact = &contact.Service{Config: contact.Config{Store: n.Stores.Contact, Messages: messages, Forms: n.Forms, Access: s.Access, Consents: consents, Clock: n.Clock, GrievanceEmail: n.GrievanceEmail}}
	s.Document = &document.Service{Config: document.Config{
		Store: n.Stores.Document, Files: n.Files, Inspector: n.Inspector, Scanner: n.Scanner, Access: s.Access, Messages: messages, Events: n.Events, BaseURL: n.BaseURL, Clock: n.Clock, Alert: n.Alert,
	}}
	s.Enrol = &enrol.Service{Config: enrol.Config{
		Store: n.Stores.Enrol, Messages: messages, Events: n.Events, Forms: n.Forms, Access: s.Access, Consents: consents, Clock: n.Clock, BaseURL: n.BaseURL, LeadWebhook: n.LeadWebhook,
	}}
	s.MyData = &mydata.Service{Config: mydata.Config{
		Store: n.Stores.MyData, Account: s.Account, Files: n.Files, Messages: messages, Consents: consents, Clock: n.Clock, Alert: n.Alert, BaseURL: n.BaseURL, Forms: n.Forms,
	}}
	s.Payment = &payment.Service{Config: payment.Config{
		Store: n.Stores.Payment, Messages: messages, Events: n.Events, Enrol: s.Enrol, Invoices: s.Invoices, Gateways: n.Gateways, RefundLimit: n.RefundLimit, Clock: n.Clock, BaseURL: n.BaseURL, Log: n.Log, Alert: n.Alert,
	}}
	s.Correct = &correct.Service{Config: correct.Config{
		Store: n.Stores.Correct, Messages: messages, Account: s.Account, Payment: s.Payment, Events: n.Events, Forms: n.Forms, Clock: n.Clock, Pepper: n.Pepper, BaseURL: n.BaseURL,
	}}
	return s, nil
}
