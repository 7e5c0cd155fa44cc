//go:build long

package site_test

import "testing"

func TestNamesOfEveryLanguageOnEveryPaper(t *testing.T) {
	testNames(t, func(_, _ int) bool { return true })
}
