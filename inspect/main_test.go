package inspect

import (
	"os"
	"testing"
)

// The tests' own program is the child, as the site's is.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "inspect" {
		os.Exit(Child(os.Stdin, os.Stdout, os.Args[2:]))
	}
	os.Exit(m.Run())
}
