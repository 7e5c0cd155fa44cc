package admin

import (
	"slices"
	"testing"

	"hiresure/admission/enrol"
	"hiresure/admission/status"
	"hiresure/pages"
)

func TestEveryPhaseAndBadgeHasWordsForStaff(t *testing.T) {
	for _, phase := range status.Phases {
		if phase == status.Erased {
			continue // nobody opens it
		}
		if phaseWords[phase].title == "" {
			t.Errorf("phaseWords has no %s", phase)
		}
		paid := slices.IndexFunc(paymentChoices, func(c choice) bool { return slices.Contains(c.phases, phase) })
		if unpaid := slices.Contains([]status.Phase{status.Form, status.FeeDue, status.Closed}, phase); unpaid == (paid >= 0) {
			t.Errorf("%s is found by a filter of payments: %t", phase, paid >= 0)
		}
	}
	for _, step := range enrol.Steps {
		for _, refunded := range []bool{false, true} {
			r := enrol.Registration{Step: step, Refunded: refunded}
			if badge := r.Status(); badge != "" && !slices.Contains(statusTabs, badge) {
				t.Errorf("no tab for %q", badge)
			}
			if look := pages.BadgeLook(r.Fact().Badge); look != "" && icons[badgeLooks[look].icon] == "" {
				t.Errorf("no icon for the badge %q", look)
			}
		}
	}
}
