package forms

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Kind is what a field holds in a JSON call.
type Kind string

const (
	Text Kind = "text"
	Flag Kind = "flag" // true or false; a form's value is "true" or "false"
	List Kind = "list" // of texts; a form's value joins them by commas
)

// The places where values are kept besides the columns of a form's own record.
const (
	KeepAnswers = "answers" // beside the columns, as JSON by field name: what is neither searched nor decided on
	KeepNone    = "none"    // nowhere: it is used up at once (a code), or follows from another field
)

// WireName is the field's name in a JSON call, and in the errors of its answer.
func (f *Field) WireName() string {
	if f.Wire != "" {
		return f.Wire
	}
	return f.Name
}

// WireKind is what the field holds in a JSON call.
func (f *Field) WireKind() Kind {
	switch f.Kind {
	case "checkbox", "yesno":
		return Flag
	case "checkboxes":
		return List
	}
	return Text
}

// Required reports whether the form is refused without the field, whatever stands in the others.
func (f *Field) Required() bool {
	return len(f.When) == 0 && slices.ContainsFunc(f.Rules, func(r Rule) bool { return r.Kind == "required" && len(r.When) == 0 })
}

// Shape is what a call that sends the form takes: kinds by wire name.
func (f *Form) Shape() map[string]Kind {
	shape := map[string]Kind{}
	for i := range f.Fields {
		if field := &f.Fields[i]; !field.Unsent {
			shape[field.WireName()] = field.WireKind()
		}
	}
	return shape
}

// FromWire gives the values of a call the names that the form has for them. Values that are not the form's stay.
func (f *Form) FromWire(sent map[string]string) map[string]string {
	in := make(map[string]string, len(sent))
	for name, value := range sent {
		if i := slices.IndexFunc(f.Fields, func(field Field) bool { return !field.Unsent && field.WireName() == name }); i >= 0 {
			name = f.Fields[i].Name
		}
		in[name] = value
	}
	return in
}

// OnWire is the name that a call has for a field of the form; any other name stays as it is.
func (f *Form) OnWire(name string) string {
	if field := f.Field(name); field != nil {
		return field.WireName()
	}
	return name
}

// ToWire is the way back from FromWire: values as a call carries them, by wire name. A flag that is neither true nor false, and
// what is not the form's or never sent, is left out.
func (f *Form) ToWire(values map[string]string) map[string]any {
	sent := map[string]any{}
	for i := range f.Fields {
		field := &f.Fields[i]
		value, stands := values[field.Name]
		switch kind := field.WireKind(); {
		case !stands || field.Unsent:
		case kind == List:
			sent[field.WireName()] = strings.FieldsFunc(value, func(r rune) bool { return r == ',' })
		case kind != Flag:
			sent[field.WireName()] = value
		case value == "true" || value == "false":
			sent[field.WireName()] = value == "true"
		}
	}
	return sent
}

// Kept sorts clean values by where they are kept: by column (or another record's name), and the answers by field. What is
// empty is no answer; what is kept nowhere is in neither.
func (f *Form) Kept(clean map[string]string) (columns, answers map[string]string) {
	columns = map[string]string{}
	for i := range f.Fields {
		field := &f.Fields[i]
		value, applies := clean[field.Name]
		switch {
		case !applies || field.Keep == KeepNone:
		case field.Keep != KeepAnswers:
			columns[field.Keep] = field.kept(value)
		case value != "":
			if answers == nil {
				answers = map[string]string{}
			}
			answers[field.Name] = field.kept(value)
		}
	}
	return columns, answers
}

// KeptIn is the field that is kept in a column; nil for none, and where there is no form.
func (f *Form) KeptIn(column string) *Field {
	if f == nil || column == KeepAnswers || column == KeepNone {
		return nil
	}
	i := slices.IndexFunc(f.Fields, func(field Field) bool { return field.Keep == column })
	if i < 0 {
		return nil
	}
	return &f.Fields[i]
}

// kept is a clean value as it is kept: a date by year, month and day, a sum in paise.
func (f *Field) kept(value string) string {
	switch {
	case f.Kind == "date" && isDate(value):
		return isoOf(value)
	case f.Kind == "amount":
		return paiseOf(value)
	}
	return value
}

// back is the way back from kept.
func (f *Field) back(value string) string {
	switch {
	case f.Kind == "date" && isoDate.MatchString(value):
		return dateOf(value)
	case f.Kind == "amount":
		return sumOf(value)
	}
	return value
}

// Typed is the way back from Kept: what was kept, by field, so that the form can show it again. A column that columns does
// not hold, and an answer to a question that the form does not ask any more, is left out.
func (f *Form) Typed(columns, answers map[string]string) map[string]string {
	typed := map[string]string{}
	for i := range f.Fields {
		field := &f.Fields[i]
		from, name := columns, field.Keep
		if field.Keep == KeepAnswers {
			from, name = answers, field.Name
		}
		if value, kept := from[name]; kept {
			typed[field.Name] = field.back(value)
		}
	}
	return typed
}

// CheckKeep refuses a field that is kept in none of the known columns and records, nor as an answer, nor nowhere.
func (f *Form) CheckKeep(known ...string) error {
	for i := range f.Fields {
		if keep := f.Fields[i].Keep; keep != KeepAnswers && keep != KeepNone && !slices.Contains(known, keep) {
			return fmt.Errorf("the form %s keeps %s in %q, which there is not", f.Name, f.Fields[i].Name, keep)
		}
	}
	return nil
}

// soundKeep checks where values are kept and what a call names them: a value that two fields write, or that none can tell
// apart on the wire, would be lost.
func (f *Form) soundKeep() error {
	for i := range f.Fields {
		field := &f.Fields[i]
		if field.Keep == "" {
			return fmt.Errorf("field %q: does not say where it is kept", field.Name)
		}
		for j := range f.Fields {
			other := &f.Fields[j]
			switch {
			case i == j:
			case field.Keep == other.Keep && field.Keep != KeepAnswers && field.Keep != KeepNone:
				return fmt.Errorf("field %q: %q keeps another field already", field.Name, field.Keep)
			case field.WireName() == other.Name || field.WireName() == other.WireName():
				return fmt.Errorf("field %q: a call has another field named %q", field.Name, field.WireName())
			}
		}
	}
	return nil
}

// ShortLabel is a field's label where its answer stands beside it.
func (f *Field) ShortLabel() string { return cmp.Or(f.Short, f.Label) }

// Said is a field's clean value in the words of people: a choice by its label, several joined by commas; a box that is ticked as
// Yes, a date as 14/08/2005, a sum as 3,20,000.
func (f *Form) Said(name, value string) string {
	field := f.Field(name)
	switch {
	case field == nil:
		return value
	case field.Kind == "date" && isDate(value):
		return strings.ReplaceAll(value, "-", "/")
	case field.Kind == "amount":
		return grouped(value)
	case field.Kind == "checkbox" && value == "true":
		return "Yes"
	}
	options := field.Options
	if field.OptionsFrom == "countries" {
		options = countryOptions
	}
	if len(options) == 0 {
		return value
	}
	var words []string
	for _, one := range strings.Split(value, ",") {
		i := slices.IndexFunc(options, func(o Option) bool { return o.Value == one })
		if i >= 0 {
			one = options[i].Label
		}
		words = append(words, one)
	}
	return strings.Join(words, ", ")
}

// SaidOf lists answers below a text: "Label: words", a line each in the form's order, after an empty line. Without answers
// it is "".
func (f *Form) SaidOf(answers map[string]string) string {
	var lines strings.Builder
	for i := range f.Fields {
		if value, answered := answers[f.Fields[i].Name]; answered {
			lines.WriteString("\n" + f.Fields[i].Label + ": " + f.Said(f.Fields[i].Name, value))
		}
	}
	if lines.Len() == 0 {
		return ""
	}
	return "\n" + lines.String()
}
