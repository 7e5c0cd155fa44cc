package access

import (
	"context"
	"strings"
	"time"

	"hiresure/admission"
)

// A Limit allows Most hits of a bucket in a sliding window.
type Limit struct {
	Bucket  string
	Max     int
	Per     time.Duration
	Address string // what is counted per visitor address; "" for a bucket shared by everybody
	Lifted  bool   // not applied with RATE_LIMITS=off
	Field   string
}

// PerAddress limits strangers by IP address. A passed human check raises the limit, for a college's shared address, and
// gives the session a share of it (sessionShare). A visitor with a verified phone is counted by that phone across sessions
// instead, so that others at the address cannot use up the visitor's limit.
func PerAddress(what string, v admission.Visitor, most int, per time.Duration) Limit {
	return Limit{Bucket: what + ":ip:" + v.IP, Max: most, Per: per, Address: what, Lifted: true}
}

// SubmissionLimits returns the limits for submissions that we store for long, such as enquiries. The daily limit is five times the
// hourly one, so that one address cannot fill our tables over a day.
func SubmissionLimits(what string, v admission.Visitor) []Limit {
	return []Limit{PerAddress(what, v, 20, time.Hour), PerAddress(what+"-day", v, 100, 24*time.Hour)}
}

// PerMailbox limits our mails to one unverified address.
func PerMailbox(email string) Limit {
	return Limit{Bucket: "mail:" + mailbox(email), Max: 5, Per: time.Hour, Lifted: true, Field: "email"}
}

// mailbox returns the mailbox of an address: a@example.com for A+anything@example.com. It returns a phone unchanged.
func mailbox(address string) string {
	name, domain, isEmail := strings.Cut(strings.ToLower(address), "@")
	if !isEmail {
		return address
	}
	name, _, _ = strings.Cut(name, "+")
	return name + "@" + domain
}

// RecordedActionLimit limits a signed-in visitor's actions on one record, each of which is logged permanently.
func RecordedActionLimit(what, of string) Limit {
	return Limit{Bucket: "on record:" + what + ":" + of, Max: 100, Per: 24 * time.Hour, Lifted: true}
}

// GuessLimits returns the limits for questions that reveal others' data in an enrolment: whether an e-mail is known or a code
// exists. Only refusals count.
func GuessLimits(v admission.Visitor, provenPhone string) []Limit {
	return []Limit{
		{Bucket: "guess:session:" + v.SessionID, Max: 10, Per: time.Hour, Lifted: true},
		{Bucket: "guess:phone:" + provenPhone, Max: 10, Per: time.Hour, Lifted: true},
	}
}

// width returns by how much a human check raises an address's limits; less for the page without scripts, cheaper to automate.
func (s *Session) width(now time.Time) int {
	switch {
	case s == nil || !now.Before(s.HumanUntil):
		return 1
	case s.ByTicket:
		return 5
	}
	return 10
}

// sessionShare is one session's hourly share of a raised limit, which no honest visitor reaches by mistyping a phone or
// coupon; a verified phone is counted separately. One check buys one person's share, not the college's: 300 codes take
// thirty checks. A visitor who needs more passes another check in a new session.
const sessionShare = 10

// bind returns the limits that apply to a visitor, without lifted ones. A raised limit also counts by session, by the hour
// only: a human check is valid for two.
func (s *Service) bind(tx Tx, v admission.Visitor, limits []Limit) (bound []Limit, err error) {
	var session *Session
	known := v.SessionID == ""
	for _, l := range limits {
		if l.Lifted && s.RateLimitsOff {
			continue
		}
		if l.Address != "" && !known {
			if session, err = tx.Session(v.SessionID); err != nil {
				return nil, err
			}
			known = true
		}
		switch {
		case l.Address == "":
		case session.hasVerifiedPhone():
			l.Bucket = l.Address + ":proven:" + session.limitPhone()
		default:
			if width := session.width(s.Clock()); width > 1 {
				if l.Per == time.Hour {
					bound = append(bound, Limit{Bucket: l.Address + ":session:" + session.ID, Max: min(l.Max, sessionShare), Per: l.Per, Field: l.Field})
				}
				l.Max *= width
			}
		}
		bound = append(bound, l)
	}
	return bound, nil
}

// Within returns the limits that apply to the visitor, to pass to Count, or a Problem for the first exhausted one. It
// counts nothing.
func (s *Service) Within(tx Tx, v admission.Visitor, limits ...Limit) (bound []Limit, err error) {
	if bound, err = s.bind(tx, v, limits); err != nil {
		return nil, err
	}
	for _, l := range bound {
		if _, err := s.hits(tx, l); err != nil {
			return nil, err
		}
	}
	return bound, nil
}

// hits returns the number of hits of a limit, or a Problem if it is exhausted. Hits in the future, stored before a clock was
// set back, are ignored.
func (s *Service) hits(tx Tx, l Limit) (int, error) {
	now := s.Clock()
	hits, oldest, err := tx.Hits(l.Bucket, now.Add(-l.Per))
	if err != nil || hits < l.Max || oldest.After(now.Add(clockSkew)) {
		return hits, err
	}
	return hits, admission.TooManyProblem(l.Field, min(l.Per, oldest.Add(l.Per).Sub(now)))
}

// Take calls Within and then Count, for calls that count whatever their outcome.
func (s *Service) Take(tx Tx, v admission.Visitor, limits ...Limit) error {
	bound, err := s.Within(tx, v, limits...)
	if err != nil {
		return err
	}
	return Count(tx, s.Clock(), bound...)
}

// Count adds one hit to each limit returned by Within. It only writes.
func Count(tx Tx, now time.Time, bound ...Limit) error {
	for _, l := range bound {
		if err := tx.AddHit(l.Bucket, now, now.Add(l.Per)); err != nil {
			return err
		}
	}
	return nil
}

// Hourly limits on idempotency keys, which are stored for a day: per session, and per address for visitors without one.
const (
	keysOfSession = 100
	keysOfAddress = 300
)

func (s *Service) keys(v admission.Visitor) Limit {
	if v.SessionID != "" {
		return Limit{Bucket: "keys:session:" + v.SessionID, Max: keysOfSession, Per: time.Hour, Lifted: true}
	}
	return Limit{Bucket: "keys:ip:" + v.IP, Max: keysOfAddress, Per: time.Hour, Lifted: true}
}

// AllowKey returns a Problem if the visitor has stored too many idempotent responses. It writes nothing, since most calls of
// strangers are refused and then nothing is stored.
func (s *Service) AllowKey(ctx context.Context, v admission.Visitor) error {
	if s.RateLimitsOff {
		return nil
	}
	return s.Store.View(ctx, func(tx Tx) error {
		_, err := s.Within(tx, v, s.keys(v))
		return err
	})
}

// CountKey counts a response stored for an idempotency key.
func (s *Service) CountKey(ctx context.Context, v admission.Visitor) error {
	if s.RateLimitsOff {
		return nil
	}
	return s.Store.Update(ctx, func(tx Tx) error { return Count(tx, s.Clock(), s.keys(v)) })
}
