package store

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A database runs each migration once, so that a change of a released one would be missed. e2e compares the schemas too.
func TestReleasedMigrationsAreUnchanged(t *testing.T) {
	before, err := os.ReadFile("../e2e/testdata/version-before")
	if err != nil {
		t.Fatal(err)
	}
	released := strings.TrimSpace(string(before))
	git := func(arguments ...string) (string, error) {
		out, err := exec.Command("git", arguments...).Output()
		return string(out), err
	}
	if _, err := git("cat-file", "-e", released+"^{commit}"); err != nil {
		t.Skip("the repository's history is not here")
	}
	landed, err := git("ls-tree", "--name-only", released, "migrations/")
	if strings.Contains(landed, "00001_tables.sql\n") {
		return // from before the first release: its migrations were squashed
	}
	if err != nil || !strings.Contains(landed, "00025_tables.sql\n") {
		t.Fatalf("migrations of the version before: %q, %v", landed, err)
	}
	for _, name := range strings.Fields(landed) {
		was, err := git("show", released+":./"+name)
		if err != nil {
			t.Fatal(err)
		}
		if now, err := os.ReadFile(name); err != nil || string(now) != was {
			t.Errorf("%s has landed and is not what it was: write a new migration", name)
		}
	}
}
