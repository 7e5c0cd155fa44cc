package components

import (
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"hiresure/forms"
)

// FormProps is a form in one state, as Groups draws it: which fields there are and how they stand is the form's own data.
type FormProps struct {
	Form    *forms.Form
	Step    string            // "": the first
	Env     forms.Env         // the choices of its fields
	Scope   string            // as in FieldProps
	Values  map[string]string // as typed; a field that is absent shows its preset
	Faults  []forms.Fault
	Focus   string             // name of the field that takes the focus when the page opens
	Open    []string           // names of the folded groups that are unfolded
	Special map[string]Special // what the page adds, by the name of a field or group
}

// Special is what a page adds to a field, or with Below alone to a group.
type Special struct {
	Absent bool              // it is not drawn at present
	Change func(*FieldProps) // a button beside the input, documents that the label names
	Below  templ.Component   // stands below the field's input, or at the end of the group
}

// Props are the properties of a field of the form in its present state.
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

// messageAt is what is said of a field; "" for nothing.
func messageAt(faults []forms.Fault, field string) string {
	if i := slices.IndexFunc(faults, func(fault forms.Fault) bool { return fault.Field == field }); i >= 0 {
		return faults[i].Message
	}
	return ""
}

// inputKind is the kind to render: HTML takes tel-national for a text only, where inputmode brings the keypad.
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

// countryOptions name the dial code too: "India (+91)".
var countryOptions = func() (options []forms.Option) {
	for _, country := range forms.Countries() {
		options = append(options, forms.Option{Value: country.Code, Label: country.Name + " (+" + country.Dial + ")"})
	}
	return options
}()

// groups are the groups of the step that stand in a place.
func (p FormProps) groups(place string) []*forms.Group { return p.Form.Groups(p.Step, place) }

// fields are the fields of a group that are drawn at present.
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

// below is what stands below a field, or at the end of a group.
func (p FormProps) below(name string) templ.Component {
	if below := p.Special[name].Below; below != nil {
		return below
	}
	return templ.NopComponent
}

// Summarised reports whether what is wrong stands above the form: what speaks of no field, or of several. One field's message
// stands at the field alone, which has the focus.
func (p FormProps) Summarised() bool {
	return len(p.Faults) > 1 || len(p.Faults) == 1 && p.Faults[0].Field == ""
}

// Summary lists the form's faults under the title that every refused form has.
func (p FormProps) Summary() ErrorSummaryProps {
	summary := ErrorSummaryProps{Title: "There is a problem", Scope: p.Scope}
	for _, fault := range p.Faults {
		summary.Errors = append(summary.Errors, FieldError{fault.Field, p.label(fault.Field), fault.Message})
	}
	if count := len(summary.Errors); count > 1 {
		summary.Lead = "Please check these " + strconv.Itoa(count) + ":"
	}
	return summary
}

// label is what the summary calls a field. A box has a whole sentence beside it: where nothing shorter is its name, its message is.
func (p FormProps) label(name string) string {
	if p.Form == nil {
		return ""
	}
	field := p.Form.Field(name)
	switch {
	case field == nil:
		return ""
	case field.Kind == "checkbox":
		return field.Short
	}
	return field.Label
}

// SentProps is the answer to a form that was sent. First says that its title is the page's.
type SentProps struct {
	Title, Text      string
	NumberIs, Number string
	First            bool
}
