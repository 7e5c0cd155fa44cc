package checkout

import (
	"strings"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/india"
	"hiresure/components"
)

// priceOf is what is charged, and beside it what would have been. Where another currency is charged, the list price
// follows in the same proportion and is left out.
func priceOf(list, discount, charge admission.Money, coupon string) components.PriceProps {
	price := components.PriceProps{Amount: charge.Short()}
	if discount.Minor > 0 {
		price.Coupon = coupon
		if charge.Currency == list.Currency {
			price.Struck = list.Short()
		}
	}
	return price
}

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
	return []components.Fact{{Name: "E-mail", Value: r.Email}, {Name: "Mobile", Value: mobile(r.Phone)}, {Name: "State", Value: state.Name}}
}

// mobile writes an Indian number as people read it: +91 98200 41567.
func mobile(phone string) string {
	ten, indian := strings.CutPrefix(phone, "+91")
	if !indian || len(ten) != 10 {
		return phone
	}
	return "+91 " + ten[:5] + " " + ten[5:]
}
