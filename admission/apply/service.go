// Package apply handles the HireSure application: access by step, the steps of its form, and their drafts.
package apply

import (
	"sync"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/consent"
	"hiresure/admission/enrol"
	"hiresure/admission/india"
	"hiresure/admission/message"
	"hiresure/forms"
)

// Draft is an unsaved form step. Saving the step empties its row and keeps its version.
type Draft struct {
	RegistrationID string
	Step           string
	Typed          map[string]string // by field; nil once the step is saved
	Field          string            // last edited; "" for none
	Version        int               // incremented by every save of the draft or step
	SavedAt        time.Time
}

// Applicant is an account in a session with its application.
type Applicant struct {
	Session      *access.Session
	Account      *account.Account
	Registration *enrol.Registration
	Drafts       map[string]*Draft // by step
}

// Tx is the part of a store transaction that this area uses.
type Tx interface {
	account.Tx
	enrol.Tx

	// Applicant locks a session and the account's application, in this order, and returns them with the account and the
	// drafts. What does not exist is nil.
	Applicant(sessionID, accountID string) (Applicant, error)
	// ApplicationOf locks and returns an account's application, ignoring refunded ones.
	ApplicationOf(accountID string) (*enrol.Registration, error)
	SaveDraft(Draft) error // adds or changes
	// LastDraftAt returns when a registration's drafts last changed; zero: never.
	LastDraftAt(registrationID string) (time.Time, error)
}

// Config holds a Service's dependencies. All but Forms are required.
type Config struct {
	Store    admission.Store[Tx]
	Messages *message.Service
	Events   admission.Catalogue
	Forms    *forms.Set // nil: the embedded forms
	Access   *access.Service
	Consents consent.Ledger
	Clock    func() time.Time
	BaseURL  string // the site's origin, without a trailing slash
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Config }

// FormName is the application form. Its steps are enrol's form places and TermsStep.
const (
	FormName  = "hiresure"
	TermsStep = "terms"
)

// FormOf returns the name of a registration's form.
func FormOf(r *enrol.Registration) string {
	if r.IsApplication() {
		return FormName
	}
	return enrol.FormName
}

// JobRemind reminds an applicant of an unfinished application. Its ref is the registration.
const JobRemind = "application-remind"

// ChangedElsewhere is the visitor's message if another tab or device has changed the page.
const ChangedElsewhere = "You also changed this page in another tab or on another device. Choose which answers to keep."

// Messages of refusals.
const (
	VerifyFirst       = "Please verify your mobile number first."
	verifyByCode      = "Please verify the OTP."
	earlierStepsFirst = "Please complete the steps before this one first."
	notEditable       = "You cannot modify the previous details now. Contact support for further help."
	reviewChanged     = "Something on this page has changed since you opened it. Please read it again, then submit."
)

// Form fields that code refers to.
const (
	phoneField         = "phone_number"
	bornField          = "dob"
	fatherField        = "fatherName"
	guardianField      = "guardian_name"
	guardianPhoneField = "guardian_phone"
)

// AnyVersion is the version of callers without a page that could be out of date.
const AnyVersion = -1

// savedStep is a form step that is saved by itself: its page, the registration step that it reaches, and the timeline
// entries of its first and later saves.
type savedStep struct {
	place                   enrol.Place
	to                      enrol.Step
	firstEntry, changeEntry enrol.EntryKind
}

var savedSteps = []savedStep{
	{enrol.PlacePersonal, enrol.StepPersonal, enrol.EntryPersonalSaved, enrol.EntryPersonalChanged},
	{enrol.PlaceAcademic, enrol.StepAcademic, enrol.EntryAcademicSaved, enrol.EntryAcademicChanged},
	{enrol.PlaceScholarship, enrol.StepScholarship, enrol.EntryScholarshipSaved, enrol.EntryScholarshipChanged},
}

// CheckForm rejects a form with a field whose "keep" a registration cannot store.
func CheckForm(set *forms.Set) error { return enrol.CheckForm(set.Get(FormName)) }

func (s *Service) form() *forms.Form { return s.Forms.Get(FormName) }

// env returns the environment of the form's rules for an applicant.
func (s *Service) env(phone, verifiedGuardian string) forms.Env {
	return forms.Env{
		Options: map[string][]forms.Option{"states": stateOptions()}, Today: admission.ISODate(s.Clock()),
		Facts: map[string]string{phoneField: admission.TenDigits(phone)}, Proven: map[string]string{guardianPhoneField: admission.TenDigits(verifiedGuardian)},
	}
}

// stateOptions returns the States with the prefixes of their PIN codes.
var stateOptions = sync.OnceValue(func() []forms.Option {
	options := enrol.StateOptions()
	for i := range options {
		state, _ := india.StateByName(options[i].Value)
		options[i].PINs = state.PINs
	}
	return options
})
