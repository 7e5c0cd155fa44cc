package components

// FigureProps is a small kolam that stands beside a word: a block of dots, or the mark's five.
type FigureProps struct {
	Columns, Rows int // 0: the mark's five dots
}

const figureTile = 20.0

// figure is a drawn kolam: its box, its line, and its dots.
type figure struct {
	ViewBox       string
	Width, Height string // in em of a font of which 16 units are one
	Path          string
	Dots          []placedDot
}

func (p FigureProps) figure() figure {
	g := block(p.Columns, p.Rows, func(dot) bool { return true })
	if p.Columns == 0 {
		g = markGrid
	}
	low, high := g.dots[0], g.dots[0]
	for _, d := range g.dots {
		low, high = dot{min(low.x, d.x), min(low.y, d.y)}, dot{max(high.x, d.x), max(high.y, d.y)}
	}
	const margin = 11 // round a dot: the line's distance of 8, half its width, and room
	width, height := figureTile*float64(high.x-low.x)+2*margin, figureTile*float64(high.y-low.y)+2*margin
	return figure{
		ViewBox: decimal(figureTile*float64(low.x)-margin) + " " + decimal(figureTile*float64(low.y)-margin) + " " + decimal(width) + " " + decimal(height),
		Width:   decimal(width/16) + "em", Height: decimal(height/16) + "em",
		Path: g.loopPath(g.loops(), figureTile), Dots: dotsOf(g, figureTile),
	}
}
