package checkout

import (
	"regexp"
	"slices"
	"strings"

	"hiresure/admission"
	"hiresure/admission/payment"
)

// method is a way to pay, where the visitor chooses.
type method struct {
	Gateway, Name, Note, Amount string
	Chosen                      bool
	Silent                      bool // it is not offered at the moment
	NeedsScripts                bool
}

// doesNotAnswer is the note of a method that is silent.
const doesNotAnswer = "Does not answer at the moment."

// nobodyAnswers stands where the button would, while all methods are silent.
const nobodyAnswers = "No way to pay answers at the moment. What you typed is kept: come back in a few minutes."

// methodsOf are the ways to pay, in the order of due, the silent ones last.
func methodsOf(due payment.Due) (methods []method) {
	chosen := due.Chosen(due.Methods)
	for _, m := range due.Methods {
		methods = append(methods, method{
			Gateway: m.Name, Name: m.Label, Note: m.Note, Amount: m.Charge.Short(), Chosen: m.Name == chosen, NeedsScripts: m.Forms == nil,
		})
	}
	for _, m := range due.Silent {
		methods = append(methods, method{Gateway: m.Name, Name: m.Label, Note: doesNotAnswer, Amount: m.Charge.Short(), Silent: true})
	}
	return methods
}

var ofPhones = regexp.MustCompile(`Android|iPhone|Mobile`)

// upiFirst puts the methods that take UPI first, for an Indian number at a phone: its apps are there.
func upiFirst(v admission.Visitor, due *payment.Due) {
	if !strings.HasPrefix(due.Registration.Phone, "+91") || !ofPhones.MatchString(v.UserAgent) {
		return
	}
	slices.SortStableFunc(due.Methods, func(a, b payment.Method) int {
		switch {
		case a.UPI == b.UPI:
			return 0
		case a.UPI:
			return -1
		}
		return 1
	})
}
