package storetest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// JobKinds returns the values of the constants Job… declared below folder, that of package admission, by name.
func JobKinds(t *testing.T, folder string) map[string]string {
	t.Helper()
	kinds := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, is := n.(*ast.ValueSpec)
			if !is {
				return true
			}
			for i, name := range spec.Names {
				if !strings.HasPrefix(name.Name, "Job") || i >= len(spec.Values) {
					continue
				}
				if value, is := spec.Values[i].(*ast.BasicLit); is {
					kinds[file.Name.Name+"."+name.Name], err = strconv.Unquote(value.Value)
				}
			}
			return err == nil
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return kinds
}
