package components

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hiresure/forms"
)

// FieldProps is a field with its state. islands/forms/Field.tsx takes the same props and renders the same markup.
type FieldProps struct {
	Name  string // wire name
	Scope string // distinguishes equal fields of two forms on one page ("enquiry-"); part of every id
	Kind  string // text, email, tel, otp, code, select, country, textarea, checkbox, checkboxes, yesno, date, amount, hidden
	Label string
	Links []Link // documents in the label
	Hint  string
	Live  string // ends the hint where scripts run
	Error string
	Warns string // warning that does not block
	Value string

	Values       []string       // ticked checkboxes
	Options      []forms.Option // of select, country, checkboxes
	Empty        string         // label of the empty option of a select ("Choose a course")
	Prefix       string         // shown before the input ("+91"), not part of the value
	Placeholder  string
	Autocomplete string
	InputMode    string
	MaxLength    int // 0: none; a textarea shows a count but is not cut off
	Optional     bool
	Checked      bool
	ReadOnly     bool
	Hidden       bool // rendered but not shown
	Half         bool // shares its row on wide screens
	PlainOnly    bool // shown only without the folding script
	Focused      bool // focused when the page opens

	Verified string        // word at the right end ("Verified", "Applied"); "" if unverified
	Digits   int           // typed digits of a code
	Action   *SubmitAction // button next to the input
}

// SubmitAction is a button that submits Name=Value.
type SubmitAction struct {
	Name, Value, Label string
	Busy               bool
}

func (p FieldProps) inputID() string { return "f-" + p.Scope + p.Name }
func (p FieldProps) errorID() string { return "e-" + p.Scope + p.Name }
func (p FieldProps) hintID() string  { return "h-" + p.Scope + p.Name }

func (p FieldProps) labelID() string { return "l-" + p.Scope + p.Name }

func (p FieldProps) warnsID() string { return "w-" + p.Scope + p.Name }

func (p FieldProps) verifiedID() string { return "v-" + p.Scope + p.Name }

func (p FieldProps) optionID(o forms.Option) string { return p.inputID() + "-" + o.Value }

// describedBy lists the ids in the order to be heard: error, warning, hint, verification.
func (p FieldProps) describedBy() string {
	var ids []string
	if p.Error != "" {
		ids = append(ids, p.errorID())
	}
	if p.Warns != "" {
		ids = append(ids, p.warnsID())
	}
	if p.Hint != "" {
		ids = append(ids, p.hintID())
	}
	if p.Verified != "" {
		ids = append(ids, p.verifiedID())
	}
	return strings.Join(ids, " ")
}

// enterKeyHint returns the label of a phone's Enter key.
func (p FieldProps) enterKeyHint() string {
	switch p.Kind {
	case "text", "email", "tel", "date", "amount":
		return "next"
	case "otp", "code":
		return "go"
	}
	return ""
}

// inputType returns the type attribute of the input.
func (p FieldProps) inputType() string {
	switch p.Kind {
	case "email", "tel":
		return p.Kind
	}
	return "text"
}

func (p FieldProps) inputClass() string {
	switch p.Kind {
	case "otp":
		return "input input-otp"
	case "code":
		return "input input-code"
	}
	return "input"
}

func (p FieldProps) class() string {
	class := "field"
	if p.Kind == "checkbox" || p.Kind == "checkboxes" {
		class += " field-check"
	}
	if p.Half {
		class += " half"
	}
	if p.PlainOnly {
		class += " without-scripts"
	}
	return class
}

// answerID returns the id of an answer. The first has the field's id, which errors link to.
func (p FieldProps) answerID(i int, o forms.Option) string {
	if i == 0 {
		return p.inputID()
	}
	return p.optionID(o)
}

// counts reports whether characters are counted.
func (p FieldProps) counts() bool { return p.Kind == "textarea" && p.MaxLength > 0 }

// count returns the number of characters, with line ends as one, like the rules.
func (p FieldProps) count() int {
	return utf8.RuneCountInString(strings.ReplaceAll(p.Value, "\r\n", "\n"))
}

// datePart is one of a date's three inputs, which share a name. The first has the field's id, which errors link to.
type datePart struct{ ID, Class, Sign, Word, Value, Autocomplete string }

func (p FieldProps) dateParts() []datePart {
	parts := []datePart{
		{ID: p.inputID(), Class: "day", Sign: "DD", Word: ", day"},
		{ID: p.inputID() + "-month", Class: "month", Sign: "MM", Word: ", month"},
		{ID: p.inputID() + "-year", Class: "year", Sign: "YYYY", Word: ", year"},
	}
	for i, value := range forms.DateParts(p.Value) {
		parts[i].Value = value
		if p.Autocomplete != "" {
			parts[i].Autocomplete = p.Autocomplete + "-" + parts[i].Class
		}
	}
	return parts
}

func (p FieldProps) ticked(o forms.Option) bool { return slices.Contains(p.Values, o.Value) }

// ErrorSummaryProps lists the faults of a posted form.
type ErrorSummaryProps struct {
	Title  string
	Lead   string // number of faults; may be empty
	Scope  string // see FieldProps
	Errors []FieldError
}

func (p ErrorSummaryProps) titleID() string { return p.Scope + "problem" }
func (p ErrorSummaryProps) leadID() string  { return p.Scope + "problems" }

// FieldError is a message with its field; without a field it is plain text.
type FieldError struct{ Field, Message string }
