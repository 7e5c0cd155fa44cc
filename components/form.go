package components

import (
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"hiresure/forms"
)

// FormProps is a form with its state, as Groups renders it.
type FormProps struct {
	Form    *forms.Form
	Step    string            // "" for the first
	Env     forms.Env         // the choices of its fields
	Scope   string            // see FieldProps
	Values  map[string]string // as typed; a missing field shows its preset
	Faults  []forms.Fault
	Focus   string             // field that is focused when the page opens
	Open    []string           // unfolded groups
	Special map[string]Special // additions of the page, by field or group
}

// Special is a page's addition to a field or, with Below alone, to a group.
type Special struct {
	Absent bool              // not rendered
	Change func(*FieldProps) // changes the props
	Below  templ.Component   // below the field's input, or at the end of the group
}

// Props returns the props of a field.
func (p FormProps) Props(f *forms.Field) FieldProps {
	value, typed := p.Values[f.Name]
	if !typed {
		value = f.Value
	}
	props := FieldProps{
		Name: f.Name, Scope: p.Scope, Kind: inputKind(f), Label: f.Label, Hint: f.Hint, Value: value, Prefix: f.Prefix,
		Autocomplete: f.Autocomplete, InputMode: f.Inputmode, MaxLength: f.MaxLength, Optional: f.Optional, Half: f.Half,
		Options: p.options(f), Focused: f.Name == p.Focus,
	}
	switch f.Kind {
	case "select":
		props.Empty = "Choose one"
	case "checkbox":
		props.Checked = value == "true"
	case "checkboxes":
		props.Values = strings.Split(value, ",")
	}
	props.Error = messageAt(p.Faults, f.Name)
	if len(f.Warn) > 0 {
		props.Warns = messageAt(p.Form.Warnings(p.Values, p.Env), f.Name)
	}
	if change := p.Special[f.Name].Change; change != nil {
		change(&props)
	}
	return props
}

// messageAt returns the message of a field; "" for none.
func messageAt(faults []forms.Fault, field string) string {
	if i := slices.IndexFunc(faults, func(fault forms.Fault) bool { return fault.Field == field }); i >= 0 {
		return faults[i].Message
	}
	return ""
}

// inputKind returns the kind to render: HTML allows tel-national for text inputs only, where inputmode sets the keypad.
func inputKind(f *forms.Field) string {
	if f.Kind == "tel" && strings.HasSuffix(f.Autocomplete, "tel-national") {
		return "text"
	}
	return f.Kind
}

func (p FormProps) options(f *forms.Field) []forms.Option {
	if f.Kind == "country" {
		return countryOptions
	}
	return slices.Clone(f.Choices(p.Env)) // Special may change it
}

// countryOptions include the dial code: "India (+91)".
var countryOptions = func() (options []forms.Option) {
	for _, country := range forms.Countries() {
		options = append(options, forms.Option{Value: country.Code, Label: country.Name + " (+" + country.Dial + ")"})
	}
	return options
}()

// groups returns the step's groups in a place.
func (p FormProps) groups(place string) []*forms.Group { return p.Form.Groups(p.Step, place) }

// fields returns the rendered fields of a group.
func (p FormProps) fields(group *forms.Group) (all []FieldProps) {
	for _, field := range p.Form.FieldsOf(group.Name) {
		if p.Special[field.Name].Absent {
			continue
		}
		props := p.Props(field)
		props.Hidden = p.Form.HidesField(field, group, p.Values, p.Env)
		all = append(all, props)
	}
	return all
}

func (p FormProps) opened(group *forms.Group) bool { return slices.Contains(p.Open, group.Name) }

func (p FormProps) hidden(group *forms.Group) bool { return p.Form.HidesGroup(group, p.Values, p.Env) }

// below returns the part below a field, or at the end of a group.
func (p FormProps) below(name string) templ.Component {
	if below := p.Special[name].Below; below != nil {
		return below
	}
	return templ.NopComponent
}

// Summarised reports whether the faults are listed above the form: several, or one without a field. A single field's message
// is only at the field, which is focused.
func (p FormProps) Summarised() bool {
	return len(p.Faults) > 1 || len(p.Faults) == 1 && p.Faults[0].Field == ""
}

// Summary returns the error summary.
func (p FormProps) Summary() ErrorSummaryProps {
	summary := ErrorSummaryProps{Title: "There is a problem", Scope: p.Scope}
	for _, fault := range p.Faults {
		summary.Errors = append(summary.Errors, FieldError{fault.Field, fault.Message})
	}
	if count := len(summary.Errors); count > 1 {
		summary.Lead = "Please check these " + strconv.Itoa(count) + ":"
	}
	return summary
}

// SentProps is the answer to a posted form. First makes its title the page's.
type SentProps struct {
	Title, Text      string
	NumberIs, Number string
	First            bool
}
