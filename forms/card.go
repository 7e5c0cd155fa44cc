package forms

import (
	"regexp"
	"strings"
)

var (
	// digitRuns matches digits, also in groups separated by spaces of any kind and dashes.
	digitRuns = regexp.MustCompile(`[0-9]+(?:[\p{Zs}\p{Pd}\x{2212}\x{200b}-\x{200d}]+[0-9]+)*`)
	// markedRuns matches digits in groups separated by other signs on one line.
	markedRuns = regexp.MustCompile(`[0-9]+(?:[^\pL\pN\n]{1,3}[0-9]+)+`)
)

func digitGroups(run string) []string {
	return strings.FieldsFunc(run, func(r rune) bool { return r < '0' || r > '9' })
}

// HoldsCard reports whether a text contains a card number: 13 to 19 digits of any of India's scripts with a valid Luhn check digit, grouped or
// not. In a row of groups, such as a phone number before a card, it tries every run of whole groups. Signs other than spaces and dashes
// also separate dates, sums and lists: between them the groups must be a card's.
func HoldsCard(text string) bool {
	text = asciiDigits(text)
	for _, run := range markedRuns.FindAllString(text, -1) {
		groups := digitGroups(run)
		for first := range groups {
			if digits := cardGroups(groups[first:]); len(digits) >= 13 && luhn(digits) {
				return true
			}
		}
	}
	for _, run := range digitRuns.FindAllString(text, -1) {
		groups := digitGroups(run)
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

// cardGroups joins the groups of a card that begin a row: four of four digits, the last of one to seven, or four, six and four or five; "" for others.
func cardGroups(groups []string) string {
	size := func(i int) int {
		if i < len(groups) {
			return len(groups[i])
		}
		return 0
	}
	switch {
	case size(0) == 4 && size(1) == 4 && size(2) == 4 && size(3) <= 7:
		return strings.Join(groups[:min(4, len(groups))], "")
	case size(0) == 4 && size(1) == 6 && (size(2) == 4 || size(2) == 5):
		return strings.Join(groups[:min(3, len(groups))], "")
	}
	return ""
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
