package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"hiresure/admission/payment/method"
	"hiresure/cmd/site/gateways"
	"hiresure/cmd/site/gateways/gatewaystest"
	"hiresure/simulators"
)

// Each gateway except the sandbox has a simulator, whose variables configure it.
func TestGatewaysHaveSimulators(t *testing.T) {
	environ, urls := map[string]string{"DATA_DIR": t.TempDir()}, map[string]string{}
	var names []string
	for i, p := range simulators.Providers {
		urls[p.Name] = fmt.Sprintf("http://127.0.0.1:%d", 9001+i)
		_, variables := p.Open(urls[p.Name], nil)
		maps.Copy(environ, variables)
		names = append(names, p.Name)
	}
	for _, kind := range gateways.Kinds {
		if !kind.PlayMoney && urls[kind.Name] == "" {
			t.Errorf("%s has no simulator", kind.Name)
		}
	}
	environ["GATEWAYS"] = strings.Join(names, ",")
	c, err := Read(environ)
	if err != nil {
		t.Fatal(err)
	}
	for _, gateway := range c.Chosen {
		reached := fmt.Sprint(gateway.Checkout)
		for name, url := range urls {
			if reaches := strings.Contains(reached, url); reaches != (name == gateway.Name) {
				t.Errorf("the checkout of %s reaches %s: %t, in %s", gateway.Name, url, reaches, reached)
			}
		}
	}
}

// withGold returns the sandbox and the tests' gateway.
func withGold() []gateways.Kind {
	sandboxKind := slices.IndexFunc(gateways.Kinds, func(kind gateways.Kind) bool { return kind.PlayMoney })
	return []gateways.Kind{gateways.Kinds[sandboxKind], gatewaystest.Kind(nil)}
}

func TestReadGateways(t *testing.T) {
	live := func(more map[string]string) map[string]string {
		environ := production(map[string]string{"GATEWAYS": "goldbars", "GOLDBARS_SHOP": "79", "GOLDBARS_SECRET": gatewaystest.Secret})
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
		{"none", map[string]string{"GATEWAYS": "none"}, ""},
		{"none beside another", map[string]string{"GATEWAYS": "none,sandbox"}, `GATEWAYS must be sandbox or goldbars, not "none"`},
		{"a name that no gateway has", map[string]string{"GATEWAYS": "silverbars"}, `GATEWAYS must be sandbox or goldbars, not "silverbars"`},
		{"a name that no known gateway has", map[string]string{"GATEWAYS_KNOWN": "silverbars"}, `GATEWAYS_KNOWN must be sandbox or goldbars, not "silverbars"`},
		{"offered twice", map[string]string{"GATEWAYS": "sandbox,sandbox"}, "GATEWAYS: sandbox is named twice"},
		{"offered, and only known", map[string]string{"GATEWAYS": "sandbox", "GATEWAYS_KNOWN": "sandbox"}, "GATEWAYS_KNOWN: sandbox is named twice"},
		{"play money in production, were it only known", production(map[string]string{"GATEWAYS_KNOWN": "sandbox"}), "GATEWAYS_KNOWN: sandbox takes no real money and is refused in production"},
		{"a weak secret in production", live(map[string]string{"GOLDBARS_SECRET": "x"}), "GOLDBARS_SECRET is weak, it is worth 2 bits at most, not 128: take the one that the vendor made for this site"},
		{"an older secret that is weak", live(map[string]string{"GOLDBARS_SECRET": gatewaystest.Secret + ",x"}), "GOLDBARS_SECRET (older) is weak, it is worth 2 bits at most, not 128: take the one that the vendor made for this site"},
		{"a secret that is its own older one", live(map[string]string{"GOLDBARS_SECRET": gatewaystest.Secret + "," + gatewaystest.Secret}), "GOLDBARS_SECRET and GOLDBARS_SECRET (older) are the same: each needs a secret of its own"},
		{"a test shop in production", live(map[string]string{"GOLDBARS_SHOP": "0"}), "GOLDBARS_SHOP takes no real money and is refused in production: set PAYMENTS_TEST=1 if you mean it"},
		{"a test shop in production, where that is meant", live(map[string]string{"GOLDBARS_SHOP": "0", "PAYMENTS_TEST": "1"}), "goldbars offered"},
		{"a provider reached in clear in production", live(map[string]string{"GOLDBARS_PURITY": "http://24"}), "GOLDBARS_PURITY takes no real money and is refused in production: set PAYMENTS_TEST=1 if you mean it"},
		{"a provider's script from anywhere in production", live(map[string]string{"GOLDBARS_SCRIPT_URL": "https://elsewhere.example/v1.js"}), "GOLDBARS_SCRIPT_URL must be a script of the provider in production: it runs in our pages"},
		{"another script of the provider in production", live(map[string]string{"GOLDBARS_SCRIPT_URL": "https://gold.example/v2.js"}), "goldbars offered"},
		{"another's secret in production", live(map[string]string{"SERVICE_SECRET": gatewaystest.Secret}), "SERVICE_SECRET and GOLDBARS_SECRET are the same: each needs a secret of its own"},
	} {
		row.environ["DATA_DIR"] = t.TempDir()
		c, err := ReadWith(row.environ, withGold())
		got := fmt.Sprint(err)
		if err == nil {
			got = catalogueOf(c)
		}
		if got != row.want {
			t.Errorf("%s: got %q, want %q", row.sentence, got, row.want)
		}
	}
}

func catalogueOf(c *Config) string {
	var lines []string
	for _, gateway := range c.Chosen {
		how := "known"
		switch {
		case gateway.Offered && gateway.Configured:
			how = "offered"
		case !gateway.Configured:
			how = "not configured"
		}
		lines = append(lines, gateway.Name+" "+how)
	}
	return strings.Join(lines, ", ")
}

func TestWithOrigins(t *testing.T) {
	d := method.Descriptor{
		Settings: []method.Setting{{Name: "BASE", Default: "https://api.example.com"}, {Name: "SCRIPT", Default: "https://js.example.com/v1.js"}, {Name: "SHOP"}},
		Checkout: method.Origins{Scripts: []string{"https://js.example.com"}, Forms: []string{"https://api.example.com"}},
	}
	for _, c := range []struct {
		sentence           string
		production, test   bool
		base, script, want string
	}{
		{"the provider's own", false, false, "https://api.example.com", "https://js.example.com/v1.js", "{[https://js.example.com] [] [] [] [https://api.example.com]}"},
		{"a simulator, in the ways in which the provider is reached", false, false, "http://127.0.0.1:9000/pg", "http://127.0.0.1:9000/v1.js",
			"{[https://js.example.com http://127.0.0.1:9000] [] [] [] [https://api.example.com http://127.0.0.1:9000]}"},
		{"in production the provider alone", true, false, "http://127.0.0.1:9000/pg", "https://js.elsewhere.example/v1.js", "{[https://js.example.com] [] [] [] [https://api.example.com]}"},
		{"in production that tests", true, true, "https://api.example.com", "https://test.example.com/v1.js",
			"{[https://js.example.com https://test.example.com] [] [] [] [https://api.example.com https://test.example.com]}"},
	} {
		config := &Config{PaymentsTest: c.test, AppEnv: "development"}
		if c.production {
			config.AppEnv = "production"
		}
		got := config.withOrigins(gateways.Gateway{Kind: gateways.Kind{Descriptor: d}, Values: method.Settings{"BASE": c.base, "SCRIPT": c.script, "SHOP": "79"}}).Checkout
		if fmt.Sprint(got) != c.want || len(d.Checkout.Scripts) != 1 || len(d.Checkout.Forms) != 1 {
			t.Errorf("%s: %v, want %s", c.sentence, got, c.want)
		}
	}
}
