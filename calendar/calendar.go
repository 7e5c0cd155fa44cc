// Package calendar writes days and times of India as people read them, and as machines do.
package calendar

import "time"

// IST is Indian Standard Time, UTC+05:30: the time of every date that people read. It has no daylight saving.
var IST = time.FixedZone("IST", (5*60+30)*60)

// Date is the day of a moment: 21 Nov 2026.
func Date(at time.Time) string { return at.In(IST).Format("2 Jan 2006") }

// DateAndWeekday is Date after the day of the week: Saturday, 21 Nov 2026.
func DateAndWeekday(at time.Time) string { return at.In(IST).Format("Monday, ") + Date(at) }

// DayAndMonth is the day within a year that is known: 21 November.
func DayAndMonth(at time.Time) string { return at.In(IST).Format("2 January") }

// DayMonthAndWeekday is DayAndMonth after the day of the week: Saturday, 21 November.
func DayMonthAndWeekday(at time.Time) string { return at.In(IST).Format("Monday, ") + DayAndMonth(at) }

// Parts is a day as a ticket shows it: "21", "November 2026", "Saturday".
func Parts(at time.Time) (day, month, weekday string) {
	at = at.In(IST)
	return at.Format("2"), at.Format("January 2006"), at.Format("Monday")
}

// TimeOfDay is the time of a moment: 18:04.
func TimeOfDay(at time.Time) string { return at.In(IST).Format("15:04") }

// Moment is the day and the time of a moment: 21 Nov 2026, 18:04.
func Moment(at time.Time) string { return Date(at) + ", " + TimeOfDay(at) }

// ISODate is the day of a moment as machines read it: 2026-11-21.
func ISODate(at time.Time) string { return at.In(IST).Format(time.DateOnly) }

// BusinessDays is the moment that many business days later: Mondays to Fridays, as holidays are not known here.
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
