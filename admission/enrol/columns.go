package enrol

import (
	"maps"
	"strconv"

	"hiresure/admission"
	"hiresure/admission/india"
	"hiresure/forms"
)

// column reads and writes one value of a registration as the form writes it: ten digits, a State's name, "true".
type column struct {
	set func(r *Registration, value string) // "" if the field does not apply
	get func(r *Registration) string
}

// columns are the values of "keep" that store a field in a registration.
var columns = map[string]column{
	"full_name":      textColumn(func(r *Registration) *string { return &r.FullName }),
	"email":          textColumn(func(r *Registration) *string { return &r.Email }),
	"phone":          phoneColumn(func(r *Registration) *string { return &r.Phone }),
	"course":         textColumn(func(r *Registration) *string { return &r.Course }),
	"college":        textColumn(func(r *Registration) *string { return &r.College }),
	"referral_code":  textColumn(func(r *Registration) *string { return &r.ReferralCode }),
	"guardian_name":  textColumn(func(r *Registration) *string { return &r.GuardianName }),
	"guardian_phone": phoneColumn(func(r *Registration) *string { return &r.GuardianPhone }),
	"adult": {
		func(r *Registration, value string) { r.Adult = value == "true" },
		func(r *Registration) string { return strconv.FormatBool(r.Adult) },
	},
	"guardian_shares_phone": { // "false" is refused, so never stored
		func(r *Registration, value string) { r.SharedPhone = value == "true" },
		func(r *Registration) string {
			if r.SharedPhone {
				return "true"
			}
			return ""
		},
	},
	"state_code": {
		func(r *Registration, name string) {
			state, _ := india.StateByName(name)
			r.StateCode = state.Code
		},
		func(r *Registration) string {
			state, _ := india.StateByCode(r.StateCode)
			return state.Name
		},
	},
	// Enrol stores the coupon itself, after checking its price.
	"coupon_code": {func(*Registration, string) {}, func(r *Registration) string { return r.CouponCode }},
}

func textColumn(of func(*Registration) *string) column {
	return column{func(r *Registration, value string) { *of(r) = value }, func(r *Registration) string { return *of(r) }}
}

func phoneColumn(of func(*Registration) *string) column {
	return column{
		func(r *Registration, tenDigits string) {
			if *of(r) = ""; tenDigits != "" {
				*of(r) = admission.IndianPhone(tenDigits)
			}
		},
		func(r *Registration) string { return admission.TenDigits(*of(r)) },
	}
}

// DisplayValue formats a field's value for display: a mobile number in groups, an amount with its prefix, a course by its label.
func DisplayValue(form *forms.Form, field *forms.Field, value string) string {
	ten := admission.TenDigits(value)
	switch {
	case value == "":
		return ""
	case field.Kind == "tel" && len(ten) == len("9876543210"):
		return admission.FormatMobile(admission.IndianPhone(ten))
	case field.Kind == "tel":
		return value
	case field.OptionsFrom == "courses":
		return CourseLabel(value)
	}
	return field.Prefix + form.Display(field.Name, value)
}

// Values of "keep" that are stored in other records.
const (
	KeepTerms    = "terms"    // the version and hash agreed to
	KeepConsents = "consents" // the consent ledger
)

// CheckForm rejects a form with a field whose "keep" a registration cannot store.
func CheckForm(form *forms.Form) error {
	known := []string{KeepTerms, KeepConsents}
	for name := range columns {
		known = append(known, name)
	}
	return form.CheckKeep(known...)
}

// fill sets the registration's values from the form's.
func (r *Registration) fill(form *forms.Form, clean map[string]string) {
	kept, answers := form.Kept(clean)
	for name, column := range columns {
		column.set(r, kept[name])
	}
	r.Answers, r.FormVersion = answers, form.Version
}

// FillStep sets the values of one form step and clears answers that the step no longer gives. The caller stores terms
// and consents.
func (r *Registration) FillStep(form *forms.Form, step string, clean map[string]string) {
	kept, given := form.Kept(clean)
	answers := maps.Clone(r.Answers)
	for _, field := range form.OfStep(step) {
		if column, is := columns[field.Keep]; is {
			column.set(r, kept[field.Keep])
		}
		delete(answers, field.Name)
	}
	if answers == nil {
		answers = given
	} else {
		maps.Copy(answers, given)
	}
	r.Answers, r.FormVersion = answers, form.Version
}

// Typed returns the values set by fill and FillStep, by form field, without the terms.
func (r *Registration) Typed(form *forms.Form, consents string) map[string]string {
	kept := map[string]string{KeepConsents: consents}
	for name, column := range columns {
		kept[name] = column.get(r)
	}
	return form.Typed(kept, r.Answers)
}
