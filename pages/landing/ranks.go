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
	Caption     string
	Rows        []rankRow
	Unstarted   rankRow // without the course, at any rank
	First, Last int     // of the slider: initial rank, and the last in the picture
	Lasts       []int   // the last rank of each kind of seat
	Job         bool    // the table has a column for the job guarantee
	Words       content.RankWords
	Terms       content.SampleText
	Prices      prices
	Expected    string // expected number of people; "" if unknown
	Above       string // caption above the picture
	Below       string // caption below the picture
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
	view := &ranksView{Picture: components.SeatsProps{Beyond: ranksBeyond}, Words: page.Words.Ranks, Terms: page.Event.TuitionTerms}
	seats := page.Ranks[:len(page.Ranks)-1]
	var lines []string
	for _, band := range seats {
		count := band.To - band.From + 1
		view.Picture.Bands = append(view.Picture.Bands, components.SeatBand{Count: count, Half: band.Percent < 100})
		view.Lasts = append(view.Lasts, band.To)
		lines = append(lines, strconv.Itoa(count)+" seats"+bandLabel(band, len(seats)))
	}
	view.Above, view.Below = pictureCaptions(page)
	if expected := page.Event.Candidates.Expected; expected > 0 {
		view.Expected = "About " + admission.Count(expected) + " people are expected to take this exam: " + odds(seats, int(expected)) + "."
	}
	view.Caption = page.Words.Ranks.Ties
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
			row.Says += " The internship is part of it, the job guarantee is not."
		}
		view.Rows = append(view.Rows, row)
		view.Heading = append(view.Heading, "Rank "+strconv.Itoa(row.headedFrom)+" pays "+row.tuitionInWords()+" tuition.")
	}
	view.Unstarted = rankRow{Ranks: "If you do not start", Tuition: shortSum(page.Event, 0), InAll: shortSum(page.Event, page.Event.FeeMinor)}
	view.First = seats[len(seats)-1].To + 1 // the most likely rank
	view.Last = seats[len(seats)-1].To + ranksBeyond*components.SeatColumns
	return view
}

// odds returns the chance of each kind of seat.
func odds(seats []content.RankBand, people int) string {
	var lines []string
	for _, band := range seats {
		count := band.To - band.From + 1
		gets := " studies free"
		if band.Percent < 100 {
			gets = " for " + strconv.Itoa(100-band.Percent) + "% of the tuition"
		}
		lines = append(lines, "1 in "+strconv.Itoa((people+count/2)/count)+gets)
	}
	return strings.Join(lines, ", ")
}

// pictureCaptions returns the picture's captions: the ranks with seats, and that it shows only the first ranks without.
func pictureCaptions(page *content.Landing) (above, below string) {
	var seats []string
	for _, band := range page.Ranks {
		if band.To == 0 {
			shown := strconv.Itoa(ranksBeyond * components.SeatColumns)
			return "Ranks " + strings.Join(seats, ", then "), "From rank " + strconv.Itoa(band.From) + " on: the first " + shown + " are shown."
		}
		seats = append(seats, strconv.Itoa(band.From)+" to "+strconv.Itoa(band.To))
	}
	return "", ""
}

// bandLabel describes a band's seats if there are several bands.
func bandLabel(band content.RankBand, bands int) string {
	switch {
	case bands == 1:
		return ""
	case band.Percent == 100:
		return " without tuition"
	}
	return " at " + strconv.Itoa(100-band.Percent) + "% of it"
}

func newRankRow(event content.Event, band content.RankBand) rankRow {
	money := func(minor int64) string { return shortSum(event, minor) }
	row := rankRow{
		From: band.From, Ranks: strconv.Itoa(band.From) + " to " + strconv.Itoa(band.To), headedFrom: band.From,
		Seats: "whole", Clears: band.To > 0, Tuition: money(band.TuitionMinor), InAll: money(band.InAllMinor),
		Says: "in all: the registration fee now, and no tuition for " + content.InWords(event.Months) + " months.",
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
		row.Seats, row.Says = "none", "in all: the registration fee now, then "+row.Tuition+" of tuition if you start."
	default:
		row.Seats, row.Says = "part", "in all: the registration fee now, then "+row.Tuition+" of tuition, "+strconv.Itoa(100-band.Percent)+"% of it, if you start."
	}
	return row
}

func (r rankRow) tuitionInWords() string {
	if r.Seats == "whole" {
		return "no"
	}
	return r.Tuition
}

func (r rankRow) job() string {
	if r.Clears {
		return "With conditions"
	}
	return "No"
}
