package method_test

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"hiresure/admission/payment/method"
)

func TestACheckoutFormLeavesOnlyForAnOriginOfItsGateway(t *testing.T) {
	for action, refused := range map[string]bool{
		"":                                         false, // our own return address
		"https://pay.example/weigh":                false,
		"https://pay.example":                      false,
		"http://pay.example/weigh":                 true,
		"https://pay.example:444/weigh":            true,
		"https://pay.example.evil.example/":        true,
		"https://pay.example@evil.example/":        true,
		"https://evil.example/https://pay.example": true,
		"//pay.example/weigh":                      true,
		"/checkout":                                true,
		"javascript:alert(1)":                      true,
		"https://pay.example\n.evil.example/":      true,
	} {
		d := method.Descriptor{Name: "gold", Checkout: method.Origins{Forms: []string{"https://pay.example"}}, Forms: func(map[string]any) ([]method.Form, error) {
			return []method.Form{{Label: "Pay"}, {Action: action, Label: "Pay"}}, nil
		}}
		forms, err := d.FormsOf(nil)
		if refused != (err != nil) || refused != (forms == nil) {
			t.Errorf("%q: %d forms, %v", action, len(forms), err)
		}
		if want := fmt.Sprintf("checkout forms of gold: %q is none of its origins", action); refused && err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestAGatewayWithoutFormsHasNone(t *testing.T) {
	if forms, err := (method.Descriptor{}).FormsOf(map[string]any{"x": 1}); forms != nil || err != nil {
		t.Errorf("%v, %v", forms, err)
	}
	broken := method.Descriptor{Name: "gold", Forms: func(map[string]any) ([]method.Form, error) { return nil, errors.New("no token") }}
	if _, err := broken.FormsOf(nil); err == nil || err.Error() != "checkout forms of gold: no token" {
		t.Errorf("got %v", err)
	}
}

func TestOnlyWhatADescriptorNamesReachesABrowser(t *testing.T) {
	d := method.Descriptor{Payload: []string{"orderId", "mode"}}
	if got := d.PayloadOf(map[string]any{"orderId": "1", "secret": "hush"}); !maps.Equal(got, map[string]any{"orderId": "1"}) {
		t.Errorf("lets out %v", got)
	}
	if got := d.PayloadOf(nil); got == nil || len(got) > 0 {
		t.Errorf("of nothing it lets out %#v, which is no empty object", got)
	}
}

func TestAGatewayReadsItsVariables(t *testing.T) {
	d := method.Descriptor{Name: "gold", Settings: []method.Setting{
		{Name: "GOLD_SHOP", Check: func(v string) error {
			if strings.Trim(v, "0123456789") != "" {
				return errors.New("must be a number")
			}
			return nil
		}},
		{Name: "GOLD_PURITY", Default: "24"},
	}}
	for _, row := range []struct {
		sentence string
		of       method.Descriptor
		environ  map[string]string
		values   method.Settings
		given    bool
		faults   string
	}{
		{"all that it asks for", d, map[string]string{"GOLD_SHOP": "7", "GOLD_PURITY": "18", "OTHER": "x"}, method.Settings{"GOLD_SHOP": "7", "GOLD_PURITY": "18"}, true, ""},
		{"a default where there is one", d, map[string]string{"GOLD_SHOP": "7"}, method.Settings{"GOLD_SHOP": "7", "GOLD_PURITY": "24"}, true, ""},
		{"nothing", d, nil, method.Settings{"GOLD_PURITY": "24"}, false, "gateway gold needs GOLD_SHOP"},
		{"an empty one is a missing one", d, map[string]string{"GOLD_SHOP": ""}, method.Settings{"GOLD_PURITY": "24"}, false, "gateway gold needs GOLD_SHOP"},
		{"what has a default alone", d, map[string]string{"GOLD_PURITY": "18"}, method.Settings{"GOLD_PURITY": "18"}, true, "gateway gold needs GOLD_SHOP"},
		{"a malformed one", d, map[string]string{"GOLD_SHOP": "x"}, method.Settings{"GOLD_SHOP": "x", "GOLD_PURITY": "24"}, true, "GOLD_SHOP must be a number"},
		{"one that needs none is configured", method.Descriptor{Name: "free"}, nil, method.Settings{}, true, ""},
	} {
		values, given, faults := row.of.Configure(row.environ)
		var lines []string
		for _, fault := range faults {
			lines = append(lines, fault.Error())
		}
		if !maps.Equal(values, row.values) || given != row.given || strings.Join(lines, "\n") != row.faults {
			t.Errorf("%s: %v %t %v", row.sentence, values, given, faults)
		}
	}
}
