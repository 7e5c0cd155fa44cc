package india_test

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"hiresure/admission"
	"hiresure/admission/india"
)

// toWords spells amounts in paise with the npm library to-words, which shares no code with Words.
func toWords(t *testing.T, sums []int64) []string {
	t.Helper()
	var lines strings.Builder
	for _, minor := range sums {
		fmt.Fprintf(&lines, "%d.%02d\n", minor/100, minor%100)
	}
	var said strings.Builder
	node := exec.CommandContext(t.Context(), "node", "testdata/words.mjs")
	node.Stdin, node.Stderr = strings.NewReader(lines.String()), &said
	out, err := node.Output()
	if err != nil {
		t.Fatalf("to-words: %v: %s", err, said.String())
	}
	spelt := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(spelt) != len(sums) {
		t.Fatalf("to-words spells %d sums of %d", len(spelt), len(sums))
	}
	return spelt
}

// Tests amounts of the word table, each power of ten with its neighbours, round amounts (rupees, hundreds, thousands, lakhs, crores),
// and random ones, equally many of each length.
func TestWordsMatchToWordsLibrary(t *testing.T) {
	sums := []int64{
		0, 1, 50, 1_00, 19_00, 21_00, 100_00, 101_00, 1_499_00, 1_499_50, 2_500_00, 10_000_00, 99_999_00, 1_00_000_00, 1_00_001_00, 4_50_000_00, 99_99_999_99, 1_00_00_000_00,
		1_23_45_678_90, 10_00_00_000_00, admission.MaxMinor,
	}
	random := rand.New(rand.NewPCG(15, 21))
	for size := int64(1); size <= admission.MaxMinor; size *= 10 {
		sums = append(sums, size-1, size, size+1, 10*size-1)
		for range 1000 {
			sums = append(sums, size+random.Int64N(9*size))
		}
	}
	for _, round := range []int64{1_00, 100_00, 1_000_00, 1_00_000_00, 1_00_00_000_00} {
		for range 200 {
			sums = append(sums, round*random.Int64N(admission.MaxMinor/round+1))
		}
	}
	for i, want := range toWords(t, sums) {
		if got, err := india.Words(sums[i]); err != nil || got != want {
			t.Errorf("%d paise: got %q, %v, want %q", sums[i], got, err, want)
		}
	}
}

// Above the largest amount the library uses words that our invoices don't; Words returns an error instead.
func TestWordsLimit(t *testing.T) {
	const lakhCrore = 1e14
	if said := toWords(t, []int64{lakhCrore}); said[0] != "Ten Kharab Rupees Only" {
		t.Errorf("to-words says %q", said[0])
	}
	if got, err := india.Words(lakhCrore); err == nil {
		t.Errorf("got %q", got)
	}
}
