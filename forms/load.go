package forms

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

//go:embed enquiry.json enrolment.json grievance.json hiresure.json sign-in.json sign-up.json verify.json patterns.json countries.json versions.json
var files embed.FS

var shared = []string{"patterns.json", "countries.json", "versions.json"} // used by all forms; every other file is a form

var (
	patterns       map[string]*regexp.Regexp
	countries      []Country
	countryOptions []Option
	byName         map[string]*Form
	loadError      error
)

func init() { loadError = load() } // forms are constant

// Load returns the errors in the forms' data: an unknown key, kind, step or pattern, a rule without message, a condition on a later field,
// a field without group or storage. The server calls it at start.
func Load() error { return loadError }

// Set is the forms of a site. A nil Set has the built-in forms.
type Set struct{ replaced map[string]*Form }

// With returns the built-in forms, replaced by those in definitions (JSON) of the same name. Their version is the next one.
func With(definitions ...[]byte) (*Set, error) {
	if loadError != nil {
		return nil, loadError
	}
	set := &Set{replaced: map[string]*Form{}}
	for _, definition := range definitions {
		form, err := parse(definition)
		if err != nil {
			return nil, fmt.Errorf("forms: %w", err)
		}
		if byName[form.Name] == nil {
			return nil, fmt.Errorf("forms: no form %s", form.Name)
		}
		form.Version = byName[form.Name].Version + 1
		set.replaced[form.Name] = form
	}
	return set, nil
}

// Get returns a form by name: enquiry, enrolment, grievance, hiresure, sign-in, sign-up, verify. Callers must not change it. Get panics for
// an unknown name, and if Load fails, so call it at start.
func (s *Set) Get(name string) *Form {
	if s != nil && s.replaced[name] != nil {
		return s.replaced[name]
	}
	return Get(name)
}

// Get returns a built-in form.
func Get(name string) *Form {
	if loadError != nil {
		panic(loadError)
	}
	form, known := byName[name]
	if !known {
		panic("forms: no form " + name)
	}
	return form
}

func load() error {
	var sources map[string]string
	if err := read("patterns.json", &sources); err != nil {
		return err
	}
	var err error
	if patterns, err = compile(sources); err != nil {
		return fmt.Errorf("patterns.json: %w", err)
	}
	if err := read("countries.json", &countries); err != nil {
		return err
	}
	for _, country := range countries {
		countryOptions = append(countryOptions, Option{Value: country.Code, Label: country.Name})
	}
	var versions map[string]questions
	if err := read("versions.json", &versions); err != nil {
		return err
	}
	byName = map[string]*Form{}
	embedded, err := files.ReadDir(".")
	if err != nil {
		return fmt.Errorf("forms: %w", err)
	}
	for _, file := range embedded {
		if slices.Contains(shared, file.Name()) {
			continue
		}
		data, err := files.ReadFile(file.Name())
		if err != nil {
			return fmt.Errorf("forms: %w", err)
		}
		form, err := parse(data)
		if err == nil && form.Name+".json" != file.Name() {
			err = fmt.Errorf("the form's name is %q", form.Name)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file.Name(), err)
		}
		form.Version = versions[form.Name].Version
		byName[form.Name] = form
	}
	return nil
}

// questions is what a version of a form asks: one line per field, with everything that gives an answer its meaning.
type questions struct {
	Version int      `json:"version"`
	Fields  []string `json:"fields"`
}

func read(file string, into any) error {
	data, err := files.ReadFile(file)
	if err != nil {
		return fmt.Errorf("forms: %w", err)
	}
	if err := decode(data, into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

func decode(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

func compile(sources map[string]string) (map[string]*regexp.Regexp, error) {
	compiled := make(map[string]*regexp.Regexp, len(sources))
	for name, source := range sources {
		if err := portable(source); err != nil {
			return nil, fmt.Errorf("pattern %q: %w", name, err)
		}
		expression, err := regexp.Compile(source)
		if err != nil {
			return nil, fmt.Errorf("pattern %q: %w", name, err)
		}
		compiled[name] = expression
	}
	return compiled, nil
}

// portable rejects pattern syntax that RE2 and JavaScript's u flag don't share.
func portable(source string) error {
	if !strings.HasPrefix(source, "^") || !strings.HasSuffix(source, "$") {
		return fmt.Errorf("must match the whole value, ^…$")
	}
	inClass := false
	for i := 0; i < len(source); i++ {
		rest := source[i:]
		switch {
		case strings.HasPrefix(rest, `\p{`) || strings.HasPrefix(rest, `\P{`):
			i += 2
		case rest[0] == '\\':
			if len(rest) < 2 || !strings.ContainsRune(`^$\.*+?()[]{}|/`, rune(rest[1])) {
				return fmt.Errorf(`%q: only \p{…}, \P{…} and escaped punctuation mean the same on both sides`, rest)
			}
			i++
		case inClass && rest[0] == '[':
			return fmt.Errorf("%q: escape [ inside of a class", rest)
		case rest[0] == '[':
			inClass = true
		case rest[0] == ']':
			inClass = false
		case inClass:
		case rest[0] == '.':
			return fmt.Errorf("%q: a dot matches too much, name the characters", rest)
		case strings.HasPrefix(rest, "(?") && !strings.HasPrefix(rest, "(?:"):
			return fmt.Errorf("%q: of the (? groups only (?: is common", rest)
		}
	}
	return nil
}

var (
	fieldKinds    = []string{"text", "code", "email", "tel", "otp", "select", "textarea", "checkbox", "checkboxes", "yesno", "country", "hidden", "date", "amount"}
	optionSources = []string{"", "courses", "states", "countries", "years"}
)

func parse(data []byte) (*Form, error) {
	form := new(Form)
	if err := decode(data, form); err != nil {
		return nil, err
	}
	for i := range form.Fields {
		field := &form.Fields[i]
		if err := form.validate(field, form.Fields[:i]); err != nil {
			return nil, fmt.Errorf("field %q: %w", field.Name, err)
		}
	}
	if form.Name == "" {
		return nil, fmt.Errorf("a form needs a name")
	}
	if err := form.validateLayout(); err != nil {
		return nil, err
	}
	return form, form.validateStorage()
}

// has reports whether a field has a rule of a kind.
func (f *Field) has(rule string) bool {
	return slices.ContainsFunc(f.Rules, func(r Rule) bool { return r.Kind == rule })
}

// validate checks a field's data, given the fields before it.
func (form *Form) validate(f *Field, before []Field) error {
	earlier := func(name string) bool {
		return slices.Contains(form.Facts, name) || slices.ContainsFunc(before, func(b Field) bool { return b.Name == name })
	}
	switch {
	case f.Name == "" || f.Label == "":
		return fmt.Errorf("needs a name and a label")
	case earlier(f.Name):
		return fmt.Errorf("duplicate name")
	case !slices.Contains(fieldKinds, f.Kind):
		return fmt.Errorf("unknown kind %q", f.Kind)
	case !slices.Contains(optionSources, f.OptionsFrom):
		return fmt.Errorf("unknown source of options %q", f.OptionsFrom)
	case slices.Contains([]string{"select", "checkboxes", "yesno", "country"}, f.Kind) != (f.OptionsFrom != "" || len(f.Options) > 0):
		return fmt.Errorf("a choice needs options, and nothing else has them")
	case f.Kind == "yesno" && (len(f.Options) != 2 || f.Options[0].Value != "true" || f.Options[1].Value != "false"):
		return fmt.Errorf("its two answers are true and false, in this order")
	case f.Kind == "yesno" && !f.has("option"):
		return fmt.Errorf("two answers have a rule of kind option, which refuses what is none of them")
	case f.Country != "" && !earlier(f.Country):
		return fmt.Errorf("country field %q does not come before", f.Country)
	case (f.Kind == "checkboxes") != f.has("options"):
		return fmt.Errorf("boxes have a rule of kind options, which refuses what is none of them, and nothing else has")
	case f.Optional == (f.Value != "" || f.has("required")):
		return fmt.Errorf("must be either optional, or required or preset")
	}
	if err := validateConditions(f.When, earlier); err != nil {
		return err
	}
	for _, step := range f.Clean {
		if !slices.Contains(cleanSteps, step) {
			return fmt.Errorf("unknown clean step %q", step)
		}
	}
	for _, rule := range slices.Concat(f.Rules, f.Warn) {
		err := rule.validate(f.Name, earlier)
		if err == nil {
			err = validateConditions(rule.When, func(name string) bool { return earlier(name) || form.Field(name) != nil })
		}
		if err != nil {
			return fmt.Errorf("rule %q: %w", rule.Kind, err)
		}
	}
	return nil
}

func (r *Rule) validate(field string, earlier func(string) bool) error {
	switch {
	case !slices.Contains(ruleKinds, r.Kind):
		return fmt.Errorf("unknown kind")
	case r.Message == "":
		return fmt.Errorf("needs a message")
	case slices.Contains([]string{"pattern", "unlike", "signs"}, r.Kind) != (r.Pattern != ""):
		return fmt.Errorf("a rule on pattern, unlike or signs names a pattern, and nothing else does")
	case (r.Kind == "signs") != strings.Contains(r.Message, "{sign}"):
		return fmt.Errorf("the message of a rule on signs has {sign}, and nothing else has")
	case r.Pattern != "" && patterns[r.Pattern] == nil:
		return fmt.Errorf("unknown pattern %q", r.Pattern)
	case (r.Kind == "length" || r.Kind == "number" || r.Kind == "years ago") != (r.Min > 0 || r.Max > 0):
		return fmt.Errorf("a rule on length, number or years ago has min or max, and nothing else has")
	case slices.Contains([]string{"after", "differs", "proven", "pin"}, r.Kind) != (r.Field != ""):
		return fmt.Errorf("after, differs, proven and pin look at a field, and nothing else does")
	case r.Field != "" && !earlier(r.Field) && (r.Kind != "proven" || r.Field != field):
		return fmt.Errorf("field %q does not come before", r.Field)
	}
	return nil
}

// validateConditions checks conditions on fields that are known.
func validateConditions(conditions []When, known func(string) bool) error {
	for _, c := range conditions {
		demands := 0
		for _, demand := range []bool{c.Is != "", c.Not != "", c.Same != "", c.Under > 0, c.NotUnder > 0} {
			if demand {
				demands++
			}
		}
		if c.Unproven != "" && (c.Field != "" || demands > 0) || c.Unproven == "" && (c.Field == "" || demands != 1) {
			return fmt.Errorf("a condition is a field with is, not, same, under or notUnder, or an unproven field")
		}
		for _, name := range []string{c.Field + c.Unproven, c.Same} {
			if name != "" && !known(name) {
				return fmt.Errorf("condition on %q, which does not come before", name)
			}
		}
	}
	return nil
}
