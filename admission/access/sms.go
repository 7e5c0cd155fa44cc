package access

import (
	"cmp"
	"math"
	"strconv"
	"time"

	"hiresure/admission"
)

// Whoever is paid for the SMS that arrive in a block of numbers walks through its 10,000 numbers, from many addresses.
//
// So a block takes blockMost codes an hour from sessions that have proven nothing. Beyond that each code costs a human check
// of its own: it uses up the session's pass, and the browser passes the next one unseen. So much wider as an address's
// limits are after that check, the block ends too. A session that has proven a phone is not bound: it has cost an SMS that
// somebody read, and its own limits hold. In the worst case all of that ends at SMSPerHour, of which the last tenth is for
// addresses that have asked for no other code in the hour, and for proven sessions: a few addresses that use up all that is
// theirs do not stop enrolment everywhere.
const (
	blockMost   = 50
	usualHourly = 2000
)

// takeSMS counts a message to a phone in its block and in the hour, or refuses it. It may use up the session's human check,
// and returns what people are to be told.
func (s *Service) takeSMS(tx Tx, v admission.Visitor, session *Session, phone, field string) (alerts []string, err error) {
	if s.RateLimitsOff {
		return nil, nil
	}
	ceiling := Limit{Bucket: "sms", Most: cmp.Or(s.SMSPerHour, usualHourly), Per: time.Hour, Field: field}
	block := Limit{Bucket: "code:prefix:" + phone[:len(phone)-4], Most: math.MaxInt, Per: time.Hour, Field: field}
	if !session.hasProvenAny() {
		block.Most = blockMost * session.width(s.Clock())
		asked, _, err := tx.Hits(codesOf(v).Bucket, s.Clock().Add(-time.Hour)) // with this one
		if err != nil {
			return nil, err
		}
		if asked > 1 {
			ceiling.Most -= ceiling.Most / 10
		}
	}
	inBlock, err := s.takeOne(tx, block)
	if err != nil {
		return nil, err
	}
	if inBlock > blockMost && !session.hasProvenAny() {
		session.HumanUntil = time.Time{}
	}
	inHour, err := s.takeOne(tx, ceiling)
	if err != nil {
		return nil, err
	}
	for _, reached := range []struct {
		full          bool
		bucket, alert string
	}{
		{full: inBlock >= blockMost, bucket: block.Bucket, alert: "codes for one block of numbers are limited"},
		{full: inHour >= ceiling.Most, bucket: ceiling.Bucket, alert: "no more codes are sent in this hour"},
	} {
		if !reached.full {
			continue
		}
		hour := strconv.FormatInt(s.Clock().Unix()/3600, 10) // people are told once an hour
		first, err := tx.Spend("alert:"+reached.bucket+":"+hour, s.Clock().Add(2*time.Hour))
		if err != nil {
			return nil, err
		}
		if first {
			alerts = append(alerts, reached.alert)
		}
	}
	return alerts, nil
}

// takeOne counts a hit and returns how many there are with it, or refuses it.
func (s *Service) takeOne(tx Tx, l Limit) (hits int, err error) {
	if hits, err = s.hits(tx, l); err != nil {
		return 0, err
	}
	return hits + 1, Count(tx, s.Clock(), l)
}

func (s *Service) alert(what []string) {
	for _, text := range what {
		s.Alert(text)
	}
}
