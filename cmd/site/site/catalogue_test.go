package site_test

import (
	"testing"
	"time"

	"hiresure/cmd/site/site"
)

func TestAnEventsCouponIsOfferedAsLongAsItsLineSays(t *testing.T) {
	words := revised(t, change{mgrowFile, "  sold_out: false", "  sold_out: false\n  coupon_code: MGROW500"},
		change{"coupons.yaml", "code: MGROW500, event: hiresure-mgrow-2025, amount_minor: 50000, valid_from: 2026-10-01T00:00:00+05:30, valid_until: 2027-03-11T00:00:00+05:30",
			"code: MGROW500, event: hiresure-mgrow-2025, amount_minor: 50000, valid_from: 2026-11-01T00:00:00+05:30, valid_until: 2026-12-01T00:00:00+05:30"})
	event := site.EventBySlug(words, time.Now)("hiresure-mgrow-2025")
	for at, want := range map[string]string{
		"2026-10-31T23:59:59+05:30": "", "2026-11-01T00:00:00+05:30": "MGROW500", "2026-11-30T23:59:59+05:30": "MGROW500", "2026-12-01T00:00:00+05:30": "",
	} {
		now, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		if got := event.OfferedCoupon(now); got != want {
			t.Errorf("at %s the event offers %q, want %q", at, got, want)
		}
	}
}

func TestForeignPricesHaveTheRateOfTheDay(t *testing.T) {
	words := revised(t, change{"rates.yaml", `USD, from: 2026-01-01, until: 2028-12-31, rupees: "88.7200", source: Sample rate`, `USD, from: 2026-11-20, until: 2026-11-21, rupees: "88.7200", source: RBI`})
	var now time.Time
	find := site.EventBySlug(words, func() time.Time { return now })
	for _, row := range [][2]string{
		{"2026-11-19T23:59:59+05:30", "$19.00 ₹0.0000 "}, {"2026-11-20T00:00:00+05:30", "$19.00 ₹88.7200 RBI"}, {"2026-11-21T23:59:59+05:30", "$19.00 ₹88.7200 RBI"},
		{"2026-11-22T00:00:00+05:30", "$19.00 ₹0.0000 "}, {"2026-11-21T23:59:59+05:30", "$19.00 ₹88.7200 RBI"}, // the clock is set back
	} {
		var err error
		if now, err = time.Parse(time.RFC3339, row[0]); err != nil {
			t.Fatal(err)
		}
		price := find("hiresure-mgrow-2025").Prices["USD"]
		if got := price.Money.String() + " " + price.Rate.String() + " " + price.Rate.Source; got != row[1] {
			t.Errorf("at %s: got %q, want %q", row[0], got, row[1])
		}
	}
}
