package landing

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
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
		if folder := os.Getenv("PREVIEWS"); folder != "" { // to look at them
			if err := os.WriteFile(filepath.Join(folder, preview.Name+".png"), answer.Body.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(drawn) < 8 {
		t.Errorf("%d pages have a preview", len(drawn))
	}
}

func TestAPreviewThatSaysSomethingElseIsDrawnAnew(t *testing.T) {
	var kept drawings[pages.Preview]
	picture := func(fee string) drawn {
		p := pages.Preview{Name: "mgrow", Headline: "One exam", Lines: [2]string{fee}}
		picture, err := kept.of(p, func() ([]byte, error) { return drawPicture(p) })
		if err != nil {
			t.Fatal(err)
		}
		return picture
	}
	before, after := picture("₹1,499"), picture("₹1,999")
	if bytes.Equal(before.png, after.png) || before.tag == after.tag {
		t.Error("the picture says what the page said before")
	}
	if again := picture("₹1,999"); &again.png[0] != &after.png[0] {
		t.Error("it is drawn again")
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

func TestAnotherPreviewHasAnotherAddress(t *testing.T) {
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
	if want := "HireSure mGrow Scholarship: One exam can pay for the next eight months. ₹1,499 registration fee. Exam on 14 Mar 2027."; first.Alt() != want {
		t.Errorf("in words: %q, want %q", first.Alt(), want)
	}
	if alt := pages.PreviewOfHome(o.words.Site()).Alt(); alt != "HireSure Scholarship: Your scholarship starts with one exam. Aksharam Skill Academy." {
		t.Errorf("in words: %q", alt)
	}
}

// The words of a preview stay in the central square, and above the braid, however long its headline is.
func TestAPreviewsWordsStandInItsSquare(t *testing.T) {
	empty := image.NewUniform(fieldColour).At(0, 0)
	for _, headline := range []string{
		"One exam can pay for the next eight months",
		"A programme whose headline nobody has thought to keep short, and which goes on for as long as there is any room left",
	} {
		for _, braid := range []components.BraidProps{{}, {N: 8, Done: 12}} {
			body, err := drawPicture(pages.Preview{
				Eyebrow: "HireSure mGrow Scholarship of the northern colleges", Headline: headline, Lines: [2]string{"₹1,499 registration fee", "Exam on 14 Mar 2027"}, Braid: braid,
			})
			if err != nil {
				t.Fatal(err)
			}
			picture, err := png.Decode(bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			for x := 40; x < 1160; x++ {
				for y := 30; y < 600; y++ {
					besides := x < squareLeft+20 || x >= 1200-squareLeft-20 || y < 40 || y > 595
					between := braid.N > 0 && y > 500 && y < 526
					if (besides || between) && picture.At(x, y) != empty {
						t.Fatalf("%q with %d months reaches %d, %d", headline, braid.N, x, y)
					}
				}
			}
		}
	}
}
