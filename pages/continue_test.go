package pages

import (
	"errors"
	"testing"

	"hiresure/admission/apply"
	"hiresure/admission/enrol"
	"hiresure/web"
)

// lands is where each step of an application goes on; r1 is its id.
var lands = map[enrol.Step]string{
	enrol.StepUnverified: "/hiresure/verify", enrol.StepVerified: "/hiresure/form/personal", enrol.StepPersonal: "/hiresure/form/academic", enrol.StepAcademic: "/hiresure/form/scholarship",
	enrol.StepScholarship: "/hiresure/form/review", enrol.StepAgreed: "/hiresure/payment", enrol.StepPaying: "/hiresure/payment", enrol.StepPaid: "/hiresure/upload-doc",
	enrol.StepUnpaid: "/hiresure/payment", enrol.StepComplete: "/hiresure/registration/r1",
}

func TestContinuePathOfEachStep(t *testing.T) {
	for _, step := range enrol.Steps {
		s := apply.Standing{Registration: &enrol.Registration{ID: "r1", Step: step}, Step: step, StepFact: step.Fact()}
		if got := ContinuePath(s); got != lands[step] || got == "" {
			t.Errorf("step %d goes on at %q, want %q", step, got, lands[step])
		}
		for _, place := range enrol.Places {
			var elsewhere web.Redirect
			err := CheckPlace(s, place)
			if open := s.Allows(place); open != (err == nil) || !open && (!errors.As(err, &elsewhere) || elsewhere != web.Redirect{Path: lands[step]}) {
				t.Errorf("step %d at %s: %v", step, place, err)
			}
		}
	}
}
