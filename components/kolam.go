package components

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"
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

// strandBelow is the strand of braidRun that starts below the dots.
func strandBelow(n, from, to int, tile float64) string {
	run := braidRun(n, from, to, tile)
	return run[strings.LastIndex(run, "M"):]
}

// braidLoop is the way around the i-th dot of a braid of n: from where the line arrives at it and back.
func braidLoop(n, i int, tile float64) string {
	d := dot{i, 0}
	return chain(n).path([]quadrant{{d, west, north}, {d, north, east}, {d, east, south}, {d, south, west}}, tile)
}

// lineBox is the viewBox of a braid of n dots whose line ends at its edges.
func lineBox(n int) string { return "-17 -17 " + decimal(braidTile*float64(n)-6) + " 34" }

// Drawings as files, for places that HTML cannot reach: border images, backgrounds, the browser's tab.
const (
	kolamBlue  = "#4a68c4"
	kolamGold  = "#fbb029"
	kolamField = "#15205a"
	kolamPaper = "#f9f3e6"
)

// drawMat is the SVG of the ticket's mat: static/images/kolam-frame.svg.
func drawMat() string {
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" width="150" height="150" viewBox="-15 -15 150 150">`)
	b.WriteString(`<path d="` + matGrid.loopPath(matGrid.loops(), 30) + `" fill="none" stroke="` + kolamBlue + `" stroke-width="2"/>`)
	for _, d := range matGrid.dots {
		b.WriteString(`<circle cx="` + strconv.Itoa(30*d.x) + `" cy="` + strconv.Itoa(30*d.y) + `" r="2.6" fill="` + kolamGold + `"/>`)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// drawCloth is the SVG of woven cloth, one dot with its ring, to be repeated: static/images/kolam-cloth.svg.
func drawCloth() string {
	return `<svg xmlns="http://www.w3.org/2000/svg" width="30" height="30" viewBox="0 0 30 30">` +
		`<path d="M15 0L30 15L15 30L0 15Z" fill="none" stroke="` + kolamBlue + `" stroke-width="2" stroke-linecap="square"/>` +
		`<circle cx="15" cy="15" r="2.6" fill="` + kolamGold + `"/></svg>` + "\n"
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
	Label    string // what a screen reader hears ("Eight months: six of training, then two paid"); empty: decoration
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

// role says what the drawing is to those who do not see it.
func (p BraidProps) role() templ.Attributes {
	if p.Label == "" {
		return templ.Attributes{"aria-hidden": "true"}
	}
	return templ.Attributes{"role": "img", "aria-label": p.Label}
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

const (
	markTile   = 10.0
	emblemTile = 20.0
)

var (
	markPath   = markGrid.loopPath([][]quadrant{markGrid.trace(dot{0, -1}, east)}, markTile)
	emblemPath = emblemGrid.loopPath([][]quadrant{emblemGrid.trace(dot{0, -2}, north)}, emblemTile)
)

// placedDot is a dot at its place, as SVG wants it.
type placedDot struct{ X, Y string }

func dotsOf(g grid, tile float64) (dots []placedDot) {
	for _, d := range g.dots {
		dots = append(dots, placedDot{decimal(tile * float64(d.x)), decimal(tile * float64(d.y))})
	}
	return dots
}

// MarkLine is the line of the mark as SVG path data, in a box of 31 units around the origin: for pictures that are not SVG.
func MarkLine() string { return markPath }

// BraidLines are the two lines of a braid as SVG path data, one dot every 40 units from the origin.
func BraidLines(p BraidProps) (done, rest string) { return p.donePath(), p.restPath() }

// EmblemLine is the line of the emblem as SVG path data, in a box of 100 units around the origin, and EmblemDots its dots.
func EmblemLine() string { return emblemPath }

// EmblemDots are the places of the emblem's dots.
func EmblemDots() (places [][2]float64) { return placesOf(emblemGrid, emblemTile) }

// MatLine is the line of a mat of that many dots, two deep, one dot every unit from the origin, and the places of its dots.
func MatLine(columns, rows int) (path string, places [][2]float64) {
	g := block(columns, rows, func(d dot) bool { return d.x < 2 || d.y < 2 || d.x >= columns-2 || d.y >= rows-2 })
	return g.loopPath(g.loops(), 1), placesOf(g, 1)
}

func placesOf(g grid, tile float64) (places [][2]float64) {
	for _, d := range g.dots {
		places = append(places, [2]float64{tile * float64(d.x), tile * float64(d.y)})
	}
	return places
}
