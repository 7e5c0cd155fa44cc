package config

import (
	"fmt"
	"strings"
)

// faults are the errors of an environment.
type faults []error

func (f *faults) refuse(when bool, format string, args ...any) {
	if when {
		*f = append(*f, fmt.Errorf(format, args...))
	}
}

func (f *faults) oneOf(name, value string, allowed ...string) {
	for _, a := range allowed {
		if value == a {
			return
		}
	}
	f.refuse(true, "%s must be %s, not %q", name, strings.Join(allowed, " or "), value)
}
