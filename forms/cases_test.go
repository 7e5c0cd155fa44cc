package forms_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hiresure/forms"
)

// table is cases.json. A case is a good form, changed in the fields of its input.
type table struct {
	Env   forms.Env
	Good  map[string]map[string]string
	Cases []oneCase
}

type oneCase struct {
	Form, Title string
	Only        []string // the fields to check; none: the whole form
	Input       map[string]string
	Env         *struct{ Proven map[string]string } // in place of the table's
	Clean       map[string]*string                  // the values that the case is about; null: not asked
	Faults      []forms.Fault
	Warnings    []forms.Fault // none where it is absent
}

func readTable(t *testing.T) (all table) {
	t.Helper()
	data, err := os.ReadFile("cases.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestCases(t *testing.T) {
	all := readTable(t)
	for _, c := range all.Cases {
		t.Run(c.Form+"/"+c.Title, func(t *testing.T) {
			form, env := forms.Get(c.Form), all.Env
			if c.Env != nil {
				env.Proven = c.Env.Proven
			}
			in := maps.Clone(all.Good[c.Form])
			maps.Copy(in, c.Input)
			clean, faults := form.Check(in, env)
			if c.Only != nil {
				clean, faults = form.CheckOnly(in, env, c.Only...)
			}
			if !reflect.DeepEqual(faults, c.Faults) {
				t.Errorf("faults\n got %q\nwant %q", faults, c.Faults)
			}
			if warnings := form.Warnings(in, env); !slices.Equal(warnings, c.Warnings) {
				t.Errorf("warnings\n got %q\nwant %q", warnings, c.Warnings)
			}
			for name, want := range c.Clean {
				switch got, asked := clean[name]; {
				case want == nil && asked:
					t.Errorf("%s is asked, and clean: %q", name, got)
				case want != nil && (got != *want || !asked):
					t.Errorf("clean %s\n got %q\nwant %q", name, got, *want)
				}
			}
			for _, name := range c.Only {
				if _, message := form.CheckField(name, in, env); message != messageOf(c.Faults, name) {
					t.Errorf("%s by itself: got %q, want %q", name, message, messageOf(c.Faults, name))
				}
			}
		})
	}
}

func messageOf(faults []forms.Fault, field string) string {
	for _, fault := range faults {
		if fault.Field == field {
			return fault.Message
		}
	}
	return ""
}

func TestEveryFieldAndMessageHasACase(t *testing.T) {
	all := readTable(t)
	files, err := filepath.Glob("*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(file, ".json")
		if !slices.Contains([]string{"cases", "countries", "patterns", "versions"}, name) && all.Good[name] == nil {
			t.Errorf("cases.json has no good example of %s", name)
		}
	}
	for name := range all.Good {
		for _, field := range forms.Get(name).Fields {
			tried := false
			for _, c := range all.Cases {
				_, given := c.Input[field.Name]
				tried = tried || c.Form == name && given
			}
			if !tried {
				t.Errorf("no case of %s gives %s a value", name, field.Name)
			}
			for _, warn := range field.Warn {
				message := strings.ReplaceAll(warn.Message, "{choice}", "Karnataka")
				if !slices.ContainsFunc(all.Cases, func(c oneCase) bool {
					return c.Form == name && messageOf(c.Warnings, field.Name) == message
				}) {
					t.Errorf("no case of %s warns of %s by %q", name, field.Name, message)
				}
			}
			for _, rule := range field.Rules {
				pattern := regexp.MustCompile("^" + strings.NewReplacer(`\{min\}`, "[0-9]+", `\{max\}`, "[0-9]+", `\{sign\}`, ".").Replace(regexp.QuoteMeta(rule.Message)) + "$")
				heard := false
				for _, c := range all.Cases {
					heard = heard || c.Form == name && pattern.MatchString(messageOf(c.Faults, field.Name))
				}
				if !heard {
					t.Errorf("no case of %s makes %s say %q", name, field.Name, rule.Message)
				}
			}
		}
	}
}
