package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport is ARCHITECTURE.md's table: the packages of ours that a folder may import. "x/…" is every package below x,
// "*" is all. A folder's rule counts for what is below it too, unless that has a row of its own.
var mayImport = map[string][]string{
	"cmd/site":  {"*"},
	"cmd/bench": {"*"},
	"cmd/build": {"static"},
	"e2e":       {"*"},

	"pages":        {"pages", "web", "admission", "admission/…", "components", "content", "forms", "static"},
	"api":          {"web", "admission", "admission/…", "forms"},
	"web":          {"admission", "admission/access"},
	"components":   {"forms", "static"},
	"jobs":         {"admission"},
	"integrations": {"admission", "admission/access", "admission/enrol", "admission/message", "admission/payment"},
	"store":        {"store", "admission", "admission/…"}, // storetest is the store's own help for tests

	"admission":          {"forms"},
	"admission/india":    {"admission"},
	"admission/message":  {"admission"},
	"admission/access":   {"admission", "admission/message", "forms"},
	"admission/consent":  {"admission"},
	"admission/contact":  {"admission", "admission/access", "admission/consent", "admission/message", "forms"},
	"admission/enrol":    {"admission", "admission/access", "admission/consent", "admission/india", "admission/message", "forms"},
	"admission/invoice":  {"admission", "admission/india"},
	"admission/payment":  {"admission", "admission/access", "admission/enrol", "admission/invoice", "admission/message"},
	"admission/receipt":  {"admission", "admission/enrol", "admission/invoice", "admission/payment"},
	"admission/business": {"admission", "admission/…", "forms"},

	"admission/business/businesstest": {"admission", "admission/…", "integrations/payment/sandbox"}, // a provider for tests

	"forms":           {},
	"forms/formstest": {"forms"},
	"content":         {},
	"static":          {},
	"docs":            {},
}

func TestImportsAreADAG(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "hiresure/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		words := strings.Fields(line)
		from := strings.TrimPrefix(words[0], "hiresure/")
		allowed, known := rule(from)
		if !known {
			t.Errorf("%s stands in no row of ARCHITECTURE.md", from)
			continue
		}
		for _, imported := range words[1:] {
			if to, ours := strings.CutPrefix(imported, "hiresure/"); ours && !allows(allowed, to) {
				t.Errorf("%s imports %s, which it may not", from, to)
			}
		}
	}
}

// rule returns the row of a package, or of the folder that it stands in.
func rule(from string) (allowed []string, known bool) {
	for folder := from; ; folder = folder[:strings.LastIndex(folder, "/")] {
		if allowed, known = mayImport[folder]; known || !strings.Contains(folder, "/") {
			return allowed, known
		}
	}
}

func allows(allowed []string, to string) bool {
	return slices.ContainsFunc(allowed, func(row string) bool {
		below, wild := strings.CutSuffix(row, "…")
		return row == "*" || row == to || wild && strings.HasPrefix(to, below)
	})
}
