package office

import (
	"context"
	"slices"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/admission/paper"
	"hiresure/admission/payment"
	"hiresure/admission/registry"
	"hiresure/admission/staff"
	"hiresure/admission/status"
)

// MoveReasons are why an exam can be moved, as the person reads it.
var MoveReasons = []string{"Another exam on the same day", "Cannot come on that day", "Asked for this exam", "We changed the exam"}

// Moves is a paid enrolment with the other exams that it may move to.
type Moves struct {
	registry.Item
	Choices []MoveChoice // in the order of the codes
}

// MoveChoice is another event. Why says why it cannot be chosen; "" if it can.
type MoveChoice struct {
	Event admission.Event
	Why   string
}

// cannotMove refuses a registration that is not paid, or whose exam is over.
const cannotMove = "Only a paid enrolment whose exam is ahead can be moved."

// Moves returns a paid enrolment with the events of some codes, other than its own. Problems: NotFound, Conflict if it cannot move.
func (s *Service) Moves(ctx context.Context, id string, codes []string) (m Moves, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		m, err = s.movable(tx, id)
		for _, code := range codes {
			event, known := s.Events.EventByCode(code)
			if err != nil || !known || code == enrol.ApplicationCode || code == m.Registration.EventCode {
				continue
			}
			choice := MoveChoice{Event: event}
			choice.Why, err = whyNotTo(tx, m, event, s.Clock())
			m.Choices = append(m.Choices, choice)
		}
		return err
	})
	return m, err
}

// movable locks a registration and its payment and returns it if it can move. Problems: NotFound, Conflict.
func (s *Service) movable(tx Tx, id string) (m Moves, err error) {
	r, err := enrol.FindPerson(tx, id)
	if err != nil {
		return m, err
	}
	if !r.Paid() {
		return m, admission.ConflictProblem("", cannotMove)
	}
	t, err := tx.TransactionForUpdate(r.PaidTxnID) // before its registration, as everywhere
	if err != nil {
		return m, err
	}
	if r, err = tx.RegistrationForUpdate(id); err != nil {
		return m, err
	}
	items, err := s.Registry.Items(tx, []enrol.Registration{*r})
	if err != nil {
		return m, err
	}
	m.Item = items[0]
	if m.Phase != status.Enrolled || t == nil || t.ID != r.PaidTxnID {
		return m, admission.ConflictProblem("", cannotMove)
	}
	refunds, err := tx.RefundsOf(t.ID)
	if err != nil {
		return m, err
	}
	if t.State != payment.Paid || slices.ContainsFunc(refunds, payment.Refund.Open) {
		return m, admission.ConflictProblem("", "A dispute or a refund of this payment is open. Wait until it has ended.")
	}
	return m, nil
}

// whyNotTo returns why a paid enrolment cannot move to an event; "" if it can.
func whyNotTo(tx Tx, m Moves, event admission.Event, now time.Time) (string, error) {
	r := m.Registration
	switch {
	case event.Closed(now) != "":
		return event.Closed(now), nil
	case !slices.Contains(event.Courses, r.Course):
		return "It does not offer " + enrol.CourseLabel(r.Course) + ".", nil
	case !sameFee(m.Event, event, m.Transaction.Charge.Currency):
		return "Another fee: refund, then enrol again.", nil
	}
	other, err := tx.RegistrationOf(event.Code, r.Phone)
	if err != nil {
		return "", err
	}
	if other != nil {
		return "This phone is registered there already.", nil
	}
	holder, err := tx.PhoneOfEmail(event.Code, r.Email)
	if err == nil && holder != "" && holder != r.Phone {
		return "Another person is registered there with this e-mail.", nil
	}
	return "", err
}

// sameFee reports whether two events cost the same, also in the currency that was paid.
func sameFee(a, b admission.Event, paid string) bool {
	return a.Fee == b.Fee && (paid == a.Fee.Currency || a.Prices[paid].Money == b.Prices[paid].Money)
}

// MoveExam moves a paid enrolment from the event of one code to that of another. The ticket keeps its number and gets a new address and QR
// code, so that the old ones open nothing. The person gets an e-mail and an SMS. Problems: NotFound, Invalid for field reason, Conflict.
func (s *Service) MoveExam(ctx context.Context, id, from, to, reason string, by staff.Actor) error {
	if !slices.Contains(MoveReasons, reason) {
		return &admission.Problem{Kind: admission.Invalid, Field: "reason", Message: "Choose a reason"}
	}
	event, known := s.Events.EventByCode(to)
	if !known || to == from || to == enrol.ApplicationCode {
		return &admission.Problem{Kind: admission.Invalid, Field: "event", Message: "Choose an exam"}
	}
	return s.Store.Update(ctx, func(tx Tx) error {
		m, err := s.movable(tx, id)
		if err != nil {
			return err
		}
		if m.Registration.EventCode != from {
			return admission.ConflictProblem("", "Somebody else was faster: this registration is now for "+m.Event.Title+". Nothing was done.")
		}
		now := s.Clock()
		why, err := whyNotTo(tx, m, event, now)
		if err != nil {
			return err
		}
		if why != "" {
			return admission.ConflictProblem("event", why)
		}
		return s.moveTo(tx, m, event, reason, by, now)
	})
}

func (s *Service) moveTo(tx Tx, m Moves, event admission.Event, reason string, by staff.Actor, now time.Time) error {
	r, before := m.Registration, m.Event
	r.EventSlug, r.EventCode, r.SubeventCode = event.Slug, event.Code, event.SubeventCode
	r.TicketKey, r.ModifiedAt = admission.NewKey(), now
	if err := tx.SaveRegistration(&r); err != nil {
		return err
	}
	if err := paper.Renew(tx, r.PaidTxnID, now, paper.Receipt, paper.Ticket); err != nil {
		return err
	}
	entry := enrol.Entry{ID: admission.NewID(), RegistrationID: r.ID, Kind: enrol.EntryMoved, Detail: admission.Date(before.Exam) + " → " + admission.Date(event.Exam) + ". " + reason, Who: by.Name, At: now}
	if err := tx.AddEntry(entry); err != nil {
		return err
	}
	params := r.TicketParams(event, s.Payment.BaseURL, now)
	delete(params, "ReferralCode")
	params["Before"], params["After"], params["Reason"] = admission.Date(before.Exam), admission.Date(event.Exam), strings.ToLower(reason[:1])+reason[1:]
	if charge := m.Transaction.Charge; charge.Minor > 0 {
		params["Amount"] = charge.String()
		if !event.RefundUntil.IsZero() {
			params["Refund"] = admission.RefundTerms(event.RefundUntil, event.Exam, now)
		}
	}
	cause := "moved:" + r.ID + ":" + entry.ID
	mail := message.Message{Cause: cause, Channel: message.Email, To: r.Email, Template: "exam-moved", Params: params, Papers: []string{paper.Name(paper.Ticket, r.PaidTxnID)}}
	if err := s.Payment.Messages.Send(tx, mail); err != nil {
		return err
	}
	sms := message.Message{Cause: cause + ":sms", Channel: message.SMS, To: r.Phone, Template: "exam-moved-sms", Params: map[string]string{"Day": admission.Date(event.Exam)}}
	if err := s.Payment.Messages.Send(tx, sms); err != nil {
		return err
	}
	act := by.Did(now, "moved to another exam", r.Subject(), before.Code, event.Code)
	act.Reason = reason
	return tx.LogAct(act)
}
