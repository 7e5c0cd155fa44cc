package access

import (
	"math"
	"time"

	"hiresure/admission"
	"hiresure/admission/message"
)

// How many codes go out. A session's own figures are walls; those that strangers share ask for work, so that no stranger can
// keep codes from the owner of a number or e-mail.
const (
	sendWindow = 10 * time.Minute
	daily      = 24 * time.Hour

	sessionSends = 3 // of a session to one address, in sendWindow
	numberSends  = 3 // of everybody to one address, in sendWindow …
	numberDaily  = 10

	// Beyond those two, each further code needs work made for that address, doubled with each of the day. A session then gets one
	// code in sendWindow, which it may have sent again, and five sends a day; its network has ten a day, against SMS bombs.
	furtherCodes   = 1
	furtherDaily   = 5
	furtherNetwork = 10

	addressCodes = 30   // of an address in an hour; ten times as many after a human check
	wrongCodes   = 60   // wrong codes from an address in an hour, above which its codes need work
	blockCodes   = 50   // to a block of 10,000 phone numbers in an hour
	usualSMS     = 2000 // by SMS in an hour, of everybody
	networkShare = 4    // a network gets at most a quarter of those
)

// codeLimit returns the limit on codes per visitor address.
func codeLimit(v admission.Visitor) Limit {
	l := PerAddress("code", v, addressCodes, time.Hour)
	l.Work = true
	return l
}

// spendBudget counts a code that is about to be sent against session, address, network and everybody, or returns a Problem:
// for a wall, or with the work after which it is sent. It returns the alarms to raise.
func (s *Service) spendBudget(tx Tx, v admission.Visitor, session *Session, c *CodeRequest, field string) (alarms []alarm, err error) {
	to := mailbox(c.To)
	var need work
	var count []Limit
	spend := func(limits ...Limit) error {
		count = append(count, limits...)
		_, err := s.check(tx, &need, limits...)
		return err
	}
	minute := Limit{Bucket: "code:60s:" + to, Max: 1, Per: resendAfter, Field: field} // across purposes
	if c.To == c.Other {                                                              // a guardian's, just after the student's
		minute.Bucket = "code:60s:guardian:" + to
	}
	if s.Clock().Before(session.HumanUntil) { // a stranger's request does not delay the owner
		minute.Bucket += ":" + session.ID
	}
	if err := spend(minute, Limit{Bucket: "code:own:" + session.ID + ":" + to, Max: sessionSends, Per: sendWindow, Field: field}); err != nil {
		return nil, err
	}
	further, askedToday, err := s.numberBudget(tx, v, session, c, &need, field)
	if err != nil {
		return nil, err
	}
	count = append(count, further...)
	if err := s.checkWrong(tx, v, session, &need, field); err != nil {
		return nil, err
	}
	if err := spend(s.bind(v, session, []Limit{codeLimit(v)})...); err != nil {
		return nil, err
	}
	if c.channel() == message.SMS && !s.RateLimitsOff {
		var ofSMS []Limit
		if ofSMS, alarms, err = s.smsBudget(tx, v, session, c.To, askedToday, &need, field); err != nil {
			return nil, err
		}
		count = append(count, ofSMS...)
	}
	if err := s.done(tx, v, need, "code "+to); err != nil {
		return nil, err
	}
	return alarms, Count(tx, s.Clock(), count...)
}

// numberBudget returns the limits to count for a number or e-mail, and whether it was sent a code within a day. Once the
// shared limits are used up, it demands a proof of work and counts only the session's and the network's limits.
func (s *Service) numberBudget(tx Tx, v admission.Visitor, session *Session, c *CodeRequest, need *work, field string) (count []Limit, askedToday bool, err error) {
	to, cause := mailbox(c.To), numberBusy
	if c.channel() == message.Email {
		cause = mailboxBusy
	}
	var wait time.Duration
	for _, l := range []Limit{
		{Bucket: "code:10m:" + to, Max: numberSends, Per: sendWindow},
		{Bucket: "code:day:" + to, Max: numberDaily, Per: daily},
	} {
		hits, until, err := s.room(tx, l)
		if err != nil {
			return nil, false, err
		}
		wait, askedToday = max(wait, until), askedToday || hits > 0
		count = append(count, l)
	}
	if wait == 0 {
		return count, askedToday, nil
	}
	all := Limit{Bucket: "code:further:" + to, Max: math.MaxInt, Per: daily}
	sent, _, err := s.room(tx, all)
	if err != nil {
		return nil, false, err
	}
	need.ask(1+sent, wait, cause, field)
	own := []Limit{
		{Bucket: all.Bucket + ":own:" + session.ID, Max: furtherDaily, Per: daily, Field: field},
		{Bucket: all.Bucket + ":net:" + network(v.IP), Max: furtherNetwork, Per: daily, Field: field, Cause: cause, Lifted: true},
	}
	if !c.lives(s.Clock()) {
		own = append(own, Limit{Bucket: all.Bucket + ":new:" + session.ID, Max: furtherCodes, Per: sendWindow, Field: field})
	}
	own = s.bind(v, session, own)
	_, err = s.check(tx, need, own...)
	return append(append(count, all), own...), askedToday, err
}

// checkWrong asks for work once many wrong codes came from the visitor's address or network. It locks nobody out of a code
// that was sent.
func (s *Service) checkWrong(tx Tx, v admission.Visitor, session *Session, need *work, field string) error {
	if s.RateLimitsOff || session.hasVerifiedPhone() {
		return nil
	}
	for _, l := range wrongLimits(v) {
		l.Work, l.Cause, l.Field = true, wrongBusy, field
		if _, err := s.check(tx, need, l); err != nil {
			return err
		}
	}
	return nil
}

// wrongLimits returns the limits on wrong codes of an address and its networks.
func wrongLimits(v admission.Visitor) []Limit {
	limits := []Limit{{Bucket: wrongBucket + v.IP, Max: wrongCodes, Per: time.Hour}}
	for i, network := range networks(v.IP) {
		limits = append(limits, Limit{Bucket: wrongBucket + network, Max: wrongCodes << (i + 1), Per: time.Hour})
	}
	return limits
}

const wrongBucket = "wrong:net:" // wrong codes, by address and network

// wrongAlert is the number of wrong codes in an hour that mistyping explains; above it, half of the codes sent by SMS are.
const wrongAlert = 100

// countWrong counts a wrong code, and raises an alert when all are more than chance and mistyping explain.
func (s *Service) countWrong(tx Tx, v admission.Visitor) error {
	if s.RateLimitsOff {
		return nil
	}
	now := s.Clock()
	all := Limit{Bucket: "wrong", Per: time.Hour}
	if err := Count(tx, now, append(wrongLimits(v), all)...); err != nil {
		return err
	}
	wrong, _, err := tx.Hits(all.Bucket, now.Add(-all.Per))
	if err != nil || wrong < wrongAlert {
		return err
	}
	sent, _, err := tx.Hits("sms", now.Add(-time.Hour))
	if err != nil || wrong < sent/2 {
		return err
	}
	alarms, err := s.addAlarm(tx, nil, alarm{alert: "many wrong verification codes: somebody may be guessing", about: all.Bucket, prefix: wrongBucket})
	s.raise(alarms)
	return err
}
