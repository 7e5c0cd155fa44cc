package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// helpers are packages that only tests use, with the additional packages that they may import.
var helpers = map[string][]string{
	"admission/business/businesstest": {"content", "integrations/objects", "integrations/payment/sandbox", "jobs", "store", "store/storetest"}, // the business on a real database
	"forms/formstest":                 {"forms"},
}

func TestImportsAreADAG(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "hiresure/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	rows := mayImport(t)
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		words := strings.Fields(line)
		from := strings.TrimPrefix(words[0], "hiresure/")
		allowed, known := rule(rows, from)
		allowed = append(slices.Clone(allowed), helpers[from]...)
		if !known {
			t.Errorf("%s stands in no row of ARCHITECTURE.md", from)
			continue
		}
		for _, imported := range words[1:] {
			if to, internal := strings.CutPrefix(imported, "hiresure/"); internal && !allows(allowed, to) {
				t.Errorf("%s imports %s, which it may not", from, to)
			}
		}
	}
}

var quoted = regexp.MustCompile("`([^`]+)`")

// mayImport parses ARCHITECTURE.md's table: by folder, the packages of ours that it may import. "x/…" means x and every
// package below it, "all" means all. A folder's row applies to the packages below it, unless they have rows, and allows them to
// import the folder.
func mayImport(t *testing.T) map[string][]string {
	t.Helper()
	document, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(document), "| folder | what lives there | may import |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := map[string][]string{}
	for _, line := range strings.Split(table, "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		name := quoted.FindStringSubmatch(cells[0])
		if name == nil || len(cells) != 3 {
			continue // the line below the header
		}
		folder := strings.TrimSuffix(name[1], "/…")
		if _, twice := rows[folder]; twice {
			t.Errorf("ARCHITECTURE.md has two rows for %s", folder)
		}
		rows[folder] = []string{existing(t, folder)}
		if allowed := cells[2]; allowed != "–" && allowed != "leaf libraries" {
			for _, name := range strings.Fields(allowed) {
				rows[folder] = append(rows[folder], existing(t, name))
			}
		}
	}
	return rows
}

// existing returns the path of a folder in the table, which has areas of the business without their parent folder.
func existing(t *testing.T, name string) string {
	t.Helper()
	for _, path := range []string{name, "admission/" + name} {
		if info, err := os.Stat("../../" + strings.TrimSuffix(path, "/…")); err == nil && info.IsDir() || name == "all" {
			return path
		}
	}
	t.Errorf("ARCHITECTURE.md names %s, which there is not", name)
	return name
}

// rule returns the row of a package or of its folder.
func rule(rows map[string][]string, from string) (allowed []string, known bool) {
	for folder := from; ; folder = folder[:strings.LastIndex(folder, "/")] {
		if allowed, known = rows[folder]; known || !strings.Contains(folder, "/") {
			return allowed, known
		}
	}
}

func allows(allowed []string, to string) bool {
	return slices.ContainsFunc(allowed, func(row string) bool {
		folder, wild := strings.CutSuffix(row, "/…")
		return row == "all" || folder == to || wild && strings.HasPrefix(to, folder+"/")
	})
}

// statesOfPayments matches what only admission/status may use.
var statesOfPayments = regexp.MustCompile(`\bpayment\.(Created|Pending|Paid|Failed|Expired|Review|RefundDue|RefundPending|Refunded|Disputed)\b|\.IsApplication\(`)

func TestPagesAndAPIReadOnlyTheStatus(t *testing.T) {
	read := 0
	for _, folder := range []string{"../../pages", "../../api"} {
		err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, ".templ") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			read++
			source, err := os.ReadFile(path)
			if found := statesOfPayments.FindString(string(source)); found != "" {
				t.Errorf("%s reads %s: admission/status decides how a payment or a registration stands", path, found)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if read < 100 {
		t.Errorf("only %d files were read", read)
	}
}

// The production binary contains no simulator, which would accept payments without money.
func TestProductionBinaryContainsNoSimulator(t *testing.T) {
	for program, want := range map[string]bool{"hiresure/cmd/site": false, "hiresure/cmd/simulators": true} {
		out, err := exec.Command("go", "list", "-deps", program).Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Contains(strings.Fields(string(out)), "hiresure/simulators"); got != want {
			t.Errorf("%s contains simulators: %t", program, got)
		}
	}
}
