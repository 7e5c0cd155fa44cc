package inspect

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

// mutations of good files that a run judges; the long tests judge more.
var mutations = 60

// A file that was damaged on its way may be refused or kept; it never ends a child, nor takes more than it may (judged).
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
