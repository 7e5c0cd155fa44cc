package main

import (
	"encoding/json"
	"os"

	"github.com/evanw/esbuild/pkg/api"
)

// serverOnly are the keys of a form's fields that no island reads: where an answer is stored, and why it is asked.
var serverOnly = []string{"keep", "purpose"}

// leanForms bundles the forms without the keys that only the server reads.
var leanForms = api.Plugin{Name: "forms", Setup: func(build api.PluginBuild) {
	build.OnLoad(api.OnLoadOptions{Filter: `/forms/[a-z-]+\.json$`}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		text, err := os.ReadFile(args.Path)
		if err != nil {
			return api.OnLoadResult{}, err
		}
		lean, err := leanForm(text)
		contents := string(lean)
		return api.OnLoadResult{Contents: &contents, Loader: api.LoaderJSON}, err
	})
}}

// leanForm returns a form's JSON without serverOnly. It returns other JSON unchanged.
func leanForm(text []byte) ([]byte, error) {
	var form map[string]json.RawMessage
	if json.Unmarshal(text, &form) != nil || form["fields"] == nil {
		return text, nil
	}
	var fields []map[string]json.RawMessage
	if err := json.Unmarshal(form["fields"], &fields); err != nil {
		return nil, err
	}
	for _, field := range fields {
		for _, key := range serverOnly {
			delete(field, key)
		}
	}
	var err error
	if form["fields"], err = json.Marshal(fields); err != nil {
		return nil, err
	}
	return json.Marshal(form)
}
