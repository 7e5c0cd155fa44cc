package forms

import (
	"regexp"
	"strings"

	"hiresure/prose"
)

// An amount in rupees is typed with or without commas. Cleaned, and in JSON calls, it has digits and at most two decimals; stored it is
// paise; displayed it has Indian commas.
var (
	withCommas = regexp.MustCompile(`^[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3}(?:\.[0-9]*)?$`)
	cleanSum   = regexp.MustCompile(`^[0-9]+(?:\.[0-9]{1,2})?$`)
	keptSum    = regexp.MustCompile(`^[0-9]{3,}$`)
)

// tidyAmount removes correctly placed commas and the rupee sign. Invalid text is unchanged, for a rule to refuse.
func tidyAmount(value string) string {
	value = strings.Trim(strings.TrimPrefix(strings.Trim(value, asciiSpace), "₹"), asciiSpace)
	if withCommas.MatchString(value) {
		return strings.ReplaceAll(value, ",", "")
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
