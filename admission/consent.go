package admission

import (
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

// ConsentPurposes are the purposes that a person can agree to, each by a box of its own.
var ConsentPurposes = []string{"marketing", "partner_college", "hiring_partners", "reminders"}

func (o *Office) recordConsents(tx Tx, v Visitor, subject, ref, purposes string) error {
	for _, purpose := range strings.Split(purposes, ",") {
		if purpose == "" {
			continue
		}
		if err := tx.AddConsent(Consent{
			ID: NewID(), Subject: subject, Ref: ref, Purpose: purpose, NoticeVersion: o.NoticeVersion, Language: "en-IN",
			Given: true, At: o.Clock(), IP: v.IP, UserAgent: v.UserAgent,
		}); err != nil {
			return err
		}
	}
	return nil
}
