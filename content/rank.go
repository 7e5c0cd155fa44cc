package content

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hiresure/prose"
)

// RankBand is a range of ranks with the same tuition. Amounts are in paise.
type RankBand struct {
	From, To     int // To is 0 for an open range
	Percent      int // tuition discount
	TuitionMinor int64
	InAllMinor   int64 // including the registration fee
}

// Ranks returns the tuition by rank, best rank first. The last band has no seat.
func (e Event) Ranks() (bands []RankBand) {
	from := 1
	band := func(count, percent int) RankBand {
		tuition := e.TuitionMinor * int64(100-percent) / 100
		return RankBand{From: from, To: from + count - 1, Percent: percent, TuitionMinor: tuition, InAllMinor: tuition + e.FeeMinor}
	}
	for _, seats := range e.Seats {
		bands = append(bands, band(seats.Count, seats.Percent))
		from += seats.Count
	}
	rest := band(0, 0)
	rest.To = 0
	return append(bands, rest)
}

// Seats returns the number of seats with a tuition discount.
func (f facts) Seats(percent int) (int, error) {
	for _, band := range f.event.Seats {
		if band.Percent == percent {
			return band.Count, nil
		}
	}
	return 0, fmt.Errorf("the event has no seats at %d %%", percent)
}

// Tuition returns the tuition by rank, with bold amounts: "₹0 up to rank 250, ₹4,50,000 from rank 251"; nil if it may
// not be shown.
func (l Landing) Tuition() (spans []Span) {
	for i, band := range l.Ranks {
		ranks := " up to rank " + strconv.Itoa(band.To)
		if band.To == 0 {
			ranks = " from rank " + strconv.Itoa(band.From)
		}
		if i > 0 {
			spans = append(spans, Span{Text: ", "})
		}
		spans = append(spans, Span{Text: rupees(band.TuitionMinor), Bold: true}, Span{Text: ranks})
	}
	return spans
}

// TuitionByRank returns the tuition of all ranks: <b>₹0</b> or <b>₹4,50,000</b>; "" if it may not be shown.
func (f facts) TuitionByRank() string {
	if !f.claims[tuitionClaim].Whole {
		return ""
	}
	var all []string
	for _, band := range f.event.Ranks() {
		all = append(all, "<b>"+rupees(band.TuitionMinor)+"</b>")
	}
	return prose.Either(all)
}

// TuitionFrom returns the tuition without a scholarship, in a sentence; "" if it may not be shown.
func (f facts) TuitionFrom() string {
	if !f.claims[tuitionClaim].Whole {
		return ""
	}
	return fmt.Sprintf("From rank %d the tuition is %s.", f.NextRank(), f.Tuition())
}

// RankBands returns the tuition of the ranks with a scholarship: Ranks 1 to 250 pay no tuition.
func (f facts) RankBands() string {
	if !f.claims[tuitionClaim].Whole {
		return f.claims[tuitionClaim].Text
	}
	var parts []string
	for _, band := range f.event.Ranks() {
		switch {
		case band.To == 0:
		case band.TuitionMinor == 0:
			parts = append(parts, fmt.Sprintf("ranks %d to %d pay no tuition", band.From, band.To))
		default:
			parts = append(parts, fmt.Sprintf("ranks %d to %d pay %s", band.From, band.To, rupees(band.TuitionMinor)))
		}
	}
	return prose.Capital(strings.Join(parts, ", ")) + "."
}

// LastSeat says what the last rank with a scholarship gets.
func (f facts) LastSeat() string {
	if bands := f.event.Ranks(); bands[len(bands)-2].TuitionMinor > 0 {
		return "last scholarship"
	}
	return "last free seat"
}

// BoldStipend returns the stipend with its least amount in bold.
func (f facts) BoldStipend() string {
	if claim := f.claims["stipend"]; !claim.Whole {
		return "<b>Stipend</b>: " + claim.Text
	}
	return "<b>" + f.StipendLeast() + "</b> stipend per month or more, up to " + f.StipendMost()
}

// NextRank returns the first rank without a scholarship.
func (f facts) NextRank() int {
	ranks := f.event.Ranks()
	return ranks[len(ranks)-1].From
}

// TuitionBeside returns the tuition that remains after a discount.
func (f facts) TuitionBeside(percent int) (string, error) {
	for _, band := range f.event.Ranks() {
		if band.Percent == percent {
			return rupees(band.TuitionMinor), nil
		}
	}
	return "", fmt.Errorf("the event has no seats at %d %%", percent)
}

// MonthlyParts returns the tuition in n equal parts: "six monthly parts of ₹75,000", by rank if the tuition differs.
func (f facts) MonthlyParts(n int) (string, error) {
	paying := slices.DeleteFunc(f.event.Ranks(), func(band RankBand) bool { return band.TuitionMinor == 0 })
	var sums []string
	for _, band := range paying {
		if n < 2 || band.TuitionMinor%int64(n*100) != 0 {
			return "", fmt.Errorf("%s is not %d parts of whole rupees", rupees(band.TuitionMinor), n)
		}
		sum := rupees(band.TuitionMinor / int64(n))
		switch {
		case len(paying) == 1:
		case band.To == 0:
			sum += " from rank " + strconv.Itoa(band.From)
		default:
			sum += " up to rank " + strconv.Itoa(band.To)
		}
		sums = append(sums, sum)
	}
	return InWords(n) + " monthly parts of " + strings.Join(sums, ", "), nil
}

// InWords returns a number in words: eight. Numbers above twelve are digits.
func InWords(n int) string {
	switch {
	case n == 0:
		return "no"
	case n > 12:
		return strconv.Itoa(n)
	}
	return prose.Number(n)
}

func (f facts) InWords(n int) string       { return InWords(n) }
func (f facts) Capital(text string) string { return prose.Capital(text) }
func (f facts) Lower(text string) string   { return prose.Lower(text) }

// rupees formats paise as ₹4,50,000 or ₹1,499.50.
func rupees(minor int64) string {
	text := "₹" + prose.GroupDigits(strconv.FormatInt(minor/100, 10), true)
	if paise := minor % 100; paise != 0 {
		text += fmt.Sprintf(".%02d", paise)
	}
	return text
}
