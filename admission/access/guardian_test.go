package access

import (
	"strings"
	"testing"
)

func TestGuardiansReadAFirstNameAndNoLink(t *testing.T) {
	for typed, want := range map[string]string{
		" Asha Verma":         "Asha",
		"Asha":                "Asha",
		"D'Souza Maria":       "D'Souza",
		"K. Meera":            "K.",
		"Venkatanarasimhan R": "Venkatanarasim",
		"ஆஷா வர்மா":           "A student",
		"Ēva":                 "A student",
		"paytm-kyc.in":        "A student",
		"bit.ly/x":            "A student",
		"9876543210":          "A student",
		"":                    "A student",
	} {
		if got := firstName(typed); got != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
}

func TestTemplateOfACode(t *testing.T) {
	const own, other = "+919876543210", "+919876543211"
	for want, c := range map[string]CodeRequest{
		"otp":                           {Purpose: ForPhone, To: own},
		"otp-mail":                      {Purpose: ForSignIn, To: "asha@example.com"},
		"guardian-otp":                  {Purpose: ForGuardian, To: own, Other: own, EventCode: "KS_Mgrow"},
		"guardian-otp-told":             {Purpose: ForGuardian, To: other, Other: own, EventCode: "KS_Mgrow"},
		"guardian-otp-application":      {Purpose: ForGuardian, To: own, Other: own, EventCode: "hiresure"},
		"guardian-otp-application-told": {Purpose: ForGuardian, To: other, Other: own, EventCode: "hiresure"},
	} {
		if got := c.template(); got != want {
			t.Errorf("%s: %s", strings.TrimSpace(string(c.Purpose)), got)
		}
	}
}
