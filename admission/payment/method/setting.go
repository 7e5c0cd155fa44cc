package method

import (
	"cmp"
	"fmt"
	"strings"
)

// Setting is an environment variable of a gateway.
type Setting struct {
	Name    string                   // RAZORPAY_KEY_ID
	Meaning string                   // for the operator
	Default string                   // used if it is not set; "": it is required
	Secret  bool                     // in production it must be hard to guess and differ from all other secrets; during a rotation it holds two, separated by a comma
	Check   func(value string) error // nil: any text is valid; the error completes a sentence: NAME "must be …"
	Script  bool                     // the address of a script that runs in our pages; in production it has the default's host
	Test    func(value string) bool  // reports whether a value belongs to a test environment, which production rejects without PAYMENTS_TEST; nil: none does
}

// Settings has the values of a gateway's variables by name.
type Settings map[string]string

// Plays reports whether a value belongs to a provider's test environment or to a simulator, so that no real money moves.
func (s Setting) Plays(value string) bool {
	return strings.HasPrefix(strings.ToLower(value), "http://") || s.Test != nil && s.Test(value)
}

// Configure reads a gateway's variables. given is false if the gateway is not configured: no variable is set, and some are
// required. faults has an error for each missing or malformed variable.
func (d Descriptor) Configure(environ map[string]string) (values Settings, given bool, faults []error) {
	values, given = Settings{}, true
	for _, s := range d.Settings {
		given = given && s.Default != ""
	}
	for _, s := range d.Settings {
		given = given || environ[s.Name] != ""
		value := cmp.Or(environ[s.Name], s.Default)
		if value == "" {
			faults = append(faults, fmt.Errorf("gateway %s needs %s", d.Name, s.Name))
			continue
		}
		if s.Check != nil {
			if err := s.Check(value); err != nil {
				faults = append(faults, fmt.Errorf("%s %w", s.Name, err))
			}
		}
		values[s.Name] = value
	}
	return values, given, faults
}
