package forms

import "testing"

func TestFieldOfColumn(t *testing.T) {
	var none *Form
	for _, test := range []struct {
		form         *Form
		column, want string
	}{
		{Get("enrolment"), "full_name", "fullname"},
		{Get("enrolment"), "no_column", ""},
		{Get("enrolment"), KeepAnswers, ""}, // several fields
		{Get("enrolment"), KeepNone, ""},
		{none, "full_name", ""},
	} {
		got := ""
		if field := test.form.FieldOfColumn(test.column); field != nil {
			got = field.Name
		}
		if got != test.want {
			t.Errorf("%q holds %q, want %q", test.column, got, test.want)
		}
	}
}
