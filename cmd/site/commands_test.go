package main

import (
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// docs/operating_test.go holds the operators' page to the usage.
func TestTheUsageTellsEveryCommandThatThereIs(t *testing.T) {
	told := map[string]bool{}
	for _, line := range regexp.MustCompile(`(?m)^  site \[?([a-z-]+)`).FindAllStringSubmatch(usage, -1) {
		told[line[1]] = true
	}
	there := map[string]bool{"inspect": true}
	for name := range commands {
		there[name] = true
	}
	for name := range moneyCommands {
		there[name] = true
	}
	for _, alias := range []string{"-h", "help"} {
		delete(there, alias)
	}
	if !maps.Equal(told, there) {
		t.Errorf("the usage tells %q, and there are %q", slices.Sorted(maps.Keys(told)), slices.Sorted(maps.Keys(there)))
	}
	if err := command(t.Context(), []string{"no-command"}, nil, io.Discard); err == nil || !strings.HasSuffix(err.Error(), usage) {
		t.Errorf("what is none: %v", err)
	}
}
