package commands

import (
	"context"
	"fmt"
	"os"
	"testing"

	"hiresure/cmd/site/config"
	"hiresure/cmd/site/sitetest"
)

// TestMain runs the test binary also as the processes that tests kill.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "print" || os.Args[1] == "serve") {
		if err := Run(context.Background(), os.Args[1:], config.Environ(), os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	sitetest.Main(m)
}

// reader is a visitor of a whole site.
type reader struct{ *sitetest.Reader }

// openSite starts a site while enrolment is open.
func openSite(t *testing.T, changes ...string) *reader {
	t.Helper()
	return &reader{sitetest.Open(t, changes...)}
}
