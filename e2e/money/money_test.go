package money_test

import (
	"slices"
	"testing"

	"hiresure/e2e/money"
	"hiresure/simulators"
)

// A gateway that is missing in money.Providers would pass these tests without being tested.
func TestEverySimulatorHasABank(t *testing.T) {
	var played, there []string
	for _, p := range money.Providers {
		played = append(played, p.Name)
	}
	for _, p := range simulators.Providers {
		if there = append(there, p.Name); !slices.Contains(played, p.Name) {
			t.Errorf("nobody plays %s: give money.Providers (e2e/money/money.go) its line, and a Bank beside those of banks.go", p.Name)
		}
	}
	for i, name := range played {
		if !slices.Contains(there, name) || slices.Contains(played[:i], name) {
			t.Errorf("money.Providers has %s, of which simulators.Providers has not one each: take its line out, or give it a simulator", name)
		}
	}
}
