package forms

import (
	"regexp"
	"strings"
)

// digitRuns matches digits, also in groups separated by spaces (including no-break ones) and dashes.
var digitRuns = regexp.MustCompile(`[0-9]+(?:[ \x{00a0}-]+[0-9]+)*`)

// HoldsCard reports whether a text contains a card number: 13 to 19 digits with a valid Luhn check digit, grouped or not. In a row of
// groups, such as a phone number before a card, it tries every run of whole groups.
func HoldsCard(text string) bool {
	for _, run := range digitRuns.FindAllString(text, -1) {
		groups := strings.FieldsFunc(run, func(r rune) bool { return r < '0' || r > '9' })
		for first := range groups {
			digits := ""
			for _, group := range groups[first:] {
				if digits += group; len(digits) > 19 {
					break
				}
				if len(digits) >= 13 && luhn(digits) {
					return true
				}
			}
		}
	}
	return false
}

func luhn(digits string) bool {
	sum := 0
	for place := range len(digits) {
		digit := int(digits[len(digits)-1-place] - '0')
		if place%2 == 1 {
			if digit *= 2; digit > 9 {
				digit -= 9
			}
		}
		sum += digit
	}
	return sum%10 == 0
}
