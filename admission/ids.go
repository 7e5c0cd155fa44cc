package admission

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
)

// Crockford's alphabet has no I, L, O and U, which are easily misread. A character's position is its value.
const (
	idAlphabet        = "0123456789abcdefghjkmnpqrstvwxyz"
	referenceAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	keyAlphabet       = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
)

var (
	idEncoding        = base32.NewEncoding(idAlphabet).WithPadding(base32.NoPadding)
	referenceEncoding = base32.NewEncoding(referenceAlphabet).WithPadding(base32.NoPadding)
)

// NewID returns a new row id: 128 random bits as 26 lower-case letters and digits.
func NewID() string { return idEncoding.EncodeToString(randomBytes(16)) }

// NewToken returns a secret for a cookie or a mail link: 256 random bits as 43 characters of base64url. Store its
// HashToken.
func NewToken() string { return base64.RawURLEncoding.EncodeToString(randomBytes(32)) }

// HashToken returns a token's SHA-256 as 64 hexadecimal digits, for storage.
func HashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// IsHash reports whether text has the format of a SHA-256: 64 lower-case hexadecimal digits.
func IsHash(text string) bool {
	return len(text) == 64 && strings.Trim(text, "0123456789abcdef") == ""
}

// Reference returns a number to read out on the phone: "ENQ-7K3M-9QTX". It has 40 random bits: its column must be
// unique, and the caller retries on a conflict.
func Reference(prefix string) string {
	drawn := referenceEncoding.EncodeToString(randomBytes(5))
	return prefix + "-" + drawn[:4] + "-" + drawn[4:]
}

// RandomLetters returns n random letters and digits, at most sixteen, to read out.
func RandomLetters(n int) string { return referenceEncoding.EncodeToString(randomBytes(10))[:n] }

// IsLetters reports whether text has the format of n Letters.
func IsLetters(text string, n int) bool {
	return len(text) == n && strings.Trim(text, referenceAlphabet) == ""
}

// CheckLetter returns the check character of a number in Crockford's alphabet (Luhn modulo 32). It detects one wrong
// character, and two swapped neighbours unless they are 0 and Z.
func CheckLetter(number string) string {
	sum := 0
	for i := range len(number) {
		value := strings.IndexByte(referenceAlphabet, number[len(number)-1-i])
		if i%2 == 0 { // every second character from the last is doubled; the digits of the result are added
			value = 2*value/32 + 2*value%32
		}
		sum += value
	}
	return referenceAlphabet[(32-sum%32)%32:][:1]
}

// NewKey returns a key for a link: 128 random bits as 22 characters of base64url.
func NewKey() string { return base64.RawURLEncoding.EncodeToString(randomBytes(16)) }

// IsKey reports whether text has the format of a NewKey.
func IsKey(text string) bool { return len(text) == 22 && strings.Trim(text, keyAlphabet) == "" }

// NewCode returns a random one-time code of six digits.
func NewCode() string {
	const fair = 1<<32 - 1<<32%1_000_000 // larger values would favour small codes
	for {
		if n := binary.BigEndian.Uint32(randomBytes(4)); uint64(n) < fair {
			return fmt.Sprintf("%06d", n%1_000_000)
		}
	}
}

func randomBytes(n int) []byte {
	random := make([]byte, n)
	rand.Read(random)
	return random
}

// IsID reports whether text has the format of a NewID.
func IsID(text string) bool {
	return len(text) == 26 && strings.Trim(text, idAlphabet) == ""
}

// ParseIDPrefix parses the beginning of an id as read out on the phone: at least eight characters, spaces ignored, with
// o, i and l taken for digits; "" if invalid.
func ParseIDPrefix(text string) string {
	beginning := strings.NewReplacer(" ", "", "o", "0", "i", "1", "l", "1").Replace(strings.ToLower(text))
	if len(beginning) < 8 || len(beginning) > 26 || strings.Trim(beginning, idAlphabet) != "" {
		return ""
	}
	return beginning
}
