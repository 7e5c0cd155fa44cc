package forms

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A date is typed as day, month and year: in three inputs, joined by commas in a posted form, or as one text. Cleaned, and in JSON calls,
// it is DD-MM-YYYY; stored it is YYYY-MM-DD, which sorts as text. islands/forms/date.ts implements what the browser needs.
var (
	typedDate = regexp.MustCompile(`^([0-9]{1,2})[ ,./-]+([0-9]{1,2})[ ,./-]+([0-9]{4})$`)
	isoDate   = regexp.MustCompile(`^([0-9]{4})-([0-9]{2})-([0-9]{2})$`)
	cleanDate = regexp.MustCompile(`^[0-9]{2}-[0-9]{2}-[0-9]{4}$`)
)

const (
	firstYear     = 1900 // the earliest plausible year
	firstExamYear = 1951
)

// tidyDate converts a typed date to DD-MM-YYYY. Three empty inputs become ""; invalid text is unchanged, for a rule to refuse.
func tidyDate(value string) string {
	value = strings.Trim(value, asciiSpace+",./-")
	if iso := isoDate.FindStringSubmatch(value); iso != nil {
		return iso[3] + "-" + iso[2] + "-" + iso[1]
	}
	if typed := typedDate.FindStringSubmatch(value); typed != nil {
		return pad(typed[1]) + "-" + pad(typed[2]) + "-" + typed[3]
	}
	return value
}

func pad(figures string) string {
	if len(figures) == 1 {
		return "0" + figures
	}
	return figures
}

// isDate reports whether DD-MM-YYYY is a calendar day from 1900 on.
func isDate(value string) bool {
	if !cleanDate.MatchString(value) {
		return false
	}
	day, month, year := number(value[:2]), number(value[3:5]), number(value[6:])
	days := []int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}
	if year%4 == 0 && year%100 != 0 || year%400 == 0 {
		days[1] = 29
	}
	return year >= firstYear && month >= 1 && month <= 12 && day >= 1 && day <= days[month-1]
}

func number(figures string) int {
	n, _ := strconv.Atoi(figures)
	return n
}

// DateParts returns day, month and year of a typed or stored date, for three inputs. Invalid text is returned whole in the first.
func DateParts(value string) [3]string {
	if parts := strings.SplitN(value, ",", 3); len(parts) == 3 {
		return [3]string(parts)
	}
	tidy := tidyDate(value)
	if !cleanDate.MatchString(tidy) {
		return [3]string{value}
	}
	return [3]string(strings.Split(tidy, "-"))
}

// isoOf converts DD-MM-YYYY to YYYY-MM-DD, and back.
func isoOf(date string) string { return date[6:] + "-" + date[3:5] + "-" + date[:2] }
func dateOf(iso string) string { return iso[8:] + "-" + iso[5:7] + "-" + iso[:4] }

// isPast reports whether DD-MM-YYYY is before today.
func isPast(value, today string) bool { return isDate(value) && isoOf(value) < today }

// Under reports whether somebody born on a clean date is younger than so many years today (YYYY-MM-DD). It returns false for an invalid
// date of birth.
func Under(years int, born, today string) bool {
	if !isPast(born, today) {
		return false
	}
	iso := isoOf(born)
	return today < fmt.Sprintf("%04d", number(iso[:4])+years)+iso[4:]
}

// examYears returns the years from today's down to 1951.
func examYears(today string) (options []Option) {
	if !isoDate.MatchString(today) {
		return nil
	}
	for year := number(today[:4]); year >= firstExamYear; year-- {
		options = append(options, Option{Value: strconv.Itoa(year), Label: strconv.Itoa(year)})
	}
	return options
}
