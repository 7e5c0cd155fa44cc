package commands

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/store"
)

func TestUsage(t *testing.T) {
	for _, name := range []string{"--help", "-h", "help"} {
		var out bytes.Buffer
		if err := Run(t.Context(), []string{name}, nil, &out); err != nil || out.String() != usage() {
			t.Errorf("%s: %v\n%s", name, err, &out)
		}
	}
	for _, c := range commands() {
		head, help := strings.TrimSpace("  site "+c.name+" "+c.arguments), strings.Contains(usage(), " "+c.help+"\n")
		if !strings.Contains(usage(), "\n  "+head) || !help || c.help == "" || strings.Contains(c.help, "\n") {
			t.Errorf("the help lacks %s: %s", head, c.help)
		}
	}
	if err := Run(t.Context(), []string{"no-command"}, nil, io.Discard); err == nil || err.Error() != "there is no command \"no-command\"\n\n"+usage() {
		t.Errorf("an unknown command: %v", err)
	}
}

func TestCommandsRejectWrongArguments(t *testing.T) {
	environ := map[string]string{"DATA_DIR": t.TempDir()}
	if err := perform(t, environ, "migrate"); err != nil {
		t.Fatal(err)
	}
	for _, c := range commands() {
		if slices.Contains([]string{"inspect", "payment"}, c.name) { // a separate process; any arguments
			continue
		}
		want := "site " + c.name + " takes " + c.arguments
		if c.arguments == "" {
			want = "site " + c.name + " takes no arguments"
		}
		if err := perform(t, environ, c.name+" one two three four"); err == nil || err.Error() != want {
			t.Errorf("%s with four arguments: %v, want %s", c.name, err, want)
		}
	}
	for _, line := range []string{"--demo one", "serve --fill"} {
		if err := perform(t, environ, line); err == nil || err.Error() != "site serve takes [--demo]" {
			t.Errorf("site %s: %v", line, err)
		}
	}
}

// testedElsewhere lists the commands that other packages test, with the file.
var testedElsewhere = map[string]string{"inspect": "e2e/inspect_test.go", "serve": "e2e/process.go", "resend": "cmd/site/site/mail_test.go"}

func TestEachCommandHasATest(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tests.Write(text)
	}
	for _, c := range commands() {
		called := regexp.MustCompile(`"` + c.name + `[ "]`).MatchString(tests.String())
		if file := testedElsewhere[c.name]; file != "" {
			if _, err := os.Stat("../../../" + file); err != nil {
				t.Error(err)
			}
		} else if !called {
			t.Errorf("no test calls site %s", c.name)
		}
	}
}

var commandCell = regexp.MustCompile("(?m)^\\| `site ([^`]+)` \\|")

func TestCommandsAreDocumented(t *testing.T) {
	document, err := os.ReadFile("../../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(document), "\n## Commands\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var rows []string
	for _, cell := range commandCell.FindAllStringSubmatch(section, -1) {
		rows = append(rows, strings.ReplaceAll(cell[1], `\|`, "|"))
	}
	var want []string
	for _, c := range commands() {
		want = append(want, strings.TrimSpace(c.name+" "+c.arguments))
	}
	if !slices.Equal(rows, want) {
		t.Errorf("operating.md has\n%s\nwant\n%s", strings.Join(rows, "\n"), strings.Join(want, "\n"))
	}
}

func TestReviewAndReconcileRejectArguments(t *testing.T) {
	environ := map[string]string{"DATA_DIR": t.TempDir()}
	books := openBooks(t, environ)
	const id = "mavb1v15nqxjadqg0fwq8fst9m"
	if err := books.Update(t.Context(), func(tx store.Tx) error {
		if err := tx.AddRegistration(&enrol.Registration{ID: "R1", EventSlug: "hiresure-mgrow-2025", EventCode: "KS_Mgrow", Phone: "1"}); err != nil {
			return err
		}
		return tx.AddTransaction(&payment.Transaction{ID: id, RegistrationID: "R1", Gateway: "sandbox", State: payment.Failed})
	}); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"review " + id + " accept --as Ravi":   "payment " + id + " is failed, not in review",
		"review " + id + " ask --as Ravi":      "payment " + id + " is failed, not in review",
		"review " + id + " refund --as Ravi":   "payment " + id + " is failed; only refund_due and review go back from here",
		"review " + id + " forget --as Ravi":   `a review ends with accept, ask or refund, not with "forget"`,
		"review P2 refund --as Ravi":           "there is no payment P2",
		"review P2 accept --as Ravi":           "there is no payment P2",
		"review " + id:                         "site review takes TXN accept|ask|refund --as NAME",
		"review " + id + " accept":             "site review takes TXN accept|ask|refund --as NAME",
		"review " + id + " accept --as":        "site review takes TXN accept|ask|refund --as NAME",
		"review " + id + " accept --as 1":      "site review takes TXN accept|ask|refund --as NAME",
		"review " + id + " accept --by Ravi":   "site review takes TXN accept|ask|refund --as NAME",
		"review " + id + " accept x --as Ravi": "site review takes TXN accept|ask|refund --as NAME",
		"reconcile 21.11.2026":                 `a day is written as 2026-11-21, not "21.11.2026"`,
		"reconcile 2026-11-21":                 "<nil>",
	} {
		if got := fmt.Sprint(perform(t, environ, line)); got != want {
			t.Errorf("site %s: %s, want %s", line, got, want)
		}
	}
}
