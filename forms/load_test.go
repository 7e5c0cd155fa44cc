package forms

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestBuiltInFormsLoad(t *testing.T) {
	if err := Load(); err != nil {
		t.Fatal(err)
	}
}

// A form is embedded, and has a good example for cases.json.
func TestEveryFormIsLoadedAndHasCases(t *testing.T) {
	var cases struct{ Good map[string]map[string]string }
	data, err := os.ReadFile("cases.json")
	if err == nil {
		err = json.Unmarshal(data, &cases)
	}
	if err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob("*.json")
	if err != nil || len(found) < 5 {
		t.Fatalf("%q, %v", found, err)
	}
	for _, file := range found {
		name := strings.TrimSuffix(file, ".json")
		switch {
		case file == "cases.json" || slices.Contains(shared, file):
		case byName[name] == nil:
			t.Errorf("%s is no form of the program: add it to the go:embed line of load.go", file)
		case cases.Good[name] == nil:
			t.Errorf("cases.json has no good %s", name)
		}
	}
}

func TestInvalidFormsAreRejected(t *testing.T) {
	const first = `{"name":"a","label":"A","kind":"text","optional":true}`
	for _, c := range []struct{ title, fields, message string }{
		{"an unknown key", `{"name":"a","label":"A","kind":"text","optional":true,"colour":"red"}`, `json: unknown field "colour"`},
		{"an unknown kind of field", `{"name":"a","label":"A","kind":"slider","optional":true}`, `field "a": unknown kind "slider"`},
		{"no label", `{"name":"a","kind":"text","optional":true}`, `field "a": needs a name and a label`},
		{"a name twice", first + `,` + first, `field "a": duplicate name`},
		{"neither optional nor required", `{"name":"a","label":"A","kind":"text"}`, `field "a": must be either optional, or required or preset`},
		{
			"both optional and required",
			`{"name":"a","label":"A","kind":"text","optional":true,"rules":[{"kind":"required","message":"A!"}]}`,
			`field "a": must be either optional, or required or preset`,
		},
		{"a select without options", `{"name":"a","label":"A","kind":"select","optional":true}`, `field "a": a choice needs options, and nothing else has them`},
		{"two answers in another order", yesNo(`{"value":"false","label":"No"},{"value":"true","label":"Yes"}`, "option"), `field "a": its two answers are true and false, in this order`},
		{"three answers", yesNo(`{"value":"true","label":"Yes"},{"value":"false","label":"No"},{"value":"","label":"None"}`, "option"), `field "a": its two answers are true and false, in this order`},
		{"two answers, and whatever else is sent", yesNo(`{"value":"true","label":"Yes"},{"value":"false","label":"No"}`, "required"), `field "a": two answers have a rule of kind option, which refuses what is none of them`},
		{
			"boxes that take what is none of them",
			`{"name":"a","label":"A","kind":"checkboxes","optional":true,"options":[{"value":"b","label":"B"}]}`,
			`field "a": boxes have a rule of kind options, which refuses what is none of them, and nothing else has`,
		},
		{"an unknown source of options", `{"name":"a","label":"A","kind":"select","optional":true,"optionsFrom":"planets"}`, `field "a": unknown source of options "planets"`},
		{"an unknown clean step", `{"name":"a","label":"A","kind":"text","optional":true,"clean":["polish"]}`, `field "a": unknown clean step "polish"`},
		{"a country field that is not there", `{"name":"a","label":"A","kind":"tel","optional":true,"country":"b"}`, `field "a": country field "b" does not come before`},
		{"an unknown kind of rule", rule(`{"kind":"polite","message":"A!"}`), `field "a": rule "polite": unknown kind`},
		{"a rule without a message", rule(`{"kind":"unrepeated"}`), `field "a": rule "unrepeated": needs a message`},
		{"signs that the message does not name", rule(`{"kind":"signs","pattern":"sign of a name","message":"A!"}`), `field "a": rule "signs": the message of a rule on signs has {sign}, and nothing else has`},
		{"a pattern rule without a pattern", rule(`{"kind":"pattern","message":"A!"}`), `field "a": rule "pattern": a rule on pattern, unlike or signs names a pattern, and nothing else does`},
		{"an unknown pattern", rule(`{"kind":"pattern","pattern":"star","message":"A!"}`), `field "a": rule "pattern": unknown pattern "star"`},
		{"a length rule without a length", rule(`{"kind":"length","message":"A!"}`), `field "a": rule "length": a rule on length, number or years ago has min or max, and nothing else has`},
		{"a rule on no field", rule(`{"kind":"after","message":"A!"}`), `field "a": rule "after": after, differs, proven and pin look at a field, and nothing else does`},
		{"a rule on a later field", rule(`{"kind":"after","field":"b","message":"A!"}`), `field "a": rule "after": field "b" does not come before`},
		{
			"a condition on a field that equals one that is not there",
			`{"name":"a","label":"A","kind":"text","optional":true},{"name":"b","label":"B","kind":"text","optional":true,"when":[{"field":"a","same":"c"}]}`,
			`field "b": condition on "c", which does not come before`,
		},
		{"a rule under a condition on an unknown field", rule(`{"kind":"unrepeated","message":"A!","when":[{"field":"z","is":"1"}]}`), `field "a": rule "unrepeated": condition on "z", which does not come before`},
		{
			"an empty condition",
			`{"name":"a","label":"A","kind":"text","optional":true,"when":[{"field":"b"}]}`,
			`field "a": a condition is a field with is, not, same, under or notUnder, or an unproven field`,
		},
		{
			"a condition on a later field",
			`{"name":"a","label":"A","kind":"text","optional":true,"when":[{"unproven":"b"}]}`,
			`field "a": condition on "b", which does not come before`,
		},
	} {
		t.Run(c.title, func(t *testing.T) {
			_, err := parse([]byte(`{"name":"form","fields":[` + c.fields + `]}`))
			if err == nil || err.Error() != c.message {
				t.Errorf("got  %v\nwant %s", err, c.message)
			}
		})
	}
}

func rule(data string) string {
	return `{"name":"a","label":"A","kind":"text","optional":true,"rules":[` + data + `]}`
}

func yesNo(options, rule string) string {
	return `{"name":"a","label":"A","kind":"yesno","optional":true,"options":[` + options + `],"rules":[{"kind":"` + rule + `","message":"Say which."}]}`
}

func TestUnportablePatternsAreRejected(t *testing.T) {
	for _, source := range []string{
		`^\d+$`, `^\w+$`, `^\s*$`, `^a\b$`, `^(?=a)a$`, `^(?<!a)b$`, `^(?i)a$`, `^(?P<x>a)$`, `^.$`, `^(a)\1$`, `^\pL$`, `^\x{41}$`, `^[[:alpha:]]$`, `^[a\-b]$`, `^a\z$`, `a`, `^(a$`,
	} {
		if _, err := compile(map[string]string{"a": source}); err == nil {
			t.Errorf("%s was accepted", source)
		}
	}
	for _, source := range []string{`^\p{L}+$`, `^[\P{M}.-]{2,3}$`, `^(?:a\.b|\[c\])$`} {
		if _, err := compile(map[string]string{"a": source}); err != nil {
			t.Errorf("%s: %v", source, err)
		}
	}
}

func TestUnknownFormPanics(t *testing.T) {
	defer func() {
		if got := recover(); got != "forms: no form poem" {
			t.Errorf("got %v", got)
		}
	}()
	Get("poem")
}

func TestCountries(t *testing.T) {
	all := Countries()
	if len(all) < 240 {
		t.Errorf("%d countries", len(all))
	}
	codes := map[string]bool{}
	for _, c := range all {
		if len(c.Code) != 2 || c.Code != strings.ToLower(c.Code) || codes[c.Code] || c.Name == "" || c.Dial == "" || c.Min < 4 || c.Max > 15 || c.Min > c.Max {
			line, _ := json.Marshal(c)
			t.Errorf("%s", line)
		}
		codes[c.Code] = true
	}
}

func TestE164(t *testing.T) {
	for _, c := range []struct{ title, country, digits, want string }{
		{"India: ten digits", "in", "9876543210", "+919876543210"},
		{"India: ten digits that begin with the dial code", "in", "9123456789", "+919123456789"},
		{"US", "us", "2025550123", "+12025550123"},
		{"GB", "gb", "7911123456", "+447911123456"},
		{"AU without trunk 0", "au", "412345678", "+61412345678"},
		{"AU with trunk 0", "au", "0412345678", "+61412345678"},
		{"AE without trunk 0", "ae", "501234567", "+971501234567"},
		{"AE with trunk 0", "ae", "0501234567", "+971501234567"},
		{"AE with its dial code", "ae", "971501234567", "+971501234567"},
		{"DE with trunk 0", "de", "01712345678", "+491712345678"},
		{"FR", "fr", "612345678", "+33612345678"},
		{"SG", "sg", "91234567", "+6591234567"},
		{"JP without trunk 0", "jp", "9012345678", "+819012345678"},
		{"JP with trunk 0", "jp", "09012345678", "+819012345678"},
		{"Italy's 0 belongs to the number", "it", "0612345678", "+390612345678"},
		{"a number that no operator gave out keeps its digits", "us", "1111111112", "+11111111112"},
		{"an unknown country has no numbers", "zz", "9876543210", ""},
	} {
		t.Run(c.title, func(t *testing.T) {
			if got := E164(c.country, c.digits); got != c.want {
				t.Errorf("E164(%q, %q) = %q, want %q", c.country, c.digits, got, c.want)
			}
		})
	}
}

func TestValuesJoinsCheckboxes(t *testing.T) {
	got := Values(map[string][]string{"consents": {"marketing", "reminders"}, "fullname": {"Asha"}})
	if got["consents"] != "marketing,reminders" || got["fullname"] != "Asha" || len(got) != 2 {
		t.Errorf("%q", got)
	}
}

func TestInvalidUTF8BecomesVisible(t *testing.T) {
	clean, faults := Get("enquiry").CheckOnly(map[string]string{"fullname": "Asha\xff", "description": "a\xffb"}, Env{}, "fullname", "description")
	if clean["description"] != "a\uFFFDb" || len(faults) != 1 || faults[0].Field != "fullname" {
		t.Errorf("%q %q", clean, faults)
	}
}

func TestGuardianIsRequiredUnder18(t *testing.T) {
	form := Get("enrolment")
	for age, want := range map[string]bool{"": false, "true": false, "false": true} {
		if got := form.Applies("guardian_name", map[string]string{"adult": age}, Env{}); got != want {
			t.Errorf("adult %q: guardian_name applies: %v", age, got)
		}
	}
}
