//go:build long

package main

import (
	"testing"

	"hiresure/store/storetest"
)

func TestAHundredPapersArriveThoughTheBrowserIsKilledFiveTimes(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) { papersArrive(t, databaseURL, 34, 5) })
}
