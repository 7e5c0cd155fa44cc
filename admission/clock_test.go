package admission

import (
	"testing"
	"time"
)

func TestADayIsADayInIndia(t *testing.T) {
	for _, test := range []struct {
		at                              time.Time
		date, withWeekday, iso, timeDay string
	}{
		{time.Date(2026, 11, 21, 18, 29, 59, 0, time.UTC), "21 November 2026", "Saturday, 21 November 2026", "2026-11-21", "23:59"},
		{time.Date(2026, 11, 21, 18, 30, 0, 0, time.UTC), "22 November 2026", "Sunday, 22 November 2026", "2026-11-22", "00:00"},
		{time.Date(2027, 3, 7, 0, 0, 0, 0, IST), "7 March 2027", "Sunday, 7 March 2027", "2027-03-07", "00:00"},
	} {
		for _, got := range [][2]string{
			{Date(test.at), test.date}, {DateAndWeekday(test.at), test.withWeekday}, {ISODate(test.at), test.iso}, {TimeOfDay(test.at), test.timeDay},
		} {
			if got[0] != got[1] {
				t.Errorf("%s is %q, want %q", test.at, got[0], got[1])
			}
		}
	}
}
