package pdf

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// withFonts has the browsers of a test find only the fonts of a folder on this machine.
func withFonts(t *testing.T, folder string) {
	t.Helper()
	config := filepath.Join(t.TempDir(), "fonts.conf")
	text := `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>` + folder + `</dir></fontconfig>`
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("FONTCONFIG_FILE", config)
}

func TestPageWithUndrawnCharacterIsRefused(t *testing.T) {
	withFonts(t, t.TempDir())
	printing(t, Options{Tabs: 1}, func(t *testing.T, p *Printer) {
		for _, test := range []struct{ sentence, body, want string }{
			{"English and Hindi", invoice, ""},
			{"joiners, soft hyphens and spaces, which have no glyph", "<p>Th\u00adird\u200d \u200b\u2060\u00a0\u2003नमस्\u200cते", ""},
			{"an empty page", "", ""},
			{"a Chinese name", "<p>Asha 王", "no font draws U+738B"},
			{"several characters, each named once, in order", "<h1>王 ₹</h1><p lang=bn>বর্ণ 王 &#x1f600;", "no font draws U+09A3, U+09AC, U+09B0 U+09CD, U+738B, U+1F600"},
			{"a mark without a font", "<p>x\u0302", "no font draws U+0078 U+0302"},
			{"on the second page", "<p>Asha<p style='break-before: page'>王", "no font draws U+738B"},
			{"in a part that Chrome draws apart", "<p>Asha<p style='opacity: 0.5'>王<b>x</b>", "no font draws U+738B"},
			{"in attributes and comments, which are not drawn", "<!-- 王 --><p title='王'>Asha<style>p { --name: '王' }</style>", ""},
			{"again in a good page", invoice, ""},
		} {
			file, err := p.Print(t.Context(), Page{HTML: document(t, upright, test.body)})
			var refused *GlyphError
			if message(err) != test.want || errors.As(err, &refused) != (test.want != "") || (file == nil) != (test.want != "") {
				t.Errorf("%s: %d bytes, %v, want %q", test.sentence, len(file), err, test.want)
			}
		}
	})
}

// A font whose letters Chrome embeds as drawings has glyphs of one byte.
func TestUndrawnCharacterOfDrawnFont(t *testing.T) {
	withFonts(t, t.TempDir())
	variable := fmt.Sprintf("@font-face { font-family: Variable; src: url(%s); font-weight: 400 700 } p { font: 500 20px Variable }", embedded(t, "../../static/fonts/figtree.woff2", "font/woff2"))
	printing(t, Options{Tabs: 1}, func(t *testing.T, p *Printer) {
		file := mustPrint(t, p, Page{HTML: document(t, variable, "<p>"+strings.Repeat("Asha Verma ", 20))})
		if !strings.Contains(string(file), "/Subtype /Type3") {
			t.Error("the letters are no drawings: the test proves nothing")
		}
		if _, err := p.Print(t.Context(), Page{HTML: document(t, variable, "<p>Asha 王")}); message(err) != "no font draws U+738B" {
			t.Errorf("a missing one: %v", err)
		}
	})
}

func TestUndrawn(t *testing.T) {
	withFonts(t, t.TempDir())
	printing(t, Options{Tabs: 1, Style: fontStyle(t)}, func(t *testing.T, p *Printer) {
		if got, err := p.Undrawn(t.Context(), nil); err != nil || got != nil {
			t.Errorf("of none: %q, %v", got, err)
		}
		got, err := p.Undrawn(t.Context(), []string{"<b>Asha</b>", "বাংলা", "नमस्ते", "A王", "é"})
		if err != nil || !slices.Equal(got, []string{"বাংলা", "A王"}) {
			t.Errorf("got %q, %v", got, err)
		}
	})
	p, err := New(Options{Path: "/no/browser"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Undrawn(t.Context(), []string{"a"}); !errors.Is(err, ErrNoBrowser) {
		t.Errorf("without a browser: %v", err)
	}
}

// A later Chrome may write other PDFs.
func TestMissingGlyphsOfOtherFiles(t *testing.T) {
	const (
		page    = "2 0 obj\n<</Type /Page\n/Contents 1 0 R>>\nendobj\n4 0 obj\n<</Type /Page\n/Contents 3 0 R>>\nendobj\n"
		unknown = "page cannot be printed: missing characters are not found in this browser's PDF"
	)
	stream := func(number int, text string) string {
		return fmt.Sprintf("%d 0 obj\n<</Length %d>> stream\n%s\nendstream\nendobj\n", number, len(text), text)
	}
	for _, test := range []struct {
		sentence, file string
		undrawn        []string
		err            string
	}{
		{"both pages show it", "%PDF-1.4\n" + stream(1, "/F4 16 Tf\n<00150000> Tj") + stream(3, "/F4 16 Tf\n<0000> Tj") + page, []string{"a"}, ""},
		{"only the last shows it", "%PDF-1.4\n" + stream(1, "/F4 16 Tf\n/ActualText <0000>\n<00150001> Tj") + stream(3, "/F4 16 Tf\n<0000> Tj") + page, nil, ""},
		{"the last does not", "%PDF-1.4\n" + stream(1, "/F4 16 Tf\n<0000> Tj") + stream(3, "/F4 16 Tf\n(..) Tj") + page, nil, unknown},
		{"there is one page", "%PDF-1.4\n" + stream(3, "/F4 16 Tf\n<0000> Tj") + page[strings.Index(page, "4 0 obj"):], nil, unknown},
		{"there are none", "%PDF-2.0", nil, unknown},
	} {
		got, err := undrawnTexts([]byte(test.file), []string{"a"})
		if !slices.Equal(got, test.undrawn) || (err != nil) != (test.err != "") || !strings.HasSuffix(message(err), test.err) {
			t.Errorf("%s: %q, %v", test.sentence, got, err)
		}
	}
}

func fontStyle(t *testing.T) string {
	t.Helper()
	return fmt.Sprintf("@font-face { font-family: Figtree; src: url(%s) } @font-face { font-family: Eczar; src: url(%s) } body { font-family: Figtree, Eczar }",
		embedded(t, "../../static/fonts/figtree-400.woff2", "font/woff2"), embedded(t, "testdata/eczar-devanagari.woff2", "font/woff2"))
}

// A font that is installed while the site runs is used by the next browser.
func TestFontInstalledLater(t *testing.T) {
	folder := t.TempDir()
	withFonts(t, folder)
	page := Page{HTML: []byte(`<!doctype html><html lang="en"><title>x</title><p>Արամ`)}
	printing(t, Options{Tabs: 1}, func(t *testing.T, p *Printer) {
		if _, err := p.Print(t.Context(), page); message(err) != "no font draws U+0531, U+0561, U+0574, U+0580" {
			t.Errorf("without: %v", err)
		}
	})
	font, err := os.ReadFile("testdata/armenian.ttf")
	if err := errors.Join(err, os.WriteFile(filepath.Join(folder, "armenian.ttf"), font, 0o600)); err != nil {
		t.Fatal(err)
	}
	printing(t, Options{Tabs: 1}, func(t *testing.T, p *Printer) {
		if file := mustPrint(t, p, page); !strings.Contains(string(file), "NotoSansArmenian") {
			t.Error("it is printed in another font")
		}
	})
}

// The machine's own cache would keep an entry for each profile.
func TestFontsOfProfileLeaveNothingBehind(t *testing.T) {
	cache := t.TempDir()
	config := filepath.Join(t.TempDir(), "fonts.conf")
	if err := os.WriteFile(config, []byte(`<fontconfig><cachedir>`+cache+`</cachedir></fontconfig>`), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("FONTCONFIG_FILE", config)
	printing(t, Options{Tabs: 1}, func(t *testing.T, p *Printer) { mustPrint(t, p, Page{HTML: document(t, "", invoice)}) })
	if left, err := os.ReadDir(cache); err != nil || len(left) != 0 {
		t.Errorf("in the machine's cache are %v, %v", left, err)
	}
}
