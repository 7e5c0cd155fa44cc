package e2e

import (
	"fmt"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if err := RemoveBinary(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}
