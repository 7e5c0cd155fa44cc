package admission

import "time"

// IST is Indian Standard Time, UTC+05:30: the time of every date that people read. It has no daylight saving.
var IST = time.FixedZone("IST", (5*60+30)*60)

// Date is the day of a moment in India as people read it: 21 November 2026.
func Date(at time.Time) string { return at.In(IST).Format("2 January 2006") }

// DateAndWeekday is Date after the day of the week: Saturday, 21 November 2026.
func DateAndWeekday(at time.Time) string { return at.In(IST).Format("Monday, ") + Date(at) }

// TimeOfDay is the time of a moment in India: 18:04.
func TimeOfDay(at time.Time) string { return at.In(IST).Format("15:04") }

// ISODate is the day of a moment in India as machines read it: 2026-11-21.
func ISODate(at time.Time) string { return at.In(IST).Format(time.DateOnly) }
