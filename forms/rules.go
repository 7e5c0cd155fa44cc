package forms

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ruleKinds lists the kinds known to holds; Load rejects others.
var ruleKinds = []string{"required", "length", "signs", "pattern", "unlike", "option", "options", "unrepeated", "range", "after", "differs", "proven", "cardless", "date", "past", "number", "years ago", "pin"}

func (r *Rule) holds(field *Field, value string, see view) bool {
	switch r.Kind {
	case "required": // not empty; of a checkbox: ticked
		return value != ""
	case "length":
		n := utf8.RuneCountInString(value)
		return n >= r.Min && (r.Max == 0 || n <= r.Max)
	case "signs": // only characters of a pattern
		return r.refusedSign(value) == ""
	case "pattern":
		return patterns[r.Pattern].MatchString(value)
	case "unlike": // a pattern of known mistakes, in lower case
		return !patterns[r.Pattern].MatchString(strings.ToLower(value))
	case "option": // one of the field's choices
		return isOption(field.Choices(see.env), value)
	case "options": // only the field's choices, joined by commas
		for _, ticked := range strings.Split(value, ",") {
			if !isOption(field.Choices(see.env), ticked) {
				return false
			}
		}
		return true
	case "unrepeated": // not one repeated digit
		return len(value) < 2 || value[0] < '0' || value[0] > '9' || strings.Trim(value, value[:1]) != ""
	case "range": // the country's number of digits
		country := see.country(field)
		return strings.Trim(value, "0123456789") == "" && len(value) >= country.Min && len(value) <= country.Max
	case "after": // another field is not empty
		return see.values[r.Field] != ""
	case "differs":
		return see.values[r.Field] != value
	case "proven": // the visitor has verified the field's value; only when the whole form is checked
		return !see.whole || see.proven(r.Field)
	case "cardless": // no card number in free text
		return !HoldsCard(value)
	case "date": // a calendar day
		return isDate(value)
	case "past": // before today
		return isPast(value, see.env.Today)
	case "number": // a leading number, if any, is between Min and Max
		n, err := strconv.ParseFloat(leadingNumber.FindString(value), 64)
		return err != nil || n >= float64(r.Min) && (r.Max == 0 || n <= float64(r.Max))
	case "years ago": // a calendar year, between Min and Max years ago
		ago := number(see.env.Today[:min(4, len(see.env.Today))]) - number(value)
		return calendarYear.MatchString(value) && ago >= r.Min && (r.Max == 0 || ago <= r.Max)
	case "pin": // a PIN code of the State in another field, by its first two digits
		return pinFits(value, see.values[r.Field], see)
	}
	panic("forms: rule " + r.Kind) // rejected by Load
}

// refusedSign returns the first character that the pattern of a rule of kind signs refuses, or "".
func (r *Rule) refusedSign(value string) string {
	for _, sign := range value {
		if !patterns[r.Pattern].MatchString(string(sign)) {
			return string(sign)
		}
	}
	return ""
}

var (
	leadingNumber = regexp.MustCompile(`^[0-9]+(?:\.[0-9]+)?`)
	calendarYear  = regexp.MustCompile(`^[0-9]{4}$`)
	pinShape      = regexp.MustCompile(`^[0-8][0-9]{5}$`) // army PIN codes begin with 9 and belong to no State
)

// pinFits reports whether a PIN code may belong to a State. It accepts anything that is not six digits, and unknown
// States.
func pinFits(pin, state string, see view) bool {
	options := see.env.Options["states"]
	i := slices.IndexFunc(options, func(o Option) bool { return o.Value == state })
	return i < 0 || len(options[i].PINs) == 0 || !pinShape.MatchString(pin) || slices.Contains(options[i].PINs, pin[:2])
}

func isOption(options []Option, value string) bool {
	return slices.ContainsFunc(options, func(o Option) bool { return o.Value == value })
}

// cleanSteps lists the steps known to tidy; Load rejects others.
var cleanSteps = []string{
	"trim", "upper", "lower", "digits", "apostrophe", "hyphen", "lines", "printable", "compact", "default", "box", "sorted", "national", "tenDigits",
	"dialCode", "date", "amount", "percentage",
}

const asciiSpace = " \t\n\v\f\r"

func (f *Field) tidy(value string, see view) string {
	value = removeInvisible(strings.ToValidUTF8(value, "\uFFFD"))
	for _, step := range f.Clean {
		value = f.step(step, value, see)
	}
	return value
}

var (
	invisible   = regexp.MustCompile(`[\x{ad}\x{61c}\x{115f}\x{1160}\x{200b}\x{200e}\x{200f}\x{202a}-\x{202e}\x{2060}\x{2066}-\x{2069}\x{3164}\x{feff}\x{ffa0}]`)
	fixedSpace  = regexp.MustCompile(`[\x{a0}\x{2007}\x{202f}]`)
	hyphen      = regexp.MustCompile(`[\x{2010}\x{2011}]`)
	strayJoiner = regexp.MustCompile(`(^|[^\x{600}-\x{10ffff}])[\x{200c}\x{200d}]+`)
)

// removeInvisible removes invisible characters of pasted text: direction and zero-width marks, soft hyphens, joiners after letters
// that do not join, and Hangul fillers, which count as letters. It replaces no-break spaces and hyphens by plain ones.
func removeInvisible(value string) string {
	if isASCII(value) {
		return value
	}
	value = invisible.ReplaceAllString(value, "")
	value = fixedSpace.ReplaceAllString(value, " ")
	value = hyphen.ReplaceAllString(value, "-")
	return strayJoiner.ReplaceAllString(value, "${1}")
}

func isASCII(value string) bool {
	return strings.IndexFunc(value, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func (f *Field) step(step, value string, see view) string {
	switch step {
	case "trim":
		return strings.TrimRight(strings.TrimLeft(value, asciiSpace), asciiSpace+"\u200c") // a name may end in a zero-width joiner: നായര്‍
	case "upper":
		return shift(value, 'a', 'z', 'A'-'a')
	case "lower":
		return shift(value, 'A', 'Z', 'a'-'A')
	case "digits": // phones write the digits of India's scripts
		return asciiDigits(value)
	case "apostrophe": // what keyboards have for '
		return apostrophe.ReplaceAllString(value, "'")
	case "hyphen": // what keyboards have for -
		return dash.ReplaceAllString(value, "-")
	case "lines": // browsers post CRLF where scripts read LF
		return lineEnds.Replace(value)
	case "printable": // removes control characters, some of which PostgreSQL rejects
		return strings.Map(func(r rune) rune {
			if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
				return -1
			}
			return r
		}, value)
	case "compact": // digits are grouped with spaces and punctuation
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(asciiSpace+"-.()", r) {
				return -1
			}
			return r
		}, value)
	case "default":
		if value == "" {
			return f.Value
		}
		return value
	case "box":
		if value == "true" {
			return value
		}
		return ""
	case "sorted": // unique values: the choices in order, then unknown ones, for a rule to reject
		var sorted, others []string
		ticked := strings.Split(value, ",")
		for _, option := range f.Choices(see.env) {
			if slices.Contains(ticked, option.Value) {
				sorted = append(sorted, option.Value)
			}
		}
		for _, one := range ticked {
			if one != "" && !slices.Contains(sorted, one) && !slices.Contains(others, one) {
				others = append(others, one)
			}
		}
		return strings.Join(append(sorted, others...), ",")
	case "national": // removes the dial code if the number is too long with it; an Indian number becomes ten digits
		if see.values[f.Country] == "in" {
			return TenDigits(value)
		}
		value = strings.TrimPrefix(value, "+")
		if country := see.country(f); utf8.RuneCountInString(value) > country.Max {
			return strings.TrimPrefix(value, country.Dial)
		}
		return value
	case "tenDigits": // an Indian number, unless it is an e-mail
		if strings.Contains(value, "@") {
			return strings.Trim(value, asciiSpace)
		}
		return TenDigits(value)
	case "dialCode": // derived from the country
		return see.country(f).Dial
	case "date":
		return tidyDate(value)
	case "amount":
		return tidyAmount(value)
	case "percentage":
		return tidyPercentage(value)
	}
	panic("forms: clean step " + step) // rejected by Load
}

var (
	apostrophe = regexp.MustCompile("[`\u00b4\u02b9\u02bc\u2018\u2019\u201b\u2032\uff07]")
	dash       = regexp.MustCompile(`[\x{2012}-\x{2015}\x{2043}\x{2212}\x{fe58}\x{fe63}\x{ff0d}]`)
)

// zeros are the zeros of the scripts of India, Arabic's two included. The other nine digits follow each.
var zeros = []rune{0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0x1c50, 0xabf0}

// asciiDigits replaces the digits of India's scripts: ९८७ becomes 987.
func asciiDigits(value string) string {
	return strings.Map(func(r rune) rune {
		for _, zero := range zeros {
			if r >= zero && r <= zero+9 {
				return r - zero + '0'
			}
		}
		return r
	}, value)
}

// shift moves the ASCII characters from first to last by a distance.
func shift(value string, first, last, by rune) string {
	return strings.Map(func(r rune) rune {
		if r >= first && r <= last {
			return r + by
		}
		return r
	}, value)
}
