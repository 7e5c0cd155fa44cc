package india_test

import (
	"testing"

	"hiresure/admission/india"
)

func TestCheckGSTIN(t *testing.T) {
	const shape = "GSTIN: want 15 characters such as 29ABCDE1234F1ZW"
	for gstin, want := range map[string]string{
		"27AAPFU0939F1ZV":   "",
		"29AAGCB7383J1Z4":   "",
		"29ABCDE1234F1ZW":   "",
		"03AAJCR2207E1ZX":   "",
		"03AAJCR2207E1Z2":   "GSTIN: the last character of 03AAJCR2207E1Z2 should be X",
		"29ABCDE1243F1ZW":   "GSTIN: the last character of 29ABCDE1243F1ZW should be V",
		"28ABCDE1234F1ZW":   "GSTIN: state code 28 is unknown",
		"":                  shape,
		"29ABCDE1234F1Z":    shape,
		"29ABCDE1234F1ZWW":  shape,
		"29abcde1234f1zw":   shape,
		"29ABCDE1234F0ZW":   shape,
		"29ABCDE1234F1YW":   shape,
		" 29ABCDE1234F1ZW":  shape,
		"29ABCDE1234F1ZW\n": shape,
		"２９ABCDE1234F1ZW":   shape,
	} {
		if got := refusal(india.CheckGSTIN(gstin)); got != want {
			t.Errorf("%q: got %q, want %q", gstin, got, want)
		}
	}
}

func TestCheckGSTINDetectsTypos(t *testing.T) {
	const right = "29ABCDE1234F1ZW"
	for at := range right {
		for _, typed := range "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
			wrong := right[:at] + string(typed) + right[at+1:]
			if wrong != right && india.CheckGSTIN(wrong) == nil {
				t.Errorf("%s passes for %s", wrong, right)
			}
		}
	}
}
