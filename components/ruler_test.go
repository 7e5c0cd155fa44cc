package components

import (
	"strings"
	"testing"
)

func TestARulerIsMeasured(t *testing.T) {
	thirds := RulerProps{Unit: "min", Sections: []RulerSection{
		{Name: "Reasoning", Length: 25, Worth: 25, Of: "marks", Spoken: "Reasoning: 25 minutes"},
		{Name: "Numbers", Length: 20, Worth: 20, Of: "marks", Spoken: "Numbers: 20 minutes"},
		{Name: "R & more", Length: 15, Worth: 1, Of: "mark", Spoken: "R & more: 15 minutes"},
	}}
	drawn := render(t, Ruler(thirds))
	for _, markup := range []string{
		`<figure class="ruler">`, `<rect class="ruler-length ruler-length-1" x="0%" width="41.667%"`, `<rect class="ruler-length ruler-length-3" x="75%" width="25%"`,
		`25<tspan class="ruler-unit" dx="4">min</tspan>`, `1<tspan class="ruler-worth-unit" dx="7">mark</tspan>`, "R &amp; more</text>", "<li>R &amp; more: 15 minutes</li>",
		`viewBox="0 0 60 26"`, `<path d="M0 0v26M2 0v10M4 0v10`, `<path class="odd" d="M1 0v10M3 0v10M5 0v18`, `M60 0v26"`,
		`x="0%" text-anchor="start">0</text>`, `x="16.667%" text-anchor="middle">10</text>`, `x="100%" text-anchor="end">60</text>`,
	} {
		if !strings.Contains(drawn, markup) {
			t.Errorf("no %s in\n%s", markup, drawn)
		}
	}
	if n := strings.Count(drawn, `class="ruler-worth-gap"`); n != 2 {
		t.Errorf("%d gaps between three sections", n)
	}
	five := RulerProps{Unit: "min", Sections: []RulerSection{{Name: "Maths", Length: 11}, {Length: 11}, {Length: 11}, {Length: 11}, {Length: 11}}}
	if five.crowded() {
		t.Error("a fifth has room for five letters")
	}
	five.Sections[4] = RulerSection{Name: "Computers", Length: 15}
	if !five.crowded() || !strings.Contains(render(t, Ruler(five)), `<figure class="ruler ruler-crowded">`) {
		t.Error("nine letters have no room on a quarter of a small screen")
	}
	if got := five.figures(); got[len(got)-1].Text != "50" || got[len(got)-1].Anchor != "middle" {
		t.Errorf("a ruler of 59 units ends with the figure %+v", got[len(got)-1])
	}
}

func TestAFigureIsOneBoxOfDots(t *testing.T) {
	for _, row := range []struct {
		figure        FigureProps
		box           string
		width, height string
		dots          int
	}{
		{FigureProps{Columns: 2, Rows: 3}, "-11 -11 42 62", "2.625em", "3.875em", 6},
		{FigureProps{Columns: 4, Rows: 1}, "-11 -11 82 22", "5.125em", "1.375em", 4},
		{FigureProps{}, "-31 -31 62 62", "3.875em", "3.875em", 5},
		{FigureProps{Columns: 1, Rows: 1}, "-11 -11 22 22", "1.375em", "1.375em", 1},
	} {
		drawn := row.figure.figure()
		if drawn.ViewBox != row.box || drawn.Width != row.width || drawn.Height != row.height || len(drawn.Dots) != row.dots || strings.Count(drawn.Path, "Z") != 1 {
			t.Errorf("%+v: %+v", row.figure, drawn)
		}
	}
}
