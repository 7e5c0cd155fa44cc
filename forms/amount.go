package forms

import (
	"regexp"
	"strings"
)

// A sum of rupees is typed with or without commas. Clean, and in a JSON call, it is digits with at most two decimals; kept
// it is paise; said it has Indian commas.
var (
	withCommas = regexp.MustCompile(`^[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3}(?:\.[0-9]*)?$`)
	cleanSum   = regexp.MustCompile(`^[0-9]+(?:\.[0-9]{1,2})?$`)
	keptSum    = regexp.MustCompile(`^[0-9]{3,}$`)
)

// tidyAmount takes commas away that stand where commas do, and the sign of the rupee. What is no sum stays, for a rule to refuse.
func tidyAmount(value string) string {
	value = strings.Trim(strings.TrimPrefix(strings.Trim(value, asciiSpace), "₹"), asciiSpace)
	if withCommas.MatchString(value) {
		return strings.ReplaceAll(value, ",", "")
	}
	return value
}

// paiseOf writes 320000.5 as 32000050; what is no sum stays.
func paiseOf(sum string) string {
	if !cleanSum.MatchString(sum) {
		return sum
	}
	rupees, decimals, _ := strings.Cut(sum, ".")
	return rupees + (decimals + "00")[:2]
}

// sumOf is the way back from paiseOf, without decimals that say nothing.
func sumOf(paise string) string {
	if !keptSum.MatchString(paise) {
		return paise
	}
	cut := len(paise) - 2
	return strings.TrimSuffix(paise[:cut]+"."+paise[cut:], ".00")
}

// grouped puts Indian commas into a clean sum: 320000 is 3,20,000.
func grouped(sum string) string {
	if !cleanSum.MatchString(sum) {
		return sum
	}
	rupees, decimals, broken := strings.Cut(sum, ".")
	said := rupees
	if cut := len(rupees) - 3; cut > 0 {
		said = rupees[cut:]
		for ; cut > 2; cut -= 2 {
			said = rupees[cut-2:cut] + "," + said
		}
		said = rupees[:cut] + "," + said
	}
	if broken {
		said += "." + decimals
	}
	return said
}
