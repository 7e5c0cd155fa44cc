package content

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/calendar"
)

func TestRanks(t *testing.T) {
	for _, test := range []struct {
		sentence string
		event    Event
		want     []RankBand
	}{
		{
			"250 study on a full scholarship, everybody else pays all", Event{FeeMinor: 149900, TuitionMinor: 45000000, Seats: []SeatBand{{250, 100}}},
			[]RankBand{{1, 250, 100, 0, 149900}, {251, 0, 0, 45000000, 45149900}},
		},
		{
			"200 pay nothing, the next 100 half", Event{FeeMinor: 149900, TuitionMinor: 45000000, Seats: []SeatBand{{200, 100}, {100, 50}}},
			[]RankBand{{1, 200, 100, 0, 149900}, {201, 300, 50, 22500000, 22649900}, {301, 0, 0, 45000000, 45149900}},
		},
		{
			"nobody is free of all of it", Event{FeeMinor: 100, TuitionMinor: 1000, Seats: []SeatBand{{1, 75}}},
			[]RankBand{{1, 1, 75, 250, 350}, {2, 0, 0, 1000, 1100}},
		},
		{"there are no seats", Event{FeeMinor: 100, TuitionMinor: 1000}, []RankBand{{1, 0, 0, 1000, 1100}}},
	} {
		if got := test.event.Ranks(); !slices.Equal(got, test.want) {
			t.Errorf("%s\n got %v\nwant %v", test.sentence, got, test.want)
		}
	}
}

func TestMonthlyParts(t *testing.T) {
	for slug, want := range map[string]string{
		"hiresure-mgrow-2025":  "Pay it before classes begin on 5 April, or in six monthly parts of ₹75,000. You see your rank first",
		"hiresure-campus-2026": "Pay it before classes begin on 19 April, or in six monthly parts of ₹37,500 up to rank 300, ₹75,000 from rank 301. You see your rank first",
	} {
		if fee, _ := landing(t, library(t), slug, november).Question("fee"); !strings.Contains(fee.Answer, want) {
			t.Errorf("%s: %s\nwant %s", slug, fee.Answer, want)
		}
	}
}

func TestQualifiedClaimHidesRanks(t *testing.T) {
	const mgrow = "hiresure-mgrow-2025"
	l := library(t)
	if ranks := landing(t, l, mgrow, november).Ranks; len(ranks) != 2 {
		t.Errorf("%d bands, want 2", len(ranks))
	}
	if late := landing(t, l, mgrow, time.Date(2028, 1, 1, 0, 0, 0, 0, calendar.IST)); len(late.Ranks) != 0 {
		t.Error("the day after the claim's last day shows them")
	}
	qualified, err := load(changed(t, "events/"+mgrow+".yaml", "{id: tuition-by-rank,", "{id: tuition-by-rank, qualified: true,"), "")
	if err != nil {
		t.Fatal(err)
	}
	if ranks := landing(t, qualified, mgrow, november).Ranks; len(ranks) != 0 {
		t.Error("a claim that is switched to its qualified text shows them")
	}
}

func TestClaimConditions(t *testing.T) {
	l := library(t)
	badge := func(at time.Time) Statement {
		page := landing(t, l, "hiresure-mgrow-2025", at)
		return page.Badges[slices.IndexFunc(page.Badges, func(s Statement) bool { return s.ID == "job-badge" })]
	}
	if today := badge(november); today.Text != "100% Job Guaranteed" || today.Answer != "job" {
		t.Errorf("today %+v", today)
	}
	if late := badge(time.Date(2028, 1, 1, 0, 0, 0, 0, calendar.IST)); late.Text != "Job guarantee, conditions apply" || late.Answer != "job" {
		t.Errorf("qualified %+v", late)
	}
}

func TestInWords(t *testing.T) {
	for n, want := range map[int]string{0: "no", 2: "two", 8: "eight", 12: "twelve", 13: "13", -1: "-1"} {
		if got := InWords(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}
