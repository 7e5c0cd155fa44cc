package forms

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write down what each form asks in its version")

const askedFile = "testdata/asked.json"

// asked is what a form asks in a version: a line a field, with all that an answer's meaning hangs on.
type asked struct {
	Version int      `json:"version"`
	Fields  []string `json:"fields"`
}

func asks(form *Form) asked {
	all := asked{Version: form.Version}
	for i := range form.Fields {
		field := &form.Fields[i]
		line := fmt.Sprintf("%s: %s, %q, kept in %s", field.Name, field.Kind, field.Label, field.Keep)
		for _, option := range field.Options {
			line += fmt.Sprintf(", %s %q", option.Value, option.Label)
		}
		all.Fields = append(all.Fields, line)
	}
	return all
}

// outdated returns what to do if a form's questions differ from the recorded ones; "" for nothing.
func outdated(form *Form, before map[string]asked) string {
	was, known := before[form.Name]
	switch now := asks(form); {
	case reflect.DeepEqual(was, now):
		return ""
	case known && was.Version >= now.Version && !slices.Equal(was.Fields, now.Fields):
		return fmt.Sprintf("%s asks something else than in its version %d: raise its version, then run ./task generate", form.Name, was.Version)
	}
	return "what " + form.Name + " asks is not written down: run ./task generate"
}

// Answers are stored with their form's version, which identifies the questions.
func TestChangedFormHasNewVersion(t *testing.T) {
	before := map[string]asked{}
	data, err := os.ReadFile(askedFile)
	if err == nil {
		err = json.Unmarshal(data, &before)
	}
	if err != nil {
		t.Fatal(err)
	}
	now := map[string]asked{}
	for name, form := range byName {
		now[name] = asks(form)
		if fault := outdated(form, before); fault != "" && (!*update || strings.Contains(fault, "raise")) {
			t.Error(fault)
		}
	}
	if !*update || t.Failed() {
		return
	}
	text, err := json.MarshalIndent(now, "", "  ")
	if err == nil {
		err = os.WriteFile(askedFile, append(text, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestMissingVersionIsDetected(t *testing.T) {
	form := func(version int, label string) *Form {
		return &Form{Name: "poem", Version: version, Fields: []Field{{Name: "title", Label: label, Kind: "text", Keep: KeepAnswers}}}
	}
	before := map[string]asked{"poem": asks(form(2, "Title"))}
	for _, row := range []struct {
		sentence string
		form     *Form
		want     string
	}{
		{"as before", form(2, "Title"), ""},
		{"another label in the same version", form(2, "Name"), "poem asks something else than in its version 2: raise its version, then run ./task generate"},
		{"another label in an older version", form(1, "Name"), "poem asks something else than in its version 2: raise its version, then run ./task generate"},
		{"another label in the next version", form(3, "Name"), "what poem asks is not written down: run ./task generate"},
		{"a form that nobody knows", &Form{Name: "song", Version: 1}, "what song asks is not written down: run ./task generate"},
	} {
		if got := outdated(row.form, before); got != row.want {
			t.Errorf("%s: %q, want %q", row.sentence, got, row.want)
		}
	}
}
