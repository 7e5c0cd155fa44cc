// Package apply is the HireSure application: who may do what at which step, the steps of its form, and what is half typed.
package apply

import (
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

// Draft is what somebody has typed into a step and not sent. A saved step leaves its row behind, empty: the version goes on.
type Draft struct {
	RegistrationID string
	Step           string
	Typed          map[string]string // by field, as typed; nil where the step was saved since
	Field          string            // typed into last; "" for none
	Version        int               // counts every draft and every save of the step; 0: there was none
	SavedAt        time.Time
}

// Tx is what this area needs of a transaction.
type Tx interface {
	account.Tx
	enrol.Tx

	// ApplicationOf returns the application of an account, locked; not a refunded one.
	ApplicationOf(accountID string) (*enrol.Registration, error)
	Draft(registrationID, step string) (*Draft, error)
	SaveDraft(Draft) error // adds or changes
	// LastDraftAt returns when anything was typed into a registration last; the zero time for never.
	LastDraftAt(registrationID string) (time.Time, error)
}

// Config is everything that a Service works with; all of it is required but Forms.
type Config struct {
	Store    admission.Store[Tx]
	Messages *message.Service
	Events   admission.Catalogue
	Forms    *forms.Set // nil: those that ship
	Access   *access.Service
	Consents consent.Ledger
	Clock    func() time.Time
	BaseURL  string // own origin, without a trailing slash
}

// Service is safe for concurrent use and keeps no state.
type Service struct{ Config }

// FormName is the form of the application. Its steps are the pages of enrol's places, and TermsStep.
const (
	FormName  = "hiresure"
	TermsStep = "terms"
)

// FormOf names the form of a registration: of the application, or of an enrolment.
func FormOf(r *enrol.Registration) string {
	if r.IsApplication() {
		return FormName
	}
	return enrol.FormName
}

// JobRemind writes to somebody who stopped midway and agreed to be reminded. Its ref is the registration.
const JobRemind = "application-remind"

// OtherTab is told to who sends a page that another tab or device has kept otherwise meanwhile, as a draft or as a step.
const OtherTab = "This page was changed in another tab or on another device while it was open here. Nothing is lost: choose, and we keep that."

// The refusals of this area.
const (
	VerifyFirst = "Please verify your mobile number first."
	proveByCode = "Please verify the OTP."
	stepsBefore = "Please complete the steps before this one first."
	standsNow   = "You cannot modify the previous details now. Contact support for further help."
	otherReview = "Something on this page has changed since you opened it. Please read it once more, then submit."
)

// The fields of the form that code names: to prove a phone, to ask a guardian.
const (
	phoneField         = "phone_number"
	bornField          = "dob"
	fatherField        = "fatherName"
	guardianField      = "guardian_name"
	guardianPhoneField = "guardian_phone"
)

// AnyVersion is the version of a caller who has no page that could be out of date.
const AnyVersion = -1

// savedStep is a step of the form that is saved by itself: its page, what it leads to, and what the timeline says of it.
type savedStep struct {
	place          enrol.Place
	to             enrol.Step
	noted, changed enrol.EntryKind
}

var saved = []savedStep{
	{enrol.PlacePersonal, enrol.StepPersonal, enrol.EntryPersonalSaved, enrol.EntryPersonalChanged},
	{enrol.PlaceAcademic, enrol.StepAcademic, enrol.EntryAcademicSaved, enrol.EntryAcademicChanged},
	{enrol.PlaceScholarship, enrol.StepScholarship, enrol.EntryScholarshipSaved, enrol.EntryScholarshipChanged},
}

// CheckForm refuses a form with a field that is kept where a registration has no place for it.
func CheckForm(set *forms.Set) error { return enrol.CheckForm(set.Get(FormName)) }

func (s *Service) form() *forms.Form { return s.Forms.Get(FormName) }

// env is what the form's rules need to know of an applicant.
func (s *Service) env(phone, provenGuardian string) forms.Env {
	return forms.Env{
		Options: map[string][]forms.Option{"states": stateOptions()}, Today: admission.ISODate(s.Clock()),
		Facts: map[string]string{phoneField: admission.TenDigits(phone)}, Proven: map[string]string{guardianPhoneField: admission.TenDigits(provenGuardian)},
	}
}

// stateOptions are the States as enrol lists them, with the beginnings of their PIN codes.
func stateOptions() []forms.Option {
	options := enrol.StateOptions()
	for i := range options {
		state, _ := india.StateByName(options[i].Value)
		options[i].PINs = state.PINs
	}
	return options
}
