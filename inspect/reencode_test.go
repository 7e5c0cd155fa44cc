package inspect

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"testing"
)

// reencoded re-encodes a picture and returns the file and its pixels.
func reencoded(t *testing.T, file []byte) ([]byte, image.Image) {
	t.Helper()
	_, kept, err := judge(file, Want{})
	if err != nil {
		t.Fatal(err)
	}
	picture, err := jpeg.Decode(bytes.NewReader(kept))
	if err != nil {
		t.Fatal(err)
	}
	return kept, picture
}

func TestPictureKeepsOnlyPixels(t *testing.T) {
	thumbnail := asJPEG(noise(16, 16))
	profile := joined([]byte("ICC_PROFILE\x00\x01\x01"), []byte("a profile of somebody's screen"))
	place := exif(binary.LittleEndian, 1, thumbnail)
	xmp := []byte("http://ns.adobe.com/xap/1.0/\x00<x:xmpmeta>by Asha Rao</x:xmpmeta>")
	for _, test := range []struct {
		sentence string
		file     []byte
		gone     []string
	}{
		{"a JPEG with all that cameras, programs and attackers write", joined(withSegments(asJPEG(quarters(64, 32)),
			segment(0xe1, joined([]byte("Exif\x00\x00"), place)), segment(0xe1, xmp), segment(0xe2, profile), segment(0xed, []byte("Photoshop 3.0\x008BIM")), segment(0xfe, []byte("a comment"))),
			[]byte("<script>alert(1)</script>PK\x03\x04")),
			[]string{"Exif", "II*\x00", "Cam", string(thumbnail), "ns.adobe.com", "Asha", "ICC_PROFILE", "screen", "Photoshop", "comment", "<script>", "PK\x03\x04"}},
		{"a PNG with the same", joined(withChunks(asPNG(quarters(64, 32)),
			chunk("eXIf", place), chunk("iCCP", joined([]byte("profile\x00\x00"), packed([]byte("a profile")))), chunk("tEXt", []byte("Author\x00Asha Rao")), chunk("iTXt", joined([]byte("XML:com.adobe.xmp\x00\x00\x00\x00\x00"), xmp))),
			[]byte("<script>alert(1)</script>PK\x03\x04")),
			[]string{"eXIf", "II*\x00", "Cam", string(thumbnail), "ns.adobe.com", "Asha", "iCCP", "profile", "tEXt", "iTXt", "<script>", "PK\x03\x04", "PNG"}},
	} {
		kept, _ := reencoded(t, test.file)
		for _, gone := range test.gone {
			if !bytes.Contains(test.file, []byte(gone)) {
				t.Fatalf("%s: %.20q is not in it", test.sentence, gone)
			}
			if bytes.Contains(kept, []byte(gone)) {
				t.Errorf("%s: %.20q is kept", test.sentence, gone)
			}
		}
		// Tables, a frame and a scan (ITU T.81, table B.1), and nothing after the end.
		if end := bytes.Index(kept, []byte("\xff\xd9")); end != len(kept)-2 {
			t.Errorf("%s: %d bytes are kept, and the picture ends at %d", test.sentence, len(kept), end)
		}
		for at := 2; kept[at+1] != markerScan; at += 2 + int(binary.BigEndian.Uint16(kept[at+2:])) {
			if marker := kept[at+1]; marker != 0xdb && marker != 0xc0 && marker != 0xc4 {
				t.Errorf("%s: a segment %X is kept", test.sentence, marker)
			}
		}
	}
}

// CIPA DC-008, 4.6.4: the visual position of the stored 0th row and 0th column.
var orientations = []struct{ row, column string }{
	{"top", "left"}, {"top", "right"}, {"bottom", "right"}, {"bottom", "left"}, {"left", "top"}, {"right", "top"}, {"right", "bottom"}, {"left", "bottom"},
}

// stored returns an upright picture as a camera stores it in an orientation.
func stored(upright *image.RGBA, orientation int) *image.RGBA {
	width, height := upright.Rect.Dx(), upright.Rect.Dy()
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	if orientation >= 5 {
		out = image.NewRGBA(image.Rect(0, 0, height, width))
	}
	for row := range out.Rect.Dy() {
		for column := range out.Rect.Dx() {
			var x, y int
			at := func(side string, n int) {
				switch side {
				case "top":
					y = n
				case "bottom":
					y = height - 1 - n
				case "left":
					x = n
				case "right":
					x = width - 1 - n
				}
			}
			at(orientations[orientation-1].row, row)
			at(orientations[orientation-1].column, column)
			out.SetRGBA(column, row, upright.RGBAAt(x, y))
		}
	}
	return out
}

func TestPhotosAreRotatedUpright(t *testing.T) {
	for orientation := 1; orientation <= 8; orientation++ {
		for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
			for _, size := range []image.Point{{64, 32}, {1700, 850}} {
				if size.X > 1600 && order == binary.LittleEndian {
					continue
				}
				sentence := fmt.Sprint("orientation ", orientation, ", ", order, ", ", size)
				_, picture := reencoded(t, withEXIF(asJPEG(stored(quarters(size.X, size.Y), orientation)), exif(order, orientation, nil)))
				if got, want := picture.Bounds().Max, image.Pt(min(size.X, 1600), min(size.Y, 800)); got != want {
					t.Errorf("%s: %v, want %v", sentence, got, want)
				}
				mustBeQuarters(t, sentence, picture)
			}
		}
	}
}

func mustBeQuarters(t *testing.T, sentence string, picture image.Image) {
	t.Helper()
	size := picture.Bounds().Max
	for row := range 2 {
		for column := range 2 {
			mustBeColor(t, fmt.Sprint(sentence, ", row ", row, ", column ", column), picture.At(size.X*(1+2*column)/4, size.Y*(1+2*row)/4), corners[row][column])
		}
	}
}

func mustBeColor(t *testing.T, sentence string, got, want color.Color) {
	t.Helper()
	r, g, b, _ := got.RGBA()
	wantR, wantG, wantB, _ := want.RGBA()
	for _, pair := range [][2]uint32{{r, wantR}, {g, wantG}, {b, wantB}} {
		if off := int(pair[0]>>8) - int(pair[1]>>8); off < -8 || off > 8 {
			t.Errorf("%s: %v, want %v", sentence, got, want)
			return
		}
	}
}

func TestColorsArePreserved(t *testing.T) {
	one := func(c color.Color) *image.NRGBA {
		made := image.NewNRGBA(image.Rect(0, 0, 16, 16))
		for i := range 256 {
			made.Set(i%16, i/16, c)
		}
		return made
	}
	palette := image.NewPaletted(image.Rect(0, 0, 16, 16), color.Palette{corners[0][0]})
	deep := image.NewNRGBA64(image.Rect(0, 0, 16, 16))
	for i := range 256 {
		deep.Set(i%16, i/16, corners[1][0])
	}
	for _, test := range []struct {
		sentence string
		file     []byte
		want     color.Color
	}{
		{"nothing to see is white", asPNG(one(color.NRGBA{200, 30, 30, 0})), color.White},
		{"half of black is grey", asPNG(one(color.NRGBA{0, 0, 0, 128})), color.Gray{127}},
		{"a palette's color", asPNG(palette), corners[0][0]},
		{"16 bits", asPNG(deep), corners[1][0]},
		{"in passes", interlaced(), color.Gray{90}},
		{"of a printer", cmyk(), color.RGBA{64, 64, 64, 255}},
	} {
		_, picture := reencoded(t, test.file)
		mustBeColor(t, test.sentence, picture.At(4, 4), test.want)
	}
}

func TestAgree(t *testing.T) {
	for _, test := range []struct {
		name, declared, found string
		want                  bool
	}{
		{"me.jpg", "image/jpeg", JPEG, true},
		{"ME.JPEG", "image/jpg", JPEG, true},
		{"me.png", "IMAGE/PNG; charset=binary", PNG, true},
		{"marks.pdf", "application/pdf", PDF, true},
		{"me.jpg", "", JPEG, true},
		{"me.jpg", "application/octet-stream", JPEG, true},
		{"me.png", "image/png", JPEG, false},
		{"me.jpg", "image/png", JPEG, false},
		{"me.png", "image/jpeg", JPEG, false},
		{"me.jpg.html", "image/jpeg", JPEG, false},
		{"me.html.jpg", "image/jpeg", JPEG, true}, // the name is only displayed
		{"me", "image/jpeg", JPEG, false},
		{".jpg/me", "image/jpeg", JPEG, false},
		{"me.svg", "image/svg+xml", "image/svg+xml", false},
		{"me.gif", "image/gif", "image/gif", false},
	} {
		if got := Agree(test.name, test.declared, test.found); got != test.want {
			t.Errorf("%s, declared %s, found %s: %v", test.name, test.declared, test.found, got)
		}
	}
}
