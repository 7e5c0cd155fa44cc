package pages_test

import (
	"testing"

	"hiresure/forms"
	"hiresure/pages"
)

func TestCountFaults(t *testing.T) {
	empty, typed, whole := forms.Fault{Field: "course"}, forms.Fault{Field: "zip"}, forms.Fault{Message: "Something has changed."}
	for _, row := range []struct {
		faults []forms.Fault
		want   string
	}{
		{nil, ""},
		{[]forms.Fault{whole}, ""},
		{[]forms.Fault{empty}, "1 answer missing"},
		{[]forms.Fault{typed}, "1 answer to correct"},
		{[]forms.Fault{empty, typed}, "2 answers to correct"},
		{[]forms.Fault{whole, empty, typed}, "2 answers to correct"},
	} {
		if got := pages.CountFaults(row.faults, map[string]string{"course": " ", "zip": "12"}); got != row.want {
			t.Errorf("%v: %q, want %q", row.faults, got, row.want)
		}
	}
}
