package components

import (
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write anew what is generated: static/images and the fixture of islands/forms")

func TestMarkBraidAndEmblemAreOneSingleLine(t *testing.T) {
	figures := map[string]grid{
		"mark":           markGrid,
		"emblem":         emblemGrid,
		"braid of one":   chain(1),
		"braid of six":   chain(6),
		"braid of eight": chain(8),
	}
	for name, g := range figures {
		loops := g.loops()
		if len(loops) != 1 {
			t.Errorf("%s is drawn with %d lines, want one", name, len(loops))
		}
		if got, want := len(loops[0]), 4*len(g.dots); got != want {
			t.Errorf("%s: the line turns %d quadrants, want %d", name, got, want)
		}
	}
	if got := len(emblemGrid.trace(dot{0, -2}, north)); got != 52 {
		t.Errorf("the emblem has %d curves, want 52", got)
	}
}

func TestOpeningEveryEdgeOfTheEmblemWouldTakeSeveralLines(t *testing.T) {
	if got := len(grid{dots: emblemGrid.dots}.loops()); got == 1 {
		t.Error("the closed edges of the emblem change nothing")
	}
}

func TestTracedPaths(t *testing.T) {
	const mark = "M4 -10C4 -7.791 1.6 -6.6 0 -5L-5 0C-6.6 1.6 -7.791 4 -10 4C-12.209 4 -14 2.209 -14 0C-14 -2.209 -12.209 -4 -10 -4C-7.791 -4 -6.6 -1.6 -5 0L0 5C1.6 6.6 4 7.791 4 10C4 12.209 2.209 14 0 14C-2.209 14 -4 12.209 -4 10C-4 7.791 -1.6 6.6 0 5L5 0C6.6 -1.6 7.791 -4 10 -4C12.209 -4 14 -2.209 14 0C14 2.209 12.209 4 10 4C7.791 4 6.6 1.6 5 0L0 -5C-1.6 -6.6 -4 -7.791 -4 -10C-4 -12.209 -2.209 -14 0 -14C2.209 -14 4 -12.209 4 -10Z"
	if markPath != mark {
		t.Errorf("mark\n got %s\nwant %s", markPath, mark)
	}
	const emblem = "M0 -48C4.418 -48 8 -44.418 8 -40C8 -35.582 3.2 -33.2 0 -30L-10 -20C-13.2 -16.8 -15.582 -12 -20 -12C-24.418 -12 -28 -15.582 -28 -20C-28 -24.418 -24.418 -28 -20 -28C-15.582 -28 -13.2 -23.2 -10 -20L0 -10L10 0C13.2 3.2 15.582 8 20 8C24.418 8 26.8 3.2 30 0C33.2 -3.2 35.582 -8 40 -8C44.418 -8 48 -4.418 48 0C48 4.418 44.418 8 40 8C35.582 8 33.2 3.2 30 0L20 -10C16.8 -13.2 12 -15.582 12 -20C12 -24.418 15.582 -28 20 -28C24.418 -28 28 -24.418 28 -20C28 -15.582 23.2 -13.2 20 -10L10 0L0 10C-3.2 13.2 -8 15.582 -8 20C-8 24.418 -3.2 26.8 0 30C3.2 33.2 8 35.582 8 40C8 44.418 4.418 48 0 48C-4.418 48 -8 44.418 -8 40C-8 35.582 -3.2 33.2 0 30L10 20C13.2 16.8 15.582 12 20 12C24.418 12 28 15.582 28 20C28 24.418 24.418 28 20 28C15.582 28 13.2 23.2 10 20L0 10L-10 0C-13.2 -3.2 -15.582 -8 -20 -8C-24.418 -8 -26.8 -3.2 -30 0C-33.2 3.2 -35.582 8 -40 8C-44.418 8 -48 4.418 -48 0C-48 -4.418 -44.418 -8 -40 -8C-35.582 -8 -33.2 -3.2 -30 0L-20 10C-16.8 13.2 -12 15.582 -12 20C-12 24.418 -15.582 28 -20 28C-24.418 28 -28 24.418 -28 20C-28 15.582 -23.2 13.2 -20 10L-10 0L0 -10C3.2 -13.2 8 -15.582 8 -20C8 -24.418 3.2 -26.8 0 -30C-3.2 -33.2 -8 -35.582 -8 -40C-8 -44.418 -4.418 -48 0 -48Z"
	if emblemPath != emblem {
		t.Errorf("emblem\n got %s\nwant %s", emblemPath, emblem)
	}
}

func TestBraidIsSplitBetweenDoneAndToCome(t *testing.T) {
	whole := BraidProps{N: 6, Done: 12}
	if whole.restPath() != "" {
		t.Errorf("a finished braid still has %q to come", whole.restPath())
	}
	none := BraidProps{N: 6}
	if none.donePath() != "" || none.restPath() != whole.donePath() {
		t.Error("what is to come at the start is not the line that is done at the end")
	}
}

// Colours of drawings in files, which HTML cannot set: border images, backgrounds, the tab's icon.
const (
	kolamBlue  = "#4a68c4"
	kolamGold  = "#fbb029"
	kolamField = "#15205a"
	kolamPaper = "#f9f3e6"
)

// drawMat returns the SVG of the ticket's mat: static/images/kolam-frame.svg.
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

// drawCloth returns the SVG of woven cloth, a dot with its ring as a tile: static/images/kolam-cloth.svg.
func drawCloth() string {
	return `<svg xmlns="http://www.w3.org/2000/svg" width="30" height="30" viewBox="0 0 30 30">` +
		`<path d="M15 0L30 15L15 30L0 15Z" fill="none" stroke="` + kolamBlue + `" stroke-width="2" stroke-linecap="square"/>` +
		`<circle cx="15" cy="15" r="2.6" fill="` + kolamGold + `"/></svg>` + "\n"
}

// drawIcon returns the logo on a square of indigo cloth: static/images/favicon.svg.
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

// matGrid returns the ring of dots around a ticket, for a border image.
var matGrid = block(5, 5, func(d dot) bool { return d != dot{2, 2} })

func TestDrawingsInStaticImagesAreTheTracedOnes(t *testing.T) {
	drawings := map[string]string{
		"../static/images/kolam-frame.svg": drawMat(),
		"../static/images/kolam-cloth.svg": drawCloth(),
		"../static/images/favicon.svg":     drawIcon(),
	}
	for file, want := range drawings {
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is not the traced drawing: run go test ./components -update", file)
		}
	}
}

func TestEmblemDotIsDoneAtHalfItsLoop(t *testing.T) {
	for drawn, want := range map[int]int{0: 0, 3: 5, 5: 6, 6: 9, 9: 12, 12: 13} {
		done := 0
		for _, d := range emblemDots(drawn) {
			if d.Done {
				done++
			}
		}
		if done != want {
			t.Errorf("of %d twelfths: %d dots are done, want %d", drawn, done, want)
		}
	}
}
