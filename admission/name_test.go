package admission_test

import (
	"testing"

	"hiresure/admission"
)

func TestSplitName(t *testing.T) {
	for full, want := range map[string][2]string{
		"Asha Meera Verma": {"Asha Meera", "Verma"}, "Asha  Verma": {"Asha", "Verma"}, " Asha   Meera  Verma ": {"Asha Meera", "Verma"},
		"Asha": {"Asha", ""}, " Asha ": {"Asha", ""}, "": {"", ""},
	} {
		if first, last := admission.SplitName(full); first != want[0] || last != want[1] {
			t.Errorf("%q is %q and %q, want %q", full, first, last, want)
		}
	}
}
