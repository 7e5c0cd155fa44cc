package components

// FigureProps is a small kolam next to a word: a block of dots, or the mark.
type FigureProps struct {
	Columns, Rows int // 0: the mark's five dots
}

const figureTile = 20.0

// figure is a drawn kolam: box, line and dots.
type figure struct {
	ViewBox       string
	Width, Height string // in em; 16 units are one
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
	const margin = 11 // around a dot: 8 to the line, half its width, and padding
	width, height := figureTile*float64(high.x-low.x)+2*margin, figureTile*float64(high.y-low.y)+2*margin
	return figure{
		ViewBox: decimal(figureTile*float64(low.x)-margin) + " " + decimal(figureTile*float64(low.y)-margin) + " " + decimal(width) + " " + decimal(height),
		Width:   decimal(width/16) + "em", Height: decimal(height/16) + "em",
		Path: g.loopPath(g.loops(), figureTile), Dots: dotsOf(g, figureTile),
	}
}
