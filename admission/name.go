package admission

import "strings"

// SplitName splits a full name into first and last name for the API: the last word is the last name, "" for a single word.
func SplitName(full string) (first, last string) {
	words := strings.Fields(full)
	if len(words) < 2 {
		return strings.Join(words, " "), ""
	}
	return strings.Join(words[:len(words)-1], " "), words[len(words)-1]
}
