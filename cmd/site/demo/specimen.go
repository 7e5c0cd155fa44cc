package demo

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"

	"hiresure/admission/document"
)

// specimens is how many pictures there are of each kind: the inspector looks at each once.
const specimens = 3

// specimen draws a small picture that looks like a document of its kind from afar: a face, a card, a page of marks.
func specimen(kind document.Kind, n, side int) []byte {
	n %= specimens
	paper, ink := color.NRGBA{246, 242, 232, 255}, color.NRGBA{uint8(40 + n*37%120), uint8(60 + n*53%90), uint8(90 + n*29%110), 255}
	picture := image.NewPaletted(image.Rect(0, 0, side, side*5/4), color.Palette{paper, ink, color.NRGBA{190, 150, 120, 255}})
	block := func(x0, y0, x1, y1, of int) { // in hundredths of the side
		at := image.Rect(x0*side/100, y0*side/100, x1*side/100, y1*side/100)
		draw.Draw(picture, at, image.NewUniform(picture.Palette[of]), image.Point{}, draw.Src)
	}
	switch kind {
	case document.Photo:
		block(30, 85, 70, 125, 1)
		block(15, 95, 85, 125, 1)
		block(35, 30, 65, 85, 2)
		block(32, 22, 68, 38, 1)
	case document.IDProof:
		block(5, 10, 95, 22, 1)
		block(8, 30, 35, 65, 2)
		for line := range 4 {
			block(42, 32+9*line, 90-n*(line+1)%20, 36+9*line, 1)
		}
	default:
		block(20, 8, 80, 14, 1)
		for line := range 9 {
			block(10, 25+10*line, 60-n*(line+3)%25, 28+10*line, 1)
			block(80, 25+10*line, 90, 28+10*line, 2)
		}
	}
	var out bytes.Buffer
	_ = png.Encode(&out, picture) // a buffer takes everything
	return out.Bytes()
}
