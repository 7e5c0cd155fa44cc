package admission

import (
	"errors"
	"fmt"
	"time"

	"hiresure/forms"
)

// Kind says what sort of refusal a Problem is; each transport maps kinds to its own status in one table.
type Kind string

const (
	Invalid     Kind = "invalid"     // a field is wrong
	NotFound    Kind = "not found"   // also: not yours
	Conflict    Kind = "conflict"    // the state of things does not allow it
	TooMany     Kind = "too many"    // try again after RetryAfter
	Proven      Kind = "proven"      // this session has already proven this phone
	Unavailable Kind = "unavailable" // a service that we need does not answer
	SignedOut   Kind = "signed out"  // nobody is signed in who may ask for this
)

// Problem is a refusal that a visitor may read. Every other error is a fault of ours.
type Problem struct {
	Kind       Kind
	Field      string // wire name of the field at fault; "" where none is
	Message    string
	RetryAfter time.Duration
	Faults     []forms.Fault // every field at fault, in the form's order; the first equals Field and Message
}

func (p *Problem) Error() string { return string(p.Kind) + ": " + p.Message }

// Errors returns the faults keyed by wire name, as the JSON API sends them.
func (p *Problem) Errors() map[string]string {
	all := map[string]string{}
	if p.Field != "" {
		all[p.Field] = p.Message
	}
	for _, fault := range p.Faults {
		if _, seen := all[fault.Field]; !seen {
			all[fault.Field] = fault.Message
		}
	}
	return all
}

// AsProblem finds the Problem in err, or nil.
func AsProblem(err error) *Problem {
	if problem, ok := errors.AsType[*Problem](err); ok {
		return problem
	}
	return nil
}

// FieldProblem refuses a field, by its wire name.
func FieldProblem(field, message string) *Problem {
	return &Problem{Kind: Invalid, Field: field, Message: message, Faults: []forms.Fault{{Field: field, Message: message}}}
}

// ConflictProblem says that the state of things does not allow what was asked; field may be "".
func ConflictProblem(field, message string) *Problem {
	return &Problem{Kind: Conflict, Field: field, Message: message}
}

// NotFoundProblem says that something is not there, or is not the visitor's: both read the same.
func NotFoundProblem(what string) *Problem {
	return &Problem{Kind: NotFound, Message: what + " not found."}
}

// TooManyProblem asks to wait, for a second at least; field may be "".
func TooManyProblem(field string, wait time.Duration) *Problem {
	wait = max(wait, time.Second).Round(time.Second)
	return &Problem{Kind: TooMany, Field: field, RetryAfter: wait, Message: "Too many tries. Please wait " + spoken(wait) + " and try again."}
}

// BusyProblem refuses what is being worked on already; held is when it can be sent again at the latest.
func BusyProblem(held time.Duration) *Problem {
	held = (max(held, time.Second) + time.Second - 1).Truncate(time.Second)
	return &Problem{Kind: Conflict, RetryAfter: held, Message: "This request is being worked on. Please try again in " + spoken(held) + "."}
}

// LoginProblem is what every call says that needs somebody who is signed in, whatever is wrong with the sign-in (spec §8).
func LoginProblem() *Problem {
	return &Problem{Kind: SignedOut, Message: "Something went wrong, Please login"}
}

// FormProblem turns the faults of a checked form into one Problem, or nil.
func FormProblem(faults []forms.Fault) *Problem {
	if len(faults) == 0 {
		return nil
	}
	return &Problem{Kind: Invalid, Field: faults[0].Field, Message: faults[0].Message, Faults: faults}
}

func spoken(wait time.Duration) string {
	unit, n := "second", int(wait.Seconds())
	if n >= 120 {
		unit, n = "minute", (n+59)/60
	}
	if n >= 120 && unit == "minute" {
		unit, n = "hour", (n+59)/60
	}
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}
