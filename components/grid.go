package components

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// dot is a point of the integer grid; y grows downwards, as in SVG.
type dot struct{ x, y int }

// side is a side of a dot's tile, clockwise.
type side int

const (
	east side = iota
	south
	west
	north
)

var sideDirections = [4]dot{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}

// grid is a kolam: dots, and closed edges at which the line turns back between neighbours. Lines are traced at run time
// because the picture of seats has a dot per seat of an event.
type grid struct {
	dots   []dot
	closed [][2]dot
}

func chain(n int) grid {
	return block(n, 1, func(dot) bool { return true })
}

func diamond(radius int) grid {
	var g grid
	for y := -radius; y <= radius; y++ {
		for x := -radius; x <= radius; x++ {
			if abs(x)+abs(y) <= radius {
				g.dots = append(g.dots, dot{x, y})
			}
		}
	}
	return g
}

func block(width, height int, holds func(dot) bool) grid {
	var g grid
	for x := range width {
		for y := range height {
			if d := (dot{x, y}); holds(d) {
				g.dots = append(g.dots, d)
			}
		}
	}
	return g
}

func abs(n int) int {
	return max(n, -n)
}

func neighbour(d dot, s side) dot {
	v := sideDirections[s]
	return dot{d.x + v.x, d.y + v.y}
}

func (g grid) has(d dot) bool {
	return slices.Contains(g.dots, d)
}

// open reports whether the line crosses from d to its neighbour on side s.
func (g grid) open(d dot, s side) bool {
	n := neighbour(d, s)
	for _, edge := range g.closed {
		if edge == [2]dot{d, n} || edge == [2]dot{n, d} {
			return false
		}
	}
	return g.has(n)
}

// quadrant is the curve around a dot between two adjacent sides.
type quadrant struct {
	dot      dot
	from, to side
}

// trace follows the line that leaves d at side s clockwise until it returns. An open side leads into the neighbour, in the
// opposite direction; at a closed side the line stays at its dot.
func (g grid) trace(d dot, s side) []quadrant {
	var loop []quadrant
	at, from, turn := d, s, side(1)
	for {
		to := (from + turn + 4) % 4
		loop = append(loop, quadrant{at, from, to})
		if g.open(at, to) {
			at, from, turn = neighbour(at, to), (to+2)%4, -turn
		} else {
			from = to
		}
		if at == d && from == s && turn == 1 {
			return loop
		}
	}
}

// loops traces all lines of the kolam.
func (g grid) loops() [][]quadrant {
	type corner struct {
		dot dot
		at  side // the corner clockwise of this side
	}
	seen := map[corner]bool{}
	var all [][]quadrant
	for _, d := range g.dots {
		for s := east; s <= north; s++ {
			if seen[corner{d, s}] {
				continue
			}
			loop := g.trace(d, s)
			for _, q := range loop {
				at := q.from
				if q.to != (q.from+1)%4 {
					at = q.to
				}
				seen[corner{q.dot, at}] = true
			}
			all = append(all, loop)
		}
	}
	return all
}

type point struct{ x, y float64 }

// Distances of the line from its dot, in tiles.
const (
	openReach   = .5
	closedReach = .40
	closedPull  = .2209 // handle of a quarter circle of radius closedReach
	openPull    = .16   // handle along the diagonal, as a share of the side difference
)

// curve returns the control points of a quadrant in tiles, and whether it is straight.
func (g grid) curve(q quadrant) (p [4]point, straight bool) {
	fromOpen, toOpen := g.open(q.dot, q.from), g.open(q.dot, q.to)
	start, end := g.sidePoint(q.dot, q.from), g.sidePoint(q.dot, q.to)
	return [4]point{
		start,
		handle(start, q.from, q.to, fromOpen),
		handle(end, q.to, q.from, toOpen),
		end,
	}, fromOpen && toOpen
}

func (g grid) sidePoint(d dot, s side) point {
	reach := closedReach
	if g.open(d, s) {
		reach = openReach
	}
	v := sideDirections[s]
	return point{float64(d.x) + reach*float64(v.x), float64(d.y) + reach*float64(v.y)}
}

func handle(p point, at, other side, open bool) point {
	a, o := sideDirections[at], sideDirections[other]
	if open {
		return point{p.x + openPull*float64(o.x-a.x), p.y + openPull*float64(o.y-a.y)}
	}
	return point{p.x + closedPull*float64(o.x), p.y + closedPull*float64(o.y)}
}

// path returns consecutive quadrants as SVG path data, with tile units per tile.
func (g grid) path(run []quadrant, tile float64) string {
	var b strings.Builder
	for i, q := range run {
		p, straight := g.curve(q)
		if i == 0 {
			b.WriteString("M" + coordinates(tile, p[0]))
		}
		if straight {
			b.WriteString("L" + coordinates(tile, p[3]))
		} else {
			b.WriteString("C" + coordinates(tile, p[1], p[2], p[3]))
		}
	}
	return b.String()
}

func (g grid) loopPath(loops [][]quadrant, tile float64) string {
	var b strings.Builder
	for _, loop := range loops {
		b.WriteString(g.path(loop, tile) + "Z")
	}
	return b.String()
}

func coordinates(tile float64, points ...point) string {
	var parts []string
	for _, p := range points {
		parts = append(parts, decimal(tile*p.x), decimal(tile*p.y))
	}
	return strings.Join(parts, " ")
}

func decimal(v float64) string {
	rounded := math.Round(v*1000) / 1000
	if rounded == 0 {
		return "0"
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}
