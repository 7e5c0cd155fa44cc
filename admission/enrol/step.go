package enrol

import (
	"fmt"
	"time"

	"hiresure/admission"
)

// ApplicationCode is the scholarship_code of the application.
const ApplicationCode = admission.ApplicationCode

// Step is a registration's progress, profile_step on the wire. Only the server changes it.
type Step int

// An enrolment takes StepVerified, StepPaying, StepUnpaid and StepComplete; the application takes all steps.
const (
	StepUnverified  Step = -1 // signed in without a verified phone for the application: no registration yet
	StepVerified    Step = 0  // the phone is verified
	StepPersonal    Step = 1  // the form's first step is saved
	StepAcademic    Step = 2
	StepScholarship Step = 3
	StepAgreed      Step = 4 // to the terms: the answers are final
	StepPaying      Step = 5 // a payment attempt is open
	StepPaid        Step = 6 // of an application: documents are missing
	StepUnpaid      Step = 7 // the last attempt failed or expired
	StepComplete    Step = 8
)

// Steps lists all steps in the application's order.
var Steps = []Step{StepUnverified, StepVerified, StepPersonal, StepAcademic, StepScholarship, StepAgreed, StepPaying, StepPaid, StepUnpaid, StepComplete}

// Place names a page of the application.
type Place string

// The application's pages.
const (
	PlaceVerify      Place = "verify"
	PlacePersonal    Place = "personal" // the form's pages have the names of its steps
	PlaceAcademic    Place = "academic"
	PlaceScholarship Place = "scholarship"
	PlaceReview      Place = "review"
	PlacePayment     Place = "payment"
	PlaceUpload      Place = "upload"
	PlaceDetail      Place = "detail"
)

// Places lists all places in the applicant's order.
var Places = []Place{PlaceVerify, PlacePersonal, PlaceAcademic, PlaceScholarship, PlaceReview, PlacePayment, PlaceUpload, PlaceDetail}

// Badge is the style of a status.
type Badge string

const (
	BadgeForm      Badge = "form_incomplete"
	BadgePayment   Badge = "paymentPending"
	BadgeDocuments Badge = "documentsPending"
	BadgeFailed    Badge = "failed"
	BadgeComplete  Badge = "complete"
	BadgeRefunded  Badge = "refunded" // neutral
)

// Actions and labels of list, detail and home page.
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

// StepFact is what pages show for a step.
type StepFact struct {
	Status string // profile_status on the wire; "" without a registration
	Badge  Badge
	Action string  // next action, in lists
	Lands  Place   // the application's next page
	Also   []Place // other accessible pages of the application
	Home   string  // button label on the home page
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

func (s Step) Fact() StepFact { return stepFacts[s] }

// Fact returns what pages show for the registration: its step's fact, or the refunded status.
func (r *Registration) Fact() StepFact {
	fact := r.Step.Fact()
	if r.Refunded {
		fact.Status, fact.Badge, fact.Action, fact.Home = statusRefunded, BadgeRefunded, ActionInvoice, homeView
	}
	return fact
}

// Status returns the badge's text.
func (r *Registration) Status() string { return r.Fact().Status }

// IsApplication reports whether this is an application, not an enrolment.
func (r *Registration) IsApplication() bool { return r.EventCode == ApplicationCode }

// moves is a set of allowed step changes.
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

	{StepAgreed, StepVerified}:    true, // reopened by staff, like the next eight
	{StepAgreed, StepPersonal}:    true,
	{StepAgreed, StepAcademic}:    true,
	{StepAgreed, StepScholarship}: true,
	{StepUnpaid, StepVerified}:    true,
	{StepUnpaid, StepPersonal}:    true,
	{StepUnpaid, StepAcademic}:    true,
	{StepUnpaid, StepScholarship}: true,
	{StepComplete, StepPaid}:      true,
	{StepVerified, StepPaid}:      true, // late success after the step was reopened, like the next three
	{StepPersonal, StepPaid}:      true,
	{StepAcademic, StepPaid}:      true,
	{StepScholarship, StepPaid}:   true,
}

// CanMove reports whether the registration may move to a step.
func (r *Registration) CanMove(to Step) bool {
	if r.IsApplication() {
		return applicationMoves[[2]Step{r.Step, to}]
	}
	return enrolmentMoves[[2]Step{r.Step, to}]
}

// Move moves the registration to a step and saves it; a move that is not allowed is an error. It records the start of an
// application's payment in the timeline; callers record other moves.
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

const termsRequired = "Please complete the form and agree to the terms first."

// Payable rejects a registration that is paid or deleted, and an application without agreed terms.
func (r *Registration) Payable() error {
	switch {
	case !r.HasPerson():
		return admission.NotFoundProblem("Registration")
	case r.Paid():
		return admission.ConflictProblem("", AlreadyPaid)
	case r.IsApplication() && r.Step < StepAgreed:
		return admission.ConflictProblem("", termsRequired)
	}
	return nil
}
