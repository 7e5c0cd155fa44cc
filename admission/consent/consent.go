// Package consent keeps the append-only ledger of who agreed to what.
package consent

import (
	"slices"
	"strings"
	"time"

	"hiresure/admission"
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

// GivenIn reports whether a purpose's last line is a consent of this enquiry or registration.
func (c Consent) GivenIn(ref string) bool { return c.Given && c.Ref == ref }

// Purposes are the purposes that a person can agree to, each by a box of its own.
var Purposes = []string{"marketing", "partner_college", "hiring_partners", "reminders"}

// Tx is what the ledger needs of a transaction. LastConsents returns the last line of each purpose of a subject.
type Tx interface {
	AddConsent(Consent) error
	LastConsents(subject string) (byPurpose map[string]Consent, err error)
}

// Ledger appends consents. It is safe for concurrent use.
type Ledger struct {
	NoticeVersion func() string // of the privacy notice that the forms show now
	Clock         func() time.Time
}

// Record appends each purpose that was ticked in a form that is sent once. purposes are joined by commas.
func (l Ledger) Record(tx Tx, v admission.Visitor, subject, ref, purposes string) error {
	for _, purpose := range strings.Split(purposes, ",") {
		if purpose == "" {
			continue
		}
		if err := tx.AddConsent(l.line(v, subject, ref, purpose, true)); err != nil {
			return err
		}
	}
	return nil
}

// Agree appends that a subject agrees to a version of the terms, and what a form says of consents. One that was not asked for
// them, as nobody under 18 is, takes back all that stands: what was said before was no consent. clean is what Check of the
// form returned; the subject must be proven, as for Revise.
func (l Ledger) Agree(tx Tx, v admission.Visitor, subject, ref, terms string, clean map[string]string) error {
	purposes, asked := clean["consents"]
	if err := l.Revise(tx, v, subject, ref, "terms:"+terms+","+purposes); err != nil || asked {
		return err
	}
	return l.takeBack(tx, v, subject, ref)
}

// Revise appends what a form says otherwise than the ledger: a consent that it does not hold from this form under this
// notice, and the withdrawal of one that it holds from this form; in another form an empty box is silence. The subject
// must be proven, for else a stranger could withdraw.
func (l Ledger) Revise(tx Tx, v admission.Visitor, subject, ref, purposes string) error {
	held, err := tx.LastConsents(subject)
	if err != nil {
		return err
	}
	ticked := strings.Split(purposes, ",")
	for _, purpose := range ticked {
		last := held[purpose]
		if purpose == "" || last.GivenIn(ref) && last.NoticeVersion == l.NoticeVersion() {
			continue
		}
		if err := tx.AddConsent(l.line(v, subject, ref, purpose, true)); err != nil {
			return err
		}
	}
	for _, purpose := range Purposes {
		if !held[purpose].GivenIn(ref) || slices.Contains(ticked, purpose) {
			continue
		}
		if err := tx.AddConsent(l.line(v, subject, ref, purpose, false)); err != nil {
			return err
		}
	}
	return nil
}

// takeBack notes a no to all that stands as a yes of a subject, wherever it was given. Terms stay.
func (l Ledger) takeBack(tx Tx, v admission.Visitor, subject, ref string) error {
	held, err := tx.LastConsents(subject)
	if err != nil {
		return err
	}
	for _, purpose := range Purposes {
		if !held[purpose].Given {
			continue
		}
		if err := tx.AddConsent(l.line(v, subject, ref, purpose, false)); err != nil {
			return err
		}
	}
	return nil
}

// Say appends a yes or no for one purpose. The subject must be proven, as for Revise.
func (l Ledger) Say(tx Tx, v admission.Visitor, subject, ref, purpose string, yes bool) error {
	return tx.AddConsent(l.line(v, subject, ref, purpose, yes))
}

func (l Ledger) line(v admission.Visitor, subject, ref, purpose string, given bool) Consent {
	return Consent{
		ID: admission.NewID(), Subject: subject, Ref: ref, Purpose: purpose, NoticeVersion: l.NoticeVersion(), Language: "en-IN",
		Given: given, At: l.Clock(), IP: v.IP, UserAgent: v.UserAgent,
	}
}
