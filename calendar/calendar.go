// Package calendar formats dates and times in India.
package calendar

import "time"

// IST is Indian Standard Time, UTC+05:30, without daylight saving. All displayed dates use it.
var IST = time.FixedZone("IST", (5*60+30)*60)

// Midnight returns the beginning of a time's day.
func Midnight(at time.Time) time.Time {
	at = at.In(IST)
	return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, IST)
}

// Date formats a date: 21 Nov 2026.
func Date(at time.Time) string { return at.In(IST).Format("2 Jan 2006") }

// LongDate formats a date in India: 21 November 2026.
func LongDate(at time.Time) string { return at.In(IST).Format("2 January 2006") }

// DateAndWeekday formats a date with weekday: Saturday, 21 Nov 2026.
func DateAndWeekday(at time.Time) string { return at.In(IST).Format("Monday, ") + Date(at) }

// DayAndMonth formats a date without year: 21 November.
func DayAndMonth(at time.Time) string { return at.In(IST).Format("2 January") }

// DayMonthAndWeekday formats a date with weekday, without year: Saturday, 21 November.
func DayMonthAndWeekday(at time.Time) string { return at.In(IST).Format("Monday, ") + DayAndMonth(at) }

// Parts returns the parts of a date for a ticket: "21", "November 2026", "Saturday".
func Parts(at time.Time) (day, month, weekday string) {
	at = at.In(IST)
	return at.Format("2"), at.Format("January 2006"), at.Format("Monday")
}

// TimeOfDay formats a time: 18:04.
func TimeOfDay(at time.Time) string { return at.In(IST).Format("15:04") }

// PlannedHour announces a planned hour, or hours, to be confirmed by a day.
func PlannedHour(planned string, by, now time.Time) string {
	if !now.Before(by.AddDate(0, 0, 1)) {
		return "Planned for " + planned + ", not confirmed yet"
	}
	return "Planned for " + planned + ", confirmed by " + Date(by)
}

// Moment formats a date and time: 21 Nov 2026, 18:04.
func Moment(at time.Time) string { return Date(at) + ", " + TimeOfDay(at) }

// ISODate formats a date for machines: 2026-11-21.
func ISODate(at time.Time) string { return at.In(IST).Format(time.DateOnly) }

// BusinessDays returns the time that many business days (Monday to Friday) later. It does not know holidays.
func BusinessDays(from time.Time, days int) time.Time {
	at := from.In(IST)
	for days > 0 {
		at = at.AddDate(0, 0, 1)
		if weekday := at.Weekday(); weekday != time.Saturday && weekday != time.Sunday {
			days--
		}
	}
	return at
}
