package enrol

import (
	"maps"
	"strconv"

	"hiresure/admission"
	"hiresure/admission/india"
	"hiresure/forms"
)

// column is one value of a registration that the form fills: how it is kept, and how it is typed. Both have the form's
// own notation on the outside: ten digits, a State's name, "true".
type column struct {
	set func(r *Registration, value string) // "" where the field does not apply
	get func(r *Registration) string
}

// columns are what the form's fields may name as the place where they are kept.
var columns = map[string]column{
	"full_name":      plain(func(r *Registration) *string { return &r.FullName }),
	"email":          plain(func(r *Registration) *string { return &r.Email }),
	"phone":          phone(func(r *Registration) *string { return &r.Phone }),
	"course":         plain(func(r *Registration) *string { return &r.Course }),
	"college":        plain(func(r *Registration) *string { return &r.College }),
	"referral_code":  plain(func(r *Registration) *string { return &r.ReferralCode }),
	"guardian_name":  plain(func(r *Registration) *string { return &r.GuardianName }),
	"guardian_phone": phone(func(r *Registration) *string { return &r.GuardianPhone }),
	"adult": {
		func(r *Registration, value string) { r.Adult = value == "true" },
		func(r *Registration) string { return strconv.FormatBool(r.Adult) },
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
	// The price decides whether a coupon is kept: with an open attempt to pay it is not.
	"coupon_code": {func(*Registration, string) {}, func(r *Registration) string { return r.CouponCode }},
}

func plain(of func(*Registration) *string) column {
	return column{func(r *Registration, value string) { *of(r) = value }, func(r *Registration) string { return *of(r) }}
}

func phone(of func(*Registration) *string) column {
	return column{
		func(r *Registration, tenDigits string) {
			if *of(r) = ""; tenDigits != "" {
				*of(r) = admission.IndianPhone(tenDigits)
			}
		},
		func(r *Registration) string { return admission.TenDigits(*of(r)) },
	}
}

// Told is a field's typed value in the words of people, as one who registered reads it: a mobile number in groups, a sum with its
// sign, a course by its label.
func Told(form *forms.Form, field *forms.Field, value string) string {
	ten := admission.TenDigits(value)
	switch {
	case value == "":
		return ""
	case field.Kind == "tel" && len(ten) == len("9876543210"):
		return admission.Mobile(admission.IndianPhone(ten))
	case field.Kind == "tel":
		return value
	case field.OptionsFrom == "courses":
		return CourseLabel(value)
	}
	return field.Prefix + form.Said(field.Name, value)
}

// The records that keep fields which are no column.
const (
	KeepTerms    = "terms"    // agreed to anew with each change: its version and hash
	KeepConsents = "consents" // the ledger of consents
)

// CheckForm refuses a form with a field that is kept where a registration has no place for it.
func CheckForm(form *forms.Form) error {
	known := []string{KeepTerms, KeepConsents}
	for name := range columns {
		known = append(known, name)
	}
	return form.CheckKeep(known...)
}

// fill sets what the form says of a registration.
func (r *Registration) fill(form *forms.Form, clean map[string]string) {
	kept, answers := form.Kept(clean)
	for name, column := range columns {
		column.set(r, kept[name])
	}
	r.Answers, r.FormVersion = answers, form.Version
}

// FillStep sets what one step of a form says of a registration, and nothing else: an answer that the step does not give any
// more is gone. Keeping terms and consents is the caller's.
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

// Typed is what fill and FillStep have set, by field of the form. Terms are not in it.
func (r *Registration) Typed(form *forms.Form, consents string) map[string]string {
	kept := map[string]string{KeepConsents: consents}
	for name, column := range columns {
		kept[name] = column.get(r)
	}
	return form.Typed(kept, r.Answers)
}
