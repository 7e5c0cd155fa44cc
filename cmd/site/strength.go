package main

import (
	"fmt"
	"math"
	"strings"
)

const (
	strongBits    = 128
	leastDistinct = 8 // characters; 22 of base64 have 18 on average, 32 hexadecimal digits 14
)

// placeholders are what examples and tutorials put in a secret's place.
var placeholders = []string{
	"changeme", "changethis", "replaceme", "replacethis", "placeholder", "yoursecret", "yourkey", "mysecret", "secret", "password", "passwort",
	"default", "example", "insecure", "letmein", "hiresure",
	"6leixactaaaaaggvfi1tnrwxmznfuojj4wifjwe", // the test key of reCAPTCHA's documentation, with which everybody passes
}

// weakness says why a secret is below 128 bits, or "" where nothing shows that it is. It judges length, by the alphabet that
// the characters look drawn from, and variety, by what follows a pattern seen before. It cannot know what leaked or was
// thought up by a person with care: secrets come from a random generator.
func weakness(secret string) string {
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(secret))
	for _, word := range placeholders {
		if strings.Contains(plain, word) {
			return "it holds what examples put in a secret's place"
		}
	}
	text := []rune(strings.TrimRight(secret, "=")) // base64 pads with what says nothing
	if bits := float64(len(text)) * bitsEach(text); bits < strongBits {
		return fmt.Sprintf("it is worth %.0f bits at most, not %d", math.Floor(bits), strongBits)
	}
	distinct := map[rune]bool{}
	for _, r := range text {
		distinct[r] = true
	}
	// Of 32 random hexadecimal digits less than one follows a pattern by chance.
	if len(distinct) < leastDistinct || patterned(text)*4 > len(text) {
		return "it repeats itself or follows a pattern"
	}
	return ""
}

// bitsEach is what a random character of text's alphabet is worth.
func bitsEach(text []rune) float64 {
	var digits, lower, upper, beyondHex bool
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
			digits = true
		case r >= 'a' && r <= 'z':
			lower, beyondHex = true, beyondHex || r > 'f'
		case r >= 'A' && r <= 'Z':
			upper, beyondHex = true, beyondHex || r > 'F'
		default:
			beyondHex = true
		}
	}
	switch {
	case lower && upper:
		return 6 // base64
	case !lower && !upper:
		return math.Log2(10)
	case !beyondHex:
		return 4
	case digits:
		return math.Log2(36)
	}
	return 2 // taken for words, as one in two hundred of 26 random letters and digits is: a letter of English is worth less
}

// keyboard is the rows of keys: a run along a row is equal steps, and each column is the same steps as the one before it.
const keyboard = "`1234567890-= qwertyuiop[] asdfghjkl;' zxcvbnm,./"

// patterned counts the characters that come to their place by three steps seen earlier in the text, a step being the way from
// one character to the next by code or on the keyboard: so aaaa, abcdef, 1122334455, qwertyuiop and whatever is repeated.
func patterned(text []rune) int {
	byCode := []rune(strings.ToLower(string(text)))
	byKey := make([]rune, len(byCode))
	for i, r := range byCode {
		byKey[i] = r + rune(len(keyboard)) // no key: a place of its own
		if at := strings.IndexRune(keyboard, r); at >= 0 {
			byKey[i] = rune(at)
		}
	}
	follows := make([]bool, len(text))
	for _, order := range [][]rune{byCode, byKey} {
		seen := map[[3]rune]bool{}
		for i := 3; i < len(order); i++ {
			steps := [3]rune{order[i-2] - order[i-3], order[i-1] - order[i-2], order[i] - order[i-1]}
			follows[i] = follows[i] || seen[steps]
			seen[steps] = true
		}
	}
	count := 0
	for _, f := range follows {
		if f {
			count++
		}
	}
	return count
}
