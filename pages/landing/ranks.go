package landing

import (
	"slices"
	"strconv"
	"strings"

	"hiresure/admission"
	"hiresure/components"
	"hiresure/content"
)

// ranksView is what each rank pays, as text, picture and table.
type ranksView struct {
	Heading     []string // sentences
	Picture     components.SeatsProps
	Rows        []rankRow
	First, Last int   // of the slider: initial rank, and the last in the picture
	Lasts       []int // the last rank of each kind of seat
	Job         bool  // the table has a column for the job guarantee
	Prices      prices
	Second      content.SecondWay
	Expected    string // expected number of people; "" if unknown
}

// rankRow is a range of ranks that pay the same. A script reads From, Top and Says.
type rankRow struct {
	From       int
	Top        int    // position of its seats in the picture
	Seats      string // whole, part or none
	Ranks      string // "1 to 250"
	Tuition    string
	InAll      string
	Clears     bool   // has the conditional job guarantee
	Says       string // what the sum includes
	headedFrom int    // rank named in the heading
}

// ranksBeyond is the number of the picture's rows without seats.
const ranksBeyond = 3

func newRanks(page *content.Landing) *ranksView {
	if len(page.Ranks) == 0 {
		return nil
	}
	view := &ranksView{Picture: components.SeatsProps{Beyond: ranksBeyond}}
	seats := page.Ranks[:len(page.Ranks)-1]
	var lines []string
	for _, band := range seats {
		count := band.To - band.From + 1
		view.Picture.Bands = append(view.Picture.Bands, components.SeatBand{Count: count, Half: band.Percent < 100})
		view.Lasts = append(view.Lasts, band.To)
		lines = append(lines, strconv.Itoa(count)+" seats"+bandLabel(band))
	}
	if expected := page.Event.Candidates.Expected; expected > 0 {
		view.Expected = "About " + admission.Count(expected) + " people take this exam. " + odds(seats, int(expected))
	}
	view.Picture.Label = strings.Join(lines, ", and ") + ", inside one line each, further ranks outside"
	if len(seats) == 1 {
		view.Picture.Label = lines[0] + " inside one line, further ranks outside it"
	}
	view.Job = slices.ContainsFunc(page.Badges, func(badge content.Statement) bool { return badge.ID == "job-badge" })
	tops := view.Picture.SeatTop()
	for i, band := range page.Ranks {
		row := newRankRow(page.Event, band)
		row.Top = tops[i]
		if view.Job && !row.Clears {
			row.Says += " The internship is included, the job guarantee is not."
		}
		view.Rows = append(view.Rows, row)
		view.Heading = append(view.Heading, "Rank "+strconv.Itoa(row.headedFrom)+" pays "+row.tuitionInWords()+".")
	}
	view.First = seats[len(seats)-1].To + 1 // the most likely rank
	view.Second = page.Words.SecondWay
	view.Last = seats[len(seats)-1].To + ranksBeyond*components.SeatColumns
	return view
}

// odds returns the chance of a seat.
func odds(seats []content.RankBand, people int) string {
	count := seats[len(seats)-1].To
	return "1 in " + strconv.Itoa((people+count/2)/count) + " gets a seat."
}

// bandLabel describes a band's seats.
func bandLabel(band content.RankBand) string {
	if band.Percent == 100 {
		return " without tuition"
	}
	return " at " + strconv.Itoa(100-band.Percent) + "% of it"
}

func newRankRow(event content.Event, band content.RankBand) rankRow {
	money := func(minor int64) string { return shortSum(event, minor) }
	row := rankRow{
		From: band.From, Ranks: strconv.Itoa(band.From) + " to " + strconv.Itoa(band.To), headedFrom: band.From,
		Seats: "whole", Clears: band.To > 0, Tuition: money(band.TuitionMinor), InAll: money(band.InAllMinor),
		Says: "in all: the exam fee now, and no tuition for " + content.InWords(event.Months) + " months.",
	}
	switch {
	case band.From == 1:
		row.headedFrom = band.To
	case band.To == 0:
		row.Ranks = "From " + strconv.Itoa(band.From)
	}
	switch band.Percent {
	case 100:
	case 0:
		row.Seats, row.Says = "none", "in all: the exam fee now, then "+row.Tuition+" tuition if you join."
	default:
		row.Seats, row.Says = "part", "in all: the exam fee now, then "+row.Tuition+" tuition, "+strconv.Itoa(100-band.Percent)+"% of it, if you join."
	}
	return row
}

func (r rankRow) tuitionInWords() string {
	if r.Seats == "whole" {
		return "no tuition"
	}
	return r.Tuition
}

func (r rankRow) job() string {
	if r.Clears {
		return "Yes"
	}
	return "No"
}
