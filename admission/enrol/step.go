package enrol

import (
	"fmt"
	"time"

	"hiresure/admission"
)

// ApplicationCode is the scholarship_code of the application: a registration of it is no enrolment for an exam.
const ApplicationCode = admission.ApplicationCode

// Step is how far a registration has come; profile_step on the wire. Only the server moves it.
type Step int

// The steps. An enrolment goes from StepVerified to StepPaying and StepComplete; the application takes them all.
const (
	StepUnverified  Step = -1 // signed in, and no phone proven for the application: there is no registration yet
	StepVerified    Step = 0  // the phone is proven
	StepPersonal    Step = 1  // the first of the form's steps is saved
	StepAcademic    Step = 2
	StepScholarship Step = 3
	StepAgreed      Step = 4 // to the terms: the answers stand
	StepPaying      Step = 5 // an attempt to pay is open
	StepPaid        Step = 6 // the application's: documents come next
	StepUnpaid      Step = 7 // the last attempt failed or expired, none is open
	StepComplete    Step = 8
)

// Steps are all of them, in the order in which the application takes them; the last but one is where a payment fails.
var Steps = []Step{StepUnverified, StepVerified, StepPersonal, StepAcademic, StepScholarship, StepAgreed, StepPaying, StepPaid, StepUnpaid, StepComplete}

// Place names a page of the application.
type Place string

// The places where a step may land, and which it may allow.
const (
	PlaceVerify      Place = "verify"
	PlacePersonal    Place = "personal" // the pages of the form have the names of its steps
	PlaceAcademic    Place = "academic"
	PlaceScholarship Place = "scholarship"
	PlaceReview      Place = "review"
	PlacePayment     Place = "payment"
	PlaceUpload      Place = "upload"
	PlaceDetail      Place = "detail"
)

// Places are all of them, in the order in which an applicant comes by.
var Places = []Place{PlaceVerify, PlacePersonal, PlaceAcademic, PlaceScholarship, PlaceReview, PlacePayment, PlaceUpload, PlaceDetail}

// Badge is the look of a status.
type Badge string

const (
	BadgeForm      Badge = "form_incomplete"
	BadgePayment   Badge = "paymentPending"
	BadgeDocuments Badge = "documentsPending"
	BadgeFailed    Badge = "failed"
	BadgeComplete  Badge = "complete"
	BadgeRefunded  Badge = "refunded" // neutral
)

// The actions of a list and a detail page.
const (
	ActionForm     = "Complete Form"
	ActionPay      = "Pay Now"
	ActionUpload   = "Upload Documents"
	ActionInvoice  = "Download Invoice"
	homeVerify     = "Apply Now"
	homePay        = "Make Payment"
	homeUpload     = "Upload Doc"
	homeView       = "View Registration"
	incomplete     = "Form Incomplete"
	statusRefunded = "Refunded"
)

// StepFact is what every page says about a step: one table, whoever asks.
type StepFact struct {
	Status string // profile_status on the wire; "" where there is no registration
	Badge  Badge
	Action string  // what the person does next, in lists
	Lands  Place   // where the application goes on
	Also   []Place // what else of the application is open
	Home   string  // label of the button on the home page
}

var stepFacts = map[Step]StepFact{
	StepUnverified:  {"", "", "", PlaceVerify, nil, homeVerify},
	StepVerified:    {"Number Verified", BadgeForm, ActionForm, PlacePersonal, nil, ActionForm},
	StepPersonal:    {incomplete, BadgeForm, ActionForm, PlaceAcademic, []Place{PlacePersonal}, ActionForm},
	StepAcademic:    {incomplete, BadgeForm, ActionForm, PlaceScholarship, []Place{PlacePersonal, PlaceAcademic}, ActionForm},
	StepScholarship: {incomplete, BadgeForm, ActionForm, PlaceReview, []Place{PlacePersonal, PlaceAcademic, PlaceScholarship}, ActionForm},
	StepAgreed:      {incomplete, BadgeForm, ActionForm, PlacePayment, nil, homePay},
	StepPaying:      {"Payment Initiated", BadgePayment, ActionPay, PlacePayment, nil, homePay},
	StepPaid:        {"Documents Pending", BadgeDocuments, ActionUpload, PlaceUpload, nil, homeUpload},
	StepUnpaid:      {"Payment Failed", BadgeFailed, ActionPay, PlacePayment, nil, homePay},
	StepComplete:    {"Completed", BadgeComplete, ActionInvoice, PlaceDetail, nil, homeView},
}

// Fact is the step's row of the table.
func (s Step) Fact() StepFact { return stepFacts[s] }

// Fact is what pages say of a registration: that of its step, unless its money has gone back.
func (r *Registration) Fact() StepFact {
	fact := r.Step.Fact()
	if r.Refunded {
		fact.Status, fact.Badge, fact.Action, fact.Home = statusRefunded, BadgeRefunded, ActionInvoice, homeView
	}
	return fact
}

// Status is the text of the badge.
func (r *Registration) Status() string { return r.Fact().Status }

// IsApplication reports whether it is the application, and not an enrolment for an exam.
func (r *Registration) IsApplication() bool { return r.EventCode == ApplicationCode }

// moves are steps that follow each other; what is absent is refused.
type moves map[[2]Step]bool

var enrolmentMoves = moves{
	{StepVerified, StepPaying}:   true,
	{StepVerified, StepComplete}: true, // nothing to pay
	{StepPaying, StepComplete}:   true,
	{StepPaying, StepUnpaid}:     true,
	{StepUnpaid, StepPaying}:     true,
	{StepUnpaid, StepComplete}:   true, // late success, or a coupon that leaves nothing to pay
	{StepPaying, StepPaying}:     true, // another method
}

var applicationMoves = moves{
	{StepUnverified, StepVerified}:  true,
	{StepVerified, StepPersonal}:    true,
	{StepPersonal, StepAcademic}:    true,
	{StepAcademic, StepScholarship}: true,
	{StepScholarship, StepAgreed}:   true,
	{StepAgreed, StepPaying}:        true,
	{StepAgreed, StepPaid}:          true, // nothing to pay
	{StepPaying, StepPaid}:          true,
	{StepPaying, StepUnpaid}:        true,
	{StepPaying, StepPaying}:        true, // another method
	{StepUnpaid, StepPaying}:        true,
	{StepUnpaid, StepPaid}:          true, // late success, or a coupon that leaves nothing to pay
	{StepPaid, StepComplete}:        true,
}

// CanMove reports whether a registration may go from its step to another.
func (r *Registration) CanMove(to Step) bool {
	if r.IsApplication() {
		return applicationMoves[[2]Step{r.Step, to}]
	}
	return enrolmentMoves[[2]Step{r.Step, to}]
}

// Move brings a registration to another step and saves it; an error for a move that is not allowed. That somebody has begun to
// pay for an application stands in its timeline; every other move is noted by who makes it.
func (r *Registration) Move(tx Tx, to Step, at time.Time) error {
	if !r.CanMove(to) {
		return fmt.Errorf("registration %s cannot move from step %d to %d", r.ID, r.Step, to)
	}
	from := r.Step
	r.Step, r.ModifiedAt = to, at
	if r.IsApplication() && to == StepPaying && from != to {
		if err := Note(tx, r, at, EntryPaymentStarted, ""); err != nil {
			return err
		}
	}
	return tx.SaveRegistration(r)
}

// termsFirst is told to who would pay for an application whose answers may still change.
const termsFirst = "Please complete the form and agree to the terms first."

// Payable refuses a registration that is paid, or gone with its person, and an application before its terms.
func (r *Registration) Payable() error {
	switch {
	case !r.NamesSomebody():
		return admission.NotFoundProblem("Registration")
	case r.Paid():
		return admission.ConflictProblem("", AlreadyPaid)
	case r.IsApplication() && r.Step < StepAgreed:
		return admission.ConflictProblem("", termsFirst)
	}
	return nil
}
