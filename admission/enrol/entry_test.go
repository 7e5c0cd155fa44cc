package enrol

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"
)

func TestEntryKindsAreComplete(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "entry.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var declared []EntryKind
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if kind, ok := spec.Type.(*ast.Ident); ok && kind.Name == "EntryKind" {
			text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			declared = append(declared, EntryKind(text))
		}
		return false
	})
	if len(declared) == 0 || !slices.Equal(declared, EntryKinds) {
		t.Errorf("declared are\n%q, listed\n%q", declared, EntryKinds)
	}
	if slices.Sort(declared); len(slices.Compact(declared)) != len(EntryKinds) {
		t.Error("two kinds have one text")
	}
}
