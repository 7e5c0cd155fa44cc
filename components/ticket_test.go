package components

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
)

func TestTheCodeOfATicketIsReadAsItsAddress(t *testing.T) {
	for _, address := range []string{
		"https://www.hiresure.example/ticket/OE7FoivtSnLs-TmP6OD2Bg",
		"http://127.0.0.1:8080/ticket/A_GgrEO365Ia-ANzgxhsFg",
	} {
		code, err := newQR(address)
		if err != nil {
			t.Fatal(err)
		}
		bitmap, err := gozxing.NewBinaryBitmapFromImage(drawQR(t, code))
		if err != nil {
			t.Fatal(err)
		}
		read, err := qrcode.NewQRCodeReader().Decode(bitmap, nil)
		if err != nil || read.GetText() != address {
			t.Errorf("%q is read as %v, %v", address, read, err)
		}
	}
	if _, err := newQR(strings.Repeat("a", 5000)); err == nil {
		t.Error("what no code can hold is encoded")
	}
}

// drawQR draws a code as a browser does, four pixels a module.
func drawQR(t *testing.T, code qrCode) image.Image {
	t.Helper()
	const scale = 4
	var left, top, width, height int
	if _, err := fmt.Sscanf(code.ViewBox, "%d %d %d %d", &left, &top, &width, &height); err != nil {
		t.Fatal(err)
	}
	picture := image.NewGray(image.Rect(0, 0, scale*width, scale*height))
	for i := range picture.Pix {
		picture.Pix[i] = 0xff
	}
	for run := range strings.SplitSeq(strings.TrimSuffix(code.Ink, "z"), "z") {
		var x, y, wide, back int
		if _, err := fmt.Sscanf(run, "M%d %dh%dv1h-%d", &x, &y, &wide, &back); err != nil || wide != back {
			t.Fatalf("%q is no run of modules: %v", run, err)
		}
		for dx := range scale * wide {
			for dy := range scale {
				picture.SetGray(scale*(x-left)+dx, scale*(y-top)+dy, color.Gray{})
			}
		}
	}
	return picture
}

func TestAmountsAreCutAtTheirDecimals(t *testing.T) {
	for amount, want := range map[string]string{
		"₹1,499.00": `<span class="money"><span class="rupee">₹</span>1,499<span class="dec">.00</span></span>`,
		"₹0":        `<span class="money"><span class="rupee">₹</span>0</span>`,
		"$19.00":    `<span class="money">$19<span class="dec">.00</span></span>`,
	} {
		if got := render(t, Money(amount)); got != want {
			t.Errorf("%s\n got %s\nwant %s", amount, got, want)
		}
	}
}

func TestTheLineOfDatesIsDrawnAsFarAsDaysHavePassed(t *testing.T) {
	line := DateLineProps{Items: []DateLineItem{{Name: "Enrolled", Done: true}, {Name: "Exam", Day: "14", Main: true}, {Name: "Results", Day: "22"}}}
	if line.box(false) != "-17 -17 114 34" || line.box(true) != "-20 -20 40 120" {
		t.Errorf("boxes %q and %q", line.box(false), line.box(true))
	}
	begun := line.donePath()
	line.Items[1].Done = true
	if further := line.donePath(); begun == "" || len(further) <= len(begun) || line.restPath() == "" {
		t.Errorf("drawn %q, then %q", begun, further)
	}
	line.Items[2].Done = true
	if line.restPath() != "" {
		t.Errorf("after the last day %q is still to come", line.restPath())
	}
}
