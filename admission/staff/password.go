package staff

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"
)

// Costs of argon2id: OWASP's second choice (password storage cheat sheet), 50 ms of processor time.
const (
	hashMemory = 19 << 10 // KiB
	hashTime   = 2
	hashKey    = 32 // bytes
	hashSalt   = 16
)

// hashing limits how many passwords are hashed at once, each of which needs 19 MiB.
var hashing = make(chan struct{}, 2)

// hashOf returns argon2id of a password. It waits for its turn and returns ctx's error if that does not come.
func hashOf(ctx context.Context, password string, salt []byte) ([]byte, error) {
	select {
	case hashing <- struct{}{}:
		defer func() { <-hashing }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return argon2.IDKey([]byte(norm.NFKC.String(password)), salt, hashTime, hashMemory, 1, hashKey), nil
}

// HashPassword returns the PHC string of a new password.
func HashPassword(ctx context.Context, password string) (string, error) {
	salt := make([]byte, hashSalt)
	rand.Read(salt)
	key, err := hashOf(ctx, password, salt)
	if err != nil {
		return "", err
	}
	encode := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=1$%s$%s", argon2.Version, hashMemory, hashTime, encode(salt), encode(key)), nil
}

// passwordFits reports whether a password belongs to a PHC string of HashPassword. Without one it takes as long and returns false.
func passwordFits(ctx context.Context, password, phc string) (bool, error) {
	salt, want := make([]byte, hashSalt), []byte(nil)
	if parts := strings.Split(phc, "$"); len(parts) == 6 {
		var err error
		if salt, err = base64.RawStdEncoding.DecodeString(parts[4]); err != nil {
			return false, fmt.Errorf("read a password's salt: %w", err)
		}
		if want, err = base64.RawStdEncoding.DecodeString(parts[5]); err != nil {
			return false, fmt.Errorf("read a password's hash: %w", err)
		}
	}
	key, err := hashOf(ctx, password, salt)
	return err == nil && subtle.ConstantTimeCompare(key, want) == 1, err
}

const (
	minPassword = 12
	maxPassword = 200
)

// common are parts of the passwords that guessers try first.
var common = []string{
	"password", "passwort", "passw0rd", "p@ssw0rd", "letmein", "welcome", "iloveyou", "qwerty", "qwertz", "asdfgh", "zxcvbn", "1q2w3e4r", "1qaz2wsx",
	"admin", "administrator", "monkey", "dragon", "sunshine", "princess", "football", "baseball", "cricket", "superman", "batman", "master", "shadow", "secret",
	"india", "bharat", "mumbai", "delhi", "krishna", "jaishree", "sairam", "ganesh", "hiresure", "scholarship", "office", "staff", "test", "changeme", "default", "hello",
}

// passwordFault returns why a password is not accepted for an account; "" if it is.
func passwordFault(password string, a *Account) string {
	switch n := utf8.RuneCountInString(password); {
	case n < minPassword:
		return "Use at least 12 characters"
	case n > maxPassword:
		return "Use at most 200 characters"
	case !utf8.ValidString(password) || strings.ContainsFunc(password, unicode.IsControl):
		return "Use letters, digits and signs only"
	}
	rest := strings.ToLower(norm.NFKC.String(password))
	name, host, _ := strings.Cut(a.Email, "@")
	own := strings.FieldsFunc(strings.ToLower(a.Name)+" "+name+" "+host, func(r rune) bool { return !unicode.IsLetter(r) })
	for _, known := range append(own, common...) {
		if len(known) > 2 {
			rest = strings.ReplaceAll(rest, known, "")
		}
	}
	if unguessable(rest) < 7 {
		return "This password is easy to guess. Three unrelated words are good"
	}
	return ""
}

// unguessable counts the characters that neither repeat nor continue what stands before them: "aaaa", "1234" and "abab" count
// little. The digits of a year count once.
func unguessable(text string) int {
	runes, n := []rune(text), 0
	for i, r := range runes {
		switch {
		case i > 0 && (r-runes[i-1] >= -1 && r-runes[i-1] <= 1), i > 1 && r == runes[i-2], i > 2 && r == runes[i-3]:
		case i > 0 && unicode.IsDigit(r) && unicode.IsDigit(runes[i-1]):
		default:
			n++
		}
	}
	return n
}
