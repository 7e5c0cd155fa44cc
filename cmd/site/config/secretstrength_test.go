package config

import (
	"encoding/base64"
	"encoding/hex"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

func TestWeakness(t *testing.T) {
	const (
		pattern     = "it repeats itself or follows a pattern"
		placeholder = "it holds what examples put in a secret's place"
	)
	for _, test := range []struct{ sentence, secret, want string }{
		{"openssl rand -hex 32", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", ""},
		{"the same in capitals", "9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08", ""},
		{"openssl rand -hex 16", "d41d8cd98f00b204e9800998ecf8427e", ""},
		{"16 bytes in base64", "mZ2cQ0u7Wk1vXp9sLr4tGA==", ""},
		{"16 bytes in base64 of addresses", "3q2-7_4kHcT1oWn8RzYbVg", ""},
		{"16 bytes in base64 without a digit", "mZxcQauKWkBvXpFsLrRtGA==", ""},
		{"a vendor's key with a fixed head", "0x4AAAAAAADnPIDROrmt1Wwj3kV9sQzYbFh8", ""},

		{"one letter", "x", "it is worth 2 bits at most, not 128"},
		{"31 hexadecimal digits", "d41d8cd98f00b204e9800998ecf8427", "it is worth 124 bits at most, not 128"},
		{"21 characters of base64", "mZ2cQ0u7Wk1vXp9sLr4tG", "it is worth 126 bits at most, not 128"},
		{"padding is worth nothing", "mZ2cQ0u7Wk1vXp9sLr4tG===", "it is worth 126 bits at most, not 128"},
		{"38 digits", "31415926535897932384626433832795028841", "it is worth 126 bits at most, not 128"},
		{"24 small letters and digits", "k3v9x0q7zr2m5t8w1y4b6n0p", "it is worth 124 bits at most, not 128"},
		{"a sentence", "correct horse battery staple and a paper clip", "it is worth 90 bits at most, not 128"},
		{"all zeros", strings.Repeat("0", 64), pattern},
		{"one letter, long", strings.Repeat("a", 100), pattern},
		{"a byte, repeated", strings.Repeat("5e", 32), pattern},
		{"three bytes, repeated", strings.Repeat("5ec7e7", 10) + "5ec7", pattern},
		{"a random half, repeated", strings.Repeat("d41d8cd98f00b204e9800998ecf8427e", 2), pattern},
		{"a random quarter before zeros", "d41d8cd98f00b204" + strings.Repeat("0", 48), pattern},
		{"pairs that count up", "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff", pattern},
		{"digits that count up", strings.Repeat("0123456789abcdef", 4), pattern},
		{"digits that count down", strings.Repeat("fedcba9876543210", 4), pattern},
		{"letters and digits in order", "abcdefghijklmnopqrstuvwxyz0123456789", pattern},
		{"both cases in order", "AaBbCcDdEeFfGgHhIiJjKkLlMm", pattern},
		{"rows of the keyboard in both cases", "QwErTyUiOpAsDfGhJkLzXcVbNm", pattern},
		{"rows of the keyboard", "1234567890qwertyuiopasdfghjklzxcvbnm", pattern},
		{"columns of the keyboard", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik", pattern},
		{"two digits, thrown like a coin", "0110100110010110100101100110100110010110011010010110100110010110", pattern},
		{"seven digits, by chance", "5203164210365542016334125060215346153204431602540326115320460135", pattern},
		{"a placeholder", "changeme", placeholder},
		{"a placeholder, long", "Change-Me-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c", placeholder},
		{"reCAPTCHA's test key", "6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe", placeholder},
		{"Turnstile's test key", "1x0000000000000000000000000000000AA", pattern},
	} {
		if got := weakness(test.secret); got != test.want {
			t.Errorf("%s: %q, want %q", test.sentence, got, test.want)
		}
	}
}

func TestRandomSecretsAreStrong(t *testing.T) {
	random := rand.NewChaCha8([32]byte{}) // the same in each run: one in millions seems weak
	for range 2000 {
		sixteen, thirtyTwo := make([]byte, 16), make([]byte, 32)
		_, _ = random.Read(sixteen) // never fails
		_, _ = random.Read(thirtyTwo)
		for _, secret := range []string{
			hex.EncodeToString(sixteen), hex.EncodeToString(thirtyTwo), base64.StdEncoding.EncodeToString(sixteen), base64.RawURLEncoding.EncodeToString(sixteen),
		} {
			if reason := weakness(secret); reason != "" {
				t.Fatalf("%s: %s", secret, reason)
			}
		}
	}
}

// Every variable named like a secret is checked for weakness.
func TestEverySecretVariableIsChecked(t *testing.T) {
	secret, seen := regexp.MustCompile(`_(SECRET|TOKEN|KEYS?)$`), 0
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Config]()) {
		name := field.Tag.Get("env")
		if !secret.MatchString(name) || name == "CAPTCHA_SITE_KEY" || name == "S3_ACCESS_KEY" { // public, and the id of S3_SECRET_KEY
			continue
		}
		seen++
		environ := production(map[string]string{name: "changeme"})
		environ["DATA_DIR"] = t.TempDir()
		if _, err := Read(environ); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("production starts with %s=changeme (%v): judge it in judgeSecrets", name, err)
		}
	}
	if seen < 5 {
		t.Errorf("%d secrets", seen)
	}
}
