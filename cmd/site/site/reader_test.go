package site_test

import (
	"testing"

	"hiresure/cmd/site/sitetest"
)

func TestMain(m *testing.M) { sitetest.Main(m) }

// reader is a visitor of a whole site.
type reader struct{ *sitetest.Reader }

// openSite starts a site while enrolment is open.
func openSite(t *testing.T, changes ...string) *reader {
	t.Helper()
	return &reader{sitetest.Open(t, changes...)}
}
