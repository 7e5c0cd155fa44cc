package forms

import (
	"regexp"
	"strconv"
	"strings"
)

// cardRows are rows of digits in groups, and the sizes of the groups that are a card's. Spaces of any kind and dashes may stand between any
// groups. Other signs also separate dates, sums and lists.
var cardRows = []struct{ row, sizes *regexp.Regexp }{
	{regexp.MustCompile(`[0-9]+(?:[^\pL\pN\n]{1,3}[0-9]+)+`), regexp.MustCompile(`^ 4( 4 4 [1-7]| 6 [45])$`)},
	{regexp.MustCompile(`[0-9]+(?:[\p{Zs}\p{Pd}\x{2212}\x{200b}-\x{200d}]+[0-9]+)*`), regexp.MustCompile(``)},
}

// HoldsCard reports whether a text contains a card number: 13 to 19 digits of any of India's scripts with a valid Luhn check digit, grouped or
// not. In a row of groups, such as a phone number before a card, it tries every run of whole groups.
func HoldsCard(text string) bool {
	text = asciiDigits(text)
	for _, card := range cardRows {
		for _, row := range card.row.FindAllString(text, -1) {
			groups := strings.FieldsFunc(row, func(r rune) bool { return r < '0' || r > '9' })
			for first := range groups {
				if beginsWithCard(groups[first:], card.sizes) {
					return true
				}
			}
		}
	}
	return false
}

// beginsWithCard reports whether the first of the groups are a card number, in groups of these sizes.
func beginsWithCard(groups []string, sizes *regexp.Regexp) bool {
	digits, of := "", ""
	for _, group := range groups {
		if digits += group; len(digits) > 19 {
			return false
		}
		of += " " + strconv.Itoa(len(group))
		if len(digits) >= 13 && sizes.MatchString(of) && luhn(digits) {
			return true
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
