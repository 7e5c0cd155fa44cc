package landing

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"hiresure/components"
	"hiresure/content"
	"hiresure/integrations/pdf"
	"hiresure/pages"
	"hiresure/pages/checkout"
	"hiresure/static"
)

func TestAPreviewIsAPictureOfItsPage(t *testing.T) {
	o := testSite(t)
	var drawn [][]byte
	for _, preview := range previews(o) {
		answer := o.ask(http.MethodGet, preview.Path())
		picture, err := png.DecodeConfig(bytes.NewReader(answer.Body.Bytes()))
		if err != nil || picture.Width != 1200 || picture.Height != 630 || answer.Header().Get("Content-Type") != "image/png" || answer.Body.Len() > 250<<10 {
			t.Errorf("%s: %v, %+v, %d bytes", preview.Path(), err, picture, answer.Body.Len())
		}
		if got := answer.Header().Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
			t.Errorf("%s: Cache-Control %q", preview.Path(), got)
		}
		if slices.ContainsFunc(drawn, func(other []byte) bool { return bytes.Equal(other, answer.Body.Bytes()) }) {
			t.Errorf("%s is the picture of another page", preview.Path())
		}
		drawn = append(drawn, answer.Body.Bytes())
		for _, older := range []string{"/og/" + preview.Name + ".png", "/og/" + preview.Name + ".00000000.png"} {
			again := o.ask(http.MethodGet, older)
			if !bytes.Equal(again.Body.Bytes(), answer.Body.Bytes()) || again.Header().Get("Cache-Control") != "public, max-age=86400" {
				t.Errorf("%s: %d, %v", older, again.Code, again.Header())
			}
		}
		if kept := o.ask(http.MethodGet, preview.Path(), "If-None-Match", answer.Header().Get("ETag")); kept.Code != http.StatusNotModified {
			t.Errorf("%s again: %d", preview.Path(), kept.Code)
		}
	}
	if len(drawn) < 8 {
		t.Errorf("%d pages have a preview", len(drawn))
	}
}

func previews(o *publicSite) (all []pages.Preview) {
	for _, event := range o.words.Events() {
		page, _ := o.words.Landing(event.Slug, o.clock.Now())
		all = append(all, pages.PreviewOf(page))
	}
	all = append(all, pages.PreviewOfHome(o.words.Site()))
	for _, page := range o.words.Pages() {
		all = append(all, pages.PreviewOfLegal(o.words.Site(), page))
	}
	return all
}

func TestChangedPreviewHasANewAddress(t *testing.T) {
	o := testSite(t)
	page, _ := o.words.Landing("hiresure-mgrow-2025", o.clock.Now())
	first := pages.PreviewOf(page)
	if again := pages.PreviewOf(page); again.Path() != first.Path() || !strings.HasPrefix(first.Path(), "/og/hiresure-mgrow-2025.") {
		t.Errorf("%s, then %s", first.Path(), again.Path())
	}
	dearer := *page
	dearer.Event.FeeMinor++
	later := *page
	later.Event.Exam = content.Date{Time: later.Event.Exam.AddDate(0, 0, 1)}
	for sentence, other := range map[string]*content.Landing{"another fee": &dearer, "another day": &later} {
		if pages.PreviewOf(other).Path() == first.Path() {
			t.Errorf("%s has the address of before", sentence)
		}
	}
	if want := "HireSure mGrow Scholarship: One exam can pay for the next eight months. ₹1,499 exam fee. Exam on 14 Mar 2027."; first.Alt() != want {
		t.Errorf("in words: %q, want %q", first.Alt(), want)
	}
	if alt := pages.PreviewOfHome(o.words.Site()).Alt(); alt != "HireSure Scholarship: Your scholarship starts with one exam. Aksharam Skill Academy." {
		t.Errorf("in words: %q", alt)
	}
}

// picturesOf returns a function that draws with a browser, and skips the test without one. Quick tests start none.
func picturesOf(t *testing.T) func(templ.Component) *image.RGBA {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts a browser")
	}
	path, err := pdf.Find(os.Getenv("CHROME_PATH"))
	if err == nil && !static.Built() {
		err = errors.New("the front end is not built")
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "SKIPPED: %s: %v\n", t.Name(), err)
		t.Skip(err)
	}
	printer, err := pdf.New(pdf.Options{Path: path, Folder: t.TempDir(), Style: checkout.PrintStyle(), Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := printer.Close(); err != nil {
			t.Error(err)
		}
	})
	drawn := 0
	return func(page templ.Component) *image.RGBA {
		t.Helper()
		var html bytes.Buffer
		if err := page.Render(t.Context(), &html); err != nil {
			t.Fatal(err)
		}
		body, err := printer.Picture(t.Context(), html.Bytes(), 1200, 630)
		if err != nil {
			t.Fatal(err)
		}
		if folder := os.Getenv("PREVIEWS"); folder != "" { // for inspection
			drawn++
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%s-%d.png", t.Name(), drawn)), body, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		picture, err := png.Decode(bytes.NewReader(body))
		if err != nil || picture.Bounds() != image.Rect(0, 0, 1200, 630) || len(body) > 300<<10 {
			t.Fatalf("%v, %d bytes, %v", picture.Bounds(), len(body), err)
		}
		copied := image.NewRGBA(picture.Bounds())
		draw.Draw(copied, copied.Bounds(), picture, image.Point{}, draw.Src)
		return copied
	}
}

// A preview's text stays in the central square and above the braid, however long its headline is.
func TestPreviewTextFitsItsSquare(t *testing.T) {
	draw := picturesOf(t)
	const squareLeft = (1200 - 630) / 2
	for _, headline := range []string{
		"One exam can pay for the next eight months",
		"A programme whose headline nobody has thought to keep short, and which goes on for as long as there is any room left",
	} {
		for _, braid := range []components.BraidProps{{}, {N: 8, Done: 12}} {
			picture := draw(previewPicture(pages.Preview{
				Eyebrow: "HireSure mGrow Scholarship of the northern colleges", Headline: headline, Lines: [2]string{"₹1,499 exam fee", "Exam on 14 Mar 2027"}, Braid: braid,
			}))
			empty, words := picture.At(200, 300), 0
			for x := 40; x < 1160; x++ {
				for y := 30; y < 600; y++ {
					besides := x < squareLeft+20 || x >= 1200-squareLeft-20 || y < 40 || y > 595
					between := braid.N > 0 && y > 500 && y < 520
					inked := picture.At(x, y) != empty
					if inked && (besides || between) {
						t.Fatalf("%q with %d months reaches %d, %d", headline, braid.N, x, y)
					}
					if inked {
						words++
					}
				}
			}
			if words < 10000 {
				t.Errorf("%q with %d months has %d pixels of words", headline, braid.N, words)
			}
		}
	}
}

func TestAPreviewOfEachPageIsDrawn(t *testing.T) {
	draw := picturesOf(t)
	o := testSite(t)
	var drawn []*image.RGBA
	for _, preview := range previews(o) {
		picture := draw(previewPicture(preview))
		if slices.ContainsFunc(drawn, func(other *image.RGBA) bool { return bytes.Equal(other.Pix, picture.Pix) }) {
			t.Errorf("%s is the picture of another page", preview.Name)
		}
		if again := draw(previewPicture(preview)); !bytes.Equal(again.Pix, picture.Pix) {
			t.Errorf("%s looks different when it is drawn again", preview.Name)
		}
		drawn = append(drawn, picture)
		if preview.Name == "page_home" && *update {
			var body bytes.Buffer
			if err := errors.Join((&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&body, picture), os.WriteFile("shipped.png", body.Bytes(), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	picture, err := png.DecodeConfig(bytes.NewReader(shipped))
	if err != nil || picture.Width != 1200 || picture.Height != 630 {
		t.Errorf("the shipped picture: %+v, %v", picture, err)
	}
}

func TestASharedCodesPictureIsATicket(t *testing.T) {
	draw := picturesOf(t)
	asha := sharePictureProps{
		Headline: "One exam can pay for the next eight months", Programme: "HireSure mGrow Scholarship", Enrolled: "Asha is enrolled", Course: "Data Analytics", Where: "Online, with a proctor",
		Day: "14", Month: "March 2027", Weekday: "Sunday", FullSeats: 250, Code: "ASHA7PXQ", Link: "https://www.hiresure.example/r/ASHA7PXQ", Host: "hiresure.example",
	}
	picture := draw(sharePicture(asha))
	long := asha
	long.Enrolled = "Th. Bidyalakshmi Devi Ningthoujam Chanu is enrolled"
	other := draw(sharePicture(long))
	if bytes.Equal(picture.Pix, other.Pix) {
		t.Error("another name has the same picture")
	}
	paper := picture.At(600, 30)
	for y := 60; y < 600; y++ { // the ticket's edge with its notches stays clear
		if (y < 400 || y > 430) && (other.At(818, y) != paper || other.At(382, y) != paper) {
			t.Fatalf("a long name reaches the edge at %d", y)
		}
	}
	asha.Link = string(make([]byte, 4000))
	if err := sharePicture(asha).Render(t.Context(), io.Discard); err == nil {
		t.Error("an address that no code holds is drawn")
	}
}

func TestPictureShowsOnlyNamesItsFontCanDraw(t *testing.T) {
	for _, row := range []struct{ name, says string }{
		{"Asha Verma", "Asha is enrolled"},
		{"José D’Souza", "José is enrolled"},
		{"Th. Bidyalakshmi Devi", "Th. Bidyalakshmi Devi is enrolled"},
		{"श्रीवास्तव देवी", "I am enrolled"},
		{"Āśā Verma", "I am enrolled"},
		{"Zo\u0325e Verma", "I am enrolled"},
		{"D’Souza Maria", "D’Souza is enrolled"},
		{"Asha தேவி", "Asha is enrolled"},
	} {
		if got := shareHeadline(row.name); got != row.says {
			t.Errorf("%s: %q, want %q", row.name, got, row.says)
		}
	}
}
