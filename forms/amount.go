package forms

import (
	"regexp"
	"strings"

	"hiresure/prose"
)

// An amount in rupees is typed as people write it: 320000, 3,20,000, ₹ 3,20,000/-, Rs. 3 20 000 only, 3.2 lakh. Cleaned, and in JSON
// calls, it has digits and at most two decimals; stored it is paise; displayed it has Indian commas. islands/forms/date.ts implements
// what the browser needs.
var (
	typedSum = regexp.MustCompile(`^(?:(?:₹|rs\.?|inr|rupees)[ \t]*)?([0-9]+|[0-9]{1,3}(?:[, ][0-9]{2,3})*[, ][0-9]{3})(\.[0-9]*)?[ \t]*(lakhs?|lacs?)?[ \t]*(?:/-|/=)?[ \t]*(?:rs\.?|inr|rupees)?[ \t]*(?:only)?\.?$`)
	cleanSum = regexp.MustCompile(`^[0-9]+(?:\.[0-9]{1,2})?$`)
	keptSum  = regexp.MustCompile(`^[0-9]{3,}$`)
)

// lakhZeros is the number of zeros of one lakh, 1,00,000.
const lakhZeros = 5

// tidyAmount removes what people write around and between the digits, and multiplies lakhs. Other text is unchanged, for a rule to refuse.
func tidyAmount(value string) string {
	value = strings.Trim(value, asciiSpace)
	parts := typedSum.FindStringSubmatch(shift(value, 'A', 'Z', 'a'-'A'))
	if parts == nil {
		return value
	}
	digits, decimals := strings.NewReplacer(",", "", " ", "").Replace(parts[1]), strings.TrimSuffix(parts[2], ".")
	if parts[3] == "" {
		return digits + decimals
	}
	decimals = strings.TrimPrefix(decimals, ".")
	if len(decimals) > lakhZeros {
		return value
	}
	return strings.TrimLeft(digits+(decimals + "00000")[:lakhZeros], "0")
}

var (
	typedPercentage = regexp.MustCompile(`(?i)^([0-9]+(?:\.[0-9]+)?)[ \t]*(?:%|per ?cent|percentage)\.?$`)
	typedCGPA       = regexp.MustCompile(`(?i)^(?:cgpa[ \t:=-]*([0-9]+(?:\.[0-9]+)?)|([0-9]+(?:\.[0-9]+)?)[ \t]*/[ \t]*10(?:\.0)?(?:[ \t]*cgpa)?)$`)
)

// tidyPercentage converts 75% to 75, and CGPA: 8.1 or 8.1/10 to 8.1 CGPA. Other text is unchanged.
func tidyPercentage(value string) string {
	if parts := typedPercentage.FindStringSubmatch(value); parts != nil {
		return parts[1]
	}
	if parts := typedCGPA.FindStringSubmatch(value); parts != nil {
		return parts[1] + parts[2] + " CGPA"
	}
	return value
}

// paiseOf converts 320000.5 to 32000050; invalid text is unchanged.
func paiseOf(sum string) string {
	if !cleanSum.MatchString(sum) {
		return sum
	}
	rupees, decimals, _ := strings.Cut(sum, ".")
	return rupees + (decimals + "00")[:2]
}

// sumOf reverses paiseOf, without zero decimals.
func sumOf(paise string) string {
	if !keptSum.MatchString(paise) {
		return paise
	}
	cut := len(paise) - 2
	return strings.TrimSuffix(paise[:cut]+"."+paise[cut:], ".00")
}

// grouped adds Indian commas to a clean amount: 320000 becomes 3,20,000.
func grouped(sum string) string {
	if !cleanSum.MatchString(sum) {
		return sum
	}
	rupees, decimals, broken := strings.Cut(sum, ".")
	rupees = prose.GroupDigits(rupees, true)
	if broken {
		rupees += "." + decimals
	}
	return rupees
}
