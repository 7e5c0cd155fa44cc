package components

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hiresure/forms"
)

// FieldProps describes one field in one state. The React twin (islands/forms/Field.tsx) takes the same and renders the same.
type FieldProps struct {
	Name  string // wire name
	Scope string // tells apart equal fields of two forms on one page ("enquiry-"); part of every id
	Kind  string // text, email, tel, otp, code, select, country, textarea, checkbox, checkboxes, yesno, date, amount, hidden
	Label string
	Links []Link // what the label leads to: documents that a checkbox names
	Hint  string
	Error string
	Warns string // what is probably wrong, and keeps nobody from going on
	Value string

	Values       []string       // of checkboxes: the ticked ones
	Options      []forms.Option // of select, country, checkboxes
	Empty        string         // of select: what stands there before a choice ("Choose a course"), with the value ""
	Prefix       string         // shown before the input, no part of the value ("+91")
	Placeholder  string
	Autocomplete string
	InputMode    string
	MaxLength    int // 0: none; of a textarea, whose characters are counted, no input is cut off at it
	Optional     bool
	Checked      bool
	ReadOnly     bool
	Hidden       bool // stands in the markup, is not shown
	Half         bool // shares its row where there is room
	PlainOnly    bool // shown only where no script folds the form
	Focused      bool // takes the focus when the page opens

	Verified string        // the word inside of the right end ("Verified", "Applied"); empty: not verified
	Digits   int           // of a code: how many stand there, as its loops are drawn
	Action   *SubmitAction // the button beside the input
}

// SubmitAction is a button that sends its form with Name=Value.
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

// describedBy lists error before warning before hint before proof, as they are to be heard.
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

// enterKeyHint is what the Enter key of a phone says.
func (p FieldProps) enterKeyHint() string {
	switch p.Kind {
	case "text", "email", "tel", "date", "amount":
		return "next"
	case "otp", "code":
		return "go"
	}
	return ""
}

// inputType is the type of the <input> that a kind needs.
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
		class += " plain-only"
	}
	return class
}

// answerID is the id of one of two answers: the first stands for the field, whose error leads to it.
func (p FieldProps) answerID(i int, o forms.Option) string {
	if i == 0 {
		return p.inputID()
	}
	return p.optionID(o)
}

// counts reports whether the characters of the field are counted.
func (p FieldProps) counts() bool { return p.Kind == "textarea" && p.MaxLength > 0 }

// count is how many characters stand there, line ends as one each, as rules count them.
func (p FieldProps) count() int {
	return utf8.RuneCountInString(strings.ReplaceAll(p.Value, "\r\n", "\n"))
}

// datePart is one of the three inputs of a date, all of one name. The first stands for the field, whose error leads to it.
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

// ErrorSummaryProps lists what is wrong with a form that was sent.
type ErrorSummaryProps struct {
	Title  string
	Lead   string // says how much is wrong in all; empty: nothing
	Scope  string // as in the fields
	Errors []FieldError
}

func (p ErrorSummaryProps) titleID() string { return p.Scope + "problem" }
func (p ErrorSummaryProps) leadID() string  { return p.Scope + "problems" }

// FieldError is a message and the field that it speaks of; an empty Field makes it plain text. What has a Label shows that,
// as the message stands at the field: it is heard with it.
type FieldError struct{ Field, Label, Message string }
