package paths_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var address = regexp.MustCompile(`"/[a-z][a-zA-Z0-9/_-]*`)

// The business takes every address from this package.
func TestTheBusinessWritesNoAddress(t *testing.T) {
	files := 0
	if err := filepath.WalkDir("../admission", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if found := address.FindString(string(text)); found != "" {
			t.Errorf("%s has the address %s\"", path, found)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Errorf("%d files were read", files)
	}
}
