package forms

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ruleKinds lists what holds knows; Load refuses any other.
var ruleKinds = []string{"required", "length", "pattern", "option", "options", "unrepeated", "range", "after", "differs", "proven", "cardless", "date", "past", "number", "pin"}

func (r *Rule) holds(field *Field, value string, see view) bool {
	switch r.Kind {
	case "required": // something is there; of a box: it is ticked
		return value != ""
	case "length":
		n := utf8.RuneCountInString(value)
		return n >= r.Min && (r.Max == 0 || n <= r.Max)
	case "pattern":
		return patterns[r.Pattern].MatchString(value)
	case "option": // one of the field's choices
		return isOption(field.Choices(see.env), value)
	case "options": // nothing but the field's choices, joined by commas
		for _, ticked := range strings.Split(value, ",") {
			if !isOption(field.Choices(see.env), ticked) {
				return false
			}
		}
		return true
	case "unrepeated": // not the same digit over and over
		return len(value) < 2 || value[0] < '0' || value[0] > '9' || strings.Trim(value, value[:1]) != ""
	case "range": // as many digits as the country's numbers have
		country := see.country(field)
		return strings.Trim(value, "0123456789") == "" && len(value) >= country.Min && len(value) <= country.Max
	case "after": // another field comes first
		return see.values[r.Field] != ""
	case "differs":
		return see.values[r.Field] != value
	case "proven": // the server knows that the visitor has proven the field's value; asked of a whole form only
		return !see.whole || see.proven(r.Field)
	case "cardless": // nobody's card number, in free text
		return !HoldsCard(value)
	case "date": // a day of the calendar
		return isDate(value)
	case "past": // not later than yesterday
		return isPast(value, see.env.Today)
	case "number": // what begins with a number has one between Min and Max
		n, err := strconv.ParseFloat(leadingNumber.FindString(value), 64)
		return err != nil || n >= float64(r.Min) && (r.Max == 0 || n <= float64(r.Max))
	case "pin": // a PIN code of the State that another field holds, as far as its first two digits tell
		return pinFits(value, see.values[r.Field], see)
	}
	panic("forms: rule " + r.Kind) // Load has refused it
}

var (
	leadingNumber = regexp.MustCompile(`^[0-9]+(?:\.[0-9]+)?`)
	pinShape      = regexp.MustCompile(`^[0-8][0-9]{5}$`) // those of the army begin with 9, and are found everywhere
)

// pinFits reports whether a PIN code may be of a State. It speaks of six digits and a known State only.
func pinFits(pin, state string, see view) bool {
	options := see.env.Options["states"]
	i := slices.IndexFunc(options, func(o Option) bool { return o.Value == state })
	return i < 0 || len(options[i].PINs) == 0 || !pinShape.MatchString(pin) || slices.Contains(options[i].PINs, pin[:2])
}

func isOption(options []Option, value string) bool {
	return slices.ContainsFunc(options, func(o Option) bool { return o.Value == value })
}

// cleanSteps lists what tidy knows; Load refuses any other.
var cleanSteps = []string{
	"trim", "upper", "lower", "apostrophe", "lines", "printable", "compact", "default", "box", "sorted", "national", "tenDigits", "dialCode", "date", "amount",
}

const asciiSpace = " \t\n\v\f\r"

func (f *Field) tidy(value string, see view) string {
	value = legible(strings.ToValidUTF8(value, "\uFFFD"))
	for _, step := range f.Clean {
		value = f.step(step, value, see)
	}
	return value
}

var (
	unseen     = regexp.MustCompile(`[\x{ad}\x{61c}\x{115f}\x{1160}\x{200b}\x{200e}\x{200f}\x{202a}-\x{202e}\x{2060}\x{2066}-\x{2069}\x{3164}\x{feff}\x{ffa0}]`)
	fixedSpace = regexp.MustCompile(`[\x{a0}\x{2007}\x{202f}]`)
	hyphen     = regexp.MustCompile(`[\x{2010}\x{2011}]`)
	lostJoiner = regexp.MustCompile(`(^|[^\x{600}-\x{10ffff}])[\x{200c}\x{200d}]+`)
)

// legible takes away what copied text brings along and nobody sees: direction and zero-width marks, soft hyphens, joiners behind
// a letter that joins with nothing; and the fillers of Hangul, which count as letters, so that no name is made of them alone.
// No-break spaces and hyphens become those of the keyboard.
func legible(value string) string {
	if isASCII(value) {
		return value
	}
	value = unseen.ReplaceAllString(value, "")
	value = fixedSpace.ReplaceAllString(value, " ")
	value = hyphen.ReplaceAllString(value, "-")
	return lostJoiner.ReplaceAllString(value, "${1}")
}

func isASCII(value string) bool {
	return strings.IndexFunc(value, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

func (f *Field) step(step, value string, see view) string {
	switch step {
	case "trim":
		return strings.TrimRight(strings.TrimLeft(value, asciiSpace), asciiSpace+"\u200c") // a name may end in the other joiner: നായര്‍
	case "upper":
		return shift(value, 'a', 'z', 'A'-'a')
	case "lower":
		return shift(value, 'A', 'Z', 'a'-'A')
	case "apostrophe": // phones type ’ for '
		return strings.ReplaceAll(value, "’", "'")
	case "lines": // browsers post CRLF for what a script reads as LF
		return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(value)
	case "printable": // pasted text brings control characters along, which PostgreSQL may refuse
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
	case "sorted": // the values joined by commas, once each: the choices in their order, then what is none, for a rule to refuse
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
	case "national": // the dial code goes only if the number is too long with it; for an Indian number everything but its ten digits goes
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
	case "dialCode": // follows from the country, whatever was sent
		return see.country(f).Dial
	case "date":
		return tidyDate(value)
	case "amount":
		return tidyAmount(value)
	}
	panic("forms: clean step " + step) // Load has refused it
}

// shift moves the ASCII characters first to last by a distance and leaves all others.
func shift(value string, first, last, by rune) string {
	return strings.Map(func(r rune) rune {
		if r >= first && r <= last {
			return r + by
		}
		return r
	}, value)
}
