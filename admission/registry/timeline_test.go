package registry

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
)

// noted are the words that the business puts into timelines, as its source writes them.
var noted = regexp.MustCompile(`(?:\.note\(|Note\((?:e\.)?tx, r, (?:now|at|s\.Clock\(\)), |What: |endReview\(ctx, txnID, |\.move\(enrol\.\w+, |enrol\.Step\w+, )"([^"]+)"(\s*\+)?`)

// notedAgain is what a step of the application notes when it is saved again: the second of two words.
var notedAgain = regexp.MustCompile(`enrol\.Step\w+, "[^"]+", "([^"]+)"()`)

func TestEveryEntryIsToldOrInternal(t *testing.T) {
	found := map[string]bool{
		"payment failed": true, "payment expired": true, // "payment " and the attempt's state
		"dispute opened": true, "dispute won": true, "dispute lost": true, // the payment's own events
	}
	for _, pattern := range []string{"../*/*.go", "../../store/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			if matched, _ := filepath.Match("*_test.go", filepath.Base(file)); matched {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, match := range append(noted.FindAllSubmatch(text, -1), notedAgain.FindAllSubmatch(text, -1)...) {
				if len(match[2]) == 0 {
					found[string(match[1])] = true
				}
			}
		}
	}
	if !found["enrolled"] || !found["paid"] || !found["mailed links revoked"] || !found["review accepted"] {
		t.Fatalf("the notes are not found: %v", found)
	}
	for what := range found {
		if _, shown := told[what]; shown == internal[what] {
			t.Errorf("%q is told: %v, internal: %v; want one of them", what, shown, internal[what])
		}
	}
	for what := range maps.Keys(told) {
		if !found[what] {
			t.Errorf("%q is told, and nobody notes it", what)
		}
	}
	for what := range internal {
		if !found[what] {
			t.Errorf("%q is internal, and nobody notes it", what)
		}
	}
}

func TestOnlyAnOpenAttemptHasStarted(t *testing.T) {
	entries := []enrol.Entry{{What: "payment started"}, {What: "payment failed"}, {What: "payment started"}, {What: "coupon used beyond its limit"}}
	for _, row := range []struct {
		sentence string
		phase    phase
		entries  []enrol.Entry
		want     int
	}{
		{"the last one is open", phaseOpen, entries, 2},
		{"all have ended", phaseUnpaid, entries, -1},
		{"none has started", phaseOpen, entries[3:], -1},
	} {
		if got := openStart(row.phase, row.entries); got != row.want {
			t.Errorf("%s: got %d, want %d", row.sentence, got, row.want)
		}
	}
}

func TestStepsSavedOnOneDayAreToldTogether(t *testing.T) {
	evening := time.Date(2026, 11, 23, 23, 50, 0, 0, admission.IST)
	at := func(what string, later time.Duration) enrol.Entry {
		return enrol.Entry{What: what, At: evening.Add(later)}
	}
	entries := []enrol.Entry{
		at("phone verified", 0), at("personal details saved", 0), at("guardian agreed", time.Minute), at("academic details saved", 2*time.Minute),
		at("scholarship details saved", time.Hour), at("personal details saved", time.Hour),
	}
	for i, want := range []int{0, 2, 0, 2, 2, 2} {
		if got := savedOn(entries[i], entries); got != want {
			t.Errorf("%s at %v: told with %d, want %d", entries[i].What, entries[i].At, got, want)
		}
	}
	if got := savedOn(at("scholarship details saved", 0), append(entries, at("scholarship details saved", 0), at("scholarship details saved", 0))); got != 3 {
		t.Errorf("a step that is saved again counts once: got %d, want 3", got)
	}
}
