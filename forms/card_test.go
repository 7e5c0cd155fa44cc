package forms

import "testing"

func TestContainsCardNumber(t *testing.T) {
	for text, want := range map[string]bool{
		"My card is 4111111111111111.":    true,
		"4111 1111 1111 1111":             true,
		"4111-1111-1111-1111":             true,
		"4111  1111 - 1111\u00a01111 123": true, // with the code behind it
		"98765 43210 4111 1111 1111 1111": true, // with a phone before it
		"378282246310005":                 true, // 15 digits
		"4222222222222":                   true, // 13
		"6304000000000000000":             true, // 19
		"4111111111111112":                false,
		"411111111111":                    false,
		"63040000000000000000":            false, // 20
		"order 20261121-000042, call 98765 43210 or 9876543211": false,
		"4111 1111\n1111 1111":               false, // two lines are two numbers
		"४१११ ११११ ११११ ११११":                true,
		"My card is ٤١١١١١١١١١١١١١١١":        true,
		"4111\u20091111\u20091111\u20091111": true, // thin spaces
		"4111–1111–1111–1111":                true, // en dashes
		"4111.1111.1111.1111":                true,
		"4111 / 1111 / 1111 / 1111":          true,
		"0000_4111_1111_1111_1111_123":       true,
		"3782.822463.10005":                  true,
		"4111.1111.1111.1112":                false,
		"4.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1":    false, // no card's groups
		"98765.43210, 41111.11111":           false,
		"4111.1111\n1111.1111":               false,
		"4111a1111a1111a1111":                false,
		"":                                   false,
	} {
		if got := HoldsCard(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// A field of free text may hold anything; what a pattern without digits judges cannot hold a card.
func TestFreeTextFieldsRefuseCards(t *testing.T) {
	const card = "My card is 4111 1111 1111 1111"
	seen := 0
	for name, form := range byName {
		for i := range form.Fields {
			field := &form.Fields[i]
			if field.Kind != "text" && field.Kind != "textarea" {
				continue
			}
			seen++
			if _, message := form.CheckField(field.Name, map[string]string{
				"adult": "false", "dob": "01-01-2020", "received_other_scholarship": "true",
				"phone_number": "9876543210", "guardian_phone": "9876543210", "guardian_shares_phone": "true", field.Name: card,
			}, Env{Today: "2026-11-21", Facts: map[string]string{"phone_number": "9876543210"}}); message == "" {
				t.Errorf("%s: %s takes %q: give it a rule of the kind cardless", name, field.Name, card)
			}
		}
	}
	if seen < 5 {
		t.Errorf("%d fields were tried", seen)
	}
}
