package checkout

import (
	"regexp"
	"slices"
	"strings"

	"hiresure/admission"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
)

// wayToPay is one of several, where the visitor chooses.
type wayToPay struct {
	Gateway, Name, Note string
	Icon                method.Icon
	Amount              string // "" where all take the same
	Chosen              bool
	Silent              bool // it is not offered at the moment
	NeedsScripts        bool
}

// doesNotAnswer is the note of a method that is silent.
const doesNotAnswer = "Does not answer at the moment."

// nobodyAnswers stands where the button would, while all methods are silent.
const nobodyAnswers = "No way to pay answers at the moment. What you typed is kept: come back in a few minutes."

// methodsOf are the ways to pay, in the order of due, the silent ones last.
func methodsOf(due payment.Due) (methods []wayToPay) {
	chosen, same := due.Chosen(due.Methods), sameAmount(due)
	add := func(m payment.Method, way wayToPay) {
		way.Gateway, way.Name, way.Icon = m.Name, m.Label, m.Icon
		if !same {
			way.Amount = m.Charge.Short()
		}
		methods = append(methods, way)
	}
	for _, m := range due.Methods {
		add(m, wayToPay{Note: m.Note, Chosen: m.Name == chosen, NeedsScripts: m.Forms == nil})
	}
	for _, m := range due.Unavailable {
		add(m, wayToPay{Note: doesNotAnswer, Silent: true})
	}
	return methods
}

// sameAmount reports whether all ways to pay take the same.
func sameAmount(due payment.Due) bool {
	all := slices.Concat(due.Methods, due.Unavailable)
	return !slices.ContainsFunc(all, func(m payment.Method) bool { return m.Charge != all[0].Charge })
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
