package landing

import (
	"bytes"
	"image/png"
	"os"
	"strconv"
	"testing"
	"time"

	"hiresure/admission/receipt"
	"hiresure/content"
)

func TestASharedCodeHasAPicture(t *testing.T) {
	words, err := content.Load()
	if err != nil {
		t.Fatal(err)
	}
	page, _ := words.Landing("hiresure-mgrow-2025", time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC))
	asha := share{receipt.Sharer{FullName: "Asha Verma", Course: "Data Analytics", EventSlug: "hiresure-mgrow-2025", Code: "ASHA7PXQ"}, "https://www.hiresure.example/r/ASHA7PXQ", "hiresure.example"}
	var kept drawings[share]
	draw := func(s share) func() ([]byte, error) {
		return func() ([]byte, error) { return drawShare(page, s) }
	}
	first, err := kept.of(asha, draw(asha))
	body := first.png
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(body))
	if err != nil || picture.Bounds().Dx() != 1200 || picture.Bounds().Dy() != 630 || len(body) > 200<<10 {
		t.Errorf("%v, %v, %d bytes", err, picture.Bounds(), len(body))
	}
	if !bytes.Contains(body, []byte("IDAT\x78\x9c")) { // the header of zlib says its level
		t.Error("the best compression takes seven times as long as the usual one, and saves a sixtieth")
	}
	if path := os.Getenv("SHARE_PICTURE"); path != "" { // to look at it
		if err := os.WriteFile(path, body, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	again, err := kept.of(asha, draw(asha))
	if err != nil || &again.png[0] != &body[0] || again.tag != first.tag {
		t.Errorf("it is drawn again, %v", err)
	}
	other := asha
	other.FullName = "Th. Bidyalakshmi Devi Ningthoujam Chanu" // called by the whole of it
	if different, err := kept.of(other, draw(other)); err != nil || bytes.Equal(different.png, body) || different.tag == first.tag {
		t.Errorf("another name has the same picture, %v", err)
	}
	popular := asha
	popular.Code = "POPULAR"
	kept.place(popular, draw(popular))
	for i := range drawingsMost { // strangers push the first out, and no more are kept
		other.Code = strconv.Itoa(i)
		kept.place(other, draw(other))
		if _, found := kept.kept[popular]; !found {
			t.Fatalf("%d strangers push out what is asked for again and again", i+1)
		}
		kept.place(popular, draw(popular))
	}
	other.Code = "OTHER"
	if _, err := kept.of(other, draw(other)); err != nil || len(kept.order) != drawingsMost || len(kept.kept) != drawingsMost {
		t.Errorf("%d are kept, in order %d, %v", len(kept.kept), len(kept.order), err)
	}
	if _, found := kept.kept[asha]; found {
		t.Error("what was asked for first is kept")
	}
	hindi, err := drawShare(page, share{receipt.Sharer{FullName: "आशा"}, asha.Link, asha.Host})
	if tamil, err2 := drawShare(page, share{receipt.Sharer{FullName: "கயல்விழி"}, asha.Link, asha.Host}); err != nil || err2 != nil || !bytes.Equal(hindi, tamil) {
		t.Errorf("names that its type cannot write leave a gap, %v, %v", err, err2)
	}
	asha.Link = string(make([]byte, 4000))
	if _, err := drawShare(page, asha); err == nil {
		t.Error("an address that no code holds is drawn")
	}
}

func TestAPictureNamesWhomItsTypeCanWrite(t *testing.T) {
	for _, row := range []struct{ name, says string }{
		{"Asha Verma", "Asha is enrolled"},
		{"José D’Souza", "José is enrolled"},
		{"Th. Bidyalakshmi Devi", "Th. Bidyalakshmi Devi is enrolled"},
		{"श्रीवास्तव देवी", "I am enrolled"},
		{"Āśā Verma", "I am enrolled"},
		{"Asha தேவி", "Asha is enrolled"},
	} {
		if got := enrolledSays(row.name); got != row.says {
			t.Errorf("%s: %q, want %q", row.name, got, row.says)
		}
	}
}
