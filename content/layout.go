package content

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"html/template"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"slices"
	"strings"

	"github.com/boombuler/barcode/qr"
)

// Picture is embedded in a mail. Mails load nothing from servers, so that nobody learns when they are read. Pictures contain
// no text.
type Picture struct {
	Name string // "cid:" + Name in the HTML
	PNG  []byte
}

var mailTemplate = template.Must(template.New("mail.gohtml").Funcs(template.FuncMap{
	"css": mailCSS, "face": face, "figure": Figure, "wholes": splitUnbreakable, "outlook": func() template.HTML { return outlook },
	"outlookOpens": func() template.HTML { return outlookOpens }, "outlookCloses": func() template.HTML { return outlookCloses },
}).ParseFS(files, "mail.gohtml"))

// Workarounds for Outlook on Windows, which supports neither max-width nor font fallbacks.
const (
	outlook       = `<!--[if mso]><style>td,p,h1,h2,a,span{font-family:Arial,sans-serif!important}.ts{border-top:0!important;border-left:3px dotted #778099!important}</style><![endif]-->`
	outlookOpens  = `<!--[if mso]><table role="presentation" width="600" align="center" cellpadding="0" cellspacing="0"><tr><td><![endif]-->`
	outlookCloses = `<!--[if mso]></td></tr></table><![endif]-->`
)

// mailStyles are inlined, because some mail programs drop the head. The colours are the light tokens of
// static/css/_tokens.css.
var mailStyles = map[string]string{
	"td":  "font:400 16px/1.5 Figtree,Roboto,Arial,sans-serif;color:#141e4b;padding:0;text-align:left;vertical-align:top;",
	"tab": "border-collapse:separate;border-spacing:0;",
	"p":   "margin:0;",
	"e":   "margin:0;font-family:Eczar,Georgia,'Times New Roman',serif;font-weight:600;letter-spacing:-.018em;",
	"f":   "margin:0;font-family:Eczar,Roboto,Arial,sans-serif;font-weight:600;letter-spacing:-.018em;", // figures: Georgia's are old-style
	"q":   "font-size:14px;line-height:1.4;",
	"l":   "color:#5d6782;", // labels and hints
	"a":   "color:#273f9d;",
	"g":   "color:#844e04;font-weight:600;",
	"on":  "color:#f9f3e6;", // on indigo
	"w":   "color:#bcc7e6;",
	"k":   "color:#2645a6;text-decoration:underline;",
	"num": "font-variant-numeric:tabular-nums lining-nums;white-space:nowrap;",
	"hr":  "border-top:1px solid #dfd8cc;",
	"x":   "overflow-wrap:anywhere;",
}

// mailCSS joins styles by name; later ones win.
func mailCSS(names string) (template.CSS, error) {
	var all strings.Builder
	for name := range strings.FieldsSeq(names) {
		style, known := mailStyles[name]
		if !known {
			return "", fmt.Errorf("no style %q", name)
		}
		all.WriteString(style)
	}
	return template.CSS(all.String()), nil //nolint:gosec // the styles above
}

// face returns the style of a heading, which depends on whether it has digits.
func face(heading string) string {
	if strings.ContainsAny(heading, "0123456789") {
		return "f"
	}
	return "e"
}

type mailView struct {
	Site, Subject, Preview string
	Head                   []Block // on indigo
	Body                   [][]Block
	Footer                 [][][]piece
	cids                   map[string]string
}

// headView is a block on indigo.
type headView struct {
	mailView
	Block  Block
	Ticket bool // a ticket follows
}

// With returns a block of the head with its mail.
func (v mailView) With(b Block) headView {
	return headView{v, b, slices.ContainsFunc(v.Head, func(b Block) bool { return b.Kind == "ticket" })}
}

// spaces is the space between two kinds of blocks in pixels, if it is not the default.
var spaces = map[[2]string]int{
	{"heading", "days"}: 0, {"heading", "code"}: 10, {"heading", "text"}: 10, {"days", "text"}: 14, {"text", "link"}: 8, {"days", "link"}: 8, {"note", "link"}: 8, {"note", "note"}: 8,
	{"link", "note"}: 14, {"sum", "text"}: 12, {"fact", "text"}: 12, {"text", "text"}: 14, {"text", "fact"}: 6, {"text", "quote"}: 14,
}

// Before returns the space above a group other than the first.
func (v mailView) Before(i int) string {
	above := v.Body[i-1]
	kinds := [2]string{above[len(above)-1].Kind, v.Body[i][0].Kind}
	if space, named := spaces[kinds]; named {
		return fmt.Sprintf("%dpx", space)
	}
	if kinds[1] == "heading" {
		return "28px"
	}
	return "20px"
}

// CID returns the address of a picture in this mail.
func (v mailView) CID(picture string) template.URL { return template.URL("cid:" + v.cids[picture]) } //nolint:gosec // ours

// MailHTML renders a mail's HTML, for 360 pixels and dark screens, with its pictures.
func MailHTML(site string, words Rendered) (html string, pictures []Picture, err error) {
	if words.Subject == "" {
		return "", nil, errNoSubject
	}
	text, footer := words.Text, ""
	if at := strings.LastIndex(text, footerMark); at >= 0 {
		text, footer = text[:at], strings.TrimSpace(text[at+len(footerMark):])
	}
	view := mailView{Site: site, Subject: words.Subject, cids: map[string]string{}}
	view.cut(blocksOf(words.Parts, text))
	for paragraph := range strings.SplitSeq(footer, "\n\n") {
		var lines [][]piece
		for line := range strings.SplitSeq(paragraph, "\n") {
			lines = append(lines, splitContacts(line))
		}
		view.Footer = append(view.Footer, lines)
	}
	if pictures, err = view.pictures(); err != nil {
		return "", nil, err
	}
	var laid bytes.Buffer
	err = mailTemplate.Execute(&laid, view)
	return laid.String(), pictures, err
}

// cut moves a title, with its ticket and button, to the head, and groups blocks of one table or row.
func (v *mailView) cut(blocks []Block) {
	if blocks[0].Kind == "preview" {
		v.Preview, blocks = blocks[0].Text, blocks[1:]
	}
	if len(blocks) > 0 && blocks[0].Kind == "title" {
		for len(blocks) > 0 && slices.Contains([]string{"title", "ticket", "button"}, blocks[0].Kind) {
			v.Head, blocks = append(v.Head, blocks[0]), blocks[1:]
		}
	}
	for i, block := range blocks {
		if last := len(v.Body) - 1; i > 0 && family[block.Kind] != "" && family[block.Kind] == family[blocks[i-1].Kind] {
			v.Body[last] = append(v.Body[last], block)
			continue
		}
		v.Body = append(v.Body, []Block{block})
	}
}

// family groups kinds of blocks into one table.
var family = map[string]string{"row": "column", "sum": "column", "fact": "column", "link": "links"}

// pictures returns the mail's pictures: the mark, the title's picture and the ticket's code.
func (v mailView) pictures() (all []Picture, err error) {
	add := func(name string, file []byte) {
		// The same picture has the same name in all mails, because some programs cache by name.
		sum := sha256.Sum256(file)
		v.cids[name] = fmt.Sprintf("%s-%x@hiresure", name, sum[:6])
		all = append(all, Picture{v.cids[name], file})
	}
	names := []string{"mark"}
	for _, block := range v.Head {
		if block.Picture != "" {
			names = append(names, block.Picture)
		}
		if block.Kind == "ticket" && block.Link != "" {
			code, err := drawCode(block.Link)
			if err != nil {
				return nil, err
			}
			add("code", code)
		}
	}
	for _, name := range names {
		file, err := fs.ReadFile(files, "mail/"+name+".png")
		if err != nil {
			return nil, err
		}
		add(name, file)
	}
	return all, nil
}

// drawCode returns a QR code with its quiet zone as PNG.
func drawCode(address string) ([]byte, error) {
	code, err := qr.Encode(address, qr.M, qr.Auto)
	if err != nil {
		return nil, fmt.Errorf("QR code: %w", err)
	}
	const quiet, pixels = 2, 6
	size := code.Bounds().Dx()
	side := (size + 2*quiet) * pixels
	drawn := image.NewPaletted(image.Rect(0, 0, side, side), color.Palette{color.White, color.NRGBA{0x14, 0x1e, 0x4b, 0xff}})
	for y := range side {
		for x := range side {
			at := image.Pt(x/pixels-quiet, y/pixels-quiet)
			if at.In(code.Bounds()) && code.At(at.X, at.Y) == color.Black {
				drawn.SetColorIndex(x, y, 1)
			}
		}
	}
	var file bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&file, drawn)
	return file.Bytes(), err
}
