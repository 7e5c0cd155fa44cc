package landing

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strconv"
	"unicode/utf8"

	"github.com/boombuler/barcode/qr"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"hiresure/admission/receipt"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
)

// share is what somebody who has enrolled shows to friends: never a number, a phone, an amount, or what opens the ticket.
type share struct {
	receipt.Sharer
	Link string // that the code in the picture opens
	Host string // of this site
}

// Colours of a ticket: tokens of static/css/_tokens.css, light.
var (
	ticketColour     = color.RGBA{0xfe, 0xfd, 0xf9, 0xff}
	inkColour        = color.RGBA{0x14, 0x1e, 0x4b, 0xff}
	ink2Colour       = color.RGBA{0x40, 0x4b, 0x6e, 0xff}
	ink3Colour       = color.RGBA{0x5d, 0x67, 0x82, 0xff}
	edgeColour       = color.RGBA{0x77, 0x80, 0x99, 0xff}
	actionColour     = color.RGBA{0x27, 0x3f, 0x9d, 0xff}
	goldInkColour    = color.RGBA{0x84, 0x4e, 0x04, 0xff}
	goldDeepColour   = color.RGBA{0xee, 0x9e, 0x10, 0xff}
	matThreadColour  = color.RGBA{0x4a, 0x68, 0xc4, 0xff}
	sharedFullRemark = "top candidates study on a full scholarship"
)

// drawShare draws the picture that goes with a referral code, 1200 × 630: the ticket on its mat, with the code in place of the
// stub's secrets.
func drawShare(page *content.Landing, s share) ([]byte, error) {
	p := &canvas{RGBA: image.NewRGBA(image.Rect(0, 0, 1200, 630))}
	draw.Draw(p, p.Bounds(), image.NewUniform(fieldColour), image.Point{}, draw.Src)
	p.mat(21, 26, 321, 558)
	p.sides(page, s)
	p.shareTicket(page, s)
	var body bytes.Buffer
	if err := png.Encode(&body, p); err != nil { // while somebody waits: the best compression is slow
		return nil, err
	}
	return body.Bytes(), p.err
}

// mat is a frame of kolam: it hangs over the upper and lower edge.
func (p *canvas) mat(columns, rows int, left, width float64) {
	const top, height = -35., 700.
	line, dots := components.MatLine(columns, rows)
	across, down := width/float64(columns), height/float64(rows)
	at := transform{x: left + across/2, y: top + down/2, scale: across, tall: down / across}
	p.stroke(line, at, 1.9, matThreadColour)
	for _, dot := range dots {
		place := at.at(dot[0], dot[1])
		p.disc(place.x, place.y, 2.4, marigoldColour)
	}
}

func (p *canvas) sides(page *content.Landing, s share) {
	p.stroke(components.MarkLine(), transform{x: 70, y: 76, scale: 44. / 31}, 2.6, paperColour)
	for _, dot := range [][2]float64{{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
		p.disc(70+dot[0]*14.2, 76+dot[1]*14.2, 2.3, marigoldColour)
	}
	p.set(eczar, 32, -.018, 103, 87, paperColour, "HireSure")
	for i, line := range p.lines(eczar, 42, 264, pages.Headline(page)) {
		p.set(eczar, 42, -.025, 48, 343+43*float64(i), paperColour, line)
	}
	p.set(figtree, 24, 0, 920, 84, paperColour, s.Host)
	for _, band := range page.Event.Seats {
		if band.Percent < 100 {
			continue
		}
		p.set(eczar, 116, -.035, 915, 389, marigoldColour, strconv.Itoa(band.Count))
		for i, line := range p.lines(figtree, 24, 244, sharedFullRemark) {
			p.set(figtree, 24, 0, 920, 441+31*float64(i), secondColour, line)
		}
	}
}

func (p *canvas) shareTicket(page *content.Landing, s share) {
	const left, top, right, bottom, joint = 378., 19., 822., 611., 415.5
	p.plate(left, top, right, bottom, 18, ticketColour)
	p.disc(left, joint, 10, fieldColour)
	p.disc(right, joint, 10, fieldColour)
	for x := left + 22; x < right-18; x += 8 {
		p.disc(x, joint, 1.25, edgeColour)
	}
	p.fill([]spot{{682.4, joint + .5}, {744, joint - 61.1}, {805.6, joint + .5}, {744, joint + 62.1}}, ticketColour) // cuts the perforation
	seal := transform{x: 744, y: joint + .5, scale: 1.12}
	p.stroke(components.EmblemLine(), seal, 3.1, actionColour)
	for _, dot := range components.EmblemDots() {
		place := seal.at(dot[0], dot[1])
		p.disc(place.x, place.y, 2.5, goldDeepColour)
	}

	day, month, weekday := page.Event.Exam.Parts()
	p.set(figtree, 17, 0, 405, 60, goldInkColour, page.Event.Title)
	p.fit(eczar, 33, -.018, 405, 94, 390, inkColour, enrolledSays(s.FullName))
	beside := p.set(eczar, 164, -.045, 397, 282, actionColour, day) + 10
	p.set(figtree, 17, 0, beside, 197, ink2Colour, "Scholarship exam")
	p.set(eczar, 31, -.018, beside, 233, inkColour, month)
	p.set(eczar, 25, -.018, beside, 265, ink2Colour, weekday)
	p.set(figtree, 17, 0, 405, 366, inkColour, s.Course)
	p.set(figtree, 17, 0, 405, 390, ink2Colour, page.Event.Ticket.Where)
	p.code(s.Link, 406, 441, 145)
	p.set(figtree, 17, 0, 580, 547, ink3Colour, "Enrol with my code")
	p.set(eczar, 32, -.01, 580, 580, inkColour, s.Code)
}

// enrolledSays heads the ticket of a picture. Its type has only the letters of Western Europe: a name with any other is left out.
func enrolledSays(fullName string) string {
	name := content.FirstName(fullName)
	parsed, err := opentype.Parse(eczar)
	if err != nil {
		return "I am enrolled"
	}
	for _, letter := range name {
		if glyph, err := parsed.GlyphIndex(nil, letter); err != nil || glyph == 0 {
			return "I am enrolled"
		}
	}
	return name + " is enrolled"
}

// set writes a line with its letters closer by a share of their size, and returns where it ends.
func (p *canvas) set(file []byte, size, tracking, x, y float64, ink color.Color, text string) float64 {
	face, ok := p.face(file, size)
	if !ok {
		return x
	}
	d := font.Drawer{Dst: p, Src: image.NewUniform(ink), Face: face, Dot: fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y * 64)}}
	before := rune(-1)
	for _, letter := range text {
		if before >= 0 {
			d.Dot.X += face.Kern(before, letter) + fixed.Int26_6(tracking*size*64)
		}
		d.DrawString(string(letter))
		before = letter
	}
	return float64(d.Dot.X) / 64
}

// fit is set for a line that must not be wider than most pixels: a long one is smaller.
func (p *canvas) fit(file []byte, size, tracking, x, y, most float64, ink color.Color, text string) {
	face, ok := p.face(file, size)
	if !ok {
		return
	}
	wide := float64(font.MeasureString(face, text))/64 + tracking*size*float64(utf8.RuneCountInString(text))
	p.set(file, size*min(1, most/wide), tracking, x, y, ink, text)
}

// code draws a QR code of whole pixels, at most side wide.
func (p *canvas) code(link string, left, top, side int) {
	code, err := qr.Encode(link, qr.M, qr.Auto)
	if err != nil {
		p.err = fmt.Errorf("QR code: %w", err)
		return
	}
	size := code.Bounds().Dx()
	module := side / size
	for y := range size {
		for x := range size {
			if code.At(x, y) == color.Black {
				at := image.Pt(left+x*module, top+y*module)
				draw.Draw(p, image.Rectangle{at, at.Add(image.Pt(module, module))}, image.NewUniform(inkColour), image.Point{}, draw.Src)
			}
		}
	}
}
