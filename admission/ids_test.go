package admission_test

import (
	"regexp"
	"strings"
	"testing"

	"hiresure/admission"
)

func TestRandomNamesAreUnique(t *testing.T) {
	for _, row := range []struct {
		name  string
		draw  func() string
		shape string
	}{
		{"an id", admission.NewID, `^[0-9a-hjkmnp-tv-z]{26}$`},
		{"a token", admission.NewToken, `^[A-Za-z0-9_-]{43}$`},
		{"a key", admission.NewKey, `^[A-Za-z0-9_-]{22}$`},
		{"sixteen letters", func() string { return admission.RandomLetters(16) }, `^[0-9A-HJKMNP-TV-Z]{16}$`},
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
func TestNewCodeIsUniform(t *testing.T) {
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

func TestIsID(t *testing.T) {
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

func TestIsHash(t *testing.T) {
	hash := admission.HashToken("a token")
	if !admission.IsHash(hash) {
		t.Errorf("%s is none", hash)
	}
	for _, text := range []string{"", hash[1:], hash + "0", strings.ToUpper("a" + hash[1:]), hash[:63] + "g", hash[:63] + "/", hash[:62] + "é", "../" + hash[3:]} {
		if admission.IsHash(text) {
			t.Errorf("%q is one", text)
		}
	}
}

// The first is computed by hand, from the right, each second one twice: M 20·2 = 40 = 1·32+8, so 9; 7; K 19·2 = 38, so 7;
// 4; 6·2 = 12; 2; S 25·2 = 50, so 19; H 17. Together they are 77, and 19 is missing to 96, the next multiple of 32: K.
func TestCheckLetter(t *testing.T) {
	for number, want := range map[string]string{"HS264K7M": "K", "HS260000": "E", "HS27ZZZZZ": "Y", "0": "0", "": "0"} {
		if got := admission.CheckLetter(number); got != want {
			t.Errorf("%s ends in %s, want %s", number, got, want)
		}
	}
}

func TestCheckLetterDetectsErrors(t *testing.T) {
	const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	right := func(number string) bool {
		return admission.CheckLetter(number[:len(number)-1]) == number[len(number)-1:]
	}
	told, swaps, missed := 0, 0, 0
	for range 500 {
		for _, number := range []string{"HS26" + admission.RandomLetters(4), "HS26" + admission.RandomLetters(5)} {
			number += admission.CheckLetter(number)
			if !right(number) {
				t.Fatalf("%s is refused", number)
			}
			for at := range number {
				for _, letter := range alphabet {
					wrong := number[:at] + string(letter) + number[at+1:]
					if wrong == number {
						continue
					}
					if told++; right(wrong) {
						t.Errorf("%s is taken for %s", wrong, number)
					}
				}
				if at == 0 || number[at-1] == number[at] {
					continue
				}
				swapped := number[:at-1] + number[at:at+1] + number[at-1:at] + number[at+1:]
				pair := swapped[at-1 : at+1]
				if pair == "0Z" || pair == "Z0" { // the pair that Luhn does not tell
					missed++
					continue
				}
				if swaps++; right(swapped) {
					t.Errorf("%s is taken for %s", swapped, number)
				}
			}
		}
	}
	if told < 200_000 || swaps < 6_000 || missed > 100 {
		t.Errorf("%d wrong characters and %d swaps were tried, %d swaps not", told, swaps, missed)
	}
}

func TestIsKey(t *testing.T) {
	for range 100 {
		if key := admission.NewKey(); !admission.IsKey(key) {
			t.Errorf("%s is none", key)
		}
	}
	key := admission.NewKey()
	for _, text := range []string{"", key[1:], key + "A", key[:21] + "=", key[:21] + "+", key[:21] + "/", key[:21] + " ", key[:21] + "\x00", key[:20] + "é", "../" + key[3:], admission.NewToken()} {
		if admission.IsKey(text) {
			t.Errorf("%q is one", text)
		}
	}
}

func TestIsLetters(t *testing.T) {
	for text, want := range map[string]bool{
		"ASHA7PXQ": true, "00000000": true, "": false, "ASHA7PX": false, "ASHA7PXQQ": false, "asha7pxq": false, "ASHA7PXI": false, "ASHA 7PX": false,
		"ASHA7PX\x00": false, "ASHA7P%": false, "आशाA7": false,
	} {
		if got := admission.IsLetters(text, 8); got != want {
			t.Errorf("%q has the shape of eight letters: %v", text, got)
		}
	}
}
