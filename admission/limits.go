package admission

import (
	"context"
	"errors"
	"time"
)

// A limit allows `most` hits of a bucket in a sliding window.
type limit struct {
	bucket string
	most   int
	per    time.Duration
	shared bool // counted per address or per hour: wider after a human check, lifted by RATE_LIMITS=off
	field  string
}

func perIP(what string, v Visitor, most int, per time.Duration) limit {
	return limit{bucket: what + ":ip:" + v.IP, most: most, per: per, shared: true}
}

// within answers a Problem for the first limit that is used up. It counts nothing.
func (o *Office) within(tx Tx, v Visitor, limits ...limit) error {
	now := o.Clock()
	for _, l := range limits {
		if l.shared && o.RateLimitsOff {
			continue
		}
		most := l.most
		if l.shared {
			human, err := isHuman(tx, v, now)
			if err != nil {
				return err
			}
			if human {
				most *= 10
			}
		}
		hits, oldest, err := tx.Hits(l.bucket, now.Add(-l.per))
		if err != nil {
			return err
		}
		if hits >= most {
			return tooMany(l.field, oldest.Add(l.per).Sub(now))
		}
	}
	return nil
}

// count adds one hit to each limit.
func (o *Office) count(tx Tx, limits ...limit) error {
	for _, l := range limits {
		if l.shared && o.RateLimitsOff {
			continue
		}
		if err := tx.AddHit(l.bucket, o.Clock(), o.Clock().Add(l.per)); err != nil {
			return err
		}
	}
	return nil
}

func isHuman(tx Tx, v Visitor, now time.Time) (bool, error) {
	if v.SessionID == "" {
		return false, nil
	}
	s, err := tx.Session(v.SessionID)
	return s != nil && now.Before(s.HumanUntil), err
}

// HumanCheck tells people from scripts.
type HumanCheck interface {
	// Check judges a token. It answers a key that may be spent only once ("" where the service itself sees to that),
	// ErrNotHuman for a token that is not good, and any other error when the service does not answer.
	Check(ctx context.Context, token, ip string) (onceKey string, err error)
	// Needed is false where CAPTCHA=off.
	Needed() bool
}

var ErrNotHuman = errors.New("not human")

const (
	humanLife     = 2 * time.Hour
	notReady      = "Execute reCAPTCHA is not ready yet."
	captchaField  = "captcha_token"
	somethingElse = "Something went wrong."
)

// PassHuman lets a visitor pass who has passed before in this session, or brings a good token now.
func (o *Office) PassHuman(ctx context.Context, v Visitor) error {
	if !o.Human.Needed() {
		return nil
	}
	now := o.Clock()
	var passed bool
	if err := o.Store.View(ctx, func(tx Tx) (err error) {
		passed, err = isHuman(tx, v, now)
		return err
	}); err != nil || passed {
		return err
	}
	if v.CaptchaToken == "" {
		return invalid(captchaField, notReady)
	}
	key, err := o.Human.Check(ctx, v.CaptchaToken, v.IP)
	if errors.Is(err, ErrNotHuman) {
		return invalid(captchaField, somethingElse)
	}
	if err != nil {
		o.Log.ErrorContext(ctx, "human check does not answer", "error", err)
		return &Problem{Kind: Unavailable, Field: captchaField, Message: somethingElse}
	}
	return o.Store.Update(ctx, func(tx Tx) error {
		if key != "" {
			fresh, err := tx.Spend("human:"+key, now.Add(humanLife))
			if err != nil {
				return err
			}
			if !fresh {
				return invalid(captchaField, somethingElse)
			}
		}
		return changeSession(tx, v, func(s *Session) { s.HumanUntil = now.Add(humanLife) })
	})
}
