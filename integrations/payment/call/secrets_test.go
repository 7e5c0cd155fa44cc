package call_test

import (
	"slices"
	"testing"

	"hiresure/integrations/payment/call"
)

func TestSecretsAreOneOrTwo(t *testing.T) {
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
