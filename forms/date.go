package forms

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A date is typed as day, month and year: in three inputs, whose values a posted form joins by commas, or in one text. Clean,
// and in a JSON call, it is DD-MM-YYYY; kept it is YYYY-MM-DD, which sorts and compares as text. islands/forms/date.ts is the
// twin of what the browser needs.
var (
	typedDate = regexp.MustCompile(`^([0-9]{1,2})[ ,./-]+([0-9]{1,2})[ ,./-]+([0-9]{4})$`)
	isoDate   = regexp.MustCompile(`^([0-9]{4})-([0-9]{2})-([0-9]{2})$`)
	cleanDate = regexp.MustCompile(`^[0-9]{2}-[0-9]{2}-[0-9]{4}$`)
)

const (
	firstYear     = 1900 // that anybody who types a date means
	firstExamYear = 1951
)

// tidyDate writes a typed date as DD-MM-YYYY. Three empty inputs are nothing; what is no date stays, for a rule to refuse.
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

// isDate reports whether DD-MM-YYYY is a day of the calendar, from 1900 on.
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

// DateParts are day, month and year of what is typed, or kept, as three inputs show them again. What is no date stands in
// the first of them, whole.
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

// isoOf writes DD-MM-YYYY as YYYY-MM-DD, and back.
func isoOf(date string) string { return date[6:] + "-" + date[3:5] + "-" + date[:2] }
func dateOf(iso string) string { return iso[8:] + "-" + iso[5:7] + "-" + iso[:4] }

// isPast reports whether DD-MM-YYYY is yesterday at the latest.
func isPast(value, today string) bool { return isDate(value) && isoOf(value) < today }

// Under reports whether who is born on a clean date has not completed so many years today (YYYY-MM-DD). Of what is no
// date of birth nobody knows, so it is false.
func Under(years int, born, today string) bool {
	if !isPast(born, today) {
		return false
	}
	iso := isoOf(born)
	return today < fmt.Sprintf("%04d", number(iso[:4])+years)+iso[4:]
}

// examYears are the years from today's down to 1951.
func examYears(today string) (options []Option) {
	if !isoDate.MatchString(today) {
		return nil
	}
	for year := number(today[:4]); year >= firstExamYear; year-- {
		options = append(options, Option{Value: strconv.Itoa(year), Label: strconv.Itoa(year)})
	}
	return options
}
