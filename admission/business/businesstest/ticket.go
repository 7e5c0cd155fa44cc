package businesstest

import (
	"regexp"
	"strings"
	"testing"

	"hiresure/admission"
)

var (
	ticketShape = regexp.MustCompile(`^HS(\d\d)-([0-9A-HJKMNP-TV-Z]{4,5})-([0-9A-HJKMNP-TV-Z])$`)
	keyShape    = regexp.MustCompile(`^[A-Za-z0-9_-]{22}$`)
)

// Ticket returns the person's ticket number and key.
func (p *Person) Ticket() (number, key string) {
	p.T.Helper()
	number, key, _ = strings.Cut(p.Texts("SELECT ticket, ticket_key FROM registrations WHERE id = $1", p.RegistrationID)[0], " | ")
	return number, key
}

// ExpectTicketNumber expects a ticket number of a year with a number of random characters.
func ExpectTicketNumber(t *testing.T, number, key, year string, drawn int) {
	t.Helper()
	parts := ticketShape.FindStringSubmatch(number)
	if parts == nil || parts[1] != year || len(parts[2]) != drawn || admission.CheckLetter("HS"+parts[1]+parts[2]) != parts[3] || !keyShape.MatchString(key) {
		t.Errorf("ticket %q with key %q: want the year %s, %d characters and their check", number, key, year, drawn)
	}
}

// OwnReferral returns the person's referral code.
func (p *Person) OwnReferral() string {
	p.T.Helper()
	return p.Texts("SELECT own_referral FROM registrations WHERE id = $1", p.RegistrationID)[0]
}
