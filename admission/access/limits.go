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
	Address bool // counted per Address: ten times wider after a human check, for a college's shared one
	Lifted  bool // by RATE_LIMITS=off
	Field   string
	Alert   string // what a person is told when it is used up; "" for nothing
}

func PerAddress(what string, v admission.Visitor, most int, per time.Duration) Limit {
	return Limit{Bucket: what + ":ip:" + v.IP, Most: most, Per: per, Address: true, Lifted: true}
}

// PerMailbox keeps us from writing to one address again and again because somebody says so.
func PerMailbox(email string) Limit {
	return Limit{Bucket: "mail:" + strings.ToLower(email), Most: 5, Per: time.Hour, Lifted: true, Field: "email"}
}

// Guesses are the limits of questions whose answer tells something: whether an e-mail is known, a code exists. Only
// refusals are counted.
func Guesses(v admission.Visitor) Limit { return PerAddress("guess", v, 10, time.Hour) }

// Within returns a Problem for the first limit that is used up. It counts nothing.
func (s *Service) Within(tx Tx, v admission.Visitor, limits ...Limit) error {
	now := s.Clock()
	for _, l := range limits {
		if l.Lifted && s.RateLimitsOff {
			continue
		}
		most := l.Most
		if l.Address {
			human, err := isHuman(tx, v, now)
			if err != nil {
				return err
			}
			if human {
				most *= 10
			}
		}
		hits, oldest, err := tx.Hits(l.Bucket, now.Add(-l.Per))
		if err != nil {
			return err
		}
		if hits >= most && !oldest.After(now.Add(clockSkew)) {
			if l.Alert != "" {
				s.Alert(l.Alert)
			}
			return admission.TooManyProblem(l.Field, min(l.Per, oldest.Add(l.Per).Sub(now)))
		}
	}
	return nil
}

// Take is Within and then Count: for what is counted whatever comes of it.
func (s *Service) Take(tx Tx, v admission.Visitor, limits ...Limit) error {
	if err := s.Within(tx, v, limits...); err != nil {
		return err
	}
	return s.Count(tx, limits...)
}

// Count adds one hit to each limit.
func (s *Service) Count(tx Tx, limits ...Limit) error {
	for _, l := range limits {
		if l.Lifted && s.RateLimitsOff {
			continue
		}
		if err := tx.AddHit(l.Bucket, s.Clock(), s.Clock().Add(l.Per)); err != nil {
			return err
		}
	}
	return nil
}

func isHuman(tx Tx, v admission.Visitor, now time.Time) (bool, error) {
	if v.SessionID == "" {
		return false, nil
	}
	s, err := tx.Session(v.SessionID)
	return s != nil && now.Before(s.HumanUntil), err
}

// keysPerHour is how many idempotency keys are remembered for an address without sessions: more than any other limit lets
// through to a campus behind one address.
const keysPerHour = 300

// AllowKey bounds what strangers can fill our tables with: it counts an idempotency key of an address, or refuses it. A
// session is bounded by what opened it.
func (s *Service) AllowKey(ctx context.Context, v admission.Visitor) error {
	if v.SessionID != "" || s.RateLimitsOff {
		return nil
	}
	bucket, now := "keys:ip:"+v.IP, s.Clock()
	return s.Store.Update(ctx, func(tx Tx) error {
		n, oldest, err := tx.Hits(bucket, now.Add(-time.Hour))
		if err != nil {
			return err
		}
		if n >= keysPerHour {
			return &admission.Problem{Kind: admission.TooMany, RetryAfter: oldest.Add(time.Hour).Sub(now), Message: "Too many tries. Please wait and try again."}
		}
		return tx.AddHit(bucket, now, now.Add(time.Hour))
	})
}
