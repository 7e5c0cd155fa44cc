package admission

import "strings"

// Names are a first and a last name as the API tells them: the last word apart, "" where there is but one.
func Names(full string) (first, last string) {
	words := strings.Fields(full)
	if len(words) < 2 {
		return strings.Join(words, " "), ""
	}
	return strings.Join(words[:len(words)-1], " "), words[len(words)-1]
}
