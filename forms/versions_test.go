package forms

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "write versions.json")

// asked returns what a form asks now, with the version recorded for these questions, or the next one.
func asked(form *Form, recorded questions) questions {
	now := questions{Version: recorded.Version}
	for i := range form.Fields {
		field := &form.Fields[i]
		line := fmt.Sprintf("%s: %s, %q, kept in %s", field.Name, field.Kind, field.Label, field.Keep)
		for _, option := range field.Options {
			line += fmt.Sprintf(", %s %q", option.Value, option.Label)
		}
		now.Fields = append(now.Fields, line)
	}
	if !slices.Equal(now.Fields, recorded.Fields) {
		now.Version++
	}
	return now
}

// Answers are stored with their form's version, which identifies the questions.
func TestChangedFormHasNewVersion(t *testing.T) {
	var recorded map[string]questions
	if err := read("versions.json", &recorded); err != nil {
		t.Fatal(err)
	}
	now := map[string]questions{}
	for name, form := range byName {
		now[name] = asked(form, recorded[name])
		if !*update && !reflect.DeepEqual(now[name], recorded[name]) {
			t.Errorf("versions.json does not have what %s asks: run ./task generate", name)
		}
	}
	if !*update {
		return
	}
	text, err := json.MarshalIndent(now, "", "  ")
	if err == nil {
		err = os.WriteFile("versions.json", append(text, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestVersionCountsChangesOfQuestions(t *testing.T) {
	form := func(label string) *Form {
		return &Form{Fields: []Field{{Name: "title", Label: label, Kind: "text", Keep: KeepAnswers}}}
	}
	recorded := questions{Version: 2, Fields: asked(form("Title"), questions{}).Fields}
	for _, row := range []struct {
		sentence string
		form     *Form
		recorded questions
		want     int
	}{
		{"as before", form("Title"), recorded, 2},
		{"another label", form("Name"), recorded, 3},
		{"a field less", &Form{}, recorded, 3},
		{"a new form", form("Title"), questions{}, 1},
	} {
		if got := asked(row.form, row.recorded).Version; got != row.want {
			t.Errorf("%s: version %d, want %d", row.sentence, got, row.want)
		}
	}
}
