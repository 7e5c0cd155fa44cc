package components

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// The brand's figures, each a single line.
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

// braidRun returns a braid of n dots between two half tiles (0 ≤ from < to ≤ 2n): the strand that starts above the dots and
// the one that starts below.
func braidRun(n, from, to int) string {
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
	return g.path(above, braidTile) + g.path(below, braidTile)
}

// strandBelow returns the strand of braidRun that starts below the dots.
func strandBelow(n, from, to int) string {
	run := braidRun(n, from, to)
	return run[strings.LastIndex(run, "M"):]
}

// braidLoop returns the loop around the i-th dot of a braid of n.
func braidLoop(n, i int) string {
	d := dot{i, 0}
	return chain(n).path([]quadrant{{d, west, north}, {d, north, east}, {d, east, south}, {d, south, west}}, braidTile)
}

// lineBox returns the viewBox of a braid of n dots whose line ends at the edges.
func lineBox(n int) string { return "-17 -17 " + decimal(braidTile*float64(n)-6) + " 34" }

// BraidProps is a braid of N dots.
type BraidProps struct {
	N        int
	Done     int    // done half tiles from the left: 2·stages, +1 for a current one
	Numbered bool   // numerals instead of dots
	Label    string // for screen readers ("Eight months: six of training, then two paid"); "" for decoration
}

const braidTile = 40.0

type braidDot struct {
	X    string
	Text string
	Done bool
}

func (p BraidProps) viewBox() string {
	return "-20 -20 " + decimal(braidTile*float64(p.N)) + " 40"
}

// role returns the drawing's attributes for screen readers.
func (p BraidProps) role() templ.Attributes {
	if p.Label == "" {
		return templ.Attributes{"aria-hidden": "true"}
	}
	return templ.Attributes{"role": "img", "aria-label": p.Label}
}

func (p BraidProps) donePath() string { return braidRun(p.N, 0, p.Done) }
func (p BraidProps) restPath() string { return braidRun(p.N, p.Done, 2*p.N) }

func (p BraidProps) dots() []braidDot {
	dots := make([]braidDot, p.N)
	for i := range dots {
		dots[i] = braidDot{decimal(braidTile * float64(i)), strconv.Itoa(i + 1), 2*i+1 <= p.Done}
	}
	return dots
}

const (
	markTile   = 10.0
	emblemTile = 20.0
)

var (
	markPath   = markGrid.loopPath([][]quadrant{markGrid.trace(dot{0, -1}, east)}, markTile)
	emblemPath = emblemGrid.loopPath([][]quadrant{emblemGrid.trace(dot{0, -2}, north)}, emblemTile)
)

// placedDot is a dot in SVG units.
type placedDot struct{ X, Y string }

func dotsOf(g grid, tile float64) (dots []placedDot) {
	for _, d := range g.dots {
		dots = append(dots, placedDot{decimal(tile * float64(d.x)), decimal(tile * float64(d.y))})
	}
	return dots
}

// emblemPassed reports whether the emblem's line, drawn to a number of twelfths, encloses a dot.
func emblemPassed(d dot, twelfths int) bool {
	passed := map[dot]int{{-1, -1}: 2, {1, 0}: 3, {2, 0}: 3, {1, -1}: 5, {0, 0}: 7, {0, 1}: 7, {0, 2}: 7}[d]
	return passed > 0 && passed <= twelfths
}
