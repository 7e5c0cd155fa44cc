package docs_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// aboutPayments is the page for those who have contracts with providers.
func aboutPayments(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("payments.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// sectionOf is what stands below a heading.
func sectionOf(t *testing.T, page, heading string) string {
	t.Helper()
	_, after, found := strings.Cut(page, "\n## "+heading+"\n")
	if !found {
		t.Errorf("payments.md has no section %s", heading)
	}
	text, _, _ := strings.Cut(after, "\n## ")
	return text
}

func TestPaymentAlertsNameTheProvidersCheck(t *testing.T) {
	raised := alerts(t, "../admission/payment")
	maps.Copy(raised, alerts(t, "../integrations/payment"))
	maps.DeleteFunc(raised, func(text string, _ bool) bool { return text == "" })
	raised["a gateway does not answer and is hidden from payers: …"] = true // by cmd/site/gateways, of what integrations/payment/breaker notices
	documented := map[string]bool{}
	for _, match := range firstCell.FindAllStringSubmatch(sectionOf(t, aboutPayments(t), "Alerts"), -1) {
		documented[match[1]] = true
	}
	for _, text := range slices.Sorted(maps.Keys(raised)) {
		if !documented[text] {
			t.Errorf("payments.md does not tell of %q", text)
		}
	}
	for _, text := range slices.Sorted(maps.Keys(documented)) {
		if !raised[text] {
			t.Errorf("payments.md tells of %q, which nobody raises", text)
		}
	}
}

var gatewayRow = regexp.MustCompile("(?m)^\\| `([a-z]+)` \\| [A-Z, ]+ \\|(.*)\\|$")

// The table of gateways in configuration.md is held to the code (cmd/site/gateways), and this page to the table.
func TestEachGatewayHasASectionForOperators(t *testing.T) {
	readme, err := os.ReadFile("configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := gatewayRow.FindAllStringSubmatch(string(readme), -1)
	if len(rows) < 2 {
		t.Fatalf("configuration.md has %d gateways", len(rows))
	}
	page := aboutPayments(t)
	for _, row := range rows {
		name, text := row[1], sectionOf(t, page, row[1])
		if !strings.Contains(row[2], "`") { // it is configured by nothing
			continue
		}
		for _, part := range []string{"**On.**", "**Test.**", "**Rotate.**", "**Off, and what is left.**", "https://www.example.in/payments/webhook/" + name} {
			if !strings.Contains(text, part) {
				t.Errorf("payments.md, %s: %s is missing", name, part)
			}
		}
		for _, variable := range regexp.MustCompile("`([A-Z_]+)`").FindAllStringSubmatch(row[2], -1) {
			if !strings.Contains(text, variable[1]) {
				t.Errorf("payments.md, %s: %s is not spoken of", name, variable[1])
			}
		}
	}
}
