package api

import (
	_ "embed"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission/apply"
	"hiresure/forms"
)

//go:embed openapi.yaml
var openapi string

// notes describe fields whose label is not enough, by form and wire name.
var notes = map[string]string{
	"enquiry.phone":                       "Digits",
	"enquiry.countryCode":                 "ISO 3166 alpha-2, default in",
	"enquiry.dialLog":                     "Dial code, with or without +",
	"enrolment.phone_number":              "Ten digits, proven in this session",
	"enrolment.selected_course":           "A code of select_course",
	"enrolment.state":                     "Name of the State, as listed",
	"enrolment.guardian_phone":            "Ten digits. Asked for when adult is false",
	"enrolment.guardian_otp":              "Of the code that the guardian got, unless it is proven in this session",
	"hiresure.date_of_birth":              "DD-MM-YYYY",
	"hiresure.state":                      "Name of the State, as listed",
	"hiresure.exam_year":                  "From this year down to 1951",
	"hiresure.received_other_scholarship": "Whether there is any other scholarship",
	"hiresure.guardian_phone":             "Ten digits. Asked for where the date of birth says under 18",
	"hiresure.guardian_otp":               "Of the code that the guardian got, unless it is proven in this session",
	"hiresure.consents":                   "One that was given before and is not named is withdrawn",
	"enrolment.consents":                  "One that was given before and is not named is withdrawn",
}

// describe returns openapi.yaml with the forms' fields inserted between its comments: all fields, and the required ones of
// each step.
func describe(set *forms.Set) (string, error) {
	described := openapi
	for _, name := range []string{"enquiry", "enrolment", apply.FormName} {
		form := set.Get(name)
		file := "forms/" + name + ".json"
		places := []place{{"made of " + file, "end of " + file, properties(form)}}
		if len(form.Steps) == 1 {
			places = append(places, place{"required by " + file, "end of what " + file + " requires", required(form, form.Steps[0].Name)})
		}
		for _, step := range form.Steps {
			if len(form.Steps) > 1 {
				places = append(places, requiredStep(form, step.Name))
			}
		}
		for _, place := range places {
			var err error
			if described, err = place.filled(described); err != nil {
				return "", err
			}
		}
	}
	return described, nil
}

// place is the text between two comments of the document.
type place struct{ opening, ending, lines string }

func requiredStep(form *forms.Form, step string) place {
	of := "step " + step + " of forms/" + form.Name + ".json"
	return place{"required by " + of, "end of what " + of + " requires", required(form, step)}
}

func (p place) filled(text string) (string, error) {
	opening, ending := "        # "+p.opening+"\n", "        # "+p.ending+"\n"
	parts := strings.Split(text, opening)
	for i, part := range parts[1:] {
		_, after, ended := strings.Cut(part, ending)
		if !ended {
			return "", fmt.Errorf("openapi.yaml has no end of the place that is %s", p.opening)
		}
		parts[i+1] = p.lines + ending + after
	}
	if len(parts) == 1 {
		return "", fmt.Errorf("openapi.yaml has no place that is %s", p.opening)
	}
	return strings.Join(parts, opening), nil
}

// required lists the fields that a step always requires, one per line.
func required(form *forms.Form, step string) string {
	var lines strings.Builder
	for _, field := range form.OfStep(step) {
		if field.Required() && !field.Unsent {
			fmt.Fprintf(&lines, "        - %s\n", field.WireName())
		}
	}
	return lines.String()
}

// properties lists the fields of a form in a call, one per line.
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

// serveDocument serves openapi.yaml.
func (a *api) serveDocument(c *echo.Context) error {
	return c.Blob(http.StatusOK, "application/yaml; charset=utf-8", a.document)
}
