package inspect

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

// mutations is the number of mutated files per run; the long tests use more.
var mutations = 60

// A damaged file may be refused or accepted, but never crashes a child or exceeds its limits (judged).
func TestMutatedFilesNeitherCrashNorHang(t *testing.T) {
	t.Parallel()
	photo := asJPEG(quarters(640, 480))
	good := [][]byte{
		withEXIF(photo, exif(binary.BigEndian, 6, photo[:2000])), asPNG(noise(200, 100)), progressive(640, 480, 20), interlaced(),
		asPDF(page("", flate("", bytes.Repeat([]byte("0 0 m "), 999)), stream("/Subtype/Image/Width 640/Height 480/Filter/DCTDecode", photo))),
		asPackedPDF(page("", repeated("<</A[1 2 3]/B(text)>>", 50)...), honestly),
	}
	random := rand.New(rand.NewPCG(5, 6))
	i := New(Options{})
	for n := range mutations {
		file := slices.Clone(good[n%len(good)])
		for range 1 + random.IntN(8) {
			file[random.IntN(len(file))] = byte(random.Uint32())
		}
		if kept, f, answer := judged(t, i, file, either); answer == "" || kept != nil && f.Size == 0 {
			t.Errorf("mutation %d: %q, %v", n, answer, f)
		}
	}
}
