package method

import (
	"cmp"
	"fmt"
	"strings"
)

// Setting is a variable of the environment that a gateway is configured by.
type Setting struct {
	Name    string                   // RAZORPAY_KEY_ID
	Meaning string                   // for those who set it
	Default string                   // where it is not set; "" where it must be
	Secret  bool                     // in production it must be hard to guess, and no other secret's twin; two may stand there with a comma, during a rotation
	Check   func(value string) error // nil: any text will do; the error completes a sentence: NAME "must be …"
	Test    func(value string) bool  // reports whether a value takes no real money: refused in production without PAYMENTS_TEST; nil: none does
}

// Settings are the values of a gateway's variables, by name.
type Settings map[string]string

// Plays reports whether a value of a setting takes no real money, or takes it in clear: it is of a provider's test environment,
// or of a simulator.
func (s Setting) Plays(value string) bool {
	return strings.HasPrefix(strings.ToLower(value), "http://") || s.Test != nil && s.Test(value)
}

// Configure reads a gateway's variables from an environment. given is false where nothing configures it: some are
// required, and none of all is set. faults name what is missing or malformed, each by its variable.
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
