package main

import (
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"hiresure/admission/payment/method"
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
	for _, kind := range gatewayKinds {
		if !kind.PlayMoney && urls[kind.Name] == "" {
			t.Errorf("%s has no simulator", kind.Name)
		}
	}
	environ["GATEWAYS"] = strings.Join(names, ",")
	config, err := readConfig(environ)
	if err != nil {
		t.Fatal(err)
	}
	for _, gateway := range config.gateways {
		reached := fmt.Sprint(config.withOrigins(gateway).Checkout)
		for name, url := range urls {
			if reaches := strings.Contains(reached, url); reaches != (name == gateway.Name) {
				t.Errorf("the checkout of %s reaches %s: %t, in %s", gateway.Name, url, reaches, reached)
			}
		}
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
		got := config.withOrigins(gatewayConfig{gatewayKind: gatewayKind{Descriptor: d}, settings: method.Settings{"BASE": c.base, "SCRIPT": c.script, "SHOP": "79"}}).Checkout
		if fmt.Sprint(got) != c.want || len(d.Checkout.Scripts) != 1 || len(d.Checkout.Forms) != 1 {
			t.Errorf("%s: %v, want %s", c.sentence, got, c.want)
		}
	}
}
