package commands

import (
	"bytes"
	"regexp"
	"testing"
)

func TestStaffCommand(t *testing.T) {
	environ := map[string]string{"DATA_DIR": t.TempDir(), "CHROME_URL": "off"}
	openBooks(t, environ)
	const usage = "site staff takes list|add|reset|end [EMAIL] [--name NAME --role ROLE,...] [--as NAME]"
	link := `send this link to kavya@academy.example; it works once, for one hour:\nhttp://127\.0\.0\.1:8080/admin/welcome/[\w-]{43}\n`
	for _, test := range []struct {
		args      []string
		said, err string // said is a pattern
	}{
		{[]string{"list"}, `nobody has an account: site staff add EMAIL --name NAME --role admin --as NAME\n`, ""},
		{[]string{"add", "kavya@academy.example", "--name", "Kavya Hegde", "--role", "admin,support"}, "", usage},
		{[]string{"add", "kavya@academy.example", "--name", "Kavya Hegde", "--role", "root", "--as", "Ravi"}, "", "There is no role root: use support, finance, reviewer, content or admin"},
		{[]string{"add", "kavya@academy.example", "--name", "--as", "Ravi"}, "", usage},
		{[]string{"add", "kavya@academy.example", "--colour", "red", "--as", "Ravi"}, "", usage},
		{[]string{"add", "--as", "Ravi"}, "", usage},
		{[]string{"add", "kavya@academy.example", "--name", "Kavya Hegde", "--role", "admin,support", "--as", "Ravi"}, link, ""},
		{[]string{"add", "kavya@academy.example", "--name", "Kavya Hegde", "--role", "admin", "--as", "Ravi"}, "", "Kavya Hegde has an account with this address"},
		{[]string{"list"}, `kavya@academy\.example  Kavya Hegde  Support, Admin  invited on \d+ \w+ \d{4}\n`, ""},
		{[]string{"reset", "Kavya@academy.example", "--as", "Ravi"}, link, ""},
		{[]string{"reset", "kavya@academy.example", "now", "--as", "Ravi"}, "", usage},
		{[]string{"reset", "other@academy.example", "--as", "Ravi"}, "", "There is no such account"},
		{[]string{"promote", "kavya@academy.example", "--as", "Ravi"}, "", usage},
		{nil, "", usage},
		{[]string{"add", "meera@academy.example", "--role", "support", "--name", "Meera Nambiar", "--as", "Ravi"}, `send this link to meera(?s:.*)`, ""},
		{[]string{"end", "meera@academy.example", "--as", "Ravi"}, `Meera Nambiar cannot sign in any more\n`, ""},
		{[]string{"list"}, `kavya(?s:.*)\nmeera@academy\.example  Meera Nambiar  Support  ended on \d+ \w+ \d{4}\n`, ""},
	} {
		var out bytes.Buffer
		err := Run(t.Context(), append([]string{"staff"}, test.args...), environ, &out)
		if !regexp.MustCompile("^"+test.said+"$").MatchString(out.String()) || (err == nil) != (test.err == "") || err != nil && err.Error() != test.err {
			t.Errorf("site staff %q: said %q, %v; want %s, %q", test.args, out.String(), err, test.said, test.err)
		}
	}
	var out bytes.Buffer
	if err := Run(t.Context(), []string{"log"}, environ, &out); err != nil || !regexp.MustCompile(`operator Ravi \(shell\)  ended an account  staff \w+ Meera Nambiar  invited to ended\n$`).MatchString(out.String()) {
		t.Errorf("the log is %q, %v", out.String(), err)
	}
}
