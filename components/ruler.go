package components

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"
)

// RulerProps is a row of lengths in whole units.
type RulerProps struct {
	Unit     string // min
	Brief    bool   // without values
	Sections []RulerSection
}

// RulerSection is a length with its value.
type RulerSection struct {
	Name   string
	Length int
	Worth  int
	Of     string // marks
	Spoken string // for screen readers
}

// Width of a ruler on a small screen, and of a name's letters and margins, in pixels.
const (
	smallRuler  = 320
	nameLetter  = 8
	nameMargins = 16
)

// rulerTones is the number of colours.
const rulerTones = 3

// placedSection is a section with its position in per cent.
type placedSection struct {
	RulerSection
	X, Width string
	Tone     int
	First    bool
}

func (p RulerProps) total() (sum int) {
	for _, section := range p.Sections {
		sum += section.Length
	}
	return sum
}

func (p RulerProps) percent(length int) string {
	return decimal(100*float64(length)/float64(p.total())) + "%"
}

func (p RulerProps) sections() (placed []placedSection) {
	at := 0
	for i, section := range p.Sections {
		placed = append(placed, placedSection{section, p.percent(at), p.percent(section.Length), i%rulerTones + 1, i == 0})
		at += section.Length
	}
	return placed
}

func (s placedSection) tone(of string) string { return of + " " + of + "-" + strconv.Itoa(s.Tone) }

// label names the lengths: Reasoning 25 minutes, Numbers 20 minutes.
func (p RulerProps) label() string {
	var all []string
	for _, section := range p.Sections {
		all = append(all, section.Name+" "+strconv.Itoa(section.Length)+" minutes")
	}
	return strings.Join(all, ", ")
}

// height returns the height of the drawing.
func (p RulerProps) height() string {
	if p.Brief {
		return "8.75em"
	}
	return "11.25em"
}

// crowded reports whether a name does not fit on a small screen.
func (p RulerProps) crowded() bool {
	for _, section := range p.Sections {
		if room := nameMargins + nameLetter*utf8.RuneCountInString(section.Name); section.Length*smallRuler < room*p.total() {
			return true
		}
	}
	return false
}

// box returns the viewBox: one unit per unit of the ruler, as high as its longest tick.
func (p RulerProps) box() string { return "0 0 " + strconv.Itoa(p.total()) + " 26" }

// ticks returns the path of the even or odd ticks.
func (p RulerProps) ticks(odd bool) string {
	var path strings.Builder
	for at := range p.total() + 1 {
		if (at%2 == 1) != odd {
			continue
		}
		length := "10"
		switch {
		case at%10 == 0:
			length = "26"
		case at%5 == 0:
			length = "18"
		}
		path.WriteString("M" + strconv.Itoa(at) + " 0v" + length)
	}
	return path.String()
}

// rulerFigure is a number below the ruler.
type rulerFigure struct{ X, Text, Anchor string }

func (p RulerProps) figures() (figures []rulerFigure) {
	step := 10
	if p.Brief {
		step = max(1, p.total()/2)
	}
	for at := 0; at <= p.total(); at += step {
		anchor := "middle"
		switch at {
		case 0:
			anchor = "start"
		case p.total():
			anchor = "end"
		}
		figures = append(figures, rulerFigure{p.percent(at), strconv.Itoa(at), anchor})
	}
	return figures
}

// withUnit renders a number with its unit, without white space between.
func withUnit(class, gap string, n int, unit string) templ.Component {
	return templ.Raw(strconv.Itoa(n) + `<tspan class="` + class + `" dx="` + gap + `">` + templ.EscapeString(unit) + `</tspan>`)
}
