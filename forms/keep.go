package forms

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Kind is a field's type in a JSON call.
type Kind string

const (
	Text Kind = "text"
	Flag Kind = "flag" // a boolean; a form's value is "true" or "false"
	List Kind = "list" // of strings; a form's value joins them by commas
)

// Storage places other than columns.
const (
	KeepAnswers = "answers" // JSON by field name, for values that are neither searched nor decided on
	KeepNone    = "none"    // not stored: used at once (a code), or derived from another field
)

// WireName returns the field's name in JSON calls and their errors.
func (f *Field) WireName() string {
	if f.Wire != "" {
		return f.Wire
	}
	return f.Name
}

// WireKind returns the field's type in JSON calls.
func (f *Field) WireKind() Kind {
	switch f.Kind {
	case "checkbox", "yesno":
		return Flag
	case "checkboxes":
		return List
	}
	return Text
}

// Required reports whether the field is required whatever the other values.
func (f *Field) Required() bool {
	return len(f.When) == 0 && slices.ContainsFunc(f.Rules, func(r Rule) bool { return r.Kind == "required" && len(r.When) == 0 })
}

// Shape returns the fields of the form's JSON call: kinds by wire name.
func (f *Form) Shape() map[string]Kind {
	shape := map[string]Kind{}
	for i := range f.Fields {
		if field := &f.Fields[i]; !field.Unsent {
			shape[field.WireName()] = field.WireKind()
		}
	}
	return shape
}

// FromWire renames the values of a call to field names. Values of other names are unchanged.
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

// OnWire returns a field's wire name; any other name is unchanged.
func (f *Form) OnWire(name string) string {
	if field := f.Field(name); field != nil {
		return field.WireName()
	}
	return name
}

// ToWire reverses FromWire: it returns values by wire name and kind. It omits invalid flags, unsent fields, and values that are not the
// form's.
func (f *Form) ToWire(values map[string]string) map[string]any {
	sent := map[string]any{}
	for i := range f.Fields {
		field := &f.Fields[i]
		value, present := values[field.Name]
		switch kind := field.WireKind(); {
		case !present || field.Unsent:
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

// Kept separates clean values by storage: by column (or other record's name), and answers by field. It omits empty values and those that
// are not stored.
func (f *Form) Kept(clean map[string]string) (columns, answers map[string]string) {
	columns = map[string]string{}
	for i := range f.Fields {
		field := &f.Fields[i]
		value, applies := clean[field.Name]
		switch {
		case !applies || field.Keep == KeepNone:
		case field.Keep != KeepAnswers:
			columns[field.Keep] = field.toStorage(value)
		case value != "":
			if answers == nil {
				answers = map[string]string{}
			}
			answers[field.Name] = field.toStorage(value)
		}
	}
	return columns, answers
}

// FieldOfColumn returns the field stored in a column; nil for none or a nil form.
func (f *Form) FieldOfColumn(column string) *Field {
	if f == nil || column == KeepAnswers || column == KeepNone {
		return nil
	}
	i := slices.IndexFunc(f.Fields, func(field Field) bool { return field.Keep == column })
	if i < 0 {
		return nil
	}
	return &f.Fields[i]
}

// toStorage converts a clean value for storage: a date to YYYY-MM-DD, an amount to paise.
func (f *Field) toStorage(value string) string {
	switch {
	case f.Kind == "date" && isDate(value):
		return isoOf(value)
	case f.Kind == "amount":
		return paiseOf(value)
	}
	return value
}

// fromStorage reverses kept.
func (f *Field) fromStorage(value string) string {
	switch {
	case f.Kind == "date" && isoDate.MatchString(value):
		return dateOf(value)
	case f.Kind == "amount":
		return sumOf(value)
	}
	return value
}

// Typed reverses Kept: it returns stored values by field, to show the form again. It omits missing columns and answers to fields that the
// form no longer has.
func (f *Form) Typed(columns, answers map[string]string) map[string]string {
	typed := map[string]string{}
	for i := range f.Fields {
		field := &f.Fields[i]
		from, name := columns, field.Keep
		if field.Keep == KeepAnswers {
			from, name = answers, field.Name
		}
		if value, kept := from[name]; kept {
			typed[field.Name] = field.fromStorage(value)
		}
	}
	return typed
}

// CheckKeep returns an error for a field whose storage is none of the known columns and records.
func (f *Form) CheckKeep(known ...string) error {
	for i := range f.Fields {
		if keep := f.Fields[i].Keep; keep != KeepAnswers && keep != KeepNone && !slices.Contains(known, keep) {
			return fmt.Errorf("the form %s stores %s in %q, which does not exist", f.Name, f.Fields[i].Name, keep)
		}
	}
	return nil
}

// validateStorage checks storage and wire names: duplicates would lose a value.
func (f *Form) validateStorage() error {
	for i := range f.Fields {
		field := &f.Fields[i]
		if field.Keep == "" {
			return fmt.Errorf("field %q: keep is missing", field.Name)
		}
		for j := range f.Fields {
			other := &f.Fields[j]
			switch {
			case i == j:
			case field.Keep == other.Keep && field.Keep != KeepAnswers && field.Keep != KeepNone:
				return fmt.Errorf("field %q: another field is stored in %q", field.Name, field.Keep)
			case field.WireName() == other.Name || field.WireName() == other.WireName():
				return fmt.Errorf("field %q: a call has another field named %q", field.Name, field.WireName())
			}
		}
	}
	return nil
}

// ShortLabel returns the label for use next to an answer.
func (f *Field) ShortLabel() string { return cmp.Or(f.Short, f.Label) }

// Display formats a clean value for display: choices by label, joined by commas; a ticked box as Yes, a date as 14/08/2005, an amount as
// 3,20,000.
func (f *Form) Display(name, value string) string {
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

// DisplayAnswers formats answers for a mail, one "Label: value" line each in the form's order, after an empty line; "" without answers.
func (f *Form) DisplayAnswers(answers map[string]string) string {
	var lines strings.Builder
	for i := range f.Fields {
		if value, answered := answers[f.Fields[i].Name]; answered {
			lines.WriteString("\n" + f.Fields[i].Label + ": " + f.Display(f.Fields[i].Name, value))
		}
	}
	if lines.Len() == 0 {
		return ""
	}
	return "\n" + lines.String()
}
