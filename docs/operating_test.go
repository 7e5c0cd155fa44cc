package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// goFiles parses what the program is made of: no tests, and nothing that was installed.
func goFiles(t *testing.T, folder string) (files []*ast.File, places *token.FileSet) {
	t.Helper()
	places = token.NewFileSet()
	if err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || strings.HasPrefix(entry.Name(), ".") && entry.Name() != ".." && path != folder):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_templ.go"):
			return nil
		}
		file, err := parser.ParseFile(places, path, nil, parser.SkipObjectResolution)
		files = append(files, file)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return files, places
}

// alertText reads a text of the code: "…" for what is known only when it happens, and ok false for one that is not written there.
func alertText(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, ok := alertText(e.X)
		right, known := alertText(e.Y)
		if !known {
			right = "…"
		}
		return left + right, ok
	}
	return "", false
}

// alerting reports whether the first argument of a function is the text of an alert.
func alerting(name string) bool { return strings.EqualFold(name, "alert") || name == "alertPayment" }

// alerts finds the texts of all calls of Alert and alertPayment, and of the fields of that name which such calls pass on.
func alerts(t *testing.T, folder string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	files, places := goFiles(t, folder)
	for _, file := range files {
		for _, declaration := range file.Decls {
			function, _ := declaration.(*ast.FuncDecl)
			ast.Inspect(declaration, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					called, isSelector := n.Fun.(*ast.SelectorExpr)
					if !isSelector || !alerting(called.Sel.Name) || len(n.Args) == 0 {
						return true
					}
					text, ok := alertText(n.Args[0])
					field, isField := n.Args[0].(*ast.SelectorExpr)
					passedOn := isField && strings.EqualFold(field.Sel.Name, "alert") || function != nil && alerting(function.Name.Name)
					switch {
					case ok:
						found[text] = true
					case !passedOn:
						t.Errorf("%s: the text of this alert is not written here, so that operating.md cannot be held to it", places.Position(n.Pos()))
					}
				case *ast.KeyValueExpr:
					if key, isName := n.Key.(*ast.Ident); isName && strings.EqualFold(key.Name, "alert") {
						if text, ok := alertText(n.Value); ok && text != "" {
							found[text] = true
						}
					}
				}
				return true
			})
		}
	}
	return found
}

var firstCell = regexp.MustCompile("(?m)^\\| `([^`]+)`")

// firstCells are the quoted first cells of the table below a heading of operating.md.
func firstCells(t *testing.T, heading string) map[string]bool {
	t.Helper()
	document, err := os.ReadFile("operating.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(document), "\n## "+heading+"\n")
	if !found {
		t.Fatalf("operating.md has no heading %q", heading)
	}
	section, _, _ := strings.Cut(after, "\n## ")
	cells := map[string]bool{}
	for _, match := range firstCell.FindAllStringSubmatch(section, -1) {
		if cells[match[1]] {
			t.Errorf("operating.md, %s: %s stands there twice", heading, match[1])
		}
		cells[match[1]] = true
	}
	return cells
}

// equalSets reports what only one side has.
func equalSets(t *testing.T, what string, code, page map[string]bool) {
	t.Helper()
	if len(code) == 0 {
		t.Errorf("the code has no %s", what)
	}
	for _, name := range slices.Sorted(maps.Keys(code)) {
		if !page[name] {
			t.Errorf("operating.md does not tell of the %s %q", what, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(page)) {
		if !code[name] {
			t.Errorf("operating.md tells of the %s %q, which is not in the code", what, name)
		}
	}
}

func TestOperatingManualListsEveryAlert(t *testing.T) {
	equalSets(t, "alert", alerts(t, ".."), firstCells(t, "Alerts"))
}

var metric = regexp.MustCompile(`(?:describe\(|Name: )"([a-z_]+)"`)

func TestOperatorsFindEveryMetric(t *testing.T) {
	code := map[string]bool{}
	sources, err := filepath.Glob("../cmd/site/telemetry/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range metric.FindAllStringSubmatch(string(text), -1) {
			code[match[1]] = true
		}
	}
	equalSets(t, "metric", code, firstCells(t, "Metrics"))
}

var tag = regexp.MustCompile(`env:"([A-Z_]+)"`)

func TestEveryVariableIsDocumented(t *testing.T) {
	source, err := os.ReadFile("../cmd/site/config/config.go")
	if err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile("configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	variables := tag.FindAllStringSubmatch(string(source), -1)
	if len(variables) < 20 {
		t.Fatalf("config.go has %d variables", len(variables))
	}
	for _, variable := range variables {
		if !strings.Contains(string(document), "`"+variable[1]+"`") {
			t.Errorf("configuration.md does not name %s", variable[1])
		}
	}
}
