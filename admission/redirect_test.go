package admission_test

import (
	"testing"

	"hiresure/admission"
)

const ownOrigin = "https://app.example.in"

func TestSafeRedirectAllowsOwnOrigin(t *testing.T) {
	for _, raw := range []string{
		"/",
		"/success",
		"/success?x=1#y",
		"/success?next=//evil.example",
		"https://app.example.in",
		"https://app.example.in/",
		"https://app.example.in/success",
		"https://app.example.in?x=1",
		"https://app.example.in#y",
		"/%2f%2fevil.example",
		"/%5cevil.example",
	} {
		if got, safe := admission.SafeRedirect(raw, ownOrigin); got != raw || !safe {
			t.Errorf("%q: got %q, %v", raw, got, safe)
		}
	}
}

func TestSafeRedirectRejectsOthers(t *testing.T) {
	for _, raw := range []string{
		"",
		"success",
		"?x=1",
		"#y",
		"//evil",
		"//evil.example/success",
		"///evil",
		"////evil",
		`/\evil`,
		`\\evil`,
		`\/evil`,
		`/success\..\evil`,
		"https:evil",
		"https:/evil",
		"https:///evil",
		"https://app.example.in@evil/",
		"https://app.example.in:x@evil/",
		"https://app.example.in.evil/",
		"https://app.example.in%2eevil/",
		"https://app.example.income/",
		"https://APP.example.in/",
		"HTTPS://app.example.in/",
		"https://app.example.in:8443",
		"https://app.example.in:8443/success",
		"https://app.example.in:443/",
		"http://app.example.in/",
		"https://user@app.example.in/",
		"https://user:word@app.example.in/",
		"https://evil/https://app.example.in/",
		"javascript:alert(1)",
		"JavaScript:alert(1)",
		"data:text/html,x",
		"vbscript:x",
		" /success",
		"\t/success",
		"/\t/evil",
		"/success ",
		"/suc cess",
		"/success\r\nSet-Cookie: a=b",
		"/success\n",
		"/success\x00",
		"/success\x7f",
		"https://\u0430pp.example.in/", // the first letter is Cyrillic
	} {
		if got, safe := admission.SafeRedirect(raw, ownOrigin); got != "/" || safe {
			t.Errorf("%q: got %q, %v", raw, got, safe)
		}
	}
}

func TestSafeRedirectWithoutOrigin(t *testing.T) {
	for raw, want := range map[string]bool{"/success": true, "//evil": false, "https://app.example.in/": false, "": false, "?x": false} {
		if _, safe := admission.SafeRedirect(raw, ""); safe != want {
			t.Errorf("%q: got %v", raw, safe)
		}
	}
}
