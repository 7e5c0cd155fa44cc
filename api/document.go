package api

import (
	_ "embed"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/forms"
)

//go:embed openapi.yaml
var document string

// notes tell of a form's fields what their label does not, by form and wire name. A field without a note has its label.
var notes = map[string]string{
	"enquiry.phone":             "Digits",
	"enquiry.countryCode":       "ISO 3166 alpha-2, default in",
	"enquiry.dialLog":           "Dial code, with or without +",
	"enrolment.phone_number":    "Ten digits, proven in this session",
	"enrolment.selected_course": "A code of select_course",
	"enrolment.state":           "Name of the State, as listed",
	"enrolment.guardian_phone":  "Ten digits. Asked for when adult is false",
	"enrolment.guardian_otp":    "Of the code that the guardian got, unless it is proven in this session",
	"enrolment.consents":        "One that was given before and is not named is withdrawn",
}

// describe returns openapi.yaml with what the set's forms say between the comments that name each form's file: which fields a
// call must have, and all of them.
func describe(set *forms.Set) (string, error) {
	described := document
	for _, name := range []string{"enquiry", "enrolment"} {
		form := set.Get(name)
		for _, part := range []struct{ opening, ending, lines string }{
			{"required by forms/" + name + ".json", "end of what forms/" + name + ".json requires", required(form)},
			{"made of forms/" + name + ".json", "end of forms/" + name + ".json", properties(form)},
		} {
			opening, ending := "        # "+part.opening+"\n", "        # "+part.ending+"\n"
			before, rest, opened := strings.Cut(described, opening)
			_, after, ended := strings.Cut(rest, ending)
			if !opened || !ended {
				return "", fmt.Errorf("openapi.yaml has no place that is %s", part.opening)
			}
			described = before + opening + part.lines + ending + after
		}
	}
	return described, nil
}

// required are the fields that a form refuses to be without, whatever the others hold, a line each.
func required(form *forms.Form) string {
	var lines strings.Builder
	for i := range form.Fields {
		if field := &form.Fields[i]; field.Required() && !field.Unsent {
			fmt.Fprintf(&lines, "        - %s\n", field.WireName())
		}
	}
	return lines.String()
}

// properties are the fields of a form in a call, a line each.
func properties(form *forms.Form) string {
	var lines strings.Builder
	for i := range form.Fields {
		field := &form.Fields[i]
		if field.Unsent {
			continue
		}
		about := []string{field.Label}
		if note := notes[form.Name+"."+field.WireName()]; note != "" {
			about = []string{note}
		}
		if len(field.Options) > 0 {
			var values []string
			for _, option := range field.Options {
				values = append(values, option.Value)
			}
			about = append(about, "Of "+strings.Join(values, ", "))
		}
		fmt.Fprintf(&lines, "        %s: {%s, description: %s}\n", field.WireName(), types[field.WireKind()], strconv.Quote(strings.Join(about, ". ")))
	}
	return lines.String()
}

var types = map[forms.Kind]string{
	forms.Text: "type: string",
	forms.Flag: "type: boolean",
	forms.List: `type: array, items: {type: string, pattern: "^[^,]*$"}`,
}

// serveDocument serves the description of this API.
func (a *api) serveDocument(c *echo.Context) error {
	return c.Blob(http.StatusOK, "application/yaml; charset=utf-8", a.document)
}
