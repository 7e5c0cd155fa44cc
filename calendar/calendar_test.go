package calendar

import (
	"testing"
	"time"
)

func TestDatesAreIndian(t *testing.T) {
	for _, test := range []struct {
		at                                                      time.Time
		date, withWeekday, within, withinAndWeekday, parts, iso string
		timeOfDay, moment                                       string
	}{
		{
			time.Date(2026, 11, 21, 18, 29, 59, 0, time.UTC),
			"21 Nov 2026", "Saturday, 21 Nov 2026", "21 November", "Saturday, 21 November", "21|November 2026|Saturday", "2026-11-21", "23:59", "21 Nov 2026, 23:59",
		},
		{
			time.Date(2026, 11, 21, 18, 30, 0, 0, time.UTC),
			"22 Nov 2026", "Sunday, 22 Nov 2026", "22 November", "Sunday, 22 November", "22|November 2026|Sunday", "2026-11-22", "00:00", "22 Nov 2026, 00:00",
		},
		{
			time.Date(2027, 3, 7, 0, 0, 0, 0, IST),
			"7 Mar 2027", "Sunday, 7 Mar 2027", "7 March", "Sunday, 7 March", "7|March 2027|Sunday", "2027-03-07", "00:00", "7 Mar 2027, 00:00",
		},
	} {
		day, month, weekday := Parts(test.at)
		for _, got := range [][2]string{
			{Date(test.at), test.date}, {DateAndWeekday(test.at), test.withWeekday},
			{DayAndMonth(test.at), test.within}, {DayMonthAndWeekday(test.at), test.withinAndWeekday},
			{day + "|" + month + "|" + weekday, test.parts},
			{ISODate(test.at), test.iso}, {TimeOfDay(test.at), test.timeOfDay}, {Moment(test.at), test.moment},
		} {
			if got[0] != got[1] {
				t.Errorf("%s is %q, want %q", test.at, got[0], got[1])
			}
		}
	}
}

func TestBusinessDaysSkipWeekends(t *testing.T) {
	for _, row := range []struct {
		from string
		days int
		want string
	}{
		{"Thu 26 Nov 10:00", 1, "Fri 27 Nov 10:00"},
		{"Fri 27 Nov 10:00", 1, "Mon 30 Nov 10:00"},
		{"Sat 28 Nov 10:00", 1, "Mon 30 Nov 10:00"},
		{"Sun 29 Nov 23:59", 1, "Mon 30 Nov 23:59"},
		{"Thu 26 Nov 10:00", 7, "Mon 7 Dec 10:00"},
		{"Sat 28 Nov 10:00", 0, "Sat 28 Nov 10:00"},
	} {
		const layout = "Mon 2 Jan 15:04"
		from, err := time.ParseInLocation(layout+" 2006", row.from+" 2026", IST)
		if err != nil {
			t.Fatal(err)
		}
		if got := BusinessDays(from.UTC(), row.days).Format(layout); got != row.want {
			t.Errorf("%d business days after %s: %s, want %s", row.days, row.from, got, row.want)
		}
	}
}

func TestMidnightIsIndias(t *testing.T) {
	for at, want := range map[string]string{
		"2026-11-20T18:29:59Z": "2026-11-20T00:00:00+05:30", "2026-11-20T18:30:00Z": "2026-11-21T00:00:00+05:30", "2026-11-21T00:00:00+05:30": "2026-11-21T00:00:00+05:30",
	} {
		moment, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		if got := Midnight(moment).Format(time.RFC3339); got != want {
			t.Errorf("%s: got %s, want %s", at, got, want)
		}
	}
}

func TestPlannedHour(t *testing.T) {
	by := time.Date(2027, 3, 7, 0, 0, 0, 0, IST)
	for now, want := range map[time.Time]string{
		by.AddDate(0, 0, 1).Add(-time.Second): "Planned for 10:00, confirmed by 7 Mar 2027", by.AddDate(0, 0, 1): "Planned for 10:00, not confirmed yet",
	} {
		if got := PlannedHour("10:00", by, now); got != want {
			t.Errorf("%s: %q, want %q", now, got, want)
		}
	}
}
