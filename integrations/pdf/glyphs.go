package pdf

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"context"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
)

// GlyphError means that no font of the browser and the page has some characters of a page, which Chrome would print as empty boxes.
// The page can be printed once the browser's machine has such a font, by a browser that was started since.
type GlyphError struct {
	Characters []string // each with its marks: "U+4E2D", "U+0078 U+0302". Empty if they were drawn when tried one by one
}

func (e *GlyphError) Error() string {
	return "no font draws " + cmp.Or(strings.Join(e.Characters, ", "), "a character")
}

// undrawnOf names the characters of a page that are not drawn.
func (p *Printer) undrawnOf(ctx context.Context, page []byte) error {
	characters, err := p.undrawn(ctx, string(bytes.Join(styles.FindAll(page, -1), nil)), charactersOf(page))
	if err != nil {
		return err
	}
	for i, c := range characters {
		characters[i] = strings.Trim(fmt.Sprintf("%U", []rune(c)), "[]")
	}
	return &GlyphError{characters}
}

// Undrawn returns the texts with a character that no font has.
func (p *Printer) Undrawn(ctx context.Context, texts []string) ([]string, error) {
	return p.undrawn(ctx, "", texts)
}

// undrawn is Undrawn in a page with style elements.
func (p *Printer) undrawn(ctx context.Context, style string, texts []string) (undrawn []string, err error) {
	if len(texts) == 0 {
		return nil, nil
	}
	var page strings.Builder // Chrome omits a text of nothing but glyph 0 in some fonts, so each begins with an A
	page.WriteString(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Characters</title>` + style + `</head><body>`)
	for _, text := range texts {
		fmt.Fprintf(&page, `<p style="break-after:page">A %s</p>`, html.EscapeString(text))
	}
	page.WriteString("<p>A " + unassigned)
	one := Page{HTML: []byte(page.String())}
	file, err := p.use(ctx, one.HTML, one.print)
	if err != nil {
		return nil, err
	}
	return undrawnTexts(file, texts)
}

// unassigned is a character that no font has.
const unassigned = "\U0008f0f0"

// undrawnTexts returns the texts that a file does not draw. Each has a page; the last page has the unassigned character, which shows
// that this version of Chrome still writes what we look for.
func undrawnTexts(file []byte, texts []string) (undrawn []string, err error) {
	missing := missingGlyphs(file)
	if len(missing) != len(texts)+1 || !missing[len(texts)] {
		return nil, fmt.Errorf("%w: missing characters are not found in this browser's PDF", ErrPage)
	}
	for i, text := range texts {
		if missing[i] {
			undrawn = append(undrawn, text)
		}
	}
	return undrawn, nil
}

var (
	styles = regexp.MustCompile(`(?s)<style\b.*?</style>`)
	tags   = regexp.MustCompile(`(?s)<(?:script|style)\b.*?</(?:script|style)>|<[^>]*>`)
	// A character with the marks and joiners after it. Every font has ASCII.
	cluster = regexp.MustCompile(`[^\x00-\x7f\pM\x{200c}\x{200d}][\pM\x{200c}\x{200d}]*|[\x00-\x7f]?[\pM\x{200c}\x{200d}]+`)
)

// charactersOf returns the distinct characters of a page's text.
func charactersOf(page []byte) []string {
	text := html.UnescapeString(tags.ReplaceAllString(string(page), " "))
	all := cluster.FindAllString(text, -1)
	slices.Sort(all)
	return slices.Compact(all)
}

var drawnFont = regexp.MustCompile(`(\d+) 0 obj\n<</Type /Font\n/Subtype /Type3`)

// missingGlyphs reports for each page of a file that Chrome printed whether it shows glyph 0: the empty box that each font has for
// characters it lacks. One in a part that pages share counts for all pages.
func missingGlyphs(file []byte) []bool {
	var pages []string // the objects of their contents
	drawn := map[string]bool{}
	streams := map[string][]byte{}
	eachPart(file, func(part, stream []byte) {
		if bytes.Contains(part, []byte("/Type3")) {
			for _, found := range drawnFont.FindAllSubmatch(part, -1) {
				drawn[string(found[1])] = true
			}
		}
		for of := part; ; {
			_, after, is := bytes.Cut(of, []byte("/Contents "))
			if !is {
				break
			}
			number, rest, _ := bytes.Cut(after, []byte(" "))
			pages, of = append(pages, string(number)), rest
		}
		if begin := bytes.LastIndex(part, []byte(" 0 obj\n")); stream != nil && begin >= 0 {
			number := part[bytes.LastIndexByte(part[:begin], '\n')+1 : begin]
			streams[string(number)] = inflate(part[begin:], stream)
		}
	})
	missing := make([]bool, len(pages))
	for number, content := range streams {
		if !showsGlyph0(content, drawn) {
			continue
		}
		of := slices.Index(pages, number)
		for i := range missing {
			missing[i] = missing[i] || of < 0 || of == i
		}
	}
	return missing
}

// showsGlyph0 reports whether a content shows glyph 0. drawn are the fonts whose letters are drawings (Type 3). Chrome names a font by its
// object, as in "/F4 16 Tf", and writes text as "<0015> Tj" in glyphs and as "/ActualText <FEFF0041>" in characters.
func showsGlyph0(content []byte, drawn map[string]bool) bool {
	digits := 0 // of a glyph; a stream that chooses no font, such as a font's own table, has none
	for {
		i := bytes.IndexAny(content, "/<")
		if i < 0 {
			return false
		}
		content = content[i:]
		if font, is := bytes.CutPrefix(content, []byte("/F")); is && len(font) > 0 && font[0] >= '0' && font[0] <= '9' {
			number, _, _ := bytes.Cut(font, []byte(" "))
			if digits = 4; drawn[string(number)] {
				digits = 2
			}
		}
		skip := 1
		switch end := bytes.IndexByte(content, '>'); {
		case bytes.HasPrefix(content, []byte("/ActualText <")):
			skip = end
		case bytes.HasPrefix(content, []byte("<<")):
			skip = 2
		case content[0] == '<' && end > 0 && digits > 0:
			for glyphs := content[1:end]; len(glyphs) >= digits; glyphs = glyphs[digits:] {
				if len(bytes.Trim(glyphs[:digits], "0")) == 0 {
					return true
				}
			}
			skip = end
		}
		content = content[max(skip, 1):]
	}
}

// inflate returns the content of a stream; nil for pictures and fonts, which have no text.
func inflate(dictionary, body []byte) []byte {
	if bytes.Contains(dictionary, []byte("/Subtype /Image")) || bytes.Contains(dictionary, []byte("/Length1 ")) {
		return nil
	}
	if !bytes.Contains(dictionary, []byte("/FlateDecode")) {
		return body
	}
	r, err := zlib.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil
	}
	content, _ := io.ReadAll(r)
	return content
}
