package admission_test

import (
	"testing"
	"time"

	"hiresure/admission"
)

func TestDayOver(t *testing.T) {
	day := time.Date(2027, 3, 7, 0, 0, 0, 0, admission.IST)
	for _, row := range []struct {
		now    time.Time
		refund string
	}{
		{
			day.AddDate(0, 0, 1).Add(-time.Second),
			"Full refund until 7 Mar 2027. After that, one free move to the next exam.",
		},
		{
			day.AddDate(0, 0, 1),
			"The full refund ended on 7 Mar 2027. Now you have one free move to the next exam.",
		},
		{day.AddDate(0, 0, 8), "The full refund ended on 7 Mar 2027."},
	} {
		if got := admission.RefundTerms(day, day.AddDate(0, 0, 7), row.now); got != row.refund {
			t.Errorf("%s: %q", row.now, got)
		}
	}
}

func TestDaysFromAfterADay(t *testing.T) {
	mock := time.Date(2027, 2, 28, 0, 0, 0, 0, admission.IST)
	event := admission.Event{Exam: mock.AddDate(0, 0, 14), Days: []admission.Day{
		{What: "Mock test", On: mock, Brief: "One hour online.", Late: "before the exam"}, {What: "Scholarship exam", On: mock.AddDate(0, 0, 14), Brief: "Online."},
	}}
	const exam = "2027-03-14\tScholarship exam\tOnline."
	for at, want := range map[time.Time]string{
		mock.AddDate(0, 0, 1).Add(-time.Second):  "2027-02-28\tMock test\tOne hour online.\n" + exam,
		mock.AddDate(0, 0, 1):                    "Mock test on any day before the exam\n" + exam,
		mock.AddDate(0, 0, 14).Add(-time.Second): "Mock test on any day before the exam\n" + exam,
		mock.AddDate(0, 0, 14):                   exam,
		mock.AddDate(0, 0, 15):                   "",
	} {
		if got := event.DaysFrom(at); got != want {
			t.Errorf("%s: %q", at, got)
		}
	}
	if event.OpenTo(event.Days[0], mock, mock.AddDate(0, 0, 2)) {
		t.Error("who had enrolled before has it on another day")
	}
}

func TestAClosedEventNamesItsLastDay(t *testing.T) {
	midnight := time.Date(2027, 3, 11, 0, 0, 0, 0, admission.IST)
	e := admission.Event{Code: "KS_Mgrow", Published: true, ClosesAt: midnight}
	for now, want := range map[time.Time]string{
		midnight.Add(-time.Second): "",
		midnight:                   "Enrolment for this programme closed on 10 Mar 2027.",
	} {
		if got := e.Closed(now); got != want {
			t.Errorf("at %s: %q, want %q", now, got, want)
		}
	}
}
