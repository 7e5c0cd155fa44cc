package main

import "testing"

func TestFormsAreBundledWithoutWhatOnlyTheServerReads(t *testing.T) {
	for text, want := range map[string]string{
		`{"version": 3, "fields": [{"name": "a", "keep": "answers", "purpose": "consent", "rules": [{"purpose": 1}]}]}`: `{"fields":[{"name":"a","rules":[{"purpose":1}]}],"version":3}`,
		`{"91": "India"}`: `{"91": "India"}`,
		`[1, 2]`:          `[1, 2]`,
	} {
		if got, err := leanForm([]byte(text)); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", text, got, err, want)
		}
	}
	if _, err := leanForm([]byte(`{"fields": {}}`)); err == nil {
		t.Error("fields that are no list are accepted")
	}
}
