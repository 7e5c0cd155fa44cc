// Package formstest provides forms with additional fields for tests.
package formstest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"hiresure/forms"
)

// Addition is a field and the field it follows.
type Addition struct {
	After string
	Field json.RawMessage
}

// Added returns the forms with the fields of testdata/added.json, as a next version. folder is the folder of package
// forms.
func Added(t testing.TB, folder string) *forms.Set {
	t.Helper()
	var additions map[string][]Addition
	read(t, filepath.Join(folder, "testdata", "added.json"), &additions)
	var definitions [][]byte
	for name := range additions {
		var form map[string]json.RawMessage
		read(t, filepath.Join(folder, name+".json"), &form)
		var version int
		decode(t, form["version"], &version)
		form["version"] = encode(t, version+1)
		form["fields"] = encode(t, insert(t, form["fields"], additions[name]))
		definitions = append(definitions, encode(t, form))
	}
	set, err := forms.With(definitions...)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// insert inserts each addition after its field.
func insert(t testing.TB, data json.RawMessage, additions []Addition) (fields []json.RawMessage) {
	t.Helper()
	decode(t, data, &fields)
	for _, addition := range additions {
		at := slices.IndexFunc(fields, func(field json.RawMessage) bool {
			var named struct{ Name string }
			decode(t, field, &named)
			return named.Name == addition.After
		})
		if at < 0 {
			t.Fatalf("no field %s to insert after", addition.After)
		}
		fields = slices.Insert(fields, at+1, addition.Field)
	}
	return fields
}

func read(t testing.TB, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	decode(t, data, into)
}

func decode(t testing.TB, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func encode(t testing.TB, value any) []byte {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
