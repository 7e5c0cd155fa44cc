// Package docs_test holds the documents of the project to its sources.
package docs_test

import (
	"bytes"
	"encoding/json"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hiresure/content"
)

// row is one row of coverage.md, below the heading of its section.
type row struct {
	section, sentence, where, test string
}

// deviations returns the deviations that replace the row's sentences.
func (r row) deviations() []string { return deviation.FindAllString(r.sentence, -1) }

func rows(t *testing.T) (all []row) {
	t.Helper()
	document, err := os.ReadFile("coverage.md")
	if err != nil {
		t.Fatal(err)
	}
	heading := ""
	for number, line := range strings.Split(string(document), "\n") {
		if title, found := strings.CutPrefix(line, "## "); found {
			heading = title
		}
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") || strings.HasPrefix(line, "| specification |") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 3 {
			t.Fatalf("coverage.md:%d: %d cells, want 3: %s", number+1, len(cells), line)
		}
		all = append(all, row{heading, cells[0], cells[1], cells[2]})
	}
	return all
}

var (
	quoted    = regexp.MustCompile(`“([^”]+)”`)
	named     = regexp.MustCompile("`([^`]+)`")
	deviation = regexp.MustCompile(`\bD[0-9]+\b`)
	section   = regexp.MustCompile(`^[2-9] `)
	spaces    = regexp.MustCompile(`\s+`)
)

// oneLine makes a text comparable with a source that breaks lines or writes entities.
func oneLine(text string) string { return spaces.ReplaceAllString(html.UnescapeString(text), " ") }

func TestDeviationNumbersAreUnique(t *testing.T) {
	text, err := os.ReadFile("deviations.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, found := range regexp.MustCompile(`(?m)^\| (D[0-9]+) \|`).FindAllStringSubmatch(string(text), -1) {
		if seen[found[1]] {
			t.Errorf("%s is the number of two deviations", found[1])
		}
		seen[found[1]] = true
	}
	if len(seen) < 80 {
		t.Errorf("%d deviations were found", len(seen))
	}
}

func TestEveryRowNamesItsPlace(t *testing.T) {
	deviations, err := os.ReadFile("deviations.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]bool{}
	for _, r := range rows(t) {
		sections[r.section[:1]] = true
		if !section.MatchString(r.section) {
			t.Errorf("%q is not a section of 2 to 9", r.section)
		}
		for _, id := range r.deviations() {
			if !bytes.Contains(deviations, []byte("| "+id+" |")) {
				t.Errorf("%s: %s: deviations.md has no %s", r.section, r.sentence, id)
			}
		}
		if !named.MatchString(r.where) || !named.MatchString(r.test) {
			t.Errorf("%s: %s: names no place or no test", r.section, r.sentence)
		}
		for _, name := range named.FindAllStringSubmatch(r.where, -1) {
			if _, err := os.Stat(filepath.Join("..", name[1])); err != nil {
				t.Errorf("%s: %s: no %s", r.section, r.sentence, name[1])
			}
		}
		for _, name := range named.FindAllStringSubmatch(r.test, -1) {
			if !isTested(filepath.Join("..", name[1])) {
				t.Errorf("%s: %s: no tests in %s", r.section, r.sentence, name[1])
			}
			if name[1] == "e2e" {
				t.Errorf("%s: %s: which journey of e2e?", r.section, r.sentence)
			}
		}
	}
	if len(sections) != 8 {
		t.Errorf("sections %v, want 2 to 9", sections)
	}
}

// isTested reports whether a file exists, or a folder holds tests.
func isTested(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return err == nil
	}
	found := false
	err = filepath.WalkDir(path, func(name string, _ fs.DirEntry, err error) error {
		base := filepath.Base(name)
		if strings.HasSuffix(base, "_test.go") || strings.Contains(base, ".test.ts") || strings.Contains(base, ".spec.ts") {
			found = true
			return fs.SkipAll
		}
		return err
	})
	return found && err == nil
}

func TestEveryTextThatIsDoneIsInTheProduct(t *testing.T) {
	product := specTexts(t) + sources(t)
	for _, r := range rows(t) {
		if len(r.deviations()) > 0 {
			continue
		}
		for _, text := range quoted.FindAllStringSubmatch(r.sentence, -1) {
			if !strings.Contains(product, oneLine(text[1])) {
				t.Errorf("%s: “%s” is nowhere in the product", r.section, text[1])
			}
		}
	}
}

// sources is what the product's words are written in: no tests, no generated code.
func sources(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, folder := range []string{"admission", "api", "components", "content", "forms", "islands", "integrations", "pages"} {
		err := filepath.WalkDir(filepath.Join("..", folder), func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !holdsWords(name) {
				return err
			}
			source, err := os.ReadFile(name)
			all.WriteString(oneLine(string(source)) + "\n")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}

func holdsWords(name string) bool {
	for _, other := range []string{"_test.go", "_templ.go", ".test.ts", ".test.tsx", "cases.json"} {
		if strings.HasSuffix(name, other) {
			return false
		}
	}
	switch filepath.Ext(name) {
	case ".go", ".templ", ".ts", ".tsx", ".yaml":
		return true
	case ".json":
		return filepath.Base(filepath.Dir(name)) == "forms"
	}
	return false
}

// specTexts returns the texts of the landing pages as visitors read them, with the figures of each event.
func specTexts(t *testing.T) string {
	t.Helper()
	library, err := content.Load()
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	encoder := json.NewEncoder(&all)
	encoder.SetEscapeHTML(false)
	for _, event := range library.Events() {
		page, _ := library.Landing(event.Slug, event.EnrolmentOpens)
		if err := encoder.Encode(page); err != nil {
			t.Fatal(err)
		}
	}
	return oneLine(all.String())
}
