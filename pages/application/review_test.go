package application

import (
	"slices"
	"testing"
)

func TestShortAnswersShareARow(t *testing.T) {
	for _, row := range []struct {
		sentence string
		facts    []fact
		want     []string
	}{
		{"a short name shares with what follows", []fact{{Label: "Exam Name"}, {Class: half}, {}}, []string{half, half, ""}},
		{"a longer one does not", []fact{{Label: "Institution"}, {Label: "Current college"}, {Class: half}, {Class: half}}, []string{"", "", half, half}},
		{"what is left over gets the next", []fact{{Class: half}, {Label: "Enrollment Number"}}, []string{half, half}},
		{"two that share want no third", []fact{{Class: half}, {Class: half}, {Label: "Guardian Name"}}, []string{half, half, ""}},
		{"what may have many lines shares with none", []fact{{Class: half}, {Long: true}}, []string{half, ""}},
	} {
		pairShort(row.facts)
		var got []string
		for _, f := range row.facts {
			got = append(got, f.Class)
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%s: got %q, want %q", row.sentence, got, row.want)
		}
	}
}
