package checkout

import (
	"regexp"
	"slices"
	"strings"

	"hiresure/admission"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
)

// methodView is a method to choose.
type methodView struct {
	Gateway, Name, Note string
	Icon                method.Icon
	Amount              string // "" if all methods charge the same
	Chosen              bool
	Silent              bool // temporarily unavailable
	NeedsScripts        bool
}

// silentNote is the note of a silent method.
const silentNote = "Does not answer at the moment."

// allSilent replaces the button while all methods are silent, below notPossible.
const (
	notPossible = "Payment is not possible now"
	allSilent   = "You cannot pay here just now. Your details are kept. Please come back in a few minutes."
)

// methodsOf returns the methods in the order of due, silent ones last.
func methodsOf(due payment.Due) (methods []methodView) {
	chosen, same := due.Chosen(due.Methods), sameAmount(due)
	add := func(m payment.Method, way methodView) {
		way.Gateway, way.Name, way.Icon = m.Name, m.Label, m.Icon
		if !same {
			way.Amount = m.Charge.Short()
		}
		methods = append(methods, way)
	}
	for _, m := range due.Methods {
		add(m, methodView{Note: m.Note, Chosen: m.Name == chosen, NeedsScripts: m.Forms == nil})
	}
	for _, m := range due.Unavailable {
		add(m, methodView{Note: silentNote, Silent: true})
	}
	return methods
}

// sameAmount reports whether all methods charge the same.
func sameAmount(due payment.Due) bool {
	all := slices.Concat(due.Methods, due.Unavailable)
	return !slices.ContainsFunc(all, func(m payment.Method) bool { return m.Charge != all[0].Charge })
}

var phoneAgents = regexp.MustCompile(`Android|iPhone|Mobile`)

// upiFirst sorts UPI methods first for an Indian number on a phone, which has the apps.
func upiFirst(v admission.Visitor, due *payment.Due) {
	if !strings.HasPrefix(due.Registration.Phone, "+91") || !phoneAgents.MatchString(v.UserAgent) {
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
