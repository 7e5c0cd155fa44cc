package access

import (
	"time"

	"hiresure/admission"
)

// Work replaces walls that strangers could close on others: once a shared limit is exhausted, each call needs a proof of work
// made for it. One step doubles the work; maxSteps takes half a minute on a cheap phone.
const maxSteps = 8

// Causes of a refusal that others may have caused.
const (
	numberBusy  = "Many codes were sent to this number."
	mailboxBusy = "Many codes were sent to this e-mail."
	networkBusy = "Many requests came from your network."
	wrongBusy   = "Many wrong codes came from your network."
	sendingBusy = "We are sending very many codes at the moment."
)

// work is what a call must do before it is accepted: the most that any of its limits asks for.
type work struct {
	steps        int
	wait         time.Duration // until the call is accepted without
	cause, field string
}

// ask raises the work to steps.
func (w *work) ask(steps int, wait time.Duration, cause, field string) {
	steps = min(steps, maxSteps)
	if steps > w.steps {
		w.steps, w.cause, w.field = steps, cause, field
	}
	w.wait = max(w.wait, wait)
}

// stepsBeyond returns the steps for a limit with so many hits: one more for each eighth of it above Max.
func stepsBeyond(hits, most int) int { return 1 + maxSteps*(hits-most)/max(most, 1) }

// done returns nil if the visitor's token proves the work for a subject, and spends it. Otherwise it returns a Problem with
// the challenge; without a human check there is none, so that the visitor waits.
func (s *Service) done(tx Tx, v admission.Visitor, w work, subject string) error {
	if w.steps == 0 {
		return nil
	}
	if once, proven := s.Human.Worked(v.CaptchaToken, subject, w.steps); proven {
		fresh, err := tx.Spend("work:"+once, s.Clock().Add(humanLife))
		if err != nil || fresh {
			return err
		}
	}
	problem := admission.BusyOthersProblem(w.field, w.cause, w.wait)
	problem.Challenge = s.Human.Work(subject, w.steps)
	return problem
}
