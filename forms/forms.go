// Package forms holds every form as data and validates visitors' input.
//
// A form is a JSON file in this folder: fields, labels, choices, clean-up steps (clean), and rules with their exact messages. The first
// failing rule wins. islands/forms/check.ts interprets the same files in the browser, and cases.json runs in both. To agree, both sides
// use fixed definitions: invisible characters are removed by code point (removeInvisible); lengths count Unicode code points; trim strips ASCII
// white space; upper and lower map ASCII letters; patterns use the common subset of RE2 and JavaScript's u flag; today comes from the
// server.
package forms

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Form is one form. Fields are in display order, which is also the order of faults.
type Form struct {
	Name    string  `json:"name"`
	Version int     `json:"-"` // stored with answers; from versions.json, where ./task generate counts up when the questions change
	Steps   []Step  `json:"steps"`
	Fields  []Field `json:"fields"`

	Facts []string `json:"facts"` // names of Env.Facts that rules may use
}

// Field is an input. Name is its name in the page and, without Wire, in JSON calls.
type Field struct {
	Name         string   `json:"name"`
	Label        string   `json:"label"`
	Short        string   `json:"short"`   // label next to the answer, and of a checkbox in a list of faults, if not Label
	Kind         string   `json:"kind"`    // text, code, email, tel, otp, select, textarea, checkbox, checkboxes, yesno, country, hidden, date, amount
	Group        string   `json:"group"`   // its group in the layout
	Keep         string   `json:"keep"`    // storage: a column, answers, none, or another record by name (consents, terms)
	Purpose      string   `json:"purpose"` // why it is stored: a row of the privacy notice (store/notice_test.go)
	Wire         string   `json:"wire"`    // name in JSON calls, if not Name
	Unsent       bool     `json:"unsent"`  // not part of the form's JSON call; it has its own call
	Half         bool     `json:"half"`    // shares its row if there is room
	Autocomplete string   `json:"autocomplete"`
	Inputmode    string   `json:"inputmode"`
	Prefix       string   `json:"prefix"` // displayed before the input, not part of the value
	Hint         string   `json:"hint"`
	Value        string   `json:"value"` // initial value, and result of the step "default" for an empty one
	Optional     bool     `json:"optional"`
	MaxLength    int      `json:"maxlength"`   // of the input; 0 for none; larger than the rule's if separators are removed
	Options      []Option `json:"options"`     // the choices, or
	OptionsFrom  string   `json:"optionsFrom"` // their source: Env.Options["courses"], Env.Options["states"], Countries, or the years since 1951
	Country      string   `json:"country"`     // the earlier field with the country of a phone number
	When         []When   `json:"when"`        // conditions for the field to apply
	Clean        []string `json:"clean"`
	Rules        []Rule   `json:"rules"`
	Warn         []Rule   `json:"warn"` // failing ones warn the visitor without refusing the form
}

// Option is a choice of a select or yes-no field, or a box of checkboxes.
type Option struct {
	Value string `json:"value"`
	Label string `json:"label"`
	Text  string `json:"text,omitempty"` // explanation of a box

	PINs []string `json:"pins,omitempty"` // of a State: first two digits of its PIN codes
}

// When is a condition on a field; of a field or group, on an earlier one. One of:
//   - its value is Is, or is not Not
//   - it has the value of another field, Same, and is not empty
//   - it is a date of birth, of somebody Under so many years old, or NotUnder
//   - its value is Unproven
type When struct {
	Field    string `json:"field"`
	Is       string `json:"is"`
	Not      string `json:"not"`
	Same     string `json:"same"`
	Under    int    `json:"under"`
	NotUnder int    `json:"notUnder"`
	Unproven string `json:"unproven"`
}

// Rule is a requirement on a clean value. The first failing rule's message is shown.
type Rule struct {
	Kind    string `json:"kind"` // see holds
	Message string `json:"message"`
	Min     int    `json:"min"`     // length, in code points; or number, or years
	Max     int    `json:"max"`     // length, in code points, or number, or years; 0 for no limit
	Pattern string `json:"pattern"` // a name in patterns.json; of signs: it matches one character
	Field   string `json:"field"`   // the other field of after, differs, proven and pin
	When    []When `json:"when"`
}

// Env is the context of a check.
type Env struct {
	Options map[string][]Option // "courses", "states"
	// Proven maps a field to the value that the server has verified: phone_number and guardian_phone by a code, coupon_code by
	// applying it. Any other value of the field is unverified.
	Proven map[string]string
	Today  string            // YYYY-MM-DD in Asia/Kolkata
	Facts  map[string]string // by the names of Form.Facts
}

// Fault is an invalid field and its message.
type Fault struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Values converts a posted form: several values of one name (checkboxes) are joined by commas.
func Values(posted url.Values) map[string]string {
	values := make(map[string]string, len(posted))
	for name, all := range posted {
		values[name] = strings.Join(all, ",")
	}
	return values
}

// Field returns the field of that name, or nil.
func (f *Form) Field(name string) *Field {
	if i := slices.IndexFunc(f.Fields, func(field Field) bool { return field.Name == name }); i >= 0 {
		return &f.Fields[i]
	}
	return nil
}

// Check validates the whole form. clean has every field that applies, cleaned, faulty or not; other fields and unknown names are absent.
// Faults are in field order, at most one per field.
func (f *Form) Check(in map[string]string, env Env) (clean map[string]string, faults []Fault) {
	return f.check(in, env, true, func(string) bool { return true })
}

// CheckOnly validates some fields, for "Send code" or "Apply". It skips the rules of kind proven, because these calls verify the value.
// clean has only the named fields.
func (f *Form) CheckOnly(in map[string]string, env Env, fields ...string) (clean map[string]string, faults []Fault) {
	return f.check(in, env, false, func(name string) bool { return slices.Contains(fields, name) })
}

// CheckField is CheckOnly for one field; message is "" if it is valid.
func (f *Form) CheckField(name string, in map[string]string, env Env) (clean, message string) {
	values, faults := f.CheckOnly(in, env, name)
	if len(faults) > 0 {
		message = faults[0].Message
	}
	return values[name], message
}

// Applies reports whether a field applies, given the values of earlier fields.
func (f *Form) Applies(name string, in map[string]string, env Env) bool {
	clean, _ := f.CheckOnly(in, env, name)
	_, applies := clean[name]
	return applies
}

func (f *Form) check(in map[string]string, env Env, whole bool, wanted func(name string) bool) (map[string]string, []Fault) {
	clean, faults := map[string]string{}, []Fault{}
	see := f.view(in, env, whole)
	for i := range f.Fields {
		field := &f.Fields[i]
		value, applies := see.values[field.Name]
		if !applies || !wanted(field.Name) {
			continue
		}
		clean[field.Name] = value
		if message := field.fault(value, see); message != "" {
			faults = append(faults, Fault{Field: field.Name, Message: message})
		}
	}
	return clean, faults
}

// view is the context of a rule: the environment and the clean values of the fields that apply.
type view struct {
	env    Env
	whole  bool // the whole form is checked
	values map[string]string
}

// view returns the context of the form's rules. Whether a field applies depends on the fields before it.
func (f *Form) view(in map[string]string, env Env, whole bool) view {
	see := view{env: env, whole: whole, values: map[string]string{}}
	for _, fact := range f.Facts {
		see.values[fact] = env.Facts[fact]
	}
	for i := range f.Fields {
		if field := &f.Fields[i]; see.all(field.When) {
			see.values[field.Name] = field.tidy(in[field.Name], see)
		}
	}
	return see
}

// Warnings returns the failing Warn rules of the fields that apply and have no fault.
func (f *Form) Warnings(in map[string]string, env Env) []Fault {
	warnings, see := []Fault{}, f.view(in, env, false)
	for i := range f.Fields {
		field := &f.Fields[i]
		value, applies := see.values[field.Name]
		if !applies || len(field.Warn) == 0 || field.fault(value, see) != "" {
			continue
		}
		if rule := failing(field.Warn, field, value, see); rule != nil {
			warnings = append(warnings, Fault{Field: field.Name, Message: strings.ReplaceAll(rule.Message, "{choice}", f.choice(rule.Field, see))})
		}
	}
	return warnings
}

// choice returns the label of a field's chosen option; "" without such a field.
func (f *Form) choice(name string, see view) string {
	field := f.Field(name)
	if field == nil {
		return ""
	}
	for _, option := range field.Choices(see.env) {
		if option.Value == see.values[name] {
			return option.Label
		}
	}
	return ""
}

func (v view) all(conditions []When) bool {
	for _, c := range conditions {
		value := v.values[c.Field]
		if c.Is != "" && value != c.Is || c.Not != "" && value == c.Not || c.Same != "" && (value == "" || value != v.values[c.Same]) || c.Under > 0 && !Under(c.Under, value, v.env.Today) ||
			c.NotUnder > 0 && Under(c.NotUnder, value, v.env.Today) || c.Unproven != "" && v.proven(c.Unproven) {
			return false
		}
	}
	return true
}

func (v view) proven(field string) bool {
	value := v.values[field]
	return value != "" && value == v.env.Proven[field]
}

// country returns the country of a field's number. An unknown one accepts any number, since the country field has its own fault.
func (v view) country(field *Field) Country {
	if country, known := CountryOf(v.values[field.Country]); known {
		return country
	}
	return Country{Min: 4, Max: 15}
}

// Choices returns the options of a select or of checkboxes.
func (f *Field) Choices(env Env) []Option {
	switch f.OptionsFrom {
	case "":
		return f.Options
	case "countries":
		return countryOptions
	case "years":
		return examYears(env.Today)
	default:
		return env.Options[f.OptionsFrom]
	}
}

func (f *Field) fault(value string, see view) string {
	if value == "" && f.Optional {
		return ""
	}
	if rule := failing(f.Rules, f, value, see); rule != nil {
		return f.message(rule, value, see)
	}
	return ""
}

// failing returns the first failing rule, or nil.
func failing(rules []Rule, field *Field, value string, see view) *Rule {
	for i := range rules {
		if rule := &rules[i]; see.all(rule.When) && !rule.holds(field, value, see) {
			return rule
		}
	}
	return nil
}

func (f *Field) message(rule *Rule, value string, see view) string {
	switch rule.Kind {
	case "signs":
		return strings.Replace(rule.Message, "{sign}", rule.refusedSign(value), 1)
	case "range":
		return f.rangeMessage(rule, see)
	}
	return rule.Message
}

func (f *Field) rangeMessage(rule *Rule, see view) string {
	country := see.country(f)
	if country.Min == country.Max {
		return strings.NewReplacer("between {min} and {max}", "exactly "+strconv.Itoa(country.Max)).Replace(rule.Message)
	}
	return strings.NewReplacer("{min}", strconv.Itoa(country.Min), "{max}", strconv.Itoa(country.Max)).Replace(rule.Message)
}
