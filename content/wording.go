package content

import (
	"fmt"
	"regexp"
	"strings"

	"hiresure/prose"
)

// InternshipSpan returns the months of the internship: Months 7 and 8.
func (f facts) InternshipSpan() string {
	switch f.event.InternshipMonths {
	case 1:
		return fmt.Sprintf("Month %d", f.event.Months)
	case 2:
		return fmt.Sprintf("Months %d and %d", f.event.Months-1, f.event.Months)
	}
	return fmt.Sprintf("Months %d to %d", f.event.TrainingMonths+1, f.event.Months)
}

// CourseCount returns the number of courses, capitalised: Three.
func (f facts) CourseCount() string {
	return prose.Capital(InWords(len(f.courses)))
}

var sums = regexp.MustCompile(`₹[0-9,]*[0-9](\.[0-9]{2})?`)

// BoldFirst makes the first amount in a text bold.
func (f facts) BoldFirst(text string) string {
	if sum := sums.FindString(text); sum != "" {
		return strings.Replace(text, sum, "<b>"+sum+"</b>", 1)
	}
	return text
}

// BoldSums makes the amounts in a text bold.
func (f facts) BoldSums(text string) string { return sums.ReplaceAllString(text, "<b>$0</b>") }
