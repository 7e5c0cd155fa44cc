package admission

import (
	"strings"
	"testing"
)

func TestSource(t *testing.T) {
	for _, row := range []struct{ sentence, sent, kept string }{
		{"nothing", "", ""},
		{"all that is kept", "utm_source=Poster&utm_medium=print&utm_campaign=Nov+2026&utm_term=exam&utm_content=a.b_c~d-e&referrer=www.Google.com&landing=hiresure-mgrow-2025",
			"landing=hiresure-mgrow-2025&referrer=www.google.com&utm_campaign=nov+2026&utm_content=a.b_c~d-e&utm_medium=print&utm_source=poster&utm_term=exam"},
		{"other names", "gclid=1&fbclid=x&name=Asha&utm_id=7&utm_source=a", "utm_source=a"},
		{"an e-mail", "utm_source=asha@example.com&utm_medium=mail", "utm_medium=mail"},
		{"a phone number", "utm_source=98765+43210&utm_term=a9876543210&utm_medium=2026-11", "utm_medium=2026-11"},
		{"markup", "utm_source=%3Cb%3E&utm_medium=a%22b", ""},
		{"another script", "utm_source=%E0%A4%85", ""},
		{"a name that is too long", "utm_source=" + strings.Repeat("a", 61), ""},
		{"the longest name", "utm_source=" + strings.Repeat("a", 60), "utm_source=" + strings.Repeat("a", 60)},
		{"a whole address as referrer", "referrer=https%3A%2F%2Fmail.example%2Finbox%3Fq%3Dasha", ""},
		{"a host without a dot", "referrer=intranet", ""},
		{"a host with a port", "referrer=example.com%3A8080", ""},
		{"an address of numbers", "referrer=192.0.2.7", ""},
		{"a path as landing", "landing=%2Fticket%2F7Q2M9KXW4TBN8RVC3HJD5F", ""},
		{"a key as landing", "landing=7Q2M_9KXW4TBN8RVC3HJD5", ""},
		{"what cannot be read", "utm_source=%zz&utm_medium=mail&;=", "utm_medium=mail"},
		{"no text", "utm_source=%00", ""},
		{"the first of two", "utm_source=a&utm_source=b", "utm_source=a"},
		{"too much", "utm_source=a&x=" + strings.Repeat("y", 1000), ""},
	} {
		if got := Source(row.sent); got != row.kept || Source(got) != got {
			t.Errorf("%s: keeps %q, want %q; again %q", row.sentence, got, row.kept, Source(got))
		}
	}
}
