package money

import (
	"fmt"
	"os"
	"testing"

	"hiresure/e2e"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if err := e2e.RemoveBinary(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}
