package components

import "testing"

func TestAPersonsNameIsCutOnlyWhereItIsLong(t *testing.T) {
	for _, name := range []struct{ whole, short, initials string }{
		{"Asha Pillai", "Asha Pillai", "AP"},
		{"asha", "asha", "A"},
		{"Asha Devi Pillai", "Asha Pillai", "AP"},
		{"Padmanabhan Subramaniam", "Padmanab… Subraman…", "PS"},
		{"Sumithra Padmanab", "Sumithra Padmanab", "SP"}, // eight letters each
		{"आशा पिल्लै", "आशा पिल्लै", "आप"},
		{"  ", "", ""},
	} {
		if got := menuName(name.whole); got != name.short {
			t.Errorf("%q is shown as %q, want %q", name.whole, got, name.short)
		}
		if got := initials(name.whole); got != name.initials {
			t.Errorf("the initials of %q are %q, want %q", name.whole, got, name.initials)
		}
	}
}
