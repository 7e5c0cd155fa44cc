//go:build long

package site_test

import (
	"testing"

	"hiresure/store/storetest"
)

func TestHundredPapersDespiteFiveBrowserKills(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) { papersArrive(t, databaseURL, 34, 5) })
}

func TestPapersAreOnePageOnA4(t *testing.T) { testPaperSize(t, "a4") }
