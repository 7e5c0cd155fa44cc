package gateways_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hiresure/admission/payment/method"
	"hiresure/cmd/site/gateways"
	"hiresure/cmd/site/gateways/gatewaystest"
)

// documentedRow returns a gateway's row in docs/configuration.md: name, currencies, variables.
func documentedRow(d method.Descriptor) string {
	var variables []string
	for _, s := range d.Settings {
		name := "`" + s.Name + "`"
		if s.Default != "" {
			name += " (`" + s.Default + "`)"
		}
		variables = append(variables, name+": "+s.Meaning)
	}
	if len(variables) == 0 {
		variables = []string{"none"}
	}
	if d.PlayMoney {
		variables = append(variables, "takes no real money, so not in production")
	}
	return "| `" + d.Name + "` | " + strings.Join(d.Currencies, ", ") + " | " + strings.Join(variables, "; ") + " |"
}

func TestGatewaysAreDocumented(t *testing.T) {
	const want = "| `goldbars` | INR | `GOLDBARS_SHOP`: number of the shop; `GOLDBARS_SECRET`: signs what is posted, there and back; `GOLDBARS_PURITY` (`24`): in carats; `GOLDBARS_SCRIPT_URL` (`https://gold.example/v1.js`): where its script is |"
	if got := documentedRow(gatewaystest.Kind(nil).Descriptor); got != want {
		t.Errorf("a gateway's row is %s", got)
	}
	readme, err := os.ReadFile("../../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := []string{"| gateway | takes | its variables |", "|---|---|---|"}
	for _, kind := range gateways.Kinds {
		rows = append(rows, documentedRow(kind.Descriptor))
	}
	if table := strings.Join(rows, "\n") + "\n\n"; !bytes.Contains(append(readme, '\n'), []byte(table)) {
		t.Errorf("docs/configuration.md must have this table, and no row more:\n%s", table)
	}
}

// Only a gateway's package, its line in Kinds, its widget and its simulator may name it.
func TestOnlyItsPackageNamesAGateway(t *testing.T) {
	names := []string{"goldbars"}
	for _, kind := range gateways.Kinds {
		names = append(names, kind.Name)
	}
	named := regexp.MustCompile("(?i)[\"'`](" + strings.Join(names, "|") + ")[\"'`]")
	skipped := regexp.MustCompile(`^(\.git|node_modules|bin|data|static/dist|docs|e2e|test-results|playwright-report)(/|$)|(^|/)(testdata|businesstest|gatewaystest|sitetest)/|_test\.go$|_templ\.go$|\.test\.tsx?$|\.md$`)
	own := regexp.MustCompile(`^integrations/payment/(\w+)/|^islands/checkout/|^simulators/|^cmd/simulators/`)
	root, seen := "../../..", 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if name = filepath.ToSlash(name); err != nil || skipped.MatchString(name) {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return err
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		found := named.Find(data)
		switch {
		case found != nil && own.MatchString(name):
			seen++
		case found != nil:
			t.Errorf("%s names %s", name, found)
		}
		return err
	})
	if err != nil || seen == 0 {
		t.Errorf("a gateway that ships is named in %d files of its own, %v", seen, err)
	}
}
