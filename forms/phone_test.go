package forms_test

import (
	"encoding/json"
	"os"
	"testing"

	"hiresure/forms"
)

func TestIndianNumberFormats(t *testing.T) {
	document, err := os.ReadFile("testdata/indian-numbers.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct{ Typed, Kept string }
	if err := json.Unmarshal(document, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if got := forms.TenDigits(c.Typed); got != c.Kept {
			t.Errorf("of %q %q is kept, want %q", c.Typed, got, c.Kept)
		}
	}
}
