package correct

import (
	"context"
	"slices"
	"strings"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/admission/staff"
	"hiresure/paths"
)

// Step is a step of an application, as the dialog that reopens one lists it.
type Step struct {
	To         enrol.Step // step to which the application returns
	Name, Text string
	Locked     bool // Text says why it cannot be reopened
}

// Steps returns the steps of an application; nil for an enrolment, which has none.
func Steps(r *enrol.Registration) []Step {
	if !r.IsApplication() {
		return nil
	}
	steps := []Step{
		{enrol.StepVerified, "Personal", "They go through Personal, Academic and Scholarship again, and agree to the terms. What they typed stays.", false},
		{enrol.StepPersonal, "Academic", "They go through Academic and Scholarship again, and agree to the terms. What they typed stays.", false},
		{enrol.StepAcademic, "Scholarship", "They go through Scholarship again, and agree to the terms. What they typed stays.", false},
		{enrol.StepScholarship, "Review", "They can change all three steps, and agree to the terms again.", false},
		{enrol.StepAgreed, "Payment", "Not paid yet.", true},
		{enrol.StepPaid, "Documents", "They can replace each file. Each stays until they do.", false},
	}
	form, documents := "", "They come after the payment."
	switch r.Step {
	case enrol.StepAgreed, enrol.StepUnpaid:
	case enrol.StepPaying:
		form, steps[4].Text = paymentIsOpen, "A payment is open."
	case enrol.StepPaid:
		form, documents, steps[4].Text = paidAlready, "Open already.", "Paid. Use Refund."
	case enrol.StepComplete:
		form, documents, steps[4].Text = paidAlready, "", "Paid. Use Refund."
	default:
		form = "Open already."
	}
	for i := range steps {
		switch locked := form; {
		case i == 5 && documents != "":
			steps[i].Text, steps[i].Locked = documents, true
		case i < 4 && locked != "":
			steps[i].Text, steps[i].Locked = locked, true
		}
	}
	return steps
}

const (
	paymentIsOpen = "A payment is open. Wait until it has ended."
	paidAlready   = "Paid. Their answers are final. Correct a single field instead."
)

// CanReopen reports whether a step of a registration can be reopened.
func CanReopen(r *enrol.Registration) bool {
	return !r.Refunded && slices.ContainsFunc(Steps(r), func(s Step) bool { return !s.Locked })
}

// Reason is why a step is reopened: as the colleague reads it, and as the person does.
type Reason struct{ Key, Text, Told string }

// otherReason is the reason in the colleague's own words.
const otherReason = "other"

// Reasons returns the reasons to reopen a step.
func Reasons(r *enrol.Registration) []Reason {
	wrong := Reason{"wrong", "Something in the form is wrong", "Something in the form is wrong."}
	if r.Step == enrol.StepComplete {
		wrong = Reason{"wrong", "They uploaded the wrong set of files", "The wrong files were uploaded."}
	}
	return []Reason{wrong, {"asked", "They asked to", "You asked us to."}, {"we", "We asked to", "We asked you to."}, {otherReason, "Other", ""}}
}

// Reopening is the reopening of a step as a colleague's form sends it.
type Reopening struct {
	RegistrationID string
	From, To       enrol.Step // From is the step for which the form was made
	Reason, Words  string     // key of a Reason, and the words of otherReason
}

// told returns what the person reads, and the reason for the log. Problems: Invalid for fields reason and words.
func (o Reopening) told(r *enrol.Registration) (told, named string, err error) {
	reasons := Reasons(r)
	i := slices.IndexFunc(reasons, func(one Reason) bool { return one.Key == o.Reason })
	words := strings.TrimSpace(o.Words)
	switch {
	case i < 0:
		return "", "", admission.FieldProblem("reason", "Choose a reason")
	case o.Reason != otherReason:
		return reasons[i].Told, reasons[i].Text, nil
	case words == "":
		return "", "", admission.FieldProblem("words", "Write the reason")
	case len([]rune(words)) > maxWhy:
		return "", "", admission.FieldProblem("words", "Use at most 200 characters")
	}
	return words, reasons[i].Text, nil
}

// Reopen returns an application to an earlier step and notifies its person. What was typed and uploaded stays. Problems: NotFound, Conflict if
// the application has moved on or a payment is open, Invalid.
func (s *Service) Reopen(ctx context.Context, o Reopening, by staff.Actor) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		if _, err := enrol.FindPerson(tx, o.RegistrationID); err != nil {
			return err
		}
		r, err := tx.RegistrationForUpdate(o.RegistrationID)
		if err != nil {
			return err
		}
		if !r.HasPerson() || !r.IsApplication() {
			return admission.NotFoundProblem("Registration")
		}
		if r.Step != o.From || r.Refunded {
			return admission.ConflictProblem("", "The application has moved on. Nothing was done.")
		}
		steps := Steps(r)
		i := slices.IndexFunc(steps, func(one Step) bool { return one.To == o.To })
		switch {
		case i < 0:
			return admission.FieldProblem("step", "Choose a step")
		case steps[i].Locked:
			return admission.ConflictProblem("", steps[i].Text)
		}
		told, named, err := o.told(r)
		if err != nil {
			return err
		}
		if err := s.checkOpen(tx, r, o.To); err != nil {
			return err
		}
		now, before := s.Clock(), r.Step.Fact().Status
		if err := r.Move(tx, o.To, now); err != nil {
			return err
		}
		if err := note(tx, r, enrol.EntryStepReopened, steps[i].Name+". "+told, by.Name, now); err != nil {
			return err
		}
		if err := s.notifyReopened(tx, r, steps[i], told); err != nil {
			return err
		}
		act := by.Did(now, "reopened a step", r.Subject(), before, steps[i].Name)
		act.Reason = named
		return tx.LogAct(act)
	})
}

// checkOpen returns a Conflict while a payment could still change the application, and for a form that is closed.
func (s *Service) checkOpen(tx Tx, r *enrol.Registration, to enrol.Step) error {
	if event, known := s.Events.EventByCode(r.EventCode); known && to < enrol.StepAgreed {
		if why := event.Closed(s.Clock()); why != "" {
			return admission.ConflictProblem("", why)
		}
	}
	if r.Paid() {
		t, err := tx.Transaction(r.PaidTxnID)
		if err == nil && t.State != payment.Paid {
			err = admission.ConflictProblem("", "A refund or a dispute is open. Wait until it has ended.")
		}
		return err
	}
	open, err := tx.OpenTransaction(r.ID)
	if err == nil && open == nil {
		open, err = tx.ReviewOf(r.ID)
	}
	if err == nil && open != nil {
		err = admission.ConflictProblem("", paymentIsOpen)
	}
	return err
}

// notifyReopened notifies the person by e-mail and SMS.
func (s *Service) notifyReopened(tx Tx, r *enrol.Registration, step Step, told string) error {
	what, url, terms := "the step "+step.Name, paths.Form, "yes"
	if step.To == enrol.StepPaid {
		what, url, terms = "your documents", paths.Upload, ""
	}
	mail := message.Message{
		Cause: "reopened:" + r.ID + ":" + admission.NewID(), Channel: message.Email, To: r.Email, Template: "step-reopened",
		Params: map[string]string{"Name": r.FullName, "What": what, "Reason": told, "Terms": terms, "StepURL": s.BaseURL + url},
	}
	if err := s.Messages.Send(tx, mail); err != nil {
		return err
	}
	return s.Messages.Send(tx, message.Message{
		Cause: "reopened-sms:" + r.ID + ":" + admission.NewID(), Channel: message.SMS, To: r.Phone, Template: "step-reopened-sms", Params: map[string]string{"What": what},
	})
}
