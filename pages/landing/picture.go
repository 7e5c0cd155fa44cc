package landing

import (
	"bytes"
	_ "embed"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v5"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"hiresure/admission"
	"hiresure/components"
	"hiresure/content"
)

//go:embed og/eczar-600.ttf
var eczar []byte

//go:embed og/figtree-500.ttf
var figtree []byte

// The colours of an indigo band: tokens of static/css/_tokens.css, light.
var (
	fieldColour    = color.RGBA{0x15, 0x20, 0x5a, 0xff}
	paperColour    = color.RGBA{0xf9, 0xf3, 0xe6, 0xff}
	secondColour   = color.RGBA{0xbc, 0xc7, 0xe6, 0xff}
	marigoldColour = color.RGBA{0xfb, 0xb0, 0x29, 0xff}
)

// pictures are the previews of one library's events, each drawn when it is first asked for.
type pictures struct {
	bySlug map[string]func() ([]byte, error)
}

// draw makes ready to draw the picture of each event that there is, so that nobody's address adds one.
func (l *Landing) draw(words *content.Library) *pictures {
	all := &pictures{map[string]func() ([]byte, error){}}
	for _, event := range words.Events() {
		all.bySlug[event.Slug] = sync.OnceValues(func() ([]byte, error) {
			page, _ := words.Landing(event.Slug, l.Clock())
			return drawPicture(page)
		})
	}
	return all
}

// picture is an event's preview for messengers and social media, 1200 × 630. It is drawn once.
func (l *Landing) picture(c *echo.Context) error {
	words := l.Content.Current()
	slug, isPNG := strings.CutSuffix(c.Param("picture"), ".png")
	picture, known := l.pictures.Of(l.Content, words, l.draw).bySlug[slug]
	if !isPNG || !known {
		return echo.ErrNotFound
	}
	body, err := picture()
	if err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set("Content-Type", "image/png")
	header.Set("Cache-Control", "public, max-age=86400")
	header.Set("ETag", `"`+words.Version()+`"`)
	http.ServeContent(c.Response(), c.Request(), "", time.Time{}, bytes.NewReader(body))
	return nil
}

// pictureAlt is the preview in words.
func pictureAlt(page *content.Landing) string {
	return page.Event.Title + ": " + headline(page) + ". Registration fee " + feeOf(page.Event).Short() + ", exam on " + admission.Date(page.Event.Exam.Time) + "."
}

func headline(page *content.Landing) string {
	return page.Headline.Before + page.Headline.Braid + page.Headline.After
}

func drawPicture(page *content.Landing) ([]byte, error) {
	p := &canvas{RGBA: image.NewRGBA(image.Rect(0, 0, 1200, 630))}
	draw.Draw(p, p.Bounds(), image.NewUniform(fieldColour), image.Point{}, draw.Src)
	const left = 80

	p.stroke(components.MarkLine(), transform{x: left + 32, y: 92, scale: 64. / 31}, 4.5, paperColour)
	for _, dot := range [][2]float64{{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
		p.disc(left+32+dot[0]*20.6, 92+dot[1]*20.6, 3.6, marigoldColour)
	}
	p.write(eczar, 42, left+82, 106, paperColour, "HireSure")
	p.write(figtree, 28, left, 196, marigoldColour, page.Words.Eyebrow+"  ·  "+page.Event.Title)
	y := 282.
	for _, line := range p.lines(eczar, 80, 1040, headline(page)) {
		p.write(eczar, 80, left, y, paperColour, line)
		y += 82
	}
	p.write(figtree, 32, left, y-8, secondColour,
		feeOf(page.Event).Short()+" registration fee  ·  Exam on "+admission.Date(page.Event.Exam.Time))

	braid := components.BraidProps{N: page.Event.Months, Done: 2 * page.Event.TrainingMonths}
	tile := 1040 / float64(braid.N)
	scale := transform{x: left + tile/2, y: 550, scale: tile / 40}
	done, rest := components.BraidLines(braid)
	p.stroke(rest, scale, 6, marigoldColour)
	p.stroke(done, scale, 6, paperColour)
	for i := range braid.N {
		dot := marigoldColour
		if i >= page.Event.TrainingMonths {
			dot = paperColour
		}
		p.disc(scale.x+float64(i)*tile, scale.y, 8, dot)
	}

	var body bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&body, p); err != nil {
		return nil, err
	}
	return body.Bytes(), p.err
}

// canvas keeps the first error of what is drawn on it.
type canvas struct {
	*image.RGBA
	err error
}

func (p *canvas) face(file []byte, size float64) (font.Face, bool) {
	parsed, err := opentype.Parse(file)
	if err == nil {
		var face font.Face
		if face, err = opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72}); err == nil {
			return face, true
		}
	}
	p.err = err
	return nil, false
}

func (p *canvas) write(file []byte, size, x, y float64, ink color.Color, text string) {
	if face, ok := p.face(file, size); ok {
		d := font.Drawer{Dst: p, Src: image.NewUniform(ink), Face: face, Dot: fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y * 64)}}
		d.DrawString(text)
	}
}

// lines breaks a text at spaces so that no line is wider than most pixels.
func (p *canvas) lines(file []byte, size, most float64, text string) (lines []string) {
	face, ok := p.face(file, size)
	if !ok {
		return nil
	}
	for _, word := range strings.Fields(text) {
		if last := len(lines) - 1; last >= 0 && float64(font.MeasureString(face, lines[last]+" "+word))/64 <= most {
			lines[last] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}

// transform places path data on the canvas.
type transform struct{ x, y, scale float64 }
