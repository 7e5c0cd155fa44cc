package forms

import (
	"regexp"
	"slices"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// Country is one entry of the country picker. Min and Max bound the digits of a number without its dial code: specification
// section 5 for ten countries, 4 to 15 for the others.
type Country struct {
	Code string   `json:"code"` // ISO 3166-1 alpha-2, lower case as on the wire
	Name string   `json:"name"`
	Also []string `json:"also"` // other names that people search for
	Dial string   `json:"dial"` // without +
	Min  int      `json:"min"`
	Max  int      `json:"max"`
}

// Countries returns all countries, ordered by name.
func Countries() []Country { return slices.Clone(countries) }

// CountryOf returns a country by code.
func CountryOf(code string) (country Country, known bool) {
	i := slices.IndexFunc(countries, func(c Country) bool { return c.Code == code })
	if i < 0 {
		return Country{}, false
	}
	return countries[i], true
}

// trunkZero lists countries whose numbers are often typed with the national 0 prefix, and never start with 0
// internationally.
var trunkZero = []string{"au", "ae", "jp", "de", "gb", "fr"}

// E164 formats a valid number for storage: "in", "9876543210" becomes "+919876543210". It does not validate. It returns
// "" for an unknown country.
func E164(country, digits string) string {
	c, known := CountryOf(country)
	if !known {
		return ""
	}
	if slices.Contains(trunkZero, country) {
		digits = strings.TrimPrefix(digits, "0")
	}
	if country != "in" { // Indian numbers are unambiguous
		if number, err := phonenumbers.Parse(digits, strings.ToUpper(country)); err == nil && number.GetExtension() == "" {
			return phonenumbers.Format(number, phonenumbers.E164)
		}
	}
	return "+" + c.Dial + digits
}

var (
	separators   = regexp.MustCompile(`[\s\v\p{Z}\p{Cf}\p{Pd}().]`)
	indianNumber = regexp.MustCompile(`^(?:(?:\+|00)?91)?0?([0-9]{10})$`)
)

// TenDigits converts a typed Indian number to ten digits: "+91 98765-43210" becomes "9876543210". From other text it only
// removes separators, for the rules to reject. The JSON API of enrolment accepts only ten digits. islands/forms/phone.ts
// implements the same; testdata/indian-numbers.json tests both.
func TenDigits(typed string) string {
	number := asciiDigits(separators.ReplaceAllString(typed, ""))
	if match := indianNumber.FindStringSubmatch(number); match != nil {
		return match[1]
	}
	return number
}
