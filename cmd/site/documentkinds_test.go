package main

import (
	"os"
	"strings"
	"testing"

	"hiresure/admission/document"
	"hiresure/prose"
)

// Content names the kinds of documents in words, which must match document.Kinds.
func TestContentNamesTheDocumentKinds(t *testing.T) {
	var needed, optional, yours []string
	for _, fact := range document.Kinds {
		if fact.Required == "" {
			optional = append(optional, fact.Word)
			continue
		}
		needed, yours = append(needed, fact.Word), append(yours, "your "+fact.Word)
	}
	for file, words := range map[string][]string{
		"messages.yaml":      {"Sign in and upload " + prose.List(yours) + "."},
		"legal/privacy.yaml": {"Application documents: your " + prose.List(needed) + ",", prose.List(optional) + " if you give it"},
	} {
		content, err := os.ReadFile("../../content/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range words {
			if !strings.Contains(string(content), word) {
				t.Errorf("content/%s does not say %q", file, word)
			}
		}
	}
}
