package admin

import (
	"slices"
	"testing"

	"hiresure/admission/registry"
	"hiresure/sheet"
)

func TestWhoSeesNoMoneyExportsNone(t *testing.T) {
	named := func(money bool, name string) bool {
		return slices.ContainsFunc(peopleColumns(money), func(c sheet.Column[registry.Item]) bool { return c.Name == name })
	}
	for _, name := range []string{"Fee", "Currency", "Invoice number"} {
		if !named(true, name) || named(false, name) {
			t.Errorf("column %s: with money %v, without %v", name, named(true, name), named(false, name))
		}
	}
}
