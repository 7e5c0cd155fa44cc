package admission

import (
	"context"
	"errors"
	"strings"
	"time"
)

// A limit allows `most` hits of a bucket in a sliding window.
type limit struct {
	bucket  string
	most    int
	per     time.Duration
	address bool // counted per address: ten times wider after a human check, for a college's shared one
	lifted  bool // by RATE_LIMITS=off
	field   string
	alert   string // what a person is told when it is used up; "" for nothing
}

func perIP(what string, v Visitor, most int, per time.Duration) limit {
	return limit{bucket: what + ":ip:" + v.IP, most: most, per: per, address: true, lifted: true}
}

// perMailbox keeps us from writing to one address again and again because somebody says so.
func perMailbox(email string) limit {
	return limit{bucket: "mail:" + strings.ToLower(email), most: 5, per: time.Hour, lifted: true, field: "email"}
}

// guesses are the limits of questions whose answer tells something: whether an e-mail is known, a code exists. Only
// refusals are counted.
func guesses(v Visitor) limit { return perIP("guess", v, 10, time.Hour) }

// within answers a Problem for the first limit that is used up. It counts nothing.
func (o *Office) within(tx Tx, v Visitor, limits ...limit) error {
	now := o.Clock()
	for _, l := range limits {
		if l.lifted && o.RateLimitsOff {
			continue
		}
		most := l.most
		if l.address {
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
			if l.alert != "" {
				o.Alert(l.alert)
			}
			return tooMany(l.field, oldest.Add(l.per).Sub(now))
		}
	}
	return nil
}

// count adds one hit to each limit.
func (o *Office) count(tx Tx, limits ...limit) error {
	for _, l := range limits {
		if l.lifted && o.RateLimitsOff {
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
	// ErrNotHuman for a token that is not good, ErrTooFast for one that will be in a moment, and any other error when the
	// service does not answer.
	Check(ctx context.Context, token, ip string) (onceKey string, err error)
	// Needed is false where CAPTCHA=off.
	Needed() bool
}

// What a check says of a token that it does not take.
var (
	ErrNotHuman = errors.New("not human")
	ErrTooFast  = errors.New("too fast for a person")
)

const (
	humanLife     = 2 * time.Hour
	notReady      = "Execute reCAPTCHA is not ready yet."
	captchaField  = "captcha_token"
	somethingElse = "Something went wrong."
	tooFast       = "That was a little too fast. Please wait three seconds and press again."
)

// HumanPause is what a person takes at least to read a page and press its button.
const HumanPause = 3 * time.Second

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
	if errors.Is(err, ErrTooFast) {
		return &Problem{Kind: TooMany, Field: captchaField, RetryAfter: HumanPause, Message: tooFast}
	}
	if err != nil {
		o.Log.ErrorContext(ctx, "human check does not answer", "error", err)
		return &Problem{Kind: Unavailable, Field: captchaField, Message: somethingElse}
	}
	return o.Store.Update(ctx, func(tx Tx) error {
		if passed, err := isHuman(tx, v, now); err != nil || passed { // a parallel call of the same page was faster
			return err
		}
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
