package access

import (
	"cmp"
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
	Work    bool   // once exhausted, it asks for work instead of refusing
	Cause   string // why it refuses, where others may have exhausted it; "" if the visitor has
	Field   string
}

// PerAddress limits strangers by IP address. A passed human check raises the limit, for a college's shared address, and
// gives the session a share of it (sessionShare). A visitor with a verified phone is counted by that phone across sessions
// instead, so that others at the address cannot use up the visitor's limit. The /56 and /48 of an IPv6 address have limits of
// their own, twice and four times as wide.
func PerAddress(what string, v admission.Visitor, most int, per time.Duration) Limit {
	return Limit{Bucket: what + ":ip:" + v.IP, Max: most, Per: per, Address: what, Lifted: true, Cause: networkBusy}
}

// SubmissionLimits returns the limits for submissions that we store for long, such as enquiries. The daily limit is five times the
// hourly one, so that one address cannot fill our tables over a day.
func SubmissionLimits(what string, v admission.Visitor) []Limit {
	hourly := PerAddress(what, v, 20, time.Hour)
	hourly.Work = true
	return []Limit{hourly, PerAddress(what+"-day", v, 100, 24*time.Hour)}
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

// bind returns the limits that apply to a visitor with a session (nil for none), without lifted ones. A raised limit also
// counts by session, by the hour only: a human check is valid for two.
func (s *Service) bind(v admission.Visitor, session *Session, limits []Limit) (bound []Limit) {
	for _, l := range limits {
		switch {
		case l.Lifted && s.RateLimitsOff:
		case l.Address == "":
			bound = append(bound, l)
		case session.hasVerifiedPhone():
			l.Bucket, l.Work, l.Cause = l.Address+":proven:"+session.limitPhone(), false, ""
			bound = append(bound, l)
		default:
			bound = append(bound, ofStranger(v, session, l, session.width(s.Clock()))...)
		}
	}
	return bound
}

// ofStranger expands a limit of an address into limits by session, address and networks. If it asks for work, a human check
// does not raise those of the networks.
func ofStranger(v admission.Visitor, session *Session, l Limit, width int) (bound []Limit) {
	wider := l
	if l.Max *= width; !l.Work {
		wider.Max = l.Max
	}
	if width > 1 && l.Per == time.Hour {
		bound = append(bound, Limit{Bucket: l.Address + ":session:" + session.ID, Max: min(l.Max/width, sessionShare), Per: l.Per, Field: l.Field})
	}
	bound = append(bound, l)
	for _, network := range networks(v.IP) {
		wider.Max *= 2
		wider.Bucket = l.Address + ":net:" + network
		bound = append(bound, wider)
	}
	return bound
}

// Within returns the limits that apply to the visitor, to pass to Count, or a Problem for an exhausted one, unless the visitor
// has done the work that it asks for. It counts nothing.
func (s *Service) Within(tx Tx, v admission.Visitor, limits ...Limit) (bound []Limit, err error) {
	var session *Session
	subject := ""
	for _, l := range limits {
		if l.Address == "" || subject != "" || l.Lifted && s.RateLimitsOff {
			continue
		}
		if subject = l.Bucket; v.SessionID == "" {
			continue
		}
		if session, err = tx.Session(v.SessionID); err != nil {
			return nil, err
		}
	}
	var need work
	bound = s.bind(v, session, limits)
	if _, err := s.check(tx, &need, bound...); err != nil {
		return nil, err
	}
	return bound, s.done(tx, v, need, subject)
}

// check returns a Problem for an exhausted limit, or adds the work that it asks for. hits are those of the last limit.
func (s *Service) check(tx Tx, need *work, bound ...Limit) (hits int, err error) {
	for _, l := range bound {
		var wait time.Duration
		switch hits, wait, err = s.room(tx, l); {
		case err != nil:
			return 0, err
		case wait > 0 && l.Work:
			need.ask(stepsBeyond(hits, l.Max), wait, l.Cause, l.Field)
		case wait > 0:
			return 0, admission.BusyOthersProblem(l.Field, cmp.Or(l.Cause, tooMany), wait)
		}
	}
	return hits, nil
}

const tooMany = "Too many tries."

// room returns the number of hits of a limit, and how long until it allows another; 0 for now. Hits in the future, stored
// before a clock was set back, are ignored.
func (s *Service) room(tx Tx, l Limit) (hits int, wait time.Duration, err error) {
	now := s.Clock()
	since := now.Add(-l.Per)
	hits, oldest, err := tx.Hits(l.Bucket, since)
	if err != nil || hits < l.Max || oldest.After(now.Add(clockSkew)) {
		return hits, 0, err
	}
	if over := hits - l.Max; over > 0 { // so many must end first, and one more
		if oldest, err = tx.HitAt(l.Bucket, since, over); err != nil {
			return hits, 0, err
		}
	}
	return hits, max(time.Second, min(l.Per, oldest.Add(l.Per).Sub(now))), nil
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
