//go:build long

package demo_test

import (
	"testing"
	"time"

	"hiresure/admission/status"
)

func TestFillAfterTheEvents(t *testing.T) {
	s, cfg, _ := fill(t, time.Date(2027, 4, 20, 6, 30, 0, 0, time.UTC))
	expectVerified(t, s)
	found := counts(t, cfg, byPhase)
	for _, phase := range []status.Phase{status.Closed, status.EventOver} {
		if found["enrolment "+string(phase)] == 0 {
			t.Errorf("no enrolment is in %s: %v", phase, found)
		}
	}
}
