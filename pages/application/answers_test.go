package application

import (
	"testing"

	"hiresure/admission/apply"
	"hiresure/forms"
)

// As in My Registrations, mails and the exported data.
func TestReviewFormatsAnswersAsOtherPages(t *testing.T) {
	form := forms.Get(apply.FormName)
	for kind, answer := range map[string]struct{ typed, said string }{
		"tel":    {"9876543210", "+91 98765 43210"},
		"amount": {"320000", "₹3,20,000"},
		"date":   {"14-08-2005", "14/08/2005"},
		"text":   {"Sarovara College", "Sarovara College"},
	} {
		found := false
		for i := range form.Fields {
			if field := &form.Fields[i]; field.Kind == kind {
				found = true
				if got := factOf(form, field, answer.typed).Text; got != answer.said {
					t.Errorf("%s: %q, want %q", field.Name, got, answer.said)
				}
			}
		}
		if !found {
			t.Errorf("no field is a %s", kind)
		}
	}
}
