package access

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"

	"hiresure/admission"
)

// Toll fraud: somebody who earns from SMS to a block of 10,000 numbers requests codes for all of them from many addresses.
// Above blockCodes an hour, each code to the block needs work.
//
// All codes together end at SMSPerHour. From half of it, codes need work for networks that have requested one in the last hour,
// more as it fills, and a network gets a quarter at most. The last tenth is kept: one half for the first code of a network to a
// number that was sent none in a day, the other for browsers that we know.

// smsBudget returns the limits of an SMS to count, and the alarms to raise once it is sent.
func (s *Service) smsBudget(tx Tx, v admission.Visitor, session *Session, phone string, askedToday bool, need *work, field string) (count []Limit, alarms []alarm, err error) {
	most := cmp.Or(s.SMSPerHour, usualSMS)
	block := Limit{Bucket: "code:prefix:" + phone[:len(phone)-4], Max: blockCodes, Per: time.Hour, Field: field, Work: true, Cause: sendingBusy}
	ofNetwork := Limit{Bucket: networkBucket + network(v.IP), Max: most / networkShare, Per: time.Hour, Field: field, Cause: networkBusy}
	ofAll := Limit{Bucket: "sms", Max: most, Per: time.Hour, Field: field, Cause: sendingBusy}
	known := session.hasVerifiedPhone() || session.AccountID != ""
	if known {
		block.Max, ofNetwork.Max = math.MaxInt, math.MaxInt
	}
	inBlock, err := s.check(tx, need, block)
	if err != nil {
		return nil, nil, err
	}
	inNetwork, err := s.check(tx, need, ofNetwork)
	if err != nil {
		return nil, nil, err
	}
	switch { // the last tenth
	case known:
	case inNetwork == 0 && !askedToday:
		ofAll.Max -= most / 20
	default:
		ofAll.Max -= most / 10
	}
	inHour, err := s.check(tx, need, ofAll)
	if err != nil {
		return nil, nil, err
	}
	if inHour >= most/2 && inNetwork > 0 && !known {
		need.ask(stepsBeyond(inHour, most/2), time.Hour, sendingBusy, field)
	}
	for _, reached := range []struct {
		full bool
		alarm
	}{
		{inBlock+1 >= blockCodes, alarm{alert: "verification codes for one block of phone numbers need work", about: block.Bucket}},
		{inNetwork+1 >= most/networkShare, alarm{alert: "one network has used its share of the hourly verification codes", about: ofNetwork.Bucket}},
		{inHour+1 >= most-most/10, alarm{alert: "hourly limit of verification codes reached", about: ofAll.Bucket}},
	} {
		if !reached.full {
			continue
		}
		reached.prefix = networkBucket
		if alarms, err = s.addAlarm(tx, alarms, reached.alarm); err != nil {
			return nil, nil, err
		}
	}
	return []Limit{block, ofNetwork, ofAll}, alarms, nil
}

const networkBucket = "sms:net:" // codes by SMS, by network

// alarm is an alert to raise after the commit, once an hour.
type alarm struct {
	alert, about string
	prefix       string // of buckets by network
	network      string // the one with the most hits
	hits         int
}

// addAlarm adds an alarm unless it was raised in this hour.
func (s *Service) addAlarm(tx Tx, alarms []alarm, a alarm) ([]alarm, error) {
	now := s.Clock()
	first, err := tx.Spend("alert:"+a.about+":"+strconv.FormatInt(now.Unix()/3600, 10), now.Add(2*time.Hour))
	if err != nil || !first {
		return alarms, err
	}
	a.network, a.hits, err = tx.BusiestBucket(a.prefix, now.Add(-time.Hour))
	a.network = strings.TrimPrefix(a.network, a.prefix)
	return append(alarms, a), err
}

func (s *Service) raise(alarms []alarm) {
	for _, a := range alarms {
		s.Log.Warn(a.alert, "network", a.network, "hits", a.hits)
		s.Alert(a.alert)
	}
}
