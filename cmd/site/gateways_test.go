package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/store/storetest"
)

// withGold returns the sandbox and the tests' gateway.
func withGold() []gatewayKind {
	sandboxKind := slices.IndexFunc(gatewayKinds, func(kind gatewayKind) bool { return kind.PlayMoney })
	return []gatewayKind{gatewayKinds[sandboxKind], goldbarsKind(nil)}
}

func TestReadGateways(t *testing.T) {
	live := func(more map[string]string) map[string]string {
		environ := production(map[string]string{"GATEWAYS": "goldbars", "GOLDBARS_SHOP": "79", "GOLDBARS_SECRET": goldSecret})
		for name, value := range more {
			environ[name] = value
		}
		return environ
	}
	for _, row := range []struct {
		sentence string
		environ  map[string]string
		want     string // the catalogue, or the faults
	}{
		{"play money is the default in development", map[string]string{}, "sandbox offered"},
		{"also beside one that is only known", map[string]string{"GATEWAYS_KNOWN": "goldbars"}, "sandbox offered, goldbars not configured"},
		{"but not where it is only known itself", map[string]string{"GATEWAYS_KNOWN": "sandbox"}, "sandbox known"},
		{"GATEWAYS is in order", map[string]string{"GATEWAYS": "goldbars,sandbox", "GOLDBARS_SHOP": "79", "GOLDBARS_SECRET": "s"}, "goldbars offered, sandbox offered"},
		{"in production there is no default", production(nil), ""},
		{"in production, with everything", live(nil), "goldbars offered"},
		{"each variable that is missing is a line", map[string]string{"GATEWAYS": "goldbars"}, "gateway goldbars needs GOLDBARS_SHOP\ngateway goldbars needs GOLDBARS_SECRET"},
		{"and each that is malformed", map[string]string{"GATEWAYS": "goldbars", "GOLDBARS_SHOP": "next door"}, "GOLDBARS_SHOP must be a number, not \"next door\"\ngateway goldbars needs GOLDBARS_SECRET"},
		{"variables of what is not chosen are nobody's business", map[string]string{"GOLDBARS_SHOP": "next door"}, "sandbox offered"},
		{"known, with its variables", map[string]string{"GATEWAYS": "sandbox", "GATEWAYS_KNOWN": "goldbars", "GOLDBARS_SHOP": "79", "GOLDBARS_SECRET": "s"}, "sandbox offered, goldbars known"},
		{"known, with half of them", map[string]string{"GATEWAYS_KNOWN": "goldbars", "GOLDBARS_SHOP": "79"}, "gateway goldbars needs GOLDBARS_SECRET"},
		{"known, with what need not be set", map[string]string{"GATEWAYS_KNOWN": "goldbars", "GOLDBARS_PURITY": "24"}, "gateway goldbars needs GOLDBARS_SHOP\ngateway goldbars needs GOLDBARS_SECRET"},
		{"a name that no gateway has", map[string]string{"GATEWAYS": "silverbars"}, `GATEWAYS must be sandbox or goldbars, not "silverbars"`},
		{"a name that no known gateway has", map[string]string{"GATEWAYS_KNOWN": "silverbars"}, `GATEWAYS_KNOWN must be sandbox or goldbars, not "silverbars"`},
		{"offered twice", map[string]string{"GATEWAYS": "sandbox,sandbox"}, "GATEWAYS: sandbox is named twice"},
		{"offered, and only known", map[string]string{"GATEWAYS": "sandbox", "GATEWAYS_KNOWN": "sandbox"}, "GATEWAYS_KNOWN: sandbox is named twice"},
		{"play money in production, were it only known", production(map[string]string{"GATEWAYS_KNOWN": "sandbox"}), "GATEWAYS_KNOWN: sandbox takes no real money and is refused in production"},
		{"a weak secret in production", live(map[string]string{"GOLDBARS_SECRET": "x"}), "GOLDBARS_SECRET is weak, it is worth 2 bits at most, not 128: take the one that the vendor made for this site"},
		{"an older secret that is weak", live(map[string]string{"GOLDBARS_SECRET": goldSecret + ",x"}), "GOLDBARS_SECRET (older) is weak, it is worth 2 bits at most, not 128: take the one that the vendor made for this site"},
		{"a secret that is its own older one", live(map[string]string{"GOLDBARS_SECRET": goldSecret + "," + goldSecret}), "GOLDBARS_SECRET and GOLDBARS_SECRET (older) are the same: each needs a secret of its own"},
		{"a test shop in production", live(map[string]string{"GOLDBARS_SHOP": "0"}), "GOLDBARS_SHOP takes no real money and is refused in production: set PAYMENTS_TEST=1 if you mean it"},
		{"a test shop in production, where that is meant", live(map[string]string{"GOLDBARS_SHOP": "0", "PAYMENTS_TEST": "1"}), "goldbars offered"},
		{"a provider reached in clear in production", live(map[string]string{"GOLDBARS_PURITY": "http://24"}), "GOLDBARS_PURITY takes no real money and is refused in production: set PAYMENTS_TEST=1 if you mean it"},
		{"another's secret in production", live(map[string]string{"SERVICE_SECRET": goldSecret}), "SERVICE_SECRET and GOLDBARS_SECRET are the same: each needs a secret of its own"},
	} {
		row.environ["DATA_DIR"] = t.TempDir()
		config, err := readConfigWith(row.environ, withGold())
		got := fmt.Sprint(err)
		if err == nil {
			got = catalogueOf(config)
		}
		if got != row.want {
			t.Errorf("%s: got %q, want %q", row.sentence, got, row.want)
		}
	}
}

func catalogueOf(c *Config) string {
	var lines []string
	for _, gateway := range c.gateways {
		how := "known"
		switch {
		case gateway.offered && gateway.configured:
			how = "offered"
		case !gateway.configured:
			how = "not configured"
		}
		lines = append(lines, gateway.Name+" "+how)
	}
	return strings.Join(lines, ", ")
}

// A gateway may reject its configuration before the site serves.
func TestGatewayRejectsItsConfiguration(t *testing.T) {
	config, err := readConfigWith(map[string]string{
		"DATA_DIR": t.TempDir(), "DATABASE_URL": storetest.SQLite(t), "GATEWAYS": "goldbars", "GOLDBARS_SHOP": "79", "GOLDBARS_SECRET": "s", "GOLDBARS_PURITY": "18",
	}, withGold())
	if err != nil {
		t.Fatal(err)
	}
	s, err := build(t.Context(), config, slog.New(slog.DiscardHandler), time.Now)
	if err == nil {
		s.close(context.WithoutCancel(t.Context()))
	}
	if err == nil || err.Error() != "gateway goldbars: that is no gold" {
		t.Errorf("got %v", err)
	}
}

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
	const want = "| `goldbars` | INR | `GOLDBARS_SHOP`: number of the shop; `GOLDBARS_SECRET`: signs what is posted, there and back; `GOLDBARS_PURITY` (`24`): in carats |"
	if got := documentedRow(goldbarsKind(nil).Descriptor); got != want {
		t.Errorf("a gateway's row is %s", got)
	}
	readme, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := []string{"| gateway | takes | its variables |", "|---|---|---|"}
	for _, kind := range gatewayKinds {
		rows = append(rows, documentedRow(kind.Descriptor))
	}
	if table := strings.Join(rows, "\n") + "\n\n"; !bytes.Contains(append(readme, '\n'), []byte(table)) {
		t.Errorf("docs/configuration.md must have this table, and no row more:\n%s", table)
	}
}

// Only a gateway's package, its line in gatewayKinds, its widget and its simulator may name it.
func TestOnlyItsPackageNamesAGateway(t *testing.T) {
	names := []string{"goldbars"}
	for _, kind := range gatewayKinds {
		names = append(names, kind.Name)
	}
	named := regexp.MustCompile("(?i)[\"'`](" + strings.Join(names, "|") + ")[\"'`]")
	skipped := regexp.MustCompile(`^(\.git|node_modules|bin|data|static/dist|docs|e2e|test-results|playwright-report)(/|$)|(^|/)(testdata|businesstest)/|_test\.go$|_templ\.go$|\.test\.tsx?$|\.md$`)
	own := regexp.MustCompile(`^integrations/payment/(\w+)/|^islands/checkout/|^simulators/|^cmd/simulators/`)
	root, seen := "../..", 0
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
