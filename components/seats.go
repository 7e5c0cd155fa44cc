package components

import (
	"strconv"
	"strings"
	"sync"
)

// SeatsProps is a picture of seats by rank, best first, SeatColumns per row. Kolam lines surround the seats of each band.
type SeatsProps struct {
	Bands  []SeatBand
	Beyond int    // rows of ranks without a seat
	Label  string // for screen readers
}

// SeatBand is a number of seats of one kind.
type SeatBand struct {
	Count int
	Half  bool // partly free
}

// SeatColumns is the number of seats per row.
const SeatColumns = 25

// Measures of the picture. seatGap follows each band.
const (
	seatTile   = 28
	seatGap    = 20
	seatMargin = 16
)

// SeatTop returns the top of each band and of the rows beyond, which a script needs to place a rank.
func (p SeatsProps) SeatTop() []int {
	tops, y := []int{0}, 0
	for _, band := range p.Bands {
		y += seatRows(band.Count)*seatTile + seatGap
		tops = append(tops, y)
	}
	return tops
}

func seatRows(count int) int { return (count + SeatColumns - 1) / SeatColumns }

func (p SeatsProps) viewBox() string {
	width := (SeatColumns-1)*seatTile + 2*seatMargin
	height := p.SeatTop()[len(p.Bands)] + (p.Beyond-1)*seatTile + seatMargin + 22
	return "-" + strconv.Itoa(seatMargin) + " -" + strconv.Itoa(seatMargin) + " " + strconv.Itoa(width) + " " + strconv.Itoa(height)
}

// seatBlock is a drawn band. Its dots are dashes of strokes along the rows.
type seatBlock struct {
	Look          string // whole, part or none
	Move          string
	Line          string
	ContourHeight string
	Dots          string
}

func (p SeatsProps) blocks() (all []seatBlock) {
	tops := p.SeatTop()
	for i, band := range p.Bands {
		block := newSeatBlock("whole", band.Count, tops[i])
		block.Line = seatLine(band.Count)
		if band.Half {
			block.Look = "part"
		}
		all = append(all, block)
	}
	for row := range p.Beyond { // fading
		all = append(all, newSeatBlock("none", SeatColumns, tops[len(p.Bands)]+row*seatTile))
	}
	return all
}

func newSeatBlock(look string, count, top int) seatBlock {
	var dots strings.Builder
	for row := range seatRows(count) {
		inRow := min(count-row*SeatColumns, SeatColumns)
		// Past the last dot, but short of the next one.
		dots.WriteString("M0 " + strconv.Itoa(row*seatTile) + "h" + strconv.Itoa((inRow-1)*seatTile+seatTile/2))
	}
	return seatBlock{
		Look: look, Move: "translate(0 " + strconv.Itoa(top) + ")", Dots: dots.String(),
		ContourHeight: strconv.Itoa(seatRows(count)*seatTile + 1),
	}
}

// seatLines caches the lines by number of seats, because tracing takes milliseconds.
var seatLines sync.Map

func seatLine(count int) string {
	if line, known := seatLines.Load(count); known {
		return line.(string)
	}
	g := seatGrid(count)
	line := g.tightPath(g.loops(), seatTile)
	seatLines.Store(count, line)
	return line
}

// seatGrid returns a block of seats. Its lines have no closed loops inside the block, which would look like drawing errors. Its number of lines is the
// greatest common divisor of rows and columns: one for 200 seats, five for 250.
func seatGrid(count int) grid {
	return block(SeatColumns, seatRows(count), func(d dot) bool { return d.y*SeatColumns+d.x < count })
}

// tightPath is loopPath with joined straight parts and tenths of a unit: a quarter of the size.
func (g grid) tightPath(loops [][]quadrant, tile float64) string {
	var b strings.Builder
	for _, loop := range loops {
		for i, q := range loop {
			p, straight := g.curve(q)
			_, goesOn := g.curve(loop[(i+1)%len(loop)])
			if i == 0 {
				b.WriteString("M" + tenths(tile, p[0]))
			}
			switch {
			case !straight:
				b.WriteString("C" + tenths(tile, p[1], p[2], p[3]))
			case !goesOn || i == len(loop)-1:
				b.WriteString("L" + tenths(tile, p[3]))
			}
		}
		b.WriteString("Z")
	}
	return b.String()
}

func tenths(tile float64, points ...point) string {
	var parts []string
	for _, p := range points {
		for _, v := range []float64{p.x, p.y} {
			text := strconv.FormatFloat(tile*v, 'f', 1, 64)
			parts = append(parts, strings.TrimSuffix(strings.TrimSuffix(text, "0"), "."))
		}
	}
	return strings.Join(parts, " ")
}
