package inspect

import (
	"bytes"
	"encoding/binary"
	"testing"
)

func TestReadJPEG(t *testing.T) {
	plain := asJPEG(quarters(32, 16))
	tiff := exif(binary.BigEndian, 6, plain)
	for _, test := range []struct {
		sentence    string
		file        []byte
		scans       int
		orientation int
	}{
		{"a plain one", plain, 1, 1},
		{"one with EXIF, whose thumbnail's scan is not its own", withEXIF(plain, tiff), 1, 6},
		{"the first EXIF counts", withSegments(plain, segment(0xe1, joined([]byte("Exif\x00\x00"), tiff)), segment(0xe1, joined([]byte("Exif\x00\x00"), exif(binary.BigEndian, 3, nil)))), 1, 6},
		{"XMP is no EXIF", withSegments(plain, segment(0xe1, joined([]byte("Xmp_\x00\x00"), tiff))), 1, 1},
		{"an orientation that there is not", withEXIF(plain, exif(binary.BigEndian, 9, nil)), 1, 1},
		{"none", withEXIF(plain, exif(binary.BigEndian, 0, nil)), 1, 1},
		{"a directory that lies outside", withEXIF(plain, []byte("MM\x00*\xff\xff\xff\xff")), 1, 1},
		{"a directory of more than there is", withEXIF(plain, []byte("II*\x00\x08\x00\x00\x00\xff\xff")), 1, 1},
		{"thirty-three scans", progressive(64, 64, 33), 33, 1},
		{"scans with FF in front of their markers", bytes.ReplaceAll(progressive(64, 64, 9), []byte("\xff\xda"), []byte("\xff\xff\xda")), 9, 1},
		{"scans after what decoders skip", bytes.ReplaceAll(progressive(64, 64, 9), []byte("\xff\xda"), []byte("\xff\x00\xff\xd3\x11\xff\xda")), 9, 1},
		{"a JPEG behind the end is not read", joined(plain, plain), 1, 1},
		{"a length that leads outside", joined([]byte("\xff\xd8\xff\xe1\xff\xff"), plain), 0, 1},
		{"a length of nothing", joined([]byte("\xff\xd8\xff\xe1\x00\x00"), plain[2:]), 1, 1},
		{"the beginning alone", []byte("\xff\xd8\xff"), 0, 1},
	} {
		if got := readJPEG(test.file); got.scans != test.scans || got.orientation != test.orientation {
			t.Errorf("%s: %d scans and orientation %d, want %d and %d", test.sentence, got.scans, got.orientation, test.scans, test.orientation)
		}
	}
}

// Fuzzed with go test ./inspect -fuzz EXIF; every run of the tests goes through the seeds.
func FuzzEXIF(f *testing.F) {
	plain := asJPEG(quarters(8, 8))
	for orientation := range 10 {
		f.Add(withEXIF(plain, exif(binary.BigEndian, orientation, plain)))
		f.Add(withEXIF(plain, exif(binary.LittleEndian, orientation, nil)))
	}
	f.Add(progressive(16, 16, 40))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, file []byte) {
		s := readJPEG(file)
		if s.orientation < 1 || s.orientation > 8 || s.scans < 0 || s.scans > len(file)/2 {
			t.Errorf("%d scans and orientation %d", s.scans, s.orientation)
		}
		if o := readOrientation(file); o < 1 || o > 8 {
			t.Errorf("orientation %d", o)
		}
	})
}
