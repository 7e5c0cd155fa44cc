package call_test

import (
	"fmt"
	"slices"
	"testing"

	"hiresure/integrations/payment/call"
)

func TestSecretsSplitsSetting(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"new", []string{"new"}},
		{"new,old", []string{"new", "old"}},
		{" new , old ", []string{"new", "old"}},
		{"new,", []string{"new"}},
		{",", nil},
		{"", nil},
	} {
		if got := call.Secrets(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestSettingChecks(t *testing.T) {
	address, base := call.CheckURL("https://example.com/v3.js"), call.CheckBase("https://example.com/pg")
	const wantsAddress, wantsBase = "must be an address such as https://example.com/v3.js", "must be an address such as https://example.com/pg, without a trailing slash"
	const wantsSecrets = "must be one secret, or two separated by a comma"
	for _, c := range []struct {
		sentence string
		check    func(string) error
		value    string
		want     string
	}{
		{"one secret", call.CheckSecrets, "new", "<nil>"},
		{"two secrets", call.CheckSecrets, "new,old", "<nil>"},
		{"three secrets", call.CheckSecrets, "new,old,oldest", wantsSecrets},
		{"only a comma", call.CheckSecrets, ",", wantsSecrets},
		{"an address", address, "https://example.com/a.js", "<nil>"},
		{"a loopback address", address, "http://127.0.0.1:9000/a.js", "<nil>"},
		{"no address", address, "example.com/a.js", wantsAddress},
		{"a script", address, "javascript:alert(1)", wantsAddress},
		{"a name and a password", address, "https://me:secret@example.com/", wantsAddress},
		{"a query", address, "https://example.com/?key=1", wantsAddress},
		{"a fragment", address, "https://example.com/#here", wantsAddress},
		{"a base", base, "https://example.com/pg", "<nil>"},
		{"a base with a trailing slash", base, "https://example.com/pg/", wantsBase},
		{"no base", base, "pg", wantsBase},
	} {
		if got := fmt.Sprint(c.check(c.value)); got != c.want {
			t.Errorf("%s: %s, want %s", c.sentence, got, c.want)
		}
	}
}

func TestDecimal(t *testing.T) {
	for minor, want := range map[int64]string{0: "0.00", 5: "0.05", 149900: "1499.00", 134910: "1349.10"} {
		if got := call.Decimal(minor); got != want {
			t.Errorf("%d: %s, want %s", minor, got, want)
		}
	}
}
