package content

import (
	"testing"
	"time"

	"hiresure/calendar"
)

func TestRateAt(t *testing.T) {
	day := func(text string) time.Time {
		at, err := time.ParseInLocation(time.DateTime, text, calendar.IST)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	of := func(from, until, rupees string) Rate {
		return Rate{Currency: "USD", From: Date{day(from + " 00:00:00")}, Until: Date{day(until + " 00:00:00")}, Rupees: rupees, Source: "of " + from}
	}
	l := &Library{rates: []Rate{of("2026-11-20", "2026-11-21", "88.7200"), of("2026-11-23", "2026-11-23", "88.9001")}}
	for at, want := range map[string]string{
		"2026-11-19 23:59:59": " ", "2026-11-20 00:00:00": "88.7200 of 2026-11-20", "2026-11-21 23:59:59": "88.7200 of 2026-11-20",
		"2026-11-22 00:00:00": " ", "2026-11-23 12:00:00": "88.9001 of 2026-11-23", "2026-11-24 00:00:00": " ",
	} {
		rate := l.RateAt("USD", day(at))
		if got := rate.Rupees + " " + rate.Source; got != want {
			t.Errorf("at %s: got %q, want %q", at, got, want)
		}
	}
	if value := l.RateAt("USD", day("2026-11-23 12:00:00")).Value(); value != 88_9001 {
		t.Errorf("got %d ten-thousandths", value)
	}
	if rate := l.RateAt("EUR", day("2026-11-20 12:00:00")); rate != (Rate{}) {
		t.Errorf("a rate of another currency: %v", rate)
	}
}
