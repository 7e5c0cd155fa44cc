package main

import (
	"os/exec"
	"strings"
	"testing"
)

// mayImport is ARCHITECTURE.md's table: the packages of ours that a folder may import. Below a folder its parent's rule counts.
var mayImport = map[string][]string{
	"cmd/site":     {"*"},
	"cmd/bench":    {"*"},
	"cmd/build":    {"static"},
	"e2e":          {"*"},
	"pages":        {"pages", "admission", "components", "content", "forms", "web", "static"},
	"components":   {"forms", "static"},
	"api":          {"admission", "forms", "web"},
	"web":          {"admission"},
	"jobs":         {"admission"},
	"integrations": {"admission"},
	"store":        {"admission", "store"}, // storetest is the store's own help for tests
	"admission":    {"forms"},
	"forms":        {},
	"content":      {},
	"static":       {},
	"docs":         {},
}

func TestImportsAreADAG(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "hiresure/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		words := strings.Fields(line)
		from := strings.TrimPrefix(words[0], "hiresure/")
		folder, allowed, known := rule(from)
		if !known {
			t.Errorf("%s stands in no row of ARCHITECTURE.md", from)
			continue
		}
		for _, imported := range words[1:] {
			to, ours := strings.CutPrefix(imported, "hiresure/")
			if !ours || allowed[0] == "*" || contains(allowed, to, folder) {
				continue
			}
			t.Errorf("%s imports %s, which %s may not", from, to, folder)
		}
	}
}

func rule(from string) (folder string, allowed []string, known bool) {
	for folder = from; ; folder = folder[:strings.LastIndex(folder, "/")] {
		if allowed, known = mayImport[folder]; known {
			return folder, append(allowed, "-"), true
		}
		if !strings.Contains(folder, "/") {
			return from, nil, false
		}
	}
}

// contains tells whether to is allowed. A folder's packages do not import each other, but for the root of pages.
func contains(allowed []string, to, folder string) bool {
	for _, a := range allowed {
		if to == a || a != folder && strings.HasPrefix(to, a+"/") {
			return true
		}
	}
	return false
}
