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

func TestCapital(t *testing.T) {
	for text, want := range map[string]string{"": "", "six months": "Six months"} {
		if got := prose.Capital(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
