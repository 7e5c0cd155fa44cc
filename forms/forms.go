// Package forms holds every form as data and says what is wrong with what a visitor sent.
//
// A form is a JSON file beside this one: fields, labels, choices, how a value is tidied (clean), and rules with their exact
// messages. The first rule that fails wins. islands/forms/check.ts interprets the same files in the browser; cases.json runs in
// both. The two agree because the meanings are pinned: what nobody sees is taken away by code point (legible); lengths count
// Unicode code points; trim strips ASCII white space; upper and lower map ASCII letters; patterns are written in what RE2 and
// JavaScript's u flag share; today comes from the server.
package forms

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Form is one form. Fields stand in the order in which a visitor meets them, which is also the order of faults.
type Form struct {
	Name    string  `json:"name"`
	Version int     `json:"version"` // kept beside what was answered; the next number whenever the form asks something else
	Steps   []Step  `json:"steps"`
	Fields  []Field `json:"fields"`

	Facts []string `json:"facts"` // what the form does not ask, for Env.Facts says it, and its rules may look at
}

// Field is one input. Name is its name in the page and, without Wire, in JSON calls.
type Field struct {
	Name         string   `json:"name"`
	Label        string   `json:"label"`
	Short        string   `json:"short"`  // what the label is where the answer stands beside it, and a box's in a list of faults, if that is another
	Kind         string   `json:"kind"`   // text, code, email, tel, otp, select, textarea, checkbox, checkboxes, yesno, country, hidden, date, amount
	Group        string   `json:"group"`  // the group of the layout that it stands in
	Keep         string   `json:"keep"`   // where its value is kept: a column, answers, none, or another record by name (consents, terms)
	Wire         string   `json:"wire"`   // its name in JSON calls, where that is another
	Unsent       bool     `json:"unsent"` // the form's JSON call does not take it: a call of its own does
	Half         bool     `json:"half"`   // shares its row where there is room
	Autocomplete string   `json:"autocomplete"`
	Inputmode    string   `json:"inputmode"`
	Prefix       string   `json:"prefix"` // shown before the input, no part of the value
	Hint         string   `json:"hint"`
	Value        string   `json:"value"` // preset, and what the step "default" puts in place of nothing
	Optional     bool     `json:"optional"`
	MaxLength    int      `json:"maxlength"`   // of the input, 0 for none; wider than the rule where separators are taken away
	Options      []Option `json:"options"`     // the choices, or
	OptionsFrom  string   `json:"optionsFrom"` // where they come from: Env.Options["courses"], Env.Options["states"], Countries, or the years since 1951
	Country      string   `json:"country"`     // the earlier field that holds the country of a phone number
	When         []When   `json:"when"`        // the field applies only while all of these hold
	Clean        []string `json:"clean"`
	Rules        []Rule   `json:"rules"`
	Warn         []Rule   `json:"warn"` // where one fails the visitor is told, and may go on
}

// Option is one choice of a select or of two answers, or one box of checkboxes.
type Option struct {
	Value string `json:"value"`
	Label string `json:"label"`
	Text  string `json:"text,omitempty"` // of a box: what follows from it

	PINs []string `json:"pins,omitempty"` // of a State: first two digits of its PIN codes
}

// When is a condition on an earlier field: that it holds Is, or does not hold Not, or a date of birth of somebody Under so many
// years, or none of such a one (NotUnder), or that its value has not been Unproven so far.
type When struct {
	Field    string `json:"field"`
	Is       string `json:"is"`
	Not      string `json:"not"`
	Under    int    `json:"under"`
	NotUnder int    `json:"notUnder"`
	Unproven string `json:"unproven"`
}

// Rule is one demand on a clean value. Of a form sent as a whole, and of a field checked by itself, the first failing rule speaks.
type Rule struct {
	Kind    string `json:"kind"` // see holds
	Message string `json:"message"`
	Min     int    `json:"min"`     // length, in code points; or number
	Max     int    `json:"max"`     // length, in code points, or number; 0 for no limit
	Pattern string `json:"pattern"` // a name in patterns.json
	Field   string `json:"field"`   // the field that after, differs, proven and pin look at
	When    []When `json:"when"`
}

// Env is what a check needs to know besides the form.
type Env struct {
	Options map[string][]Option // "courses", "states"
	// Proven maps a field to the value that the server knows to be proven: phone_number and guardian_phone by a code, coupon_code by
	// having been applied. Another value in the field is unproven again.
	Proven map[string]string
	Today  string            // YYYY-MM-DD in Asia/Kolkata
	Facts  map[string]string // what the server knows of the visitor, by the names of Form.Facts
}

// Fault is one refused field and what its visitor reads.
type Fault struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Values reads a posted form: several values of one name (checkboxes) are joined by commas.
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

// Check judges the whole form. clean holds every field that applies, tidied, whether it has a fault or not; a field that does not
// apply is absent, and so are names that the form does not know. Faults come in field order, one a field at most.
func (f *Form) Check(in map[string]string, env Env) (clean map[string]string, faults []Fault) {
	return f.check(in, env, true, func(string) bool { return true })
}

// CheckOnly judges some fields, as a press of "Send code" or "Apply" needs them. It leaves out the rules of kind proven, because
// proving is what such a press is for. clean holds the named fields only.
func (f *Form) CheckOnly(in map[string]string, env Env, fields ...string) (clean map[string]string, faults []Fault) {
	return f.check(in, env, false, func(name string) bool { return slices.Contains(fields, name) })
}

// CheckField is CheckOnly for one field. An empty message means that nothing is wrong.
func (f *Form) CheckField(name string, in map[string]string, env Env) (clean, message string) {
	values, faults := f.CheckOnly(in, env, name)
	if len(faults) > 0 {
		message = faults[0].Message
	}
	return values[name], message
}

// Applies says whether the field is asked for at all, given what stands in the fields before it.
func (f *Form) Applies(name string, in map[string]string, env Env) bool {
	clean, _ := f.CheckOnly(in, env, name)
	_, applies := clean[name]
	return applies
}

func (f *Form) check(in map[string]string, env Env, whole bool, wanted func(name string) bool) (map[string]string, []Fault) {
	clean, faults := map[string]string{}, []Fault{}
	see := f.view(env, whole)
	for i := range f.Fields {
		field := &f.Fields[i]
		if !see.all(field.When) {
			continue
		}
		value := field.tidy(in[field.Name], see)
		see.values[field.Name] = value
		if !wanted(field.Name) {
			continue
		}
		clean[field.Name] = value
		if message := field.fault(value, see); message != "" {
			faults = append(faults, Fault{Field: field.Name, Message: message})
		}
	}
	return clean, faults
}

// view is what a rule sees: the environment and the clean values of the fields before.
type view struct {
	env    Env
	whole  bool // the form was sent, not one of its parts
	values map[string]string
}

// view returns what a rule of the first field sees.
func (f *Form) view(env Env, whole bool) view {
	see := view{env: env, whole: whole, values: map[string]string{}}
	for _, fact := range f.Facts {
		see.values[fact] = env.Facts[fact]
	}
	return see
}

// Warnings lists what is probably wrong with the fields that apply, and keeps nobody from going on.
func (f *Form) Warnings(in map[string]string, env Env) []Fault {
	warnings, see := []Fault{}, f.view(env, false)
	for i := range f.Fields {
		field := &f.Fields[i]
		if !see.all(field.When) {
			continue
		}
		value := field.tidy(in[field.Name], see)
		see.values[field.Name] = value
		if rule := failing(field.Warn, field, value, see); rule != nil {
			warnings = append(warnings, Fault{Field: field.Name, Message: strings.ReplaceAll(rule.Message, "{choice}", f.choice(rule.Field, see))})
		}
	}
	return warnings
}

// choice is the label of what is chosen in a field.
func (f *Form) choice(name string, see view) string {
	field := f.Field(name)
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
		if c.Is != "" && value != c.Is || c.Not != "" && value == c.Not || c.Under > 0 && !Under(c.Under, value, v.env.Today) ||
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

// country is the country that the field's number belongs to. One that nobody knows takes any number, since its own field says so.
func (v view) country(field *Field) Country {
	if country, known := CountryOf(v.values[field.Country]); known {
		return country
	}
	return Country{Min: 4, Max: 15}
}

// Choices are the options of a select or of checkboxes.
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
		return f.message(rule, see)
	}
	return ""
}

// failing returns the first rule that does not hold, or nil.
func failing(rules []Rule, field *Field, value string, see view) *Rule {
	for i := range rules {
		if rule := &rules[i]; see.all(rule.When) && !rule.holds(field, value, see) {
			return rule
		}
	}
	return nil
}

func (f *Field) message(rule *Rule, see view) string {
	if rule.Kind != "range" {
		return rule.Message
	}
	country := see.country(f)
	if country.Min == country.Max {
		return strings.NewReplacer("between {min} and {max}", "exactly "+strconv.Itoa(country.Max)).Replace(rule.Message)
	}
	return strings.NewReplacer("{min}", strconv.Itoa(country.Min), "{max}", strconv.Itoa(country.Max)).Replace(rule.Message)
}
