package access

import (
	"cmp"
	"math"
	"strconv"
	"time"

	"hiresure/admission"
)

// Toll fraud: somebody who earns from SMS to a block of 10,000 numbers requests codes for all of them from many addresses.
//
// A block therefore gets blockMost codes an hour from sessions without a verified phone. Above that, each code uses up the
// session's human check, so the browser has to pass a new one (without the visitor's help). The block is full at blockMost times
// the session's width. Sessions with a verified phone are exempt: they cost an SMS that somebody read, and have limits of their
// own. All codes together end at SMSPerHour; its last tenth is reserved for addresses without another code in the last hour
// and for sessions with a verified phone, so that a few addresses cannot stop enrolment for everybody.
const (
	blockLimit        = 50
	defaultSMSPerHour = 2000
)

// countSMS counts an SMS to a phone against its block and the hourly ceiling, or refuses it. It may use up the session's
// human check, and returns the alerts to raise.
func (s *Service) countSMS(tx Tx, v admission.Visitor, session *Session, phone, field string) (alerts []string, err error) {
	if s.RateLimitsOff {
		return nil, nil
	}
	ceiling := Limit{Bucket: "sms", Max: cmp.Or(s.SMSPerHour, defaultSMSPerHour), Per: time.Hour, Field: field}
	block := Limit{Bucket: "code:prefix:" + phone[:len(phone)-4], Max: math.MaxInt, Per: time.Hour, Field: field}
	if !session.hasVerifiedPhone() {
		block.Max = blockLimit * session.width(s.Clock())
		asked, _, err := tx.Hits(codeLimit(v).Bucket, s.Clock().Add(-time.Hour)) // including this one
		if err != nil {
			return nil, err
		}
		if asked > 1 {
			ceiling.Max -= ceiling.Max / 10
		}
	}
	inBlock, err := s.countHit(tx, block)
	if err != nil {
		return nil, err
	}
	if inBlock > blockLimit && !session.hasVerifiedPhone() {
		session.HumanUntil = time.Time{}
	}
	inHour, err := s.countHit(tx, ceiling)
	if err != nil {
		return nil, err
	}
	for _, reached := range []struct {
		full          bool
		bucket, alert string
	}{
		{full: inBlock >= blockLimit, bucket: block.Bucket, alert: "verification codes for one block of phone numbers need a human check"},
		{full: inHour >= ceiling.Max, bucket: ceiling.Bucket, alert: "hourly limit of verification codes reached"},
	} {
		if !reached.full {
			continue
		}
		hour := strconv.FormatInt(s.Clock().Unix()/3600, 10) // one alert an hour
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

// countHit counts a hit and returns the new total, or refuses it.
func (s *Service) countHit(tx Tx, l Limit) (hits int, err error) {
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
