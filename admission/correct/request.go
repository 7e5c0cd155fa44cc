package correct

import (
	"context"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/admission/office"
	"hiresure/admission/staff"
	"hiresure/paths"
)

const (
	requestLife = 24 * time.Hour
	codeLife    = 10 * time.Minute
	resendAfter = time.Minute
	codeTries   = 5
	codeSends   = 5 // of a request
)

// keyLength is the length of the key in an SMS, short enough to type.
const keyLength = 10

// Ask asks the owner of a new e-mail or phone to confirm it, and notifies the old one. It replaces a request that waits. It returns a *Stale if the
// registration has changed since. Problems: NotFound, Conflict for what was done already, Invalid.
func (s *Service) Ask(ctx context.Context, c Change, by staff.Actor) error {
	if c.Field == Name {
		return admission.FieldProblem(string(Name), "A name needs no confirmation")
	}
	return s.Store.Update(ctx, func(tx Tx) error {
		j, err := s.judge(tx, c)
		if err != nil {
			return err
		}
		now := s.Clock()
		for _, w := range j.waiting {
			if err := end(tx, &w, Replaced, now); err != nil {
				return err
			}
		}
		request := &Request{
			ID: admission.NewID(), RegistrationID: j.r.ID, Field: c.Field, Was: Value(j.r, c.Field), Value: j.value,
			Receipt: c.Receipt && c.Field == Email && j.r.Paid(), How: j.how, Who: by.Name, AccountID: by.Account,
		}
		if err := s.open(tx, request); err != nil {
			return err
		}
		if err := s.notifyOld(tx, request); err != nil {
			return err
		}
		if err := note(tx, j.r, askedEntries[c.Field], "", by.Name, now); err != nil {
			return err
		}
		if c.Why != "" {
			words := office.Note{ID: admission.NewID(), RegistrationID: j.r.ID, AccountID: by.Account, Who: by.Name, Words: "Why the phone changes: " + c.Why, At: now}
			if err := tx.AddNote(words); err != nil {
				return err
			}
		}
		act := by.Did(now, "asked to confirm another "+what[c.Field], j.r.Subject(), "", "")
		act.Reason = j.how
		return tx.LogAct(act)
	})
}

var what = map[Field]string{Email: "e-mail", Phone: "phone", Name: "name"}

// open stores a request and sends its message.
func (s *Service) open(tx Tx, c *Request) error {
	now := s.Clock()
	c.State, c.CreatedAt, c.SentAt, c.ExpiresAt = Waits, now, now, now.Add(requestLife)
	token := admission.NewToken()
	if c.Field == Phone {
		token = admission.RandomLetters(keyLength)
	}
	c.TokenHash = admission.HashToken(token)
	code := s.newCode(c)
	if err := tx.AddCorrection(c); err != nil {
		return err
	}
	return s.send(tx, c, token, code)
}

func (s *Service) send(tx Tx, c *Request, token, code string) error {
	m := message.Message{
		Cause: "correction:" + c.RegistrationID + ":" + admission.NewID(), Channel: message.Email, To: c.Value, Template: "correction",
		Params: map[string]string{"ConfirmURL": s.BaseURL + paths.Confirm(token)},
	}
	if c.Field == Phone {
		m.Channel, m.Template, m.Params = message.SMS, "correction-sms", map[string]string{"Code": code, "Key": token}
	}
	return s.Messages.Send(tx, m)
}

// notifyOld says at the old address that another one is to replace it. It names neither the new one nor the person: the old one may be a
// stranger's.
func (s *Service) notifyOld(tx Tx, c *Request) error {
	m := message.Message{
		Cause: "correction-told:" + c.RegistrationID + ":" + c.ID, Channel: message.Email, To: c.Was, Template: "correction-told",
		Params: map[string]string{"At": admission.Moment(c.CreatedAt)},
	}
	if c.Field == Phone {
		m.Channel, m.Template = message.SMS, "correction-told-sms"
	}
	return s.Messages.Send(tx, m)
}

func end(tx Tx, c *Request, state State, at time.Time) error {
	c.State, c.EndedAt, c.CodeMAC = state, at, ""
	return tx.SaveCorrection(c)
}

// Waiting returns the requests of a registration that its owner has not confirmed yet, expired ones too.
func (s *Service) Waiting(ctx context.Context, registrationID string) (waiting []Request, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		waiting, err = tx.WaitingCorrections(registrationID)
		return err
	})
	return waiting, err
}

const notWaiting = "This request does not wait any more"

// Withdraw ends a request: its link no longer works. Problems: NotFound, Conflict where it does not wait any more.
func (s *Service) Withdraw(ctx context.Context, registrationID, id string, by staff.Actor) error {
	return s.changeWaiting(ctx, registrationID, id, func(tx Tx, r *enrol.Registration, c *Request) error {
		now := s.Clock()
		if err := end(tx, c, Withdrawn, now); err != nil {
			return err
		}
		if err := note(tx, r, enrol.EntryCorrectionDropped, "", by.Name, now); err != nil {
			return err
		}
		return tx.LogAct(by.Did(now, "withdrew the request for another "+what[c.Field], r.Subject(), "", ""))
	})
}

// SendAgain replaces a request by one that is the same, with a new link. Problems: NotFound, Conflict where it does not wait any more, TooMany
// within a minute.
func (s *Service) SendAgain(ctx context.Context, registrationID, id string, by staff.Actor) error {
	return s.changeWaiting(ctx, registrationID, id, func(tx Tx, r *enrol.Registration, c *Request) error {
		now := s.Clock()
		if wait := c.SentAt.Add(resendAfter).Sub(now); wait > 0 {
			return admission.BusyOthersProblem("", "It was sent a moment ago.", wait)
		}
		if err := end(tx, c, Replaced, now); err != nil {
			return err
		}
		again := *c
		again.ID, again.EndedAt, again.Tries, again.Sends, again.Who, again.AccountID = admission.NewID(), time.Time{}, 0, 0, by.Name, by.Account
		if err := s.open(tx, &again); err != nil {
			return err
		}
		if err := note(tx, r, askedEntries[c.Field], "", by.Name, now); err != nil {
			return err
		}
		return tx.LogAct(by.Did(now, "asked again to confirm another "+what[c.Field], r.Subject(), "", ""))
	})
}

// changeWaiting locks a registration and one of its requests that waits.
func (s *Service) changeWaiting(ctx context.Context, registrationID, id string, change func(Tx, *enrol.Registration, *Request) error) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		if _, err := enrol.FindPerson(tx, registrationID); err != nil {
			return err
		}
		r, err := tx.RegistrationForUpdate(registrationID)
		if err != nil {
			return err
		}
		c, err := tx.CorrectionForUpdate(id)
		switch {
		case err != nil:
			return err
		case !r.HasPerson(), c == nil, c.RegistrationID != r.ID:
			return admission.NotFoundProblem("Request")
		case c.State != Waits:
			return admission.ConflictProblem("", notWaiting)
		}
		return change(tx, r, c)
	})
}
