// Package consent maintains the append-only ledger of consents.
package consent

import (
	"slices"
	"strings"
	"time"

	"hiresure/admission"
)

// Consent is an entry of the ledger: a person's consent or withdrawal, with the notice's version.
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

// GivenIn reports whether this, the last entry of a purpose, is a consent given in an enquiry or registration.
func (c Consent) GivenIn(ref string) bool { return c.Given && c.Ref == ref }

// Purposes lists what a person can consent to, each with its own checkbox.
var Purposes = []string{"marketing", "partner_college", "hiring_partners", "reminders"}

// Tx is the part of a transaction that this package uses. LastConsents returns the last entry of each purpose of a subject.
type Tx interface {
	AddConsent(Consent) error
	LastConsents(subject string) (byPurpose map[string]Consent, err error)
}

// Ledger appends entries. It is safe for concurrent use.
type Ledger struct {
	NoticeVersion func() string // of the current privacy notice
	Clock         func() time.Time
}

// Record appends the purposes ticked in a form that is sent once, given joined by commas.
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

// Agree appends the consent to a version of the terms and the consents of a form. If the form did not ask for consents, because the person
// is under 18, Agree withdraws all earlier ones, which were invalid. clean is the result of the form's Check; the subject must be
// verified, as for Revise.
func (l Ledger) Agree(tx Tx, v admission.Visitor, subject, ref, terms string, clean map[string]string) error {
	purposes, asked := clean["consents"]
	if err := l.Revise(tx, v, subject, ref, "terms:"+terms+","+purposes); err != nil || asked {
		return err
	}
	return l.withdrawAll(tx, v, subject, ref)
}

// Revise appends the differences between a form and the ledger: consents not yet given in this form under this notice, and withdrawals of
// those given in this form. An empty box in another form withdraws nothing. The subject must be verified, or a stranger could withdraw.
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

// withdrawAll withdraws all consents of a subject, wherever given. Terms are not affected.
func (l Ledger) withdrawAll(tx Tx, v admission.Visitor, subject, ref string) error {
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

// Set appends a consent or withdrawal for one purpose. The subject must be verified, as for Revise.
func (l Ledger) Set(tx Tx, v admission.Visitor, subject, ref, purpose string, given bool) error {
	return tx.AddConsent(l.line(v, subject, ref, purpose, given))
}

func (l Ledger) line(v admission.Visitor, subject, ref, purpose string, given bool) Consent {
	return Consent{
		ID: admission.NewID(), Subject: subject, Ref: ref, Purpose: purpose, NoticeVersion: l.NoticeVersion(), Language: "en-IN",
		Given: given, At: l.Clock(), IP: v.IP, UserAgent: v.UserAgent,
	}
}
