package admission_test

import (
	"testing"
	"time"

	"hiresure/admission"
)

func TestADayIsOverAtItsEnd(t *testing.T) {
	day := time.Date(2027, 3, 7, 0, 0, 0, 0, admission.IST)
	for _, row := range []struct {
		now           time.Time
		refund, start string
	}{
		{
			day.AddDate(0, 0, 1).Add(-time.Second),
			"The fee is returned in full until 7 Mar 2027. After that, one free move to the next exam.", "We confirm the start time by 7 Mar 2027",
		},
		{
			day.AddDate(0, 0, 1),
			"The fee was returned in full until 7 Mar 2027. Now you have one free move to the next exam.", "We confirm the start time",
		},
		{day.AddDate(0, 0, 8), "The fee was returned in full until 7 Mar 2027.", "We confirm the start time"},
	} {
		if got := admission.RefundTerms(day, day.AddDate(0, 0, 7), row.now); got != row.refund {
			t.Errorf("%s: %q", row.now, got)
		}
		if got := admission.HourFollows(day, row.now); got != row.start {
			t.Errorf("%s: %q", row.now, got)
		}
	}
}
