package components

import (
	"strings"
	"testing"
)

func TestTheLinesRunAroundEverySeatOfABand(t *testing.T) {
	for _, test := range []struct{ seats, lines int }{{250, 5}, {200, 1}, {100, 1}, {1, 1}, {24, 1}, {26, 1}, {625, 25}} {
		g := seatGrid(test.seats)
		loops, pieces := g.loops(), 0
		for _, loop := range loops {
			pieces += len(loop)
		}
		if len(g.dots) != test.seats || pieces != 4*test.seats {
			t.Errorf("%d seats: %d dots and %d pieces of line", test.seats, len(g.dots), pieces)
		}
		if len(loops) != test.lines {
			t.Errorf("%d seats: %d lines, want %d", test.seats, len(loops), test.lines)
		}
	}
}

func TestBandsAreBelowEachOther(t *testing.T) {
	var page strings.Builder
	picture := SeatsProps{Bands: []SeatBand{{Count: 30}, {Count: 25, Half: true}}, Beyond: 2, Label: "55 seats"}
	if err := Seats(picture).Render(t.Context(), &page); err != nil {
		t.Fatal(err)
	}
	drawn := strings.ReplaceAll(page.String(), "> <", "><")
	for _, part := range []string{
		`<svg class="seats" viewBox="-16 -16 704 190" role="img" aria-label="55 seats">`,
		`<g class="seats-whole" transform="translate(0 0)">`, `<path class="dots" d="M0 0h686M0 28h126"></path></g>`,
		`<g class="seats-part" transform="translate(0 76)">`, `<path class="dots" d="M0 0h686"></path><path class="dots hollow" d="M0 0h686"></path></g>`,
		`<g class="seats-none" transform="translate(0 124)"><path class="dots" d="M0 0h686"></path><path class="dots hollow" d="M0 0h686"></path></g>`,
		`<g class="seats-none" transform="translate(0 152)"><path class="dots" d="M0 0h686"></path><path class="dots hollow" d="M0 0h686"></path></g></svg>`,
	} {
		if !strings.Contains(drawn, part) {
			t.Errorf("no %s", part)
		}
	}
	if n := strings.Count(drawn, `class="line"`); n != 2 {
		t.Errorf("%d lines, want one a band and none around those without a seat", n)
	}
}

func TestAStraightStretchIsOnePiece(t *testing.T) {
	line := seatLine(250)
	if strings.Count(line, "M") != 5 || !strings.HasSuffix(line, "Z") || len(line) > 8<<10 {
		t.Errorf("%d lines in %d bytes", strings.Count(line, "M"), len(line))
	}
	if strings.Contains(line, ".0 ") || strings.Contains(line, "-0 ") {
		t.Error("a coordinate is longer than it need be")
	}
}
