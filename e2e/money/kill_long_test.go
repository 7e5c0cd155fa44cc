//go:build long

package money_test

import (
	"testing"

	"hiresure/store/storetest"
)

func TestKillOnPostgreSQL(t *testing.T) {
	testKill(t, storetest.Postgres(t))
}
