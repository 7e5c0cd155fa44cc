package enrol

import (
	"strings"
	"time"

	"hiresure/admission"
)

// Entry is one line of a registration's timeline.
type Entry struct {
	ID, RegistrationID string
	Kind               EntryKind
	Detail, Who        string
	At                 time.Time
}

const arrow = " → "

// OldNew returns the detail of an entry about a corrected value.
func OldNew(was, is string) string { return was + arrow + is }

// OldNew returns the values of an entry about a correction.
func (e Entry) OldNew() (was, is string, corrected bool) {
	switch e.Kind {
	case EntryEmailCorrected, EntryPhoneCorrected, EntryNameCorrected:
		return strings.Cut(e.Detail, arrow)
	}
	return "", "", false
}

// EntryKind is what happened. Its text is stored and must never change.
type EntryKind string

// The kinds of entries, in the order of a registration's progress.
const (
	EntryEnrolled           EntryKind = "enrolled"       // enrolment created
	EntryPhoneVerified      EntryKind = "phone verified" // application created
	EntryGuardianAgreed     EntryKind = "guardian agreed"
	EntryPersonalSaved      EntryKind = "personal details saved" // first save, like the next two
	EntryAcademicSaved      EntryKind = "academic details saved"
	EntryScholarshipSaved   EntryKind = "scholarship details saved"
	EntryPersonalChanged    EntryKind = "personal details changed" // later saves, like the next two
	EntryAcademicChanged    EntryKind = "academic details changed"
	EntryScholarshipChanged EntryKind = "scholarship details changed"
	EntryTermsAgreed        EntryKind = "terms agreed"
	EntryPaymentStarted     EntryKind = "payment started" // applications only
	EntryAttemptFailed      EntryKind = "payment attempt failed"
	EntryPaymentFailed      EntryKind = "payment failed"
	EntryPaymentExpired     EntryKind = "payment expired"
	EntryPaid               EntryKind = "paid"
	EntryCouponOverLimit    EntryKind = "coupon used beyond its limit"
	EntryDocumentsSubmitted EntryKind = "documents submitted"
	EntryLinksRevoked       EntryKind = "mailed links revoked"
	EntryViewed             EntryKind = "viewed by staff"
	EntryMoved              EntryKind = "moved to another exam"       // by staff
	EntryEmailAsked         EntryKind = "e-mail correction requested" // without the new one, which may be a stranger's
	EntryPhoneAsked         EntryKind = "phone correction requested"
	EntryCorrectionDropped  EntryKind = "correction withdrawn"
	EntryEmailCorrected     EntryKind = "e-mail corrected" // detail: "old → new", like the next two
	EntryPhoneCorrected     EntryKind = "phone corrected"
	EntryNameCorrected      EntryKind = "name corrected"
	EntryStepReopened       EntryKind = "step reopened" // by staff; detail: the step and why
	EntryPaymentInReview    EntryKind = "payment in review"
	EntryReviewAccepted     EntryKind = "review accepted"
	EntryReviewJudgedAgain  EntryKind = "review judged again"
	EntryPaidTwice          EntryKind = "paid twice, refund due"    // by two of our payments
	EntryChargedTwice       EntryKind = "charged twice, refund due" // by the provider for the same payment
	EntryPaidAfterDeletion  EntryKind = "paid after its person was deleted, refund due"
	EntryRefundOrdered      EntryKind = "refund ordered" // by staff
	EntryPartlyRefunded     EntryKind = "partly refunded"
	EntryRefunded           EntryKind = "refunded"               // nothing is left of the payment
	EntrySecondRefunded     EntryKind = "second charge refunded" // ends EntryChargedTwice
	EntryRefundFailed       EntryKind = "refund failed"          // staff send the money back by hand
	EntryRefundBounced      EntryKind = "refund bounced"         // the payer's bank returned the money to us
	EntryDisputeOpened      EntryKind = "dispute opened"
	EntryDisputeWon         EntryKind = "dispute won" // a lost one is EntryRefunded
)

// EntryKinds lists every kind.
var EntryKinds = []EntryKind{
	EntryEnrolled, EntryPhoneVerified, EntryGuardianAgreed,
	EntryPersonalSaved, EntryAcademicSaved, EntryScholarshipSaved,
	EntryPersonalChanged, EntryAcademicChanged, EntryScholarshipChanged,
	EntryTermsAgreed,
	EntryPaymentStarted, EntryAttemptFailed, EntryPaymentFailed, EntryPaymentExpired, EntryPaid, EntryCouponOverLimit,
	EntryDocumentsSubmitted, EntryLinksRevoked, EntryViewed, EntryMoved,
	EntryEmailAsked, EntryPhoneAsked, EntryCorrectionDropped, EntryEmailCorrected, EntryPhoneCorrected, EntryNameCorrected, EntryStepReopened,
	EntryPaymentInReview, EntryReviewAccepted, EntryReviewJudgedAgain,
	EntryPaidTwice, EntryChargedTwice, EntryPaidAfterDeletion,
	EntryRefundOrdered, EntryPartlyRefunded, EntryRefunded, EntrySecondRefunded, EntryRefundFailed, EntryRefundBounced,
	EntryDisputeOpened, EntryDisputeWon,
}

// Note adds an entry to a registration's timeline.
func Note(tx Tx, r *Registration, at time.Time, kind EntryKind, detail string) error {
	return tx.AddEntry(Entry{ID: admission.NewID(), RegistrationID: r.ID, Kind: kind, Detail: detail, Who: "system", At: at})
}
