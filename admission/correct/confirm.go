package correct

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/staff"
)

// Find returns the request of a link's token, as typed. Problem: NotFound for an unknown one.
func (s *Service) Find(ctx context.Context, token string) (found Request, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		c, err := findByToken(tx, token)
		if err == nil {
			found = *c
		}
		return err
	})
	return found, err
}

func findByToken(tx Tx, token string) (*Request, error) {
	if len(token) == keyLength { // typed from an SMS
		token = strings.ToUpper(token)
	}
	c, err := tx.CorrectionByToken(admission.HashToken(token))
	if err == nil && c == nil {
		err = admission.NotFoundProblem("Link")
	}
	return c, err
}

// Messages for the owner of an address.
const (
	linkOver   = "This link no longer works."
	addressHas = "We cannot use it: another registration has it. Please call us."
	wrongCode  = "This code is wrong. Use the latest one that we sent."
	codeOver   = "This code no longer works. Ask for a new one below."
	sendsOver  = "We have sent 5 codes. Please call us for more."
)

// Confirm changes the registration to the value of a link's token. For a phone it takes the code too. Problems: NotFound, Conflict where the
// request is over or another registration has the value, Invalid for field code.
func (s *Service) Confirm(ctx context.Context, token, code string) error {
	var refusal *admission.Problem
	err := s.Store.Update(ctx, func(tx Tx) error {
		refusal = nil
		r, c, taken, err := s.lockByToken(tx, token)
		if err != nil {
			return err
		}
		if c.Field == Phone {
			if refusal = s.checkCode(c, code); refusal != nil {
				return tx.SaveCorrection(c) // a wrong try counts
			}
		}
		if taken != "" {
			return admission.ConflictProblem("", addressHas)
		}
		return s.carryOut(tx, r, c)
	})
	if err == nil && refusal != nil {
		err = refusal
	}
	return err
}

// lockByToken locks the registration and the request of a token, which must still wait, in the order in which all transactions lock. taken is
// why the registration cannot have the value.
func (s *Service) lockByToken(tx Tx, token string) (r *enrol.Registration, c *Request, taken string, err error) {
	found, err := findByToken(tx, token)
	if err != nil {
		return nil, nil, "", err
	}
	if r, err = tx.Registration(found.RegistrationID); err != nil {
		return nil, nil, "", err
	}
	if !r.HasPerson() {
		return nil, nil, "", admission.NotFoundProblem("Link")
	}
	if taken, err = s.taken(tx, r, found.Field, found.Value); err != nil {
		return nil, nil, "", err
	}
	if r.AccountID != "" {
		if _, err := tx.AccountForUpdate(r.AccountID); err != nil {
			return nil, nil, "", err
		}
	}
	if found.Receipt {
		if _, err := tx.TransactionForUpdate(r.PaidTxnID); err != nil {
			return nil, nil, "", err
		}
	}
	if r, err = tx.RegistrationForUpdate(r.ID); err != nil {
		return nil, nil, "", err
	}
	if c, err = tx.CorrectionForUpdate(found.ID); err != nil {
		return nil, nil, "", err
	}
	switch {
	case !r.HasPerson() || c == nil:
		return nil, nil, "", admission.NotFoundProblem("Link")
	case c.State != Waits, c.Expired(s.Clock()), !same(c.Field, c.Was, Value(r, c.Field)): // else it would undo what changed since
		return nil, nil, "", admission.ConflictProblem("", linkOver)
	}
	return r, c, taken, nil
}

// carryOut changes the registration and ends the request.
func (s *Service) carryOut(tx Tx, r *enrol.Registration, c *Request) (err error) {
	now := s.Clock()
	if err := end(tx, c, Confirmed, now); err != nil {
		return err
	}
	var changed []enrol.Registration
	if c.Field == Email {
		changed, err = s.setEmail(tx, r, c)
	} else {
		changed, err = s.setPhone(tx, r, c)
	}
	if err != nil {
		return err
	}
	by := staff.Actor{Name: c.Who, From: "a link that we sent", Account: c.AccountID}
	for i := range changed {
		if err := note(tx, &changed[i], correctedEntries[c.Field], enrol.OldNew(c.Was, c.Value), c.Who, now); err != nil {
			return err
		}
		if err := tx.LogAct(by.Did(now, "corrected the "+what[c.Field], changed[i].Subject(), "", "confirmed by its owner")); err != nil {
			return err
		}
	}
	if !c.Receipt {
		return nil
	}
	if err := s.Payment.MailReceiptAgain(tx, r.PaidTxnID); !admission.HasKind(err, admission.Conflict) { // refunded since
		return err
	}
	return nil
}

// setEmail changes the e-mail of the registrations of the same person that have the old one, and of their account. Links in mails to the old
// address no longer open papers.
func (s *Service) setEmail(tx Tx, r *enrol.Registration, c *Request) ([]enrol.Registration, error) {
	follows, err := s.accountFollows(tx, r, Email)
	if err != nil {
		return nil, err
	}
	if follows {
		a, err := tx.AccountForUpdate(r.AccountID)
		if err != nil {
			return nil, err
		}
		if err := tx.RevokeAccess(a); err != nil { // a stranger at the old address may be signed in
			return nil, err
		}
		if err := s.Account.SetAddress(tx, a, strings.ToLower(c.Value), "corrected:"+c.ID); err != nil {
			return nil, err
		}
	}
	own, err := ownRegistrations(tx, r)
	if err != nil {
		return nil, err
	}
	var changed []enrol.Registration
	for _, o := range own {
		if o.ID != r.ID && (c.Was == "" || !strings.EqualFold(o.Email, c.Was)) {
			continue
		}
		locked, err := tx.RegistrationForUpdate(o.ID)
		if err != nil {
			return nil, err
		}
		holder, err := tx.PhoneOfEmail(locked.EventCode, c.Value)
		if err != nil {
			return nil, err
		}
		if holder != "" && holder != locked.Phone {
			return nil, admission.ConflictProblem("", addressHas)
		}
		locked.Email, locked.ModifiedAt = c.Value, s.Clock()
		if err := tx.SaveRegistration(locked); err != nil {
			return nil, err
		}
		if _, err := tx.RevokeLinks(locked.ID, s.Clock()); err != nil {
			return nil, err
		}
		changed = append(changed, *locked)
	}
	return changed, nil
}

// setPhone changes the phone of the registrations of the same person, and of their account. The new phone opens what the old one opened, and
// the old one nothing.
func (s *Service) setPhone(tx Tx, r *enrol.Registration, c *Request) ([]enrol.Registration, error) {
	follows, err := s.accountFollows(tx, r, Phone)
	if err != nil {
		return nil, err
	}
	own, err := ownRegistrations(tx, r)
	if err != nil {
		return nil, err
	}
	if follows {
		a, err := tx.AccountForUpdate(r.AccountID)
		if err != nil {
			return nil, err
		}
		if err := tx.RevokeAccess(a); err != nil { // whoever has the old phone may be signed in
			return nil, err
		}
		return own, s.Account.SetAddress(tx, a, c.Value, "corrected:"+c.ID)
	}
	moved, err := tx.MoveRegistrations(r.AccountID, r.Phone, c.Value, s.Clock())
	if err != nil {
		return nil, err
	}
	if !moved {
		return nil, admission.ConflictProblem("", addressHas)
	}
	owner, err := tx.AccountIDOf(c.Value)
	if err == nil && owner != "" {
		err = tx.ClaimRegistrations(owner, c.Value)
	}
	return own, err
}

// newCode gives the request of a phone a new code and returns it; "" for an e-mail.
func (s *Service) newCode(c *Request) (code string) {
	if c.Field != Phone {
		return ""
	}
	now := s.Clock()
	code = admission.NewCode()
	c.CodeMAC, c.CodeEndsAt, c.Tries, c.SentAt = s.codeMAC(c, code), now.Add(codeLife), 0, now
	c.Sends++
	return code
}

func (s *Service) codeMAC(c *Request, code string) string {
	mac := hmac.New(sha256.New, s.Pepper)
	mac.Write([]byte("correction code\x00" + c.ID + "\x00" + code))
	return hex.EncodeToString(mac.Sum(nil))
}

// checkCode returns a Problem unless a typed code is right; a wrong one counts.
func (s *Service) checkCode(c *Request, typed string) *admission.Problem {
	typed = strings.Join(strings.Fields(typed), "")
	switch {
	case c.Tries >= codeTries || !s.Clock().Before(c.CodeEndsAt):
		return admission.FieldProblem("code", codeOver)
	case typed == "":
		return admission.FieldProblem("code", "Enter the 6 digits of the SMS.")
	case hmac.Equal([]byte(c.CodeMAC), []byte(s.codeMAC(c, typed))):
		return nil
	}
	if c.Tries++; c.Tries == codeTries {
		return admission.FieldProblem("code", codeOver)
	}
	return admission.FieldProblem("code", wrongCode)
}

// SendCode sends a new code for the request of a phone. Problems: NotFound, Conflict where the request is over or has sent enough, TooMany within
// a minute.
func (s *Service) SendCode(ctx context.Context, token string) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		_, c, _, err := s.lockByToken(tx, token)
		if err != nil {
			return err
		}
		switch wait := c.SentAt.Add(resendAfter).Sub(s.Clock()); {
		case c.Field != Phone:
			return admission.NotFoundProblem("Link")
		case wait > 0:
			return admission.BusyOthersProblem("code", "A code was sent a moment ago.", min(wait, resendAfter))
		case c.Sends >= codeSends:
			return admission.ConflictProblem("code", sendsOver)
		}
		code := s.newCode(c)
		if err := tx.SaveCorrection(c); err != nil {
			return err
		}
		return s.send(tx, c, strings.ToUpper(token), code)
	})
}

// CodeLives reports whether a code of the request of a phone still works.
func (c *Request) CodeLives(now time.Time) bool {
	return c.Tries < codeTries && now.Before(c.CodeEndsAt)
}
