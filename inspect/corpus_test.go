package inspect

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"
)

var either = Want{PDF: true}

// specimen is a file of the corpus and its expected verdict.
type specimen struct {
	sentence string
	file     []byte
	want     Want
	answer   string // "image/jpeg 32×16", "application/pdf, 1 page", or the start of the refusal
}

// mp4 is the box at the start of MP4 and HEIC files.
func mp4(brand string) []byte {
	return []byte("\x00\x00\x00\x18ftyp" + brand + "\x00\x00\x00\x00mif1" + brand)
}

func garbage(n int) []byte {
	out := make([]byte, n)
	random := rand.New(rand.NewPCG(3, 4))
	for i := range out {
		out[i] = byte(random.Uint32())
	}
	return out
}

func pictures() []specimen {
	plain, small := asJPEG(quarters(32, 16)), asPNG(quarters(32, 16))
	large := bomb(nil)
	grey, deep, palette := image.NewGray(image.Rect(0, 0, 9, 7)), image.NewNRGBA64(image.Rect(0, 0, 9, 7)), image.NewPaletted(image.Rect(0, 0, 9, 7), color.Palette{color.Black, color.White})
	list := []specimen{
		{"a JPEG may be", plain, Want{}, "image/jpeg 32×16"},
		{"a PNG becomes a JPEG", small, Want{}, "image/jpeg 32×16"},
		{"a picture may be where a PDF may", plain, either, "image/jpeg 32×16"},
		{"a long picture is made smaller", asJPEG(image.NewGray(image.Rect(0, 0, 3200, 100))), Want{}, "image/jpeg 1600×50"},
		{"as small as is wanted", asJPEG(image.NewGray(image.Rect(0, 0, 100, 300))), Want{MaxSide: 60}, "image/jpeg 20×60"},
		{"and never to nothing", asPNG(image.NewGray(image.Rect(0, 0, 9000, 1))), Want{}, "image/jpeg 1600×1"},
		{"one pixel may be", asPNG(quarters(2, 2).SubImage(image.Rect(0, 0, 1, 1))), Want{}, "image/jpeg 1×1"},
		{"a picture of 200 × 200 pixels is large enough", asJPEG(quarters(200, 200)), Want{MinSide: 200}, "image/jpeg 200×200"},
		{"a picture of 199 × 400 pixels is too small", asJPEG(quarters(199, 400)), Want{MinSide: 200}, "too small, 199×400"},
		{"a picture of 400 × 199 pixels is too small", asPNG(quarters(400, 199)), Want{MinSide: 200}, "too small, 400×199"},
		{"twenty-five megapixels may be", blank(5000, 5000, 8, 0), Want{}, "image/jpeg 1600×1600"},
		{"more may not", blank(5001, 5000, 8, 0), Want{}, "too large, pixels"},
		{"four colours of a printer may be", cmyk(), Want{}, "image/jpeg 8×8"},
		{"grey may be", asJPEG(grey), Want{}, "image/jpeg 9×7"},
		{"a grey PNG may be", asPNG(grey), Want{}, "image/jpeg 9×7"},
		{"a PNG of 16 bits may be", asPNG(deep), Want{}, "image/jpeg 9×7"},
		{"a PNG with a palette may be", asPNG(palette), Want{}, "image/jpeg 9×7"},
		{"a PNG that one sees through may be", asPNG(noise(9, 7)), Want{}, "image/jpeg 9×7"},
		{"a PNG that comes in passes may be", interlaced(), Want{}, "image/jpeg 8×8"},
		{"a JPEG that comes in passes may be", progressive(64, 64, 32), Want{}, "image/jpeg 64×64"},
		{"2 MiB may be", joined(plain, make([]byte, MaxBytes-len(plain))), Want{}, "image/jpeg 32×16"},
		{"a byte more may not", joined(plain, make([]byte, MaxBytes+1-len(plain))), Want{}, "too large, bytes"},
		{"a JPEG with a page behind it becomes a JPEG", joined(plain, []byte("<html><script>alert(1)</script>")), Want{}, "image/jpeg 32×16"},
		{"a PNG with an archive behind it becomes a JPEG", joined(small, []byte("PK\x03\x04 and so on")), Want{}, "image/jpeg 32×16"},

		{"a PNG of 60,000 × 60,000 pixels in 100 bytes", joined([]byte(pngHead), header(60000, 60000, 8, 2, 0), chunk("IDAT", packed(nil)), chunk("IEND", nil)), Want{}, "too large, pixels"},
		{"a PNG of one row that is too long", joined([]byte(pngHead), header(10001, 1, 8, 0, 0), chunk("IDAT", packed(make([]byte, 10002))), chunk("IEND", nil)), Want{}, "too large, pixels"},
		{"a JPEG of 60,000 × 60,000 pixels", joined([]byte("\xff\xd8"), tables(0), frame(0xc0, 60000, 60000, 3), segment(0xda, nil)), Want{}, "too large, pixels"},
		{"a JPEG of 60,000 scans", progressive(4000, 3000, 60000), Want{}, "too large, scans"},
		{"a JPEG of 30,000 scans", progressive(2000, 1500, 30000), Want{}, "too large, scans"},
		{"a JPEG in passes whose pixels do not fit into the memory", heavy(5000, 5000), Want{}, "too large, memory"},
		{"and one whose pixels do", heavy(4000, 3000), Want{}, "image/jpeg 1600×1200"},
		{"25 megapixels of four times 16 bits", blank(5000, 5000, 16, 6), Want{}, "image/jpeg 1600×1600"},
		{"25 megapixels in 32 passes", progressive(5000, 5000, 32), Want{}, "image/jpeg 1600×1600"},
		{"a JPEG of a scan too many", progressive(64, 64, 33), Want{}, "too large, scans"},
		{"500 MB behind the pixels of a PNG", joined([]byte(pngHead), header(8, 8, 8, 0, 0), chunk("IDAT", large), chunk("IEND", nil)), Want{}, "damaged"},
		{"500 MB in a PNG's colour profile, which nobody reads", withChunks(small, chunk("iCCP", joined([]byte("x\x00\x00"), large))), Want{}, "image/jpeg 32×16"},
		{"500 MB in a PNG's text, which nobody reads", withChunks(small, chunk("zTXt", joined([]byte("x\x00\x00"), large))), Want{}, "image/jpeg 32×16"},

		{"nothing", nil, Want{}, "empty"},
		{"one byte", []byte{0xff}, Want{}, "wrong type, text/plain; charset=utf-8"},
		{"only the beginning of a JPEG", []byte("\xff\xd8\xff"), Want{}, "damaged"},
		{"only the beginning of a PNG", []byte(pngHead), Want{}, "damaged"},
		{"half a JPEG", plain[:len(plain)-40], Want{}, "damaged"},
		{"half a PNG", small[:len(small)-30], Want{}, "damaged"},
		{"a PNG with a wrong sum", joined(small[:40], []byte{^small[40]}, small[41:]), Want{}, "damaged"},
		{"a JPEG of no pixels", joined([]byte("\xff\xd8"), tables(0), frame(0xc0, 0, 0, 3)), Want{}, "damaged"},
		{"a PNG of no pixels", joined([]byte(pngHead), header(0, 0, 8, 0, 0), chunk("IEND", nil)), Want{}, "damaged"},
		{"noise that begins as a JPEG", joined([]byte("\xff\xd8\xff\xe0"), garbage(9000)), Want{}, "damaged"},
		{"noise that begins as a PNG", joined([]byte(pngHead), garbage(9000)), Want{}, "damaged"},
		{"noise", garbage(9000), Want{}, "wrong type, application/octet-stream"},
		{"a JPEG with a byte before it", joined([]byte{0}, plain), Want{}, "wrong type, application/octet-stream"},
	}
	for orientation := 1; orientation <= 8; orientation++ {
		size := "32×16"
		if orientation >= 5 {
			size = "16×32"
		}
		list = append(list, specimen{fmt.Sprint("a JPEG of orientation ", orientation), withEXIF(plain, exif(binary.BigEndian, orientation, plain)), Want{}, "image/jpeg " + size})
	}
	return list
}

func otherTypes() []specimen {
	kind := func(sentence, file, found string) specimen {
		return specimen{sentence, []byte(file), either, "wrong type, " + found}
	}
	return []specimen{
		kind("a GIF with a script", "GIF89a/*\x01\x00*/=1;<script>alert(1)</script>", "image/gif"),
		kind("a WebP", "RIFF\x1a\x00\x00\x00WEBPVP8 \x0e\x00\x00\x00", "image/webp"),
		kind("a BMP", "BM\x3a\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00", "image/bmp"),
		kind("a TIFF", "II*\x00\x08\x00\x00\x00", "image/tiff"),
		kind("a TIFF of the other order", "MM\x00*\x00\x00\x00\x08", "image/tiff"),
		kind("an AVIF", string(mp4("avif")), "image/avif"),
		kind("a film", string(mp4("isom")), "application/octet-stream"),
		kind("an SVG with its prolog", `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`, "text/xml; charset=utf-8"),
		kind("an SVG without", `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`, "text/plain; charset=utf-8"),
		kind("a page", "<!doctype html><script>alert(1)</script>", "text/html; charset=utf-8"),
		kind("an archive", "PK\x03\x04\x14\x00\x00\x00", "application/zip"),
		kind("a Word file", "PK\x03\x04\x14\x00\x06\x00\x08\x00word/document.xml", "application/msword"),
		kind("an old Word file", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00", "application/msword"),
		kind("a program of Windows", "MZ\x90\x00\x03\x00\x00\x00", "application/octet-stream"),
		kind("a program of Linux", "\x7fELF\x02\x01\x01\x00", "application/octet-stream"),
		kind("a script", "#!/bin/sh\nrm -rf /\n", "text/plain; charset=utf-8"),
		kind("a page with a PDF's beginning further on", "<html>"+strings.Repeat(" ", 100)+"%PDF-1.4", "text/html; charset=utf-8"),
		{"20 bytes and then a PDF", joined(garbage(20), asPDF(page(""))), either, "damaged, bytes before the PDF"},
		{"a blank line and then a PDF", []byte("\n" + string(asPDF(page("")))), either, "damaged, bytes before the PDF"},
		{"a mark of UTF-8 and then a PDF", []byte("\ufeff" + string(asPDF(page("")))), either, "damaged, bytes before the PDF"},
		{"a blank line and then a PDF where only pictures may be", []byte("\n" + string(asPDF(page("")))), Want{}, "wrong type, text/plain; charset=utf-8"},
		{"a photo of an iPhone", mp4("heic"), Want{}, "heic, image/heic"},
		{"a photo of an iPhone where a PDF may be", mp4("heix"), either, "heic, image/heic"},
		{"a photo of a phone's own kind", mp4("mif1"), Want{}, "heic, image/heic"},
		{"a PDF where only pictures may be", asPDF(page("")), Want{}, "wrong type, application/pdf"},
	}
}

// judged judges a file in a child and checks the child's limits.
func judged(t *testing.T, i *Inspector, file []byte, want Want) (kept []byte, f File, answer string) {
	t.Helper()
	one := *i
	var took time.Duration
	var peak int64
	one.ended = func(state *os.ProcessState) { took, peak = state.UserTime()+state.SystemTime(), peakMemory(state) }
	var out bytes.Buffer
	f, err := one.Judge(t.Context(), "somebody", want, bytes.NewReader(file), &out)
	if took > i.options.Time+500*time.Millisecond || peak > 400e6 { // including its start
		t.Errorf("a child took %v of a processor and %d bytes", took, peak)
	}
	if took > 400*time.Millisecond || peak > 200e6 {
		t.Logf("a child took %v of a processor and %d bytes", took, peak)
	}
	if err != nil {
		if out.Len() > 0 {
			t.Errorf("%d bytes were written of what is refused", out.Len())
		}
		return nil, f, strings.TrimPrefix(err.Error(), "file refused: ")
	}
	if answer = f.ContentType; f.Found == PDF {
		answer = fmt.Sprintf("%s, %d pages", answer, f.Pages)
	} else {
		answer = fmt.Sprintf("%s %d×%d", answer, f.Width, f.Height)
	}
	if f.Size != int64(out.Len()) {
		t.Errorf("%d bytes were written, and %d told", out.Len(), f.Size)
	}
	return out.Bytes(), f, answer
}

func TestCorpusVerdicts(t *testing.T) {
	sentences := map[string]bool{}
	for name, part := range map[string][]specimen{"pictures": pictures(), "strangers": otherTypes(), "papers": papers(), "active papers": activePapers()} {
		for _, s := range part {
			if sentences[s.sentence] {
				t.Errorf("two files are %q", s.sentence)
			}
			sentences[s.sentence] = true
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := New(Options{Time: 4 * defaultTime}) // more time, so that verdicts do not depend on the machine's speed
			for _, s := range part {
				s.judge(t, i)
			}
		})
	}
	if len(sentences) < 60 {
		t.Errorf("the corpus has %d files", len(sentences))
	}
	t.Logf("%d files", len(sentences))
}

func (s specimen) judge(t *testing.T, i *Inspector) {
	kept, f, answer := judged(t, i, s.file, s.want)
	if answer != s.answer && (s.answer != "damaged" || !strings.HasPrefix(answer, "damaged, ")) {
		t.Errorf("%s: %s, want %s", s.sentence, answer, s.answer)
	}
	if f.Found == PDF && !bytes.Equal(kept, s.file) {
		t.Errorf("%s: not a byte of a PDF changes", s.sentence)
	}
}
