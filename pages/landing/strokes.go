package landing

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"regexp"
	"strconv"

	"golang.org/x/image/vector"
)

type spot struct{ x, y float64 }

var pathParts = regexp.MustCompile(`[MLCZ]|-?[0-9]*\.?[0-9]+`)

// flatten turns path data of M, L, C and Z with absolute coordinates into one row of spots for each line.
func flatten(path string, t transform) (rows [][]spot) {
	parts := pathParts.FindAllString(path, -1)
	var row []spot
	take := func(n int) (spots []spot) {
		for ; n > 0 && len(parts) > 1; n-- {
			x, _ := strconv.ParseFloat(parts[0], 64) // pathParts lets numbers through only
			y, _ := strconv.ParseFloat(parts[1], 64)
			spots = append(spots, t.at(x, y))
			parts = parts[2:]
		}
		return spots
	}
	for len(parts) > 0 {
		command := parts[0]
		parts = parts[1:]
		switch command {
		case "M":
			if row != nil {
				rows = append(rows, row)
			}
			row = take(1)
		case "L":
			row = append(row, take(1)...)
		case "C":
			from, c := row[len(row)-1], take(3)
			const steps = 24
			for i := 1; i <= steps; i++ {
				a := float64(i) / steps
				b := 1 - a
				row = append(row, spot{
					b*b*b*from.x + 3*b*b*a*c[0].x + 3*b*a*a*c[1].x + a*a*a*c[2].x,
					b*b*b*from.y + 3*b*b*a*c[0].y + 3*b*a*a*c[1].y + a*a*a*c[2].y,
				})
			}
		}
	}
	return append(rows, row)
}

// stroke draws path data as a ribbon of that width: its left edge forth, its right edge back.
func (p *canvas) stroke(path string, t transform, width float64, ink color.Color) {
	shape := vector.NewRasterizer(p.Bounds().Dx(), p.Bounds().Dy())
	for _, row := range flatten(path, t) {
		var forth, back []spot
		for i, at := range row {
			before, after := row[max(i-1, 0)], row[min(i+1, len(row)-1)]
			dx, dy := after.x-before.x, after.y-before.y
			length := math.Hypot(dx, dy)
			if length == 0 {
				continue
			}
			dx, dy = dx/length*width/2, dy/length*width/2
			forth = append(forth, spot{at.x - dy, at.y + dx})
			back = append(back, spot{at.x + dy, at.y - dx})
		}
		for i, at := range forth {
			if i == 0 {
				shape.MoveTo(float32(at.x), float32(at.y))
				continue
			}
			shape.LineTo(float32(at.x), float32(at.y))
		}
		for i := len(back) - 1; i >= 0; i-- {
			shape.LineTo(float32(back[i].x), float32(back[i].y))
		}
		shape.ClosePath()
	}
	shape.Draw(p, p.Bounds(), image.NewUniform(ink), image.Point{})
}

func (p *canvas) disc(x, y, radius float64, ink color.Color) {
	const corners = 48
	var round []spot
	for i := range corners {
		angle := 2 * math.Pi * float64(i) / corners
		round = append(round, spot{x + radius*math.Cos(angle), y + radius*math.Sin(angle)})
	}
	p.fill(round, ink)
}

// plate is a rectangle with round corners.
func (p *canvas) plate(left, top, right, bottom, radius float64, ink color.Color) {
	var round []spot
	for quarter, centre := range []spot{{right - radius, bottom - radius}, {left + radius, bottom - radius}, {left + radius, top + radius}, {right - radius, top + radius}} {
		for i := range 13 {
			angle := math.Pi / 2 * (float64(quarter) + float64(i)/12)
			round = append(round, spot{centre.x + radius*math.Cos(angle), centre.y + radius*math.Sin(angle)})
		}
	}
	p.fill(round, ink)
}

// fill draws the area inside of a row of corners. It rasters their box alone: a picture has hundreds of dots.
func (p *canvas) fill(corners []spot, ink color.Color) {
	low, high := corners[0], corners[0]
	for _, at := range corners {
		low, high = spot{min(low.x, at.x), min(low.y, at.y)}, spot{max(high.x, at.x), max(high.y, at.y)}
	}
	box := image.Rect(int(math.Floor(low.x)), int(math.Floor(low.y)), int(math.Ceil(high.x))+1, int(math.Ceil(high.y))+1)
	shape := vector.NewRasterizer(box.Dx(), box.Dy())
	shape.DrawOp = draw.Over
	for i, at := range corners {
		x, y := float32(at.x-float64(box.Min.X)), float32(at.y-float64(box.Min.Y))
		if i == 0 {
			shape.MoveTo(x, y)
			continue
		}
		shape.LineTo(x, y)
	}
	shape.ClosePath()
	shape.Draw(p, box, image.NewUniform(ink), image.Point{})
}
