package registry

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// noted are the words that the business puts into timelines, as its source writes them.
var noted = regexp.MustCompile(`(?:\.note\(|Note\((?:e\.)?tx, r, (?:now|at), |What: |endReview\(ctx, txnID, |\.move\(enrol\.\w+, |enrol\.Step\w+, )"([^"]+)"(\s*\+)?`)

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
