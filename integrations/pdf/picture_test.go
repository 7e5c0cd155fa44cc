package pdf

import (
	"bytes"
	"context"
	"errors"
	"image/color"
	"image/png"
	"testing"
	"time"
)

const coloured = `<style>
body { position: absolute; inset: 0 auto auto 0; margin: 0; inline-size: 1200px; block-size: 630px; background: #15205a }
@media print { body { background: #ff0000 } }
</style>`

func TestPictureEqualsTheScreen(t *testing.T) {
	printing(t, Options{Tabs: 1}, func(t *testing.T, p *Printer) {
		paper := Page{HTML: document(t, "", invoice)}
		before := mustPrint(t, p, paper)
		first := mustDraw(t, p, document(t, "", coloured))
		picture, err := png.Decode(bytes.NewReader(first))
		if err != nil || picture.Bounds().Dx() != 1200 || picture.Bounds().Dy() != 630 {
			t.Fatalf("%v, %v", err, picture.Bounds())
		}
		for _, x := range []int{0, 1199} {
			if got := color.RGBAModel.Convert(picture.At(x, 629)); got != (color.RGBA{0x15, 0x20, 0x5a, 0xff}) {
				t.Errorf("its corner is %v", got)
			}
		}
		if again := mustDraw(t, p, document(t, "", coloured)); !bytes.Equal(first, again) {
			t.Error("the same page gives other bytes")
		}
		if after := mustPrint(t, p, paper); !bytes.Equal(before, after) {
			t.Error("a tab that has drawn a picture prints another paper")
		}
	})
}

func TestAPictureFailsWithItsBrowserAndTheNextOneIsDrawn(t *testing.T) {
	printing(t, Options{Tabs: 1}, func(t *testing.T, p *Printer) {
		page := document(t, "", coloured)
		mustDraw(t, p, page)
		kill(t, "browser")
		for late := time.Now().Add(time.Minute); ; {
			_, err := p.Picture(t.Context(), page, 1200, 630)
			if err == nil {
				break
			}
			if !errors.Is(err, ErrNoBrowser) || time.Now().After(late) {
				t.Fatal(err)
			}
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := p.Picture(gone, page, 1200, 630); !errors.Is(err, context.Canceled) {
			t.Errorf("for nobody: %v", err)
		}
		mustDraw(t, p, page)
	})
	p, err := New(Options{Path: "/no/browser"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Picture(t.Context(), nil, 1, 1); !errors.Is(err, ErrNoBrowser) {
		t.Errorf("without a browser: %v", err)
	}
}

func mustDraw(t *testing.T, p *Printer, html []byte) []byte {
	t.Helper()
	picture, err := p.Picture(t.Context(), html, 1200, 630)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}
