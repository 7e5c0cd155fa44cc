package payu_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/payu"
)

func TestDescriptorChecksSettings(t *testing.T) {
	for _, c := range []struct {
		sentence string
		environ  map[string]string
		want     string
	}{
		{"key and salt", map[string]string{"PAYU_KEY": "k", "PAYU_SALT": "s"}, ""},
		{"two salts", map[string]string{"PAYU_KEY": "k", "PAYU_SALT": "new,old"}, ""},
		{"three salts", map[string]string{"PAYU_KEY": "k", "PAYU_SALT": "a,b,c"}, "PAYU_SALT must be one secret, or two separated by a comma"},
		{"no salt", map[string]string{"PAYU_KEY": "k"}, "gateway payu needs PAYU_SALT"},
		{"no key", map[string]string{"PAYU_SALT": "s"}, "gateway payu needs PAYU_KEY"},
		{"a base with a trailing slash", map[string]string{"PAYU_KEY": "k", "PAYU_SALT": "s", "PAYU_BASE_URL": "https://test.payu.in/"}, "PAYU_BASE_URL must be an address such as https://info.payu.in, without a trailing slash"},
		{"no address of a form", map[string]string{"PAYU_KEY": "k", "PAYU_SALT": "s", "PAYU_FORM_URL": "_payment"}, "PAYU_FORM_URL must be an address such as https://secure.payu.in/_payment"},
	} {
		settings, given, faults := payu.Descriptor().Configure(c.environ)
		var lines []string
		for _, fault := range faults {
			lines = append(lines, fault.Error())
		}
		if got := strings.Join(lines, "\n"); got != c.want || !given {
			t.Errorf("%s: %q, want %q", c.sentence, got, c.want)
		}
		if _, err := payu.Open(settings); c.want == "" && err != nil {
			t.Errorf("%s: %v", c.sentence, err)
		}
	}
	if _, err := payu.Open(method.Settings{}); fmt.Sprint(err) != "payu gateway needs Key and Salts" {
		t.Error(err)
	}
}

func TestDescriptorRecognizesTestSettings(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        bool
	}{
		{"PAYU_BASE_URL", "https://info.payu.in", false},
		{"PAYU_BASE_URL", "https://test.payu.in", true},
		{"PAYU_BASE_URL", "http://127.0.0.1:9000", true},
		{"PAYU_FORM_URL", "https://secure.payu.in/_payment", false},
		{"PAYU_FORM_URL", "https://test.payu.in/_payment", true},
		{"PAYU_KEY", "TESTKEY1", false}, // the key does not show it
	} {
		settings := payu.Descriptor().Settings
		s := settings[slices.IndexFunc(settings, func(s method.Setting) bool { return s.Name == c.name })]
		if got := s.Plays(c.value); got != c.want {
			t.Errorf("%s %s: %t", c.name, c.value, got)
		}
	}
}

func TestFormPostsOnlyToPayU(t *testing.T) {
	reach := payu.Descriptor().Checkout
	if got := strings.Join(reach.Forms, " "); got != "https://secure.payu.in https://api.payu.in https://test.payu.in https://apitest.payu.in" {
		t.Error(got)
	}
	if len(reach.Scripts)+len(reach.Frames)+len(reach.Connect)+len(reach.Images) != 0 {
		t.Errorf("%+v", reach)
	}
	for address, want := range map[string]string{
		"": "<nil>", "https://test.payu.in/_payment": "<nil>",
		"https://elsewhere.example/_payment": `checkout forms of payu: "https://elsewhere.example/_payment" is none of its origins`,
	} {
		g, err := payu.New(payu.Config{Key: key, Salts: []string{salt}, FormURL: address})
		if err != nil {
			t.Fatal(err)
		}
		session, err := g.Start(t.Context(), intent())
		if err != nil {
			t.Fatal(err)
		}
		forms, err := payu.Descriptor().FormsOf(session.Checkout)
		if fmt.Sprint(err) != want || err == nil && (len(forms) != 1 || forms[0].Label != "Go to the payment page" || forms[0].Look != method.FormFirst) {
			t.Errorf("%q: %+v, %v", address, forms, err)
		}
	}
	if _, err := payu.Descriptor().FormsOf(map[string]any{}); fmt.Sprint(err) != "checkout forms of payu: payu: a checkout without its form" {
		t.Error(err)
	}
	if _, err := payu.Descriptor().FormsOf(map[string]any{"details": "torn"}); err == nil {
		t.Error("a torn checkout has forms")
	}
}

func TestFormFieldsAreSignedInOrder(t *testing.T) {
	var names []string
	for _, field := range newDesk(t).formOf(t, intent()).Fields {
		names = append(names, field.Name)
	}
	if got := strings.Join(names, " "); got != "key txnid amount productinfo firstname email phone udf1 surl furl hash" { // empty fields are not posted
		t.Error(got)
	}
}
