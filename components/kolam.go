package components

import (
	"strconv"
	"strings"
)

// The three figures of the brand. Each is one single line.
var (
	markGrid   = diamond(1)
	emblemGrid = grid{
		dots: diamond(2).dots,
		closed: [][2]dot{
			{{-1, -1}, {-1, 0}},
			{{0, -1}, {1, -1}},
			{{1, 0}, {1, 1}},
			{{-1, 1}, {0, 1}},
		},
	}
)

// matGrid is the ring of dots around a ticket: a border image is cut out of it.
var matGrid = block(5, 5, func(d dot) bool { return d != dot{2, 2} })

// cornerGrid hangs from the upper right corner of the hero on small screens.
var cornerGrid = block(6, 5, func(d dot) bool { return d.y <= d.x-1 })

// braidRun is the part of a braid of n dots between two half tiles (0 ≤ from < to ≤ 2n):
// the strand that starts above the dots and the one that starts below.
func braidRun(n, from, to int, tile float64) string {
	g := chain(n)
	var above, below []quadrant
	for half := from; half < to; half++ {
		d := dot{half / 2, 0}
		up, down := quadrant{d, west, north}, quadrant{d, west, south}
		if half%2 == 1 {
			up, down = quadrant{d, north, east}, quadrant{d, south, east}
		}
		if d.x%2 == 1 {
			up, down = down, up
		}
		above, below = append(above, up), append(below, down)
	}
	if len(above) == 0 {
		return ""
	}
	return g.path(above, tile) + g.path(below, tile)
}

// Drawings as files, for places that HTML cannot reach: border images, backgrounds, the browser's tab.
const (
	kolamBlue  = "#4a68c4"
	kolamGold  = "#fbb029"
	kolamField = "#15205a"
	kolamPaper = "#f9f3e6"
)

// drawMat is the SVG of the ticket's mat: static/images/kolam-frame.svg.
func drawMat() string {
	return drawFile(matGrid, "-15 -15 150 150", 150, 150)
}

// drawCorner is the SVG in the hero's upper right corner on small screens: static/images/kolam-corner.svg.
func drawCorner() string {
	return drawFile(cornerGrid, "-15 -15 180 150", 180, 150)
}

func drawFile(g grid, viewBox string, width, height int) string {
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" width="` + strconv.Itoa(width) + `" height="` + strconv.Itoa(height) + `" viewBox="` + viewBox + `">`)
	b.WriteString(`<path d="` + g.loopPath(g.loops(), 30) + `" fill="none" stroke="` + kolamBlue + `" stroke-width="2"/>`)
	for _, d := range g.dots {
		b.WriteString(`<circle cx="` + strconv.Itoa(30*d.x) + `" cy="` + strconv.Itoa(30*d.y) + `" r="2.6" fill="` + kolamGold + `"/>`)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// drawIcon is the mark on a square of indigo cloth: static/images/favicon.svg.
func drawIcon() string {
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="-32 -32 64 64"><rect x="-32" y="-32" width="64" height="64" rx="14" fill="` + kolamField + `"/>`)
	b.WriteString(`<path d="` + markGrid.loopPath(markGrid.loops(), 17) + `" fill="none" stroke="` + kolamPaper + `" stroke-width="2.6"/>`)
	for _, d := range markGrid.dots {
		b.WriteString(`<circle cx="` + strconv.Itoa(17*d.x) + `" cy="` + strconv.Itoa(17*d.y) + `" r="2.5" fill="` + kolamGold + `"/>`)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// BraidProps describes a braid of N dots.
type BraidProps struct {
	N        int
	Done     int    // half tiles, from the left, that are drawn in the colour of what is done: 2·stages, +1 for a current one
	Numbered bool   // numerals instead of dots
	Label    string // what a screen reader hears ("Stage 2 of 6"); empty: decoration
}

const braidTile = 40.0

type braidDot struct {
	X      string
	Text   string
	Earned bool
}

func (p BraidProps) viewBox() string {
	return "-20 -20 " + decimal(braidTile*float64(p.N)) + " 40"
}

func (p BraidProps) donePath() string { return braidRun(p.N, 0, p.Done, braidTile) }
func (p BraidProps) restPath() string { return braidRun(p.N, p.Done, 2*p.N, braidTile) }

func (p BraidProps) dots() []braidDot {
	dots := make([]braidDot, p.N)
	for i := range dots {
		dots[i] = braidDot{decimal(braidTile * float64(i)), strconv.Itoa(i + 1), 2*i+1 <= p.Done}
	}
	return dots
}

// EmblemProps describes the kolam of an application's six stages.
type EmblemProps struct {
	Done  int    // stages that are done, 0…6; the next one is half drawn
	Label string // what a screen reader hears; empty: decoration
}

const emblemTile = 20.0

var (
	emblemLoop = emblemGrid.trace(dot{0, -2}, north)
	emblemPath = emblemGrid.loopPath([][]quadrant{emblemLoop}, emblemTile)
	markPath   = markGrid.loopPath([][]quadrant{markGrid.trace(dot{0, -1}, east)}, 10)
)

type emblemDot struct {
	X, Y   string
	Earned bool
}

func (p EmblemProps) twelfths() int { return min(2*p.Done+1, 12) }

func (p EmblemProps) dash() string { return strconv.Itoa(p.twelfths()) + " 12" }

func (p EmblemProps) dots() []emblemDot {
	drawn := emblemGrid.drawnDots(emblemLoop, float64(p.twelfths())/12)
	var dots []emblemDot
	for _, d := range emblemGrid.dots {
		dots = append(dots, emblemDot{decimal(emblemTile * float64(d.x)), decimal(emblemTile * float64(d.y)), drawn[d]})
	}
	return dots
}

// markDot is a place of the mark's five dots, as SVG wants it.
func markDots() []emblemDot {
	var dots []emblemDot
	for _, d := range markGrid.dots {
		dots = append(dots, emblemDot{X: decimal(10 * float64(d.x)), Y: decimal(10 * float64(d.y))})
	}
	return dots
}

// MarkLine is the line of the mark as SVG path data, in a box of 31 units around the origin: for pictures that are not SVG.
func MarkLine() string { return markPath }

// BraidLines are the two lines of a braid as SVG path data, one dot every 40 units from the origin.
func BraidLines(p BraidProps) (done, rest string) { return p.donePath(), p.restPath() }
