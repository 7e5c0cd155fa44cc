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

// drawQR draws a code as browsers do, four pixels per module.
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

func TestAmountsAreCutAtTheirPoint(t *testing.T) {
	for amount, want := range map[string]string{
		"₹1,499.00": `<span class="money"><span class="rupee">₹</span>1,49<span class="unit">9</span>.00</span>`,
		"₹0":        `<span class="money"><span class="rupee">₹</span>0</span>`,
		"$19.00":    `<span class="money">$1<span class="unit">9</span>.00</span>`,
	} {
		if got := render(t, Money(amount)); got != want {
			t.Errorf("%s\n got %s\nwant %s", amount, got, want)
		}
	}
}

func TestDateIsOnItsOwnLineIfApart(t *testing.T) {
	line := DateLineProps{Items: []DateLineItem{{Name: "Enrolled", Text: "Fee paid.", Done: true}, {Name: "Mock test", On: "Sunday, 7 March", Text: "One hour online.", Day: "7"}}}
	inOne := render(t, DateLine(line))
	if !strings.Contains(inOne, `<p><span>Sunday, <span class="nowrap">7 March.</span></span> One hour online.</p>`) || strings.Contains(inOne, "ring") {
		t.Errorf("together: %s", inOne)
	}
	line.Apart = true
	apart := render(t, DateLine(line))
	for _, want := range []string{`<p class="date-on">Sunday, 7 March</p><p>One hour online.</p>`, "<p>Fee paid.</p>", `<circle class="ring" cx="40" cy="0" r="10.5"></circle>`} {
		if !strings.Contains(apart, want) {
			t.Errorf("apart without %s: %s", want, apart)
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
	apart := line
	apart.Apart = true
	if line.next() != -1 || apart.next() != 2 || len(apart.donePath()) <= len(line.donePath()) || len(apart.restPath()) >= len(line.restPath()) {
		t.Errorf("to the next day %q are drawn, without it %q", apart.donePath(), line.donePath())
	}
	line.Items[2].Done = true
	if apart.next() != -1 {
		t.Error("after the last day another one comes")
	}
	if line.restPath() != "" {
		t.Errorf("after the last day %q is still to come", line.restPath())
	}
}
