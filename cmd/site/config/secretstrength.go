package config

import (
	"fmt"
	"math"
	"strings"
)

const (
	strongBits  = 128
	minDistinct = 8 // characters; 22 of base64 have 18 on average, 32 hexadecimal digits 14
)

// placeholders are words that examples and tutorials use as secrets.
var placeholders = []string{
	"changeme", "changethis", "replaceme", "replacethis", "placeholder", "yoursecret", "yourkey", "mysecret", "secret", "password", "passwort",
	"default", "example", "insecure", "letmein", "hiresure",
	"6leixactaaaaaggvfi1tnrwxmznfuojj4wifjwe", // the test key of reCAPTCHA's documentation, which accepts everybody
}

// weakness returns why a secret has less than 128 bits, or "". It checks the length, given the alphabet of its characters,
// and repeated patterns. It cannot detect leaked or carefully invented secrets.
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
	text := []rune(strings.TrimRight(secret, "=")) // without base64's padding
	if bits := float64(len(text)) * bitsPerChar(text); bits < strongBits {
		return fmt.Sprintf("it is worth %.0f bits at most, not %d", math.Floor(bits), strongBits)
	}
	distinct := map[rune]bool{}
	for _, r := range text {
		distinct[r] = true
	}
	// Of 32 random hexadecimal digits less than one follows a pattern by chance.
	if len(distinct) < minDistinct || countPatterned(text)*4 > len(text) {
		return "it repeats itself or follows a pattern"
	}
	return ""
}

// bitsPerChar returns the bits per random character of text's alphabet.
func bitsPerChar(text []rune) float64 {
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
	return 2 // letters only are probably words, and a letter of English has less; 1 in 200 random texts of 26 letters and digits errs
}

// keyboard lists the rows of keys: a run along a row has equal steps, and each column has the steps of the previous one.
const keyboard = "`1234567890-= qwertyuiop[] asdfghjkl;' zxcvbnm,./"

// countPatterned counts the characters that follow three steps seen earlier in the text. A step is the difference between two
// characters by code or on the keyboard. It finds aaaa, abcdef, 1122334455, qwertyuiop and repetitions.
func countPatterned(text []rune) int {
	byCode := []rune(strings.ToLower(string(text)))
	byKey := make([]rune, len(byCode))
	for i, r := range byCode {
		byKey[i] = r + rune(len(keyboard)) // not on the keyboard
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
