package admission

import (
	"slices"
	"strings"
	"time"
)

// Consent is one line of the append-only ledger: who agreed to what, when, in which words.
type Consent struct {
	ID            string
	Subject       string // phone (E.164) or e-mail of the person
	Ref           string // id of the enquiry or registration in which it was given
	Purpose       string
	NoticeVersion string
	Language      string
	Given         bool // false: withdrawn
	At            time.Time
	IP, UserAgent string
}

// givenIn tells whether a purpose's last line is a consent of this enquiry or registration.
func (c Consent) givenIn(ref string) bool { return c.Given && c.Ref == ref }

// ConsentPurposes are the purposes that a person can agree to, each by a box of its own.
var ConsentPurposes = []string{"marketing", "partner_college", "hiring_partners", "reminders"}

// recordConsents appends each purpose that was ticked in a form that is sent once.
func (o *Office) recordConsents(tx Tx, v Visitor, subject, ref, purposes string) error {
	for _, purpose := range strings.Split(purposes, ",") {
		if purpose == "" {
			continue
		}
		if err := tx.AddConsent(o.consent(v, subject, ref, purpose, true)); err != nil {
			return err
		}
	}
	return nil
}

// reviseConsents appends what a form says otherwise than the ledger: a consent that it does not hold from this form under
// this notice, and the withdrawal of one that it holds from this form; in another form an empty box is silence. The
// subject must be proven, for else a stranger could withdraw.
func (o *Office) reviseConsents(tx Tx, v Visitor, subject, ref, purposes string) error {
	held, err := tx.LastConsents(subject)
	if err != nil {
		return err
	}
	ticked := strings.Split(purposes, ",")
	for _, purpose := range ticked {
		last := held[purpose]
		if purpose == "" || last.givenIn(ref) && last.NoticeVersion == o.NoticeVersion {
			continue
		}
		if err := tx.AddConsent(o.consent(v, subject, ref, purpose, true)); err != nil {
			return err
		}
	}
	for _, purpose := range ConsentPurposes {
		if !held[purpose].givenIn(ref) || slices.Contains(ticked, purpose) {
			continue
		}
		if err := tx.AddConsent(o.consent(v, subject, ref, purpose, false)); err != nil {
			return err
		}
	}
	return nil
}

func (o *Office) consent(v Visitor, subject, ref, purpose string, given bool) Consent {
	return Consent{
		ID: NewID(), Subject: subject, Ref: ref, Purpose: purpose, NoticeVersion: o.NoticeVersion, Language: "en-IN",
		Given: given, At: o.Clock(), IP: v.IP, UserAgent: v.UserAgent,
	}
}
