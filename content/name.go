package content

import (
	"strings"
	"unicode/utf8"
)

// FirstName is how pages, mails and pictures call somebody: the first of the names, or all of them where that is an initial
// or an abbreviation (one letter, or with a full stop).
func FirstName(fullName string) string {
	name := strings.TrimSpace(fullName)
	first, _, _ := strings.Cut(name, " ")
	if strings.Contains(first, ".") || utf8.RuneCountInString(first) == 1 {
		return name
	}
	return first
}
