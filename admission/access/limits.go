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
	Most    int
	Per     time.Duration
	Address string // what is counted by the visitor's address; "" for a bucket that is the same for everybody
	Lifted  bool   // by RATE_LIMITS=off
	Field   string
}

// PerAddress counts by address what strangers do. After a human check the limit is wider, for a college's shared address,
// and a session has its share of that (sessionShare); who has proven a phone is counted by that phone, in however many
// sessions, so that nobody at his address can use up what he may do.
func PerAddress(what string, v admission.Visitor, most int, per time.Duration) Limit {
	return Limit{Bucket: what + ":ip:" + v.IP, Most: most, Per: per, Address: what, Lifted: true}
}

// Written are the limits of what strangers write to us, and we keep for long. The day's is no more than five of its hours:
// one address does not fill our tables by never resting.
func Written(what string, v admission.Visitor) []Limit {
	return []Limit{PerAddress(what, v, 20, time.Hour), PerAddress(what+"-day", v, 100, 24*time.Hour)}
}

// PerMailbox keeps us from writing to one address again and again because somebody says so.
func PerMailbox(email string) Limit {
	return Limit{Bucket: "mail:" + mailbox(email), Most: 5, Per: time.Hour, Lifted: true, Field: "email"}
}

// mailbox is whom an address reaches, as far as it says: a@example.com for A+anything@example.com. A phone is itself.
func mailbox(address string) string {
	name, domain, isEmail := strings.Cut(strings.ToLower(address), "@")
	if !isEmail {
		return address
	}
	name, _, _ = strings.Cut(name, "+")
	return name + "@" + domain
}

// OnRecord is the limit of what who is signed in may do with one thing, where each time stays on record for good.
func OnRecord(what, of string) Limit {
	return Limit{Bucket: "on record:" + what + ":" + of, Most: 100, Per: 24 * time.Hour, Lifted: true}
}

// Guesses are the limits of what an enrolment tells about others: whether an e-mail is known, a code exists. Only refusals
// are counted, and only against the one who guesses.
func Guesses(v admission.Visitor, provenPhone string) []Limit {
	return []Limit{
		{Bucket: "guess:session:" + v.SessionID, Most: 10, Per: time.Hour, Lifted: true},
		{Bucket: "guess:phone:" + provenPhone, Most: 10, Per: time.Hour, Lifted: true},
	}
}

// width is how many times wider an address's limits are after a human check. The page without scripts costs a script less.
func (s *Session) width(now time.Time) int {
	switch {
	case s == nil || !now.Before(s.HumanUntil):
		return 1
	case s.ByTicket:
		return 5
	}
	return 10
}

// sessionShare is what one session may do in an hour of what is widened for its address, or less where an address may less:
// so often nobody mistypes a phone or a coupon, and who proves a phone is not counted here any more. One check buys one
// person's share, never that of the college: 300 codes take thirty checks. Whoever needs more passes another, in a new session.
const sessionShare = 10

// bind returns the limits as they hold for one visitor, without those that are lifted. Only what is widened is counted by
// session too, and only by the hour: a check holds for two.
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
		case session.hasProvenAny():
			l.Bucket = l.Address + ":proven:" + session.counted()
		default:
			if width := session.width(s.Clock()); width > 1 {
				if l.Per == time.Hour {
					bound = append(bound, Limit{Bucket: l.Address + ":session:" + session.ID, Most: min(l.Most, sessionShare), Per: l.Per, Field: l.Field})
				}
				l.Most *= width
			}
		}
		bound = append(bound, l)
	}
	return bound, nil
}

// Within returns the limits as they bind this visitor, for Count, or a Problem for the first that is used up. It counts
// nothing.
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

// hits returns how many hits a limit has, or a Problem where they use it up. Hits of a moment that is still to come, which
// a clock stored that has been set back since, hold up nobody.
func (s *Service) hits(tx Tx, l Limit) (int, error) {
	now := s.Clock()
	hits, oldest, err := tx.Hits(l.Bucket, now.Add(-l.Per))
	if err != nil || hits < l.Most || oldest.After(now.Add(clockSkew)) {
		return hits, err
	}
	return hits, admission.TooManyProblem(l.Field, min(l.Per, oldest.Add(l.Per).Sub(now)))
}

// Take is Within and then Count: for what is counted whatever comes of it.
func (s *Service) Take(tx Tx, v admission.Visitor, limits ...Limit) error {
	bound, err := s.Within(tx, v, limits...)
	if err != nil {
		return err
	}
	return Count(tx, s.Clock(), bound...)
}

// Count adds one hit to each limit that Within has returned. It only writes.
func Count(tx Tx, now time.Time, bound ...Limit) error {
	for _, l := range bound {
		if err := tx.AddHit(l.Bucket, now, now.Add(l.Per)); err != nil {
			return err
		}
	}
	return nil
}

// Idempotency keys are remembered for a day; so many of an hour, of one session and of all browsers without one at an address.
const (
	keysOfSession = 100
	keysOfAddress = 300
)

func (s *Service) keys(v admission.Visitor) Limit {
	if v.SessionID != "" {
		return Limit{Bucket: "keys:session:" + v.SessionID, Most: keysOfSession, Per: time.Hour, Lifted: true}
	}
	return Limit{Bucket: "keys:ip:" + v.IP, Most: keysOfAddress, Per: time.Hour, Lifted: true}
}

// AllowKey refuses an idempotency key of a visitor who has had too many answers kept. It writes nothing: most calls of
// strangers are refused, and then nothing is kept.
func (s *Service) AllowKey(ctx context.Context, v admission.Visitor) error {
	if s.RateLimitsOff {
		return nil
	}
	return s.Store.View(ctx, func(tx Tx) error {
		_, err := s.Within(tx, v, s.keys(v))
		return err
	})
}

// CountKey counts an answer that was kept for an idempotency key.
func (s *Service) CountKey(ctx context.Context, v admission.Visitor) error {
	if s.RateLimitsOff {
		return nil
	}
	return s.Store.Update(ctx, func(tx Tx) error { return Count(tx, s.Clock(), s.keys(v)) })
}
