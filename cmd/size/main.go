// Command size reports packages, files, functions and services above a size. It rejects nothing. Run it in the root of the
// repository.
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

const (
	largePackage  = 2500 // lines of a package of the business, without its tests
	largeFile     = 400  // lines of Go, TypeScript or CSS, tests too
	largeFunction = 80   // lines of Go outside of tests
	manyMethods   = 15   // exported methods of a Service
)

func main() {
	s, err := measure(os.DirFS("."))
	if err != nil {
		fmt.Fprintln(os.Stderr, "size:", err)
		os.Exit(1)
	}
	for _, line := range s.report() {
		fmt.Println("size:", line)
	}
	fmt.Printf("size: %d imports between the areas of the business: %s\n", len(s.arrows), strings.Join(s.arrows, ", "))
}

// sizes contains all sizes by name.
type sizes struct {
	packages  map[string]int // lines, by folder
	files     map[string]int // lines, by path
	functions map[string]int // lines
	services  map[string]int // exported methods
	arrows    []string       // "payment → enrol": sorted imports between areas of the business
}

// report returns a line for each size above its bound, largest first.
func (s *sizes) report() (lines []string) {
	for _, bound := range []struct {
		kind, unit string
		size       map[string]int
		most       int
	}{
		{"package", "lines", s.packages, largePackage},
		{"file", "lines", s.files, largeFile},
		{"function", "lines", s.functions, largeFunction},
		{"service", "exported methods", s.services, manyMethods},
	} {
		names := slices.SortedFunc(maps.Keys(bound.size), func(a, b string) int { return cmp.Or(bound.size[b]-bound.size[a], strings.Compare(a, b)) })
		for _, name := range names {
			if size := bound.size[name]; size > bound.most {
				lines = append(lines, fmt.Sprintf("%s %s: %d %s (more than %d)", bound.kind, name, size, bound.unit, bound.most))
			}
		}
	}
	return lines
}

// measure measures the source files below root, except generated and downloaded ones and testdata.
func measure(root fs.FS) (*sizes, error) {
	s := &sizes{packages: map[string]int{}, files: map[string]int{}, functions: map[string]int{}, services: map[string]int{}}
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			base := path.Base(name)
			if name != "." && (strings.HasPrefix(base, ".") || base == "node_modules" || base == "testdata" || name == "static/dist") {
				return fs.SkipDir
			}
			return nil
		}
		if !slices.Contains([]string{".go", ".ts", ".tsx", ".css"}, path.Ext(name)) || strings.HasSuffix(name, "_templ.go") {
			return nil
		}
		source, err := fs.ReadFile(root, name)
		if err != nil || bytes.HasPrefix(source, []byte("// Code generated ")) {
			return err
		}
		lines := bytes.Count(source, []byte("\n"))
		s.files[name] = lines
		if path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") {
			return s.readGo(name, source, lines)
		}
		return nil
	})
	slices.Sort(s.arrows)
	s.arrows = slices.Compact(s.arrows)
	return s, err
}

// readGo measures the declarations of a Go file.
func (s *sizes) readGo(name string, source []byte, lines int) error {
	positions := token.NewFileSet()
	file, err := parser.ParseFile(positions, name, source, 0)
	if err != nil {
		return err
	}
	folder := path.Dir(name)
	if folder == "admission" || strings.HasPrefix(folder, "admission/") {
		s.packages[folder] += lines
	}
	if area, is := strings.CutPrefix(folder, "admission/"); is && area != "business" {
		for _, imported := range file.Imports {
			if other, is := strings.CutPrefix(strings.Trim(imported.Path.Value, `"`), "hiresure/admission/"); is {
				s.arrows = append(s.arrows, area+" → "+other)
			}
		}
	}
	length := func(n ast.Node) int { return positions.Position(n.End()).Line - positions.Position(n.Pos()).Line + 1 }
	for _, declaration := range file.Decls {
		function, is := declaration.(*ast.FuncDecl)
		if !is {
			ast.Inspect(declaration, func(n ast.Node) bool {
				literal, is := n.(*ast.FuncLit)
				if is {
					s.functions[fmt.Sprintf("%s.(literal at line %d)", folder, positions.Position(literal.Pos()).Line)] = length(literal)
				}
				return !is
			})
			continue
		}
		receiver := ""
		if function.Recv != nil {
			receiver = typeName(function.Recv.List[0].Type)
			if receiver == "Service" && function.Name.IsExported() {
				s.services[folder+".Service"]++
			}
			receiver = "(" + receiver + ")."
		}
		s.functions[folder+"."+receiver+function.Name.Name] = length(function)
	}
	return nil
}

// typeName returns the name of a receiver's type, without its pointer and its type parameters.
func typeName(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return typeName(of.X)
	case *ast.IndexExpr:
		return typeName(of.X)
	case *ast.IndexListExpr:
		return typeName(of.X)
	case *ast.Ident:
		return of.Name
	}
	return ""
}
