package captcha

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
)

const ticketPrefix = "t."

// Tickets are signed time stamps for browsers without scripts: made with a page and posted by its button. A ticket is for one
// address and one form; access.Service limits how many pass.
type Tickets struct {
	key   []byte
	clock func() time.Time
}

// NewTickets needs a key of 32 bytes, the same in all processes.
func NewTickets(key []byte, clock func() time.Time) (*Tickets, error) {
	if len(key) != 32 || clock == nil {
		return nil, errKey
	}
	return &Tickets{key, clock}, nil
}

// IsTicket reports whether a token is a ticket.
func IsTicket(token string) bool { return strings.HasPrefix(token, ticketPrefix) }

// Ticket returns a new ticket for a form and the visitor's address: "t.<Unix milliseconds>.<random>.<signature>".
func (t *Tickets) Ticket(now time.Time, from admission.Visitor) string {
	body := strconv.FormatInt(now.UnixMilli(), 10) + "." + randomText()
	return ticketPrefix + body + "." + t.sign(body, from)
}

func (t *Tickets) sign(body string, from admission.Visitor) string {
	return t.mac("ticket", body+"\n"+from.IP+"\n"+from.Form)
}

// Check accepts tickets between admission.HumanPause and two hours old and returns the random part as the one-time key. A younger
// ticket is ErrTooFast. Calls of the API bring none.
func (t *Tickets) Check(_ context.Context, token string, from admission.Visitor) (access.Pass, error) {
	parts := strings.Split(strings.TrimPrefix(token, ticketPrefix), ".")
	if !IsTicket(token) || from.Form == "" || len(parts) != 3 || !hmac.Equal([]byte(parts[2]), []byte(t.sign(parts[0]+"."+parts[1], from))) {
		return access.Pass{}, access.ErrNotHuman
	}
	made, err := strconv.ParseInt(parts[0], 10, 64)
	switch age := t.clock().Sub(time.UnixMilli(made)); {
	case err != nil || age < 0 || age >= Life:
		return access.Pass{}, access.ErrNotHuman
	case age < access.HumanPause: // authentic but not spent, so it will be valid soon
		return access.Pass{}, access.ErrTooFast
	}
	return access.Pass{Once: parts[1], Ticket: true}, nil
}

func (t *Tickets) mac(purpose, body string) string {
	mac := hmac.New(sha256.New, t.key)
	mac.Write([]byte("human/" + purpose + "\n" + body))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
