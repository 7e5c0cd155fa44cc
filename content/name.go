package content

import (
	"strings"
	"unicode/utf8"
)

// FirstName returns how we call somebody: the first name, or the full name if that starts with an initial or
// abbreviation.
func FirstName(fullName string) string {
	name := strings.TrimSpace(fullName)
	first, _, _ := strings.Cut(name, " ")
	if strings.Contains(first, ".") || utf8.RuneCountInString(first) == 1 {
		return name
	}
	return first
}
