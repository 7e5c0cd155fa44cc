package api

import (
	goflag "flag"
	"os"
	"strings"
	"testing"

	"hiresure/forms"
)

var update = goflag.Bool("update", false, "write the forms' fields into openapi.yaml anew")

func TestDocumentContainsTheFormsFields(t *testing.T) {
	described, err := describe(nil)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("openapi.yaml", []byte(described), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if described != openapi {
		t.Error("openapi.yaml is not what the forms say now: run ./task generate")
	}
}

const changed = `{"name":"enquiry","steps":[{"name":"one","groups":[{"name":"all","kind":"plain","place":"fields"}]}],"fields":[
	{"name":"a","label":"A \"quoted\" label","kind":"text","group":"all","keep":"a","wire":"%s","rules":[{"kind":"required","message":"A?"}]},
	{"name":"b","label":"B","kind":"checkbox","group":"all","keep":"b","optional":true},
	{"name":"c","label":"C","kind":"checkboxes","group":"all","keep":"c","optional":true,"rules":[{"kind":"options","message":"Not C!"}],"options":[{"value":"x","label":"X"},{"value":"y","label":"Y"}]},
	{"name":"d","label":"D","kind":"otp","group":"all","keep":"none","unsent":true,"optional":true}]}`

func TestDocumentDescribesAnyForm(t *testing.T) {
	set, err := forms.With([]byte(strings.Replace(changed, "%s", "outer", 1)))
	if err != nil {
		t.Fatal(err)
	}
	described, err := describe(set)
	if err != nil {
		t.Fatal(err)
	}
	want := `        # made of forms/enquiry.json
        outer: {type: string, description: "A \"quoted\" label"}
        b: {type: boolean, description: "B"}
        c: {type: array, items: {type: string, pattern: "^[^,]*$"}, description: "C. Of x, y"}
        # end of forms/enquiry.json
        enquiryType: {type: string, enum: [KS_SCHOLARSHIP]}
`
	if !strings.Contains(described, want) {
		t.Errorf("the document has not\n%s", want)
	}
	if !strings.Contains(described, "        # required by forms/enquiry.json\n        - outer\n        # end of what forms/enquiry.json requires\n") {
		t.Error("the document does not require the field that the form requires")
	}
	if !strings.Contains(described, "        phone_number: {type: string") || strings.Contains(described, "countryCode") {
		t.Error("one form stays, the other is replaced whole")
	}
}

// Every note describes an existing field.
func TestEveryNoteHasAField(t *testing.T) {
	for name := range notes {
		form, field, _ := strings.Cut(name, ".")
		if _, known := forms.Get(form).Shape()[field]; !known {
			t.Errorf("there is no field %s", name)
		}
	}
}

func TestFieldNameMustNotClashWithItsCall(t *testing.T) {
	set, err := forms.With([]byte(strings.Replace(changed, "%s", "captcha_token", 1)))
	if err != nil {
		t.Fatal(err)
	}
	const want = "the form enquiry has a field captcha_token, which its call has too"
	if _, err := formBody(set.Get("enquiry"), enquiryBody); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
