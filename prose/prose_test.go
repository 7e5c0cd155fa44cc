package prose_test

import (
	"testing"

	"hiresure/prose"
)

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "zero", 1: "one", 8: "eight", 13: "thirteen", 20: "twenty", 21: "twenty-one", 60: "sixty", 99: "ninety-nine", 100: "100", -1: "-1"} {
		if got := prose.Number(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestList(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		if got := prose.List(words); got != want {
			t.Errorf("%v: %q, want %q", words, got, want)
		}
	}
}

func TestFirstLetter(t *testing.T) {
	for text, want := range map[string][2]string{"": {}, "six months": {"Six months", "six months"}, "None": {"None", "none"}, "élan": {"Élan", "élan"}} {
		if got := [2]string{prose.Capital(text), prose.Lower(text)}; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestGroupDigits(t *testing.T) {
	for digits, want := range map[string][2]string{"": {}, "999": {"999", "999"}, "1000": {"1,000", "1,000"}, "100000": {"1,00,000", "100,000"}, "12345678": {"1,23,45,678", "12,345,678"}} {
		if got := [2]string{prose.GroupDigits(digits, true), prose.GroupDigits(digits, false)}; got != want {
			t.Errorf("%q: %q, want %q", digits, got, want)
		}
	}
}
