package staff

import (
	"strings"
	"testing"
)

func TestEasyPasswordsAreRefused(t *testing.T) {
	const (
		short = "Use at least 12 characters"
		easy  = "This password is easy to guess. Three unrelated words are good"
	)
	kavya := &Account{Name: "Kavya Hegde", Email: "kavya.hegde@academy.example"}
	for password, want := range map[string]string{
		"":                      short,
		"lamp monsoo":           short,
		"தமிழ் மழை கா":          short[:0],
		"passwordpassword":      easy,
		"Password1234!":         easy,
		"qwertyuiop12":          easy,
		"iloveyou1234567":       easy,
		"kavyahegde1990":        easy,
		"KavyaHegde2026!":       easy,
		"hiresure2026!!":        easy,
		"aaaaaaaaaaaaaaaa":      easy,
		"abcabcabcabcabc":       easy,
		"123456789012345":       easy,
		"academy.example1":      easy,
		"tiger lamp monsoon":    "",
		"correct horse battery": "",
		"W4x!pQ9z#Lm2":          "",
		"मेरी दादी का घर":             "",
		strings.Repeat("lampe ", 34):  "Use at most 200 characters",
		"tiger lamp\x00monsoon":       "Use letters, digits and signs only",
		"tiger lamp\nmonsoon jackfru": "Use letters, digits and signs only",
	} {
		if got := passwordFault(password, kavya); got != want {
			t.Errorf("%q: %q, want %q", password, got, want)
		}
	}
}

func TestAPasswordFitsOnlyItsHash(t *testing.T) {
	hash, err := HashPassword(t.Context(), "tiger lamp monsoon")
	if err != nil || !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatal(hash, err)
	}
	other, err := HashPassword(t.Context(), "tiger lamp monsoon")
	if err != nil || other == hash {
		t.Error("two hashes of one password are equal", err)
	}
	for _, try := range []struct {
		password, hash string
		fits           bool
	}{
		{"tiger lamp monsoon", hash, true}, {"tiger lamp monsoon", other, true}, {"tiger lamp monsoon ", hash, false}, {"", hash, false},
		{"tiger lamp monsoon", "", false}, {"", "", false},
	} {
		if fits, err := passwordFits(t.Context(), try.password, try.hash); err != nil || fits != try.fits {
			t.Errorf("%q fits %q: %v %v", try.password, try.hash, fits, err)
		}
	}
	if fits, err := passwordFits(t.Context(), "x", "$argon2id$v=19$m=19456,t=2,p=1$!$!"); err == nil || fits {
		t.Error("a damaged hash is no error")
	}
}
