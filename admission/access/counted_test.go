package access

import (
	"fmt"
	"testing"
	"time"
)

func TestLimitPhone(t *testing.T) {
	noon := time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)
	for _, test := range []struct {
		proven map[string]time.Time
		want   string
	}{
		{nil, ""},
		{map[string]time.Time{"phone+919876543210": noon}, "+919876543210"},
		{map[string]time.Time{"phone+919876543210": noon, "guardian+919123456780": noon.Add(time.Minute)}, "+919876543210"},
		{map[string]time.Time{"phone+919876543210": noon, "phone+919123456780": noon.Add(time.Minute)}, "+919123456780"},
		{map[string]time.Time{"phone+919876543210": noon, "phone+919123456780": noon}, "+919876543210"},
		{map[string]time.Time{"guardian+919123456780": noon}, "+919123456780"},
		{map[string]time.Time{"sign-inasha@example.in": noon}, ""},
		{map[string]time.Time{"sign-in+919876543210": noon, "phone+919876543210": noon}, "+919876543210"},
	} {
		if got := (&Session{Proven: test.proven}).limitPhone(); got != test.want {
			t.Errorf("%v: %q, want %q", test.proven, got, test.want)
		}
	}
}

func TestMailbox(t *testing.T) {
	for address, want := range map[string]string{
		"+919876543210":               "+919876543210",
		"asha@example.in":             "asha@example.in",
		"Asha.Rao@Example.IN":         "asha.rao@example.in",
		"asha+anything@example.in":    "asha@example.in",
		"asha+one+two@example.in":     "asha@example.in",
		"asha@mail+office.example.in": "asha@mail+office.example.in",
	} {
		if got := mailbox(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

func TestSessionKeepsLatestVerifications(t *testing.T) {
	noon := time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)
	var s Session
	for i := range 30 {
		s.recordVerification(fmt.Sprintf("sign-in%02d@example.in", i), noon.Add(time.Duration(i)*time.Second))
	}
	if len(s.Proven) != 20 || s.HasVerified("sign-in09@example.in") || !s.HasVerified("sign-in10@example.in") || !s.HasVerified("sign-in29@example.in") {
		t.Errorf("%d are kept: %v", len(s.Proven), s.Proven)
	}
	if s.hasVerifiedPhone() {
		t.Error("e-mails stand for a phone")
	}
}
