package landing

import (
	"bytes"
	_ "embed"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v5"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
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

// preview finds one by the name of its file, so that nobody's address adds one.
func (l *Landing) preview(words *content.Library, name string) (pages.Preview, bool) {
	if page, known := words.Landing(name, l.Clock()); known {
		return pages.PreviewOf(page), true
	}
	all := []pages.Preview{pages.PreviewOfHome(words.Site())}
	for _, page := range words.Pages() {
		all = append(all, pages.PreviewOfLegal(words.Site(), page))
	}
	i := slices.IndexFunc(all, func(p pages.Preview) bool { return p.Name == name })
	if i < 0 {
		return pages.Preview{}, false
	}
	return all[i], true
}

// picture is a page's preview for messengers and social media. Addresses of other versions, and of none, answer what is
// current: they stand in messages for years.
func (l *Landing) picture(c *echo.Context) error {
	words := l.Content.Current()
	file, isPNG := strings.CutSuffix(c.Param("picture"), ".png")
	name, _, _ := strings.Cut(file, ".")
	p, known := l.preview(words, name)
	if !isPNG || !known {
		return echo.ErrNotFound
	}
	// What a preview says may change with the day: it is drawn anew then.
	kept := l.pictures.Of(l.Content, words, func(*content.Library) *drawings[pages.Preview] { return &drawings[pages.Preview]{} })
	picture, err := kept.of(p, func() ([]byte, error) { return drawPicture(p) })
	if err != nil {
		return err
	}
	age := "86400"
	if c.Request().URL.Path == p.Path() {
		age = "31536000, immutable"
	}
	picture.serve(c, age)
	return nil
}

// logo is a partner's logo by itself, for those who read of it in the API; pages hold it inline.
func (l *Landing) logo(c *echo.Context) error {
	svg := l.Content.Current().Logo(c.Param("name"))
	if svg == "" {
		return echo.ErrNotFound
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=86400")
	return c.Blob(http.StatusOK, "image/svg+xml", []byte(svg))
}

// The words of a preview stand in its central square, because some messengers show no more of it.
const (
	squareLeft = (1200 - 630) / 2
	wordsLeft  = squareLeft + 30
	wordsWide  = 630 - 2*30
)

func drawPicture(preview pages.Preview) ([]byte, error) {
	p := &canvas{RGBA: image.NewRGBA(image.Rect(0, 0, 1200, 630))}
	draw.Draw(p, p.Bounds(), image.NewUniform(fieldColour), image.Point{}, draw.Src)
	p.mat(47, 26, -26, 1252)

	p.stroke(components.MarkLine(), transform{x: wordsLeft + 28, y: 84, scale: 56. / 31}, 4, paperColour)
	for _, dot := range [][2]float64{{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
		p.disc(wordsLeft+28+dot[0]*18, 84+dot[1]*18, 3.2, marigoldColour)
	}
	p.write(eczar, 38, wordsLeft+72, 97, paperColour, "HireSure")
	size, lines := p.headline(preview.Headline)
	y := 165.
	if preview.Braid.N == 0 { // what is left of the height stands above and below
		y = 250 - 20*float64(len(lines))
	}
	p.fit(figtree, 28, 0, wordsLeft, y, wordsWide, marigoldColour, preview.Eyebrow)
	y += 1.2 * size
	for _, line := range lines {
		p.set(eczar, size, -.02, wordsLeft, y, paperColour, line)
		y += 1.04 * size
	}
	y += 60 - 1.04*size
	for _, line := range preview.Lines {
		if line != "" {
			p.fit(figtree, 30, 0, wordsLeft, y, wordsWide, secondColour, line)
			y += 40
		}
	}
	if preview.Braid.N > 0 {
		p.braid(preview.Braid, 560)
	}

	var body bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&body, p); err != nil {
		return nil, err
	}
	return body.Bytes(), p.err
}

// headline is set in the largest size in which it has three lines at most.
func (p *canvas) headline(text string) (size float64, lines []string) {
	for _, size = range []float64{66, 56, 48, 40} {
		if lines = p.lines(eczar, size, wordsWide, text); len(lines) <= 3 {
			break
		}
	}
	return size, lines
}

// braid is the line of a programme's months across the words, around y.
func (p *canvas) braid(braid components.BraidProps, y float64) {
	tile := wordsWide / float64(braid.N)
	scale := transform{x: wordsLeft + tile/2, y: y, scale: tile / 40}
	done, rest := components.BraidLines(braid)
	p.stroke(rest, scale, 3.6, marigoldColour)
	p.stroke(done, scale, 3.6, paperColour)
	for i := range braid.N {
		dot := marigoldColour
		if 2*i >= braid.Done {
			dot = paperColour
		}
		p.disc(scale.x+float64(i)*tile, scale.y, 4.8, dot)
	}
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

// transform places path data on the canvas. tall is how much higher than wide a unit is; 0 for as wide.
type transform struct{ x, y, scale, tall float64 }

func (t transform) at(x, y float64) spot {
	if t.tall > 0 {
		y *= t.tall
	}
	return spot{t.x + x*t.scale, t.y + y*t.scale}
}
