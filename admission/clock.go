package admission

import (
	"time"

	"hiresure/calendar"
)

// IST and the functions below are those of package calendar.
var IST = calendar.IST

func Midnight(at time.Time) time.Time { return calendar.Midnight(at) }
func Date(at time.Time) string        { return calendar.Date(at) }
func LongDate(at time.Time) string    { return calendar.LongDate(at) }
func TimeOfDay(at time.Time) string   { return calendar.TimeOfDay(at) }
func Moment(at time.Time) string      { return calendar.Moment(at) }
func ISODate(at time.Time) string     { return calendar.ISODate(at) }

func PlannedHour(planned string, by, now time.Time) string {
	return calendar.PlannedHour(planned, by, now)
}

func DayMonthAndWeekday(at time.Time) string          { return calendar.DayMonthAndWeekday(at) }
func BusinessDays(from time.Time, days int) time.Time { return calendar.BusinessDays(from, days) }
