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

// Tickets are signed time stamps for browsers without scripts: made with a page and posted by its button.
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

// Ticket returns a new ticket: "t.<Unix milliseconds>.<random>.<signature>".
func (t *Tickets) Ticket(now time.Time) string {
	body := strconv.FormatInt(now.UnixMilli(), 10) + "." + randomText()
	return ticketPrefix + body + "." + t.mac("ticket", body)
}

// Check accepts tickets between admission.HumanPause and two hours old and returns the random part as the one-time key. A younger
// ticket is ErrTooFast.
func (t *Tickets) Check(_ context.Context, token string, _ admission.Visitor) (access.Pass, error) {
	parts := strings.Split(strings.TrimPrefix(token, ticketPrefix), ".")
	if !IsTicket(token) || len(parts) != 3 || !hmac.Equal([]byte(parts[2]), []byte(t.mac("ticket", parts[0]+"."+parts[1]))) {
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
