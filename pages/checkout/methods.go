package checkout

import (
	"regexp"
	"slices"
	"strings"

	"hiresure/admission"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
)

// wayToPay is one to pay, where the visitor chooses.
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

// methodsOf are the ways to pay, in the order of due, the silent ones last; same reports whether all take the same amount.
func methodsOf(due payment.Due) (methods []wayToPay, same bool) {
	all := slices.Concat(due.Methods, due.Silent)
	same = !slices.ContainsFunc(all, func(m payment.Method) bool { return m.Charge != all[0].Charge })
	chosen := due.Chosen(due.Methods)
	for i, m := range all {
		way := wayToPay{Gateway: m.Name, Name: m.Label, Note: m.Note, Icon: m.Icon, Chosen: m.Name == chosen, NeedsScripts: m.Forms == nil}
		if i >= len(due.Methods) {
			way.Note, way.Chosen, way.Silent, way.NeedsScripts = doesNotAnswer, false, true, false
		}
		if !same {
			way.Amount = m.Charge.Short()
		}
		methods = append(methods, way)
	}
	return methods, same
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
