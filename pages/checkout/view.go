package checkout

import (
	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/india"
	"hiresure/components"
	"hiresure/pages"
)

// factsOf says what is paid for, and for whom.
func factsOf(r enrol.Registration, event admission.Event) []components.Fact {
	facts := []components.Fact{{Name: "Programme", Value: event.Title}}
	for _, option := range enrol.CourseOptions(event) {
		if option.Value == r.Course {
			facts = append(facts, components.Fact{Name: "Course", Value: option.Label})
		}
	}
	return append(facts, components.Fact{Name: "Name", Value: r.FullName})
}

// personFacts says how a person is reached, and the State that decides the tax: for the one who pays, to check.
func personFacts(r enrol.Registration) []components.Fact {
	state, _ := india.StateByCode(r.StateCode)
	return []components.Fact{{Name: "E-mail", Value: r.Email}, {Name: "Mobile", Value: pages.Mobile(r.Phone)}, {Name: "State", Value: state.Name}}
}
