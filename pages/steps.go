package pages

import (
	"hiresure/admission/enrol"
	"hiresure/admission/status"
	"hiresure/components"
)

// Steps returns the five steps of an enrolment, or the six of an application.
func (s Standing) Steps() components.StepperProps {
	state, text := s.PaymentStep()
	if s.Product == enrol.ProductEnrolment {
		return components.EnrolmentSteps(state, text)
	}
	switch s.PhaseIfOpen {
	case status.Form: // the steps of the form and its review
		return components.ApplicationSteps(int(s.Registration.Step), state, text)
	case status.DocumentsDue:
		return components.ApplicationSteps(components.UploadStep, components.StepCurrent, s.Words.Step)
	case status.DocumentsSubmitted:
		return components.ApplicationSteps(components.UploadStep+1, components.StepDone, "")
	}
	return components.ApplicationSteps(components.PaymentStep, state, text)
}
