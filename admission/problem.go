package admission

import (
	"errors"
	"fmt"
	"time"

	"hiresure/forms"
)

// Kind is the kind of a Problem. Each transport maps kinds to its status codes.
type Kind string

const (
	Invalid         Kind = "invalid"     // a field is wrong
	NotFound        Kind = "not found"   // also for records of others
	Conflict        Kind = "conflict"    // the current state does not allow it
	TooMany         Kind = "too many"    // try again after RetryAfter
	AlreadyVerified Kind = "proven"      // the session has verified this phone already
	Unavailable     Kind = "unavailable" // a required service does not answer
	SignedOut       Kind = "signed out"  // the call requires a sign-in
)

// Problem is a refusal that a visitor may read. Any other error is internal.
type Problem struct {
	Kind       Kind
	Field      string // wire name of the faulty field, or ""
	Message    string
	RetryAfter time.Duration
	Faults     []forms.Fault // all faulty fields, in the form's order; the first equals Field and Message
	Challenge  any           // proof of work, as JSON, after which the call is accepted at once; nil for none
}

func (p *Problem) Error() string { return string(p.Kind) + ": " + p.Message }

// Errors returns the messages by wire name, for the JSON API.
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

// AsProblem returns the Problem in err, or nil.
func AsProblem(err error) *Problem {
	if problem, ok := errors.AsType[*Problem](err); ok {
		return problem
	}
	return nil
}

// HasKind reports whether err is a Problem of a kind.
func HasKind(err error, kind Kind) bool {
	problem := AsProblem(err)
	return problem != nil && problem.Kind == kind
}

// FieldProblem rejects a field, by its wire name.
func FieldProblem(field, message string) *Problem {
	return &Problem{Kind: Invalid, Field: field, Message: message, Faults: []forms.Fault{{Field: field, Message: message}}}
}

// ConflictProblem rejects a call that the current state does not allow; field may be "".
func ConflictProblem(field, message string) *Problem {
	return &Problem{Kind: Conflict, Field: field, Message: message}
}

// NotFoundProblem is the same for a missing record and for one of another visitor.
func NotFoundProblem(what string) *Problem {
	return &Problem{Kind: NotFound, Message: what + " not found."}
}

// TooManyProblem asks a visitor who has tried too often to wait, at least a second; field may be "".
func TooManyProblem(field string, wait time.Duration) *Problem {
	return BusyOthersProblem(field, "Too many tries.", wait)
}

// BusyOthersProblem asks to wait, at least a second, because of what others may have done: the cause is a sentence.
func BusyOthersProblem(field, cause string, wait time.Duration) *Problem {
	wait = max(wait, time.Second).Round(time.Second)
	return &Problem{Kind: TooMany, Field: field, RetryAfter: wait, Message: cause + " Please wait " + waitText(wait) + " and try again."}
}

// BusyProblem rejects a request that is being handled already, for at most held.
func BusyProblem(held time.Duration) *Problem {
	held = (max(held, time.Second) + time.Second - 1).Truncate(time.Second)
	return &Problem{Kind: Conflict, RetryAfter: held, Message: "This request is being worked on. Please try again in " + waitText(held) + "."}
}

// LoginProblem is the response of every call that requires a sign-in (spec §8).
func LoginProblem() *Problem {
	return &Problem{Kind: SignedOut, Message: "Something went wrong, Please login"}
}

// FormProblem converts a form's faults into a Problem; nil for none.
func FormProblem(faults []forms.Fault) *Problem {
	if len(faults) == 0 {
		return nil
	}
	return &Problem{Kind: Invalid, Field: faults[0].Field, Message: faults[0].Message, Faults: faults}
}

func waitText(wait time.Duration) string {
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
