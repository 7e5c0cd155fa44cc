package admission_test

import (
	"regexp"
	"strings"
	"testing"

	"hiresure/admission"
)

func TestDrawnNamesHaveTheirShapeAndDoNotRepeat(t *testing.T) {
	for _, row := range []struct {
		name  string
		draw  func() string
		shape string
	}{
		{"an id", admission.NewID, `^[0-9a-hjkmnp-tv-z]{26}$`},
		{"a token", admission.NewToken, `^[A-Za-z0-9_-]{43}$`},
		{"a reference", func() string { return admission.Reference("ENQ") }, `^ENQ-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$`},
	} {
		shape, seen := regexp.MustCompile(row.shape), map[string]bool{}
		for range 1_000 {
			drawn := row.draw()
			if !shape.MatchString(drawn) {
				t.Fatalf("%s looks like %q", row.name, drawn)
			}
			if seen[drawn] {
				t.Fatalf("%s repeats: %q", row.name, drawn)
			}
			seen[drawn] = true
		}
	}
}

func TestHashTokenIsSHA256(t *testing.T) {
	for token, want := range map[string]string{
		"":    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
	} {
		if got := admission.HashToken(token); got != want {
			t.Errorf("%q: got %s, want %s", token, got, want)
		}
	}
}

// With 200,000 draws each digit is expected 20,000 times at each place; 900 is more than six standard deviations.
func TestEveryDigitOfACodeIsAsLikelyAtEveryPlace(t *testing.T) {
	var counts [6][10]int
	for range 200_000 {
		code := admission.NewCode()
		if len(code) != 6 {
			t.Fatalf("a code looks like %q", code)
		}
		for place := range 6 {
			digit := code[place] - '0'
			if digit > 9 {
				t.Fatalf("a code looks like %q", code)
			}
			counts[place][digit]++
		}
	}
	for place, digits := range counts {
		for digit, count := range digits {
			if count < 19_100 || count > 20_900 {
				t.Errorf("digit %d stands %d times at place %d", digit, count, place)
			}
		}
	}
}

func TestAnIDIsKnownByItsShape(t *testing.T) {
	for range 100 {
		if id := admission.NewID(); !admission.IsID(id) {
			t.Errorf("%s is none", id)
		}
	}
	id := admission.NewID()
	for _, text := range []string{
		"", id[1:], id + "0", id[:25] + "\x00", "\r\n" + id[2:], id[:25] + "I", strings.ToUpper("abc" + id[3:]), id[:24] + "é", id[:25] + " ", "../" + id[3:], admission.NewToken(),
	} {
		if admission.IsID(text) {
			t.Errorf("%q is one", text)
		}
	}
}
