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
		{"two that stand alone do", []fact{{Label: "student ID"}, {Label: "exam"}}, []string{half, half}},
		{"a third has its own", []fact{{}, {}, {}}, []string{half, half, ""}},
		{"beside one that shares already it has its own", []fact{{}, {Class: half}, {Class: half}}, []string{"", half, half}},
		{"what may have many lines does not", []fact{{}, {Long: true}}, []string{"", ""}},
	} {
		pair(row.facts)
		var got []string
		for _, f := range row.facts {
			got = append(got, f.Class)
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%s: got %q, want %q", row.sentence, got, row.want)
		}
	}
}
