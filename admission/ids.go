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

// Crockford's alphabet has no I, L, O and U, so nothing in it is misread. A letter's place is its value.
const (
	idAlphabet        = "0123456789abcdefghjkmnpqrstvwxyz"
	referenceAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	keyAlphabet       = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
)

var (
	idEncoding        = base32.NewEncoding(idAlphabet).WithPadding(base32.NoPadding)
	referenceEncoding = base32.NewEncoding(referenceAlphabet).WithPadding(base32.NoPadding)
)

// NewID is a row's id: 128 random bits as 26 lower-case letters and digits.
func NewID() string { return idEncoding.EncodeToString(randomBytes(16)) }

// NewToken is a secret for a cookie or a mail link: 256 random bits as 43 characters of base64url. Store its HashToken.
func NewToken() string { return base64.RawURLEncoding.EncodeToString(randomBytes(32)) }

// HashToken is what is stored of a token: its SHA-256, as 64 hexadecimal digits.
func HashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// IsHash reports whether a text has the shape of a SHA-256: 64 hexadecimal digits in lower case.
func IsHash(text string) bool {
	return len(text) == 64 && strings.Trim(text, "0123456789abcdef") == ""
}

// Reference is a number to read out over the phone: "ENQ-7K3M-9QTX". It has 40 random bits, so the column that keeps it
// is unique and the writer draws again.
func Reference(prefix string) string {
	drawn := referenceEncoding.EncodeToString(randomBytes(5))
	return prefix + "-" + drawn[:4] + "-" + drawn[4:]
}

// Letters draws at most eight letters and figures of a number to read out.
func Letters(n int) string { return referenceEncoding.EncodeToString(randomBytes(5))[:n] }

// IsLetters reports whether a text has the shape of n Letters. What has not is not looked up.
func IsLetters(text string, n int) bool {
	return len(text) == n && strings.Trim(text, referenceAlphabet) == ""
}

// CheckLetter returns the letter or figure that ends a number of Crockford's alphabet: Luhn's, modulo 32. It tells one
// wrong character, and two neighbours that changed places, unless they are 0 and Z.
func CheckLetter(number string) string {
	sum := 0
	for i := range len(number) {
		value := strings.IndexByte(referenceAlphabet, number[len(number)-1-i])
		if i%2 == 0 { // the last one, and every second before it, counts twice; of what has two digits, each
			value = 2*value/32 + 2*value%32
		}
		sum += value
	}
	return referenceAlphabet[(32-sum%32)%32:][:1]
}

// NewKey opens one thing, from wherever it is linked: 128 random bits as 22 characters of base64url.
func NewKey() string { return base64.RawURLEncoding.EncodeToString(randomBytes(16)) }

// IsKey reports whether a text has the shape of a NewKey. What has not is not looked up.
func IsKey(text string) bool { return len(text) == 22 && strings.Trim(text, keyAlphabet) == "" }

// NewCode is a one-time code: six digits, each of the million as likely as the next.
func NewCode() string {
	const fair = 1<<32 - 1<<32%1_000_000 // draws above the last whole million would favour small codes
	for {
		if n := binary.BigEndian.Uint32(randomBytes(4)); uint64(n) < fair {
			return fmt.Sprintf("%06d", n%1_000_000)
		}
	}
}

// randomBytes come from the system; crypto/rand.Read fills them or ends the process.
func randomBytes(n int) []byte {
	random := make([]byte, n)
	rand.Read(random)
	return random
}

// IsID reports whether a text has the shape of a NewID. What has not is not looked up.
func IsID(text string) bool {
	return len(text) == 26 && strings.Trim(text, idAlphabet) == ""
}

// ReadBeginning reads what somebody says of an id on the phone: its first eight letters at least, in groups or not, with the
// letters that no id has for the figures that they are taken for; "" for what begins none.
func ReadBeginning(said string) string {
	beginning := strings.NewReplacer(" ", "", "o", "0", "i", "1", "l", "1").Replace(strings.ToLower(said))
	if len(beginning) < 8 || len(beginning) > 26 || strings.Trim(beginning, idAlphabet) != "" {
		return ""
	}
	return beginning
}
