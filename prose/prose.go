// Package prose formats numbers and lists in sentences.
package prose

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	small = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
	tens  = strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety")
)

// Number returns a number below a hundred in words, others in digits.
func Number(n int) string {
	switch {
	case n < 0 || n >= 100:
		return strconv.Itoa(n)
	case n < 20:
		return small[n]
	case n%10 == 0:
		return tens[n/10-2]
	}
	return tens[n/10-2] + "-" + small[n%10]
}

// List joins words as "a, b and c"; "" for none.
func List(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// Either joins words as "a, b or c"; "" for none.
func Either(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// Capital returns text with its first letter in upper case.
func Capital(text string) string { return withFirst(text, unicode.ToUpper) }

// Lower returns text with its first letter in lower case, for use within a sentence.
func Lower(text string) string { return withFirst(text, unicode.ToLower) }

func withFirst(text string, change func(rune) rune) string {
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(change(first)) + text[size:]
}

// GroupDigits inserts commas after three digits from the right, then after every two (Indian) or three.
func GroupDigits(digits string, indian bool) string {
	step := 3
	if indian {
		step = 2
	}
	cut := len(digits) - 3
	if cut <= 0 {
		return digits
	}
	grouped := digits[cut:]
	for ; cut > step; cut -= step {
		grouped = digits[cut-step:cut] + "," + grouped
	}
	return digits[:cut] + "," + grouped
}
