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
			spots = append(spots, spot{t.x + x*t.scale, t.y + y*t.scale})
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
	shape := vector.NewRasterizer(p.Bounds().Dx(), p.Bounds().Dy())
	shape.DrawOp = draw.Over
	const corners = 48
	for i := range corners {
		angle := 2 * math.Pi * float64(i) / corners
		atX, atY := float32(x+radius*math.Cos(angle)), float32(y+radius*math.Sin(angle))
		if i == 0 {
			shape.MoveTo(atX, atY)
			continue
		}
		shape.LineTo(atX, atY)
	}
	shape.ClosePath()
	shape.Draw(p, p.Bounds(), image.NewUniform(ink), image.Point{})
}
