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

// Countries are all countries, by name.
func Countries() []Country { return slices.Clone(countries) }

// CountryOf finds a country by its code.
func CountryOf(code string) (country Country, known bool) {
	i := slices.IndexFunc(countries, func(c Country) bool { return c.Code == code })
	if i < 0 {
		return Country{}, false
	}
	return countries[i], true
}

// trunkZero lists the countries whose numbers are often typed with the 0 that is dialled inside the country only, and whose numbers
// never begin with it abroad.
var trunkZero = []string{"au", "ae", "jp", "de", "gb", "fr"}

// E164 writes an accepted number in the one form under which a person is stored and found: "in", "9876543210" gives
// "+919876543210". It never judges: what the form's rules accept gets a form. An unknown country gives "".
func E164(country, digits string) string {
	c, known := CountryOf(country)
	if !known {
		return ""
	}
	if slices.Contains(trunkZero, country) {
		digits = strings.TrimPrefix(digits, "0")
	}
	if country != "in" { // India's rule leaves nothing to interpret
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

// TenDigits is an Indian number as the rules want it, of one as people write it: "+91 98765-43210" gives "9876543210". Of
// anything else it only takes the separators away, and the rules judge it. The step "national" does so, and the enrolment's
// pages do, while its JSON API takes ten digits alone. islands/forms/phone.ts is its twin; testdata/indian-numbers.json holds
// the two together.
func TenDigits(typed string) string {
	number := separators.ReplaceAllString(typed, "")
	if match := indianNumber.FindStringSubmatch(number); match != nil {
		return match[1]
	}
	return number
}
