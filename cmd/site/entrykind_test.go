package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hiresure/admission/enrol"
)

const enrolPath = "hiresure/admission/enrol"

// Go converts any string literal to enrol.EntryKind, so that the test checks types.
func TestEntryKindsAreConstants(t *testing.T) {
	written := map[enrol.EntryKind]bool{}
	for _, p := range importersOfEnrol(t) {
		isKind := func(e ast.Expr) bool { return types.TypeString(p.info.TypeOf(e), nil) == enrolPath+".EntryKind" }
		for _, file := range p.files {
			declares := strings.HasSuffix(p.places.Position(file.Pos()).Filename, "admission/enrol/entry.go")
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BasicLit:
					if isKind(n) && !declares {
						t.Errorf("%s: %s is no constant of entry.go", p.places.Position(n.Pos()), n.Value)
					}
				case *ast.CallExpr:
					if p.info.Types[n.Fun].IsType() && isKind(n) {
						t.Errorf("%s: a conversion makes a kind that may be unknown", p.places.Position(n.Pos()))
					}
				case *ast.Ident:
					if c, ok := p.info.Uses[n].(*types.Const); ok && isKind(n) && !declares && p.path != "hiresure/admission/registry" {
						written[enrol.EntryKind(constant.StringVal(c.Val()))] = true
					}
				}
				return true
			})
		}
	}
	for _, kind := range enrol.EntryKinds {
		if !written[kind] {
			t.Errorf("%q is never written", kind)
		}
	}
}

// checkedPackage is a type-checked package.
type checkedPackage struct {
	path   string
	places *token.FileSet
	files  []*ast.File
	info   types.Info
}

// importersOfEnrol type-checks admission/enrol and the packages of the business and the store that import it, without tests.
func importersOfEnrol(t *testing.T) (all []checkedPackage) {
	t.Helper()
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,GoFiles,Imports,Export", "hiresure/admission/...", "hiresure/store").Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	compiled := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	for list := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath, Dir, Export string
			GoFiles, Imports        []string
		}
		if err := list.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export // -deps lists a package after its imports
		if p.ImportPath != enrolPath && !slices.Contains(p.Imports, enrolPath) {
			continue
		}
		one := checkedPackage{p.ImportPath, token.NewFileSet(), nil, types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}}
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(one.places, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			one.files = append(one.files, file)
		}
		config := types.Config{Importer: importer.ForCompiler(one.places, "gc", compiled)}
		if _, err := config.Check(p.ImportPath, one.places, one.files, &one.info); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
}
